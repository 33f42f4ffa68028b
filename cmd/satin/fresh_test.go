//go:build unix

package main

import (
	"strings"
	"testing"

	"satingrid/satin/await"
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
	full := func() bool { return g.results() > 0 }
	giveUp := g.runToGiveUp("nqueens", "19")
	is("a result in the store", full)
	giveUp()
	anew := g.hasAnew()
	giveUp = g.runToGiveUp("nqueens", "19", "--fresh")
	is("a new file in the store", anew)
	is("a result in the store", full)
	giveUp()
	if said := g.nodes[0].said(t); strings.Contains(said, "stored here") {
		t.Errorf("a fresh one goes on with what was stored: %q", said)
	}
	g.runToGiveUp("nqueens", "19")
	g.nodes[0].awaitSaid(t, "stored here")
}
