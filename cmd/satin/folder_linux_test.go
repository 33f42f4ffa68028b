package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin/program/console"
)

// startIn starts a node that comes in through a folder of tickets, and does not wait for it.
func startIn(t *testing.T, dir string, args ...string) *node {
	t.Helper()
	n := &node{folder: filepath.Join(t.TempDir(), "state"), log: filepath.Join(t.TempDir(), "log")}
	n.process = exec.Command(binary, append([]string{"node", "--workers", "1", "--listen", anyPort, "--state", n.folder, "--join", dir}, args...)...)
	begin(t, n.process, n.log)
	return n
}

// tickets are the files of the members of a folder.
func tickets(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.member"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestFolderOfTickets: many nodes start at once on an empty folder; one that founds is killed
// half-way. They become one grid, with one secret. When all have left, any of them starts again and
// the others find it; when all are killed, too.
func TestFolderOfTickets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var nodes []*node
	for range 6 {
		nodes = append(nodes, startIn(t, dir))
	}
	awaitAll(t, nodes)
	if got := tickets(t, dir); len(got) != len(nodes) {
		t.Errorf("there are the tickets %v", got)
	}
	founded := 0
	for _, n := range nodes {
		if strings.Contains(n.said(t), "goes on alone") {
			founded++
		}
	}
	if founded > 0 {
		t.Errorf("%d began beside the founder", founded)
	}
	if got := runBinary(t, nil, "run", "nqueens", "8", "--join", dir); got.out != "92\n" {
		t.Errorf("a client comes in through the folder: exit %d, %q", got.code, got.err)
	}
	for _, n := range nodes[1:] {
		n.end()
	}
	if got := tickets(t, dir); len(got) != 1 {
		t.Errorf("after all but one have left there are %v", got)
	}
	nodes[0].kill()
	again := []*node{startIn(t, dir), startIn(t, dir), startIn(t, dir)}
	awaitAll(t, again)
}

// TestFounderDiesHalfway: whoever has made the secret, or claimed to found, and dies,
// holds nobody up for long.
func TestFounderDiesHalfway(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 60 * time.Millisecond} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first := startIn(t, dir)
			await.UntilOr(t, func() bool {
				claims, _ := filepath.Glob(filepath.Join(dir, "founding.*"))
				return len(claims) > 0 || len(tickets(t, dir)) > 0
			}, func() string { return "nobody founds" })
			time.Sleep(after) // the moments differ: nothing says how far it is
			first.kill()
			nodes := []*node{startIn(t, dir), startIn(t, dir), startIn(t, dir)}
			awaitAll(t, nodes)
		})
	}
}

// TestFolderThatIsNone: a folder that others may write in is refused, and so is a
// client where nobody is.
func TestFolderThatIsNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	refused(t, console.ExitRefused, "no node has published its ticket there yet", "run", "fib", "20", "--join", dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	refused(t, console.ExitUsage, "others may write in "+dir, "node", "--listen", anyPort, "--state", filepath.Join(t.TempDir(), "s"), "--join", dir)
}
