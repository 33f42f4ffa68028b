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

// TestDashDraws shows a run on a page while it goes on, with what the application draws of it.
func TestDashDraws(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, binary, "run", "raytracer", "--sites", "a:1,b:1", "--samples", "400", "--dash", "-o", filepath.Join(t.TempDir(), "p.png"))
	says, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	text := bufio.NewScanner(says)
	link := ""
	for link == "" && text.Scan() {
		_, link, _ = strings.Cut(text.Text(), "while it goes on it is shown at ")
	}
	go io.Copy(io.Discard, says)
	page, err := http.Get(link + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	lines := bufio.NewScanner(page.Body)
	for !strings.Contains(lines.Text(), " tiles are finished, the rest is a sketch") {
		if !lines.Scan() {
			t.Fatalf("nothing is drawn: %v", lines.Err())
		}
	}
	picture, err := http.Get(link + "picture?figure=0")
	if err != nil {
		t.Fatal(err)
	}
	defer picture.Body.Close()
	if kind := picture.Header.Get("Content-Type"); kind != "image/png" {
		t.Errorf("the picture is %s", kind)
	}
	c.Process.Signal(syscall.SIGINT)
	c.Wait() // it has an exit code of its own then
}
