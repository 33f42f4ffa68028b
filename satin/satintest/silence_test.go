package satintest_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// witness counts the losses that each peer of a grid has seen, so that a test of a fault can
// tell that it struck.
type witness struct {
	mu   sync.Mutex // protects seen
	seen map[string][]satin.Event
}

// witnessed starts a grid whose peers tell what they lose.
func witnessed(t *testing.T, c satintest.Config) (*satintest.Grid, *witness) {
	t.Helper()
	w := &witness{seen: map[string][]satin.Event{}}
	c.Peer = func(c *satin.Config) {
		by := c.Name // "" is the client
		c.Events = func(e satin.Event) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if e.Kind == satin.EventLost {
				w.seen[by] = append(w.seen[by], e)
			}
		}
	}
	return start(t, c), w
}

// silent is how often a peer has held another dead because it heard nothing of it.
func (w *witness) silent(by, who string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.seen[by] {
		if e.Peer == who && e.How == "silent" {
			n++
		}
	}
	return n
}

// forget lets it count from now on.
func (w *witness) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.seen)
}

// lasting is a tree that takes longer than it takes to hold somebody dead, whatever its peers redo.
func lasting(seed uint64) Tree { return Tree{Depth: 14, Seed: seed, Leaf: time.Millisecond} }

// together waits until all of a grid see all, and nobody else.
func together(t *testing.T, g *satintest.Grid) {
	t.Helper()
	names := g.Names()
	for _, by := range append(slices.Clone(names), "") {
		p := g.Client
		if by != "" {
			p = g.Peer(by)
		}
		var here []string
		if !await.Comes(func() bool {
			here = nil
			for _, m := range p.Members() {
				here = append(here, m.Name)
			}
			return slices.Equal(here, names)
		}) {
			t.Fatalf("%q sees %v, and there are %v", by, here, names)
		}
	}
}

// A cut, then a heal: each side that does not hear the other holds it dead, both compute, one
// answer comes, and all are together again.
func TestCutAndHeal(t *testing.T) {
	t.Parallel()
	for what, oneWay := range map[string]bool{"both ways": false, "one way": true} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			g, seen := witnessed(t, satintest.Config{})
			task := lasting(6)
			sub := submit[Tree, uint64](t, g, task)
			soon(t, sub)
			seen.forget()
			if g.CutOneWay("a", "b"); !oneWay {
				g.CutOneWay("b", "a")
			}
			during(t, sub, "the cut is noticed at b/1", func() bool { return seen.silent("b/1", "a/1") > 0 && seen.silent("b/1", "a/2") > 0 })
			if !oneWay {
				during(t, sub, "the cut is noticed at site a", func() bool { return seen.silent("a/1", "b/1") > 0 && seen.silent("a/2", "b/1") > 0 })
			}
			g.Heal()
			wait(t, sub, task.Value())
			together(t, g)
		})
	}
}

// A peer is silent until the others hold it dead, and comes back: it is a member again, and
// the answer is right.
func TestPausedPeerComesBack(t *testing.T) {
	t.Parallel()
	g, seen := witnessed(t, satintest.Config{})
	task := lasting(7)
	sub := submit[Tree, uint64](t, g, task)
	soon(t, sub)
	seen.forget()
	g.Pause("a/2")
	during(t, sub, "the pause is noticed", func() bool { return seen.silent("a/1", "a/2") > 0 && seen.silent("b/1", "a/2") > 0 })
	g.Resume("a/2")
	together(t, g)
	wait(t, sub, task.Value())
}
