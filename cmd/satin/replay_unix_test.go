//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDashPlays shows a recording on a page, until it is interrupted.
func TestDashPlays(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	file := filepath.Join(t.TempDir(), "n.rec")
	if text, err := exec.CommandContext(ctx, binary, "run", "nqueens", "8", "--sites", "a:1,b:1", "--record", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	c := exec.CommandContext(ctx, binary, "dash", file, "--at", "1h")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	page, err := http.Get(strings.TrimSpace(link) + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	lines := bufio.NewScanner(page.Body)
	for _, want := range []string{"grid local: 2 peers at 2 sites", "ends here"} {
		for has := false; !has; has = strings.Contains(lines.Text(), want) {
			if !lines.Scan() {
				t.Fatalf("%q never comes: %v", want, lines.Err())
			}
		}
	}
	c.Process.Signal(syscall.SIGINT)
	io.Copy(io.Discard, out)
	if err := c.Wait(); err != nil {
		t.Errorf("interrupted it says %v", err)
	}
}
