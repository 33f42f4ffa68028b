package gridsim

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestMigrationToNobody: the destination of a migration dies while the others leave. They stay,
// whenever it dies and whether or not anybody sees it, and the run goes on where it is.
func TestMigrationToNobody(t *testing.T) {
	stayed := 0
	for n := range 40 {
		tree := &Tree{Seed: uint64(n), Depth: 4, Width: 4, Leaf: 50 * time.Millisecond}
		o := quiet(tree, 5*time.Millisecond, steal.CRS, 3)
		o.Seed, o.CheckAll = uint64(n), true
		o.add(Fault{Kind: MigrateLost, At: at(200 * time.Millisecond), For: 5*time.Second + time.Duration(n)*time.Millisecond/4, N: n % 2})
		r := play(t, o)
		stayed += r.Fired[MigrateLost]
		if r.Killed == 0 {
			t.Errorf("%d: nobody died", n)
		}
	}
	if stayed < 30 {
		t.Errorf("in %d of 40 schedules they stayed", stayed)
	}
}

// TestLeavingToNobodyIsFound: peers that leave to a site where nobody is any more, as those do
// whose order is not bound, are found out.
func TestLeavingToNobodyIsFound(t *testing.T) {
	tree := &Tree{Seed: 1, Depth: 4, Width: 4, Leaf: 50 * time.Millisecond}
	o := quiet(tree, 5*time.Millisecond, steal.CRS, 2)
	w := newWorld(o)
	w.populate()
	w.play(time.Second, func() bool { return false })
	h := w.who.hosts[0]
	w.now += 2 * desertedMax
	h.bound = membership.Site("nowhere")
	h.checkBound()
	if w.err == nil {
		t.Error("nobody has found out")
	}
}
