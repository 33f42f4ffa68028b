//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"satingrid/satin/await"
	"satingrid/satin/program/admin"
)

// TestFreshRunUsesNothingStored: a root that was given up is submitted again. With --fresh what is
// stored of it is dropped, and it begins from the start; without, it goes on with what the fresh
// one has left.
func TestFreshRunUsesNothingStored(t *testing.T) {
	t.Parallel()
	g := newOutliver(t, "a")
	is := func(what string, holds func() bool) {
		t.Helper()
		await.UntilOr(t, holds, func() string { return what + " is awaited; the node says " + g.nodes[0].said(t) })
	}
	full := func() bool { return g.stored() >= resultsStored }
	run := func(words ...string) (giveUp func()) {
		c := exec.Command(binary, append([]string{"run", "nqueens", "19", "--join", g.nodes[0].ticket}, words...)...)
		begin(t, c, filepath.Join(t.TempDir(), "log"))
		return func() {
			c.Process.Signal(syscall.SIGINT)
			c.Wait()
			// the next one would join a run that is on
			g.nodes[0].await(t, "without a run", func(s admin.Status) bool { return len(s.Runs) == 0 })
		}
	}
	giveUp := run()
	is("a result in the store", full)
	giveUp()
	anew := g.hasAnew()
	giveUp = run("--fresh")
	is("a new file in the store", anew)
	is("a result in the store", full)
	giveUp()
	if said := g.nodes[0].said(t); strings.Contains(said, "stored here") {
		t.Errorf("a fresh one goes on with what was stored: %q", said)
	}
	run()
	g.nodes[0].awaitSaid(t, "stored here")
}
