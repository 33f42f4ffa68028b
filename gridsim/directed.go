package gridsim

import (
	"math/rand/v2"
	"time"
)

// Directed draws schedules in which a certain mechanism alone decides how much work is done twice,
// and says how much that may be. They find what no wrong answer betrays: results that are there,
// and are not used. The machine without a defect stays within the bound for every seed.
func Directed(seed uint64, about string) Options {
	r := rand.New(rand.NewPCG(seed, 0x6469726563746564))
	o := Options{Seed: seed, Submitted: 1, Settle: 30 * time.Second, CopyEvery: -1}
	o.Near = Link{Delay: time.Duration(20+r.IntN(300)) * time.Microsecond, Jitter: time.Duration(1+r.IntN(200)) * time.Microsecond}
	o.Far = Link{Delay: time.Duration(1+r.IntN(20)) * time.Millisecond, Jitter: time.Millisecond, Rate: 10 << 20}
	o.Sites = SitesOf(2+r.IntN(3), 2+r.IntN(3))
	t := &Tree{Seed: r.Uint64(), Depth: 7, Width: 4, Leaf: time.Millisecond, Shuffled: r.IntN(2) == 0}
	for jobs := jobsOf(t); jobs < 1000 || jobs > 2000; jobs = jobsOf(t) {
		t.Seed = r.Uint64()
	}
	jobs, _, _ := measure(t)
	t.Leaf = time.Duration(o.workers()) * 20 * time.Second / time.Duration(jobs)
	o.Workload = t
	_, o.Work, o.Span = measure(t)
	half := o.begin() + o.Work/time.Duration(o.workers())/2
	switch about {
	case "old-incarnation":
		o.Near.Late, o.Far.Late = 0.3, 0.3
		for range 40 {
			at := o.begin() + time.Duration(r.Int64N(int64(20*time.Second)))
			o.add(Fault{Kind: Restart, At: at, For: time.Duration(r.Int64N(int64(200 * time.Millisecond)))})
		}
	case "hit-stops-work":
		// a job has to be put back that was finished and copied: its result was lost on its
		// way
		o.Near.Loss, o.Far.Loss = 0.3, 0.3
		o.CopyEvery, o.CheckAll = 200*time.Millisecond, true
		for at := o.begin() + time.Second; at < o.begin()+10*time.Second; at += time.Second {
			o.add(Fault{Kind: Restart, At: at, For: time.Second})
		}
	case "adverts-unsent":
		o.add(Fault{Kind: CrashMaster, At: half})
		o.Redone = o.Work / 4
	case "look-up-at-spawn":
		// what is advertised comes when all that it covers has long been begun anew
		o.Late = time.Second
		o.add(Fault{Kind: CrashMaster, At: half})
		o.Redone = o.Work / 3
	case "joiner-no-snapshot":
		o.add(Fault{Kind: CrashMaster, At: half})
		o.add(Fault{Kind: JoinMany, At: half + 700*time.Millisecond, N: 24})
		o.Redone = o.Work / 4
	case "stored-without-best":
		// most is pruned: it takes a tenth of the time
		t.Leaf *= 6
		o.Workload = &Search{Tree: *t}
		o.CopyEvery, o.Disks, o.Sound = 200*time.Millisecond, true, true
		o.add(Fault{Kind: LoseAll, At: o.begin() + storedAfter + time.Duration(r.Int64N(int64(4*time.Second))), For: time.Second})
	case "addresses-forgotten", "digest-nowhere":
		// halves apart for so long that all sessions end, and no client between them
		o.ByPeer = true
		o.add(Fault{Kind: CutTwoWay, At: o.begin() + time.Second, For: 16 * time.Second, Side: 0x5555_5555_5555_5555})
	case "heir-unconfirmed", "heirs-of-each-other", "answer-taken-along":
		o.drawHeirs(r, t, about == "heirs-of-each-other")
	case "leave-unacked", "heir-drops-will":
		o.drawLosses(half)
	}
	return o
}

// drawLosses draws leaves over links that lose much.
func (o *Options) drawLosses(at time.Duration) {
	o.Near.Loss, o.Far.Loss = 0.3, 0.3
	for n := range 3 {
		o.add(Fault{Kind: Leave, At: at + time.Duration(n)*2*time.Second, For: 10 * time.Second})
	}
}

// drawHeirs draws a run that is left to the grid, and when its answer is there two at once that may
// have it: both leave before they can know of each other, or the one loses its power, and the other
// leaves before that is noticed.
func (o *Options) drawHeirs(r *rand.Rand, t *Tree, both bool) {
	t.Leaf /= 8
	o.Near.Delay, o.Sites = 3*time.Millisecond, SitesOf(1+r.IntN(2), 2)
	_, o.Work, o.Span = measure(o.Workload)
	answered := o.begin() + 3*o.Work/time.Duration(o.workers())
	o.add(Fault{Kind: Deposit, At: o.begin(), For: answered + 10*time.Second})
	if both {
		o.add(Fault{Kind: LeaveTwo, At: answered, For: 4 * time.Second, N: 1})
	} else {
		o.add(Fault{Kind: PowerLoss, At: answered, For: time.Minute})
		o.add(Fault{Kind: Leave, At: answered + deadBefore + time.Duration(r.Int64N(int64(time.Second/2))), For: 4 * time.Second})
	}
	o.Work *= 3
}
