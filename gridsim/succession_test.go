package gridsim

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// lastEvents is how many events of a new master are tried to be its last.
const lastEvents = 200

// triesMax is how often a schedule is drawn anew in which a run was over before.
const triesMax = 10

// TestSuccessorDies: the master is killed, and the one that takes over is killed, too, after each
// of its first events as master: while it looks up the root, begins it, is asked for work,
// lends, and has its first results back.
func TestSuccessorDies(t *testing.T) {
	var used, again int
	for n := 0; n < lastEvents; n += slower {
		for try := uint64(0); ; try++ {
			r := play(t, successor(try, n))
			used += int(min(r.Used, 1))
			again += int(min(r.Again, 1))
			if r.Fired[CrashSuccessor] == 1 && r.Epochs > 2 {
				break
			}
			if try == triesMax {
				t.Errorf("no new master was killed and succeeded after %d events", n)
				break
			}
		}
	}
	t.Logf("%d used an orphan or a copy, %d put jobs back", used, again)
	if few := lastEvents / slower; used < few/5 || again < few/10 {
		// with a master dies what its root has lent: others lend less
		t.Error("the schedules did less than they claim")
	}
}

// successor draws a schedule in which a new master dies after n events.
func successor(seed uint64, n int) Options {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	tree := Tree{Seed: 5, Depth: 4, Width: 4, Leaf: 100 * time.Millisecond, Shuffled: r.IntN(2) == 0, Twins: r.IntN(2) == 0}
	var w Workload = &tree
	switch r.IntN(4) {
	case 0:
		w = &Search{Tree: tree}
	case 1:
		w = &Hunt{tree}
	case 2:
		tree.Panics = tree.drawLeaf(r)
	}
	o := quiet(w, time.Duration(1+r.IntN(50))*time.Millisecond, steal.CRS, 2+r.IntN(3), 1+r.IntN(2))
	o.Seed, o.Submitted, o.CheckAll = seed<<8|uint64(n), 1+r.IntN(2), true
	if r.IntN(2) == 0 {
		o.CopyEvery = 200 * time.Millisecond
	}
	if r.IntN(2) == 0 {
		o.Near.Loss, o.Far.Loss, o.Near.Double, o.Far.Double = 0.2, 0.2, 0.2, 0.2
	}
	if r.IntN(4) == 0 {
		o.Verify = 0.3
	}
	at := at(time.Duration(50+r.IntN(400)) * time.Millisecond)
	o.add(Fault{Kind: CrashSuccessor, At: at, For: successionMax, N: n})
	if r.IntN(4) == 0 { // somebody joins while they die
		o.add(Fault{Kind: Join, At: at + time.Duration(r.IntN(300))*time.Millisecond, Site: membership.Site("b")})
	}
	return o
}
