package gridsim

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Draw makes options from a seed: 2 to 64 peers, the median 8, in 1 to 6 sites; a workload that
// takes them some seconds; and the faults.
func Draw(seed uint64) (o Options) {
	if seed%roamingEvery == roamingEvery-1 {
		o = DrawRoaming(seed)
	} else {
		o = drawnSettled(seed)
	}
	o.Asides, o.Disks = true, true
	o.drawQueue(seed)
	if seed%losingEvery == 0 {
		o.drawLoss(rand.New(rand.NewPCG(seed, 0x6c6f7373)))
	}
	o.drawDeposits(rand.New(rand.NewPCG(seed, 0x6b656570)))
	o.drawEnds(rand.New(rand.NewPCG(seed, 0x656e6473)))
	o.drawTwins(rand.New(rand.NewPCG(seed, 0x7477696e)))
	o.drawOldTicket(rand.New(rand.NewPCG(seed, 0x6f6c6474)))
	return o
}

// losingEvery is in how many seeds one loses all its peers at once.
const losingEvery = 10

// drawLoss lets all peers die at once while a client waits, and some start again. The work takes
// them long enough, and is of jobs that are small enough, that they have stored something by then.
func (o *Options) drawLoss(r *rand.Rand) {
	span := 3*time.Second + time.Duration(r.Int64N(int64(3*time.Second)))
	if t := treeOf(o.Workload); t != nil {
		t.Depth, t.Width, t.Panics = 7, 4, 0
		jobs := 0
		for jobs < 500 || jobs > 2000 {
			t.Seed = r.Uint64()
			jobs = jobsOf(o.Workload)
		}
		t.Leaf = max(span*time.Duration(o.workers())/time.Duration(jobs), time.Millisecond)
		if _, prunes := o.Workload.(*Search); prunes { // most of it
			t.Leaf *= 4
		}
		_, o.Work, o.Span = measure(o.Workload)
	}
	o.ByPeer, o.Beside, o.Heavy, o.CopyEvery = false, nil, o.Heavy/4, time.Duration(200+r.IntN(600))*time.Millisecond
	after := o.Heavy + storedAfter + span/3 + time.Duration(r.Int64N(int64(span)/3))
	if r.IntN(4) > 0 { // all else goes wrong while those that come back begin again
		for n := range o.Faults {
			o.Faults[n].At += after
		}
	}
	o.add(Fault{Kind: LoseAll, At: o.begin() + after, For: time.Duration(r.Int64N(int64(4 * time.Second))), N: r.IntN(8)})
	o.sortFaults()
}

// storedAfter is how old a run is when its peers begin to store something of it, as package peer
// says.
const storedAfter = time.Second

// treeOf is the tree that a workload is drawn as, or nil.
func treeOf(w Workload) *Tree {
	switch w := w.(type) {
	case *Tree:
		return w
	case *Search:
		return &w.Tree
	case *Hunt:
		return &w.Tree
	}
	return nil
}

// roamingEvery is in how many seeds one may have what DrawRoaming adds: all others stand for what
// they always did.
const roamingEvery = 4

// drawnSettled leaves out what DrawRoaming adds.
func drawnSettled(seed uint64) Options {
	o, span := drawn(seed)
	o.drawMore(rand.New(rand.NewPCG(seed, 0x6d6f7265)), span)
	o.sortFaults()
	return o
}

// DrawRoaming adds peers that cannot be dialled and peers whose address changes.
func DrawRoaming(seed uint64) Options {
	o, span := drawn(seed)
	o.drawMore(rand.New(rand.NewPCG(seed, 0x6d6f7265)), span)
	o.drawRoaming(rand.New(rand.NewPCG(seed, 0x726f616d)), span)
	o.sortFaults()
	return o
}

// drawnFirst leaves out what drawMore adds.
func drawnFirst(seed uint64) Options {
	o, _ := drawn(seed)
	o.sortFaults()
	return o
}

func (o *Options) sortFaults() {
	slices.SortStableFunc(o.Faults, func(a, b Fault) int { return int(a.At - b.At) })
}

// drawn is what a seed has stood for from the beginning, and about how long its run takes.
func drawn(seed uint64) (o Options, span time.Duration) {
	r := rand.New(rand.NewPCG(seed, 0x64726177))
	o = Options{Seed: seed, Submitted: 1, ByPeer: r.IntN(4) == 0, Settle: 30 * time.Second}
	o.drawSites(r)
	o.drawLinks(r)
	if r.IntN(4) == 0 {
		o.Policy = steal.RS
	}
	if r.IntN(8) == 0 {
		o.Submitted = 2 + r.IntN(2)
	}
	if r.IntN(4) > 0 { // runs take seconds here, so the default would copy little
		o.CopyEvery = time.Duration(200+r.IntN(2000)) * time.Millisecond
	}
	if r.IntN(8) == 0 {
		o.Verify = 0.3
	}
	o.Workload = drawWorkload(r, o.workers())
	_, o.Work, o.Span = measure(o.Workload)
	o.Gap = time.Duration(r.IntN(200)) * time.Millisecond / time.Duration(o.peers())
	span = o.Work/time.Duration(o.workers()) + 500*time.Millisecond
	o.drawFaults(r, span)
	return o, span
}

// drawMore draws what was thought of later. It has a source of its own, so that whatever else a
// seed stands for stays as it was.
func (o *Options) drawMore(r *rand.Rand, span time.Duration) {
	in := func() time.Duration { return o.begin() + time.Duration(r.Int64N(int64(span)*2/3)) }
	if r.IntN(6) == 0 { // other faults often end the loan before its lease does
		o.add(Fault{Kind: DeadLoan, At: in(), For: steal.Lease + steal.ProbeMax + time.Duration(1+r.IntN(8))*time.Second})
	}
	if r.IntN(8) == 0 {
		o.add(Fault{Kind: AskCancel, At: in(), For: time.Duration(r.Int64N(int64(2 * time.Second))), N: r.IntN(2)})
	}
	if r.IntN(6) == 0 {
		o.add(Fault{Kind: CrashSuccessor, At: in(), For: successionMax, N: r.IntN(200)})
	}
	if r.IntN(6) == 0 { // a leave takes a few milliseconds: the second one must come soon
		o.add(Fault{Kind: LeaveTwo, At: in(), For: time.Second + time.Duration(r.Int64N(int64(4*time.Second))), N: 1 + r.IntN(8)})
	}
	if r.IntN(14) == 0 {
		o.add(Fault{Kind: CrashHeir, At: in(), For: time.Duration(r.Int64N(int64(2 * time.Second)))})
	}
	if r.IntN(4) == 0 {
		o.Heavy = time.Duration(r.Int64N(int64(heavyMax)))
	}
	switch t, ok := o.Workload.(*Tree); {
	case !ok:
	case t.Fickle && r.IntN(4) > 0: // few are, and Verify is seldom drawn
		o.Verify = 0.3
	case !t.Fickle && r.IntN(6) == 0:
		// an error may abort the job that would panic
		t.Panics, t.Errors = t.drawLeaf(r), false
	}
	if s, ok := o.Workload.(*Search); ok && r.IntN(4) == 0 {
		s.Raises = 3 + r.Uint64N(12)
	}
	if r.IntN(6) == 0 {
		o.drawBeside(r)
	}
	if r.IntN(5) == 0 {
		o.add(Fault{Kind: MigrateLost, At: in(), For: time.Second + time.Duration(r.Int64N(int64(4*time.Second))), N: r.IntN(2)})
	}
}

// drawRoaming draws who cannot be dialled, and who comes to be elsewhere. It has a source of its
// own, as drawMore has.
func (o *Options) drawRoaming(r *rand.Rand, span time.Duration) {
	in := func() time.Duration { return o.begin() + time.Duration(r.Int64N(int64(span)*2/3)) }
	if r.IntN(3) == 0 {
		for range 1 + r.IntN(3) {
			o.add(Fault{Kind: JoinNatted, At: in()})
		}
	}
	if r.IntN(3) == 0 {
		o.add(Fault{Kind: Moves, At: in(), For: time.Duration(r.Int64N(int64(12 * time.Second))), N: r.IntN(2)})
	}
}

// drawBeside draws further runs, so that several share the workers.
func (o *Options) drawBeside(r *rand.Rand) {
	for range 1 + r.IntN(3) {
		o.Beside = append(o.Beside, peer.ShareDefault/2<<r.IntN(3))
	}
	o.Work *= time.Duration(1 + len(o.Beside))
}

// heavyMax is how long a root of some 50 MB takes to decode on a busy core.
const heavyMax = 4 * time.Second

// successionMax is how long a fault waits for somebody to succeed a master.
const successionMax = 3 * time.Second

// drawLeaf draws the state of a leaf.
func (t *Tree) drawLeaf(r *rand.Rand) uint64 {
	state := word(t.Root(), 0)
	for depth := uint64(0); ; depth++ {
		n := t.fanOut(state, depth)
		if n == 0 {
			return state
		}
		state = t.kid(state, depth, r.IntN(n))
	}
}

// drawSites draws 2 to 64 peers.
func (o *Options) drawSites(r *rand.Rand) {
	peers := 2 + r.IntN(7)
	if r.IntN(2) == 0 {
		peers = 8 << r.IntN(3)
		peers += r.IntN(peers + 1)
	}
	sites := min(1+r.IntN(6), peers)
	for n := range sites {
		count := peers / sites
		if n < peers%sites {
			count++
		}
		o.Sites = append(o.Sites, Site{Name: membership.Site('a' + rune(n)), Peers: count, Workers: 1 + r.IntN(4)/2})
	}
}

func (o *Options) workers() (n int) {
	for _, s := range o.Sites {
		n += s.Peers * s.Workers
	}
	return n
}

func (o *Options) drawLinks(r *rand.Rand) {
	o.Near = Link{Delay: time.Duration(20+r.IntN(300)) * time.Microsecond, Jitter: time.Duration(1+r.IntN(200)) * time.Microsecond}
	o.Far = Link{Delay: time.Duration(1+r.IntN(100)) * time.Millisecond, Jitter: time.Duration(1+r.IntN(10)) * time.Millisecond, Rate: 1 << (18 + r.IntN(8))}
	if r.IntN(4) == 0 { // messages overtake each other by far
		o.Near.Jitter, o.Far.Jitter = 20*time.Millisecond, 300*time.Millisecond
	}
	if r.IntN(8) == 0 {
		o.Near.Late = 0.1 * r.Float64()
		o.Far.Late = o.Near.Late
	}
	if r.IntN(2) == 0 {
		loss, double := 0.3*r.Float64()*r.Float64(), 0.5*r.Float64()*r.Float64()
		o.Near.Loss, o.Far.Loss, o.Near.Double, o.Far.Double = loss, loss, double, double
	}
}

// drawWorkload draws what is computed, so that so many workers have some seconds to do.
func drawWorkload(r *rand.Rand, workers int) Workload {
	t := drawTree(r)
	var w Workload = t
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		w = &Search{Tree: *t}
		t = &w.(*Search).Tree
	case 4, 5:
		w = &Hunt{Tree: *t}
		t = &w.(*Hunt).Tree
	case 6, 7:
		return drawUTS(r)
	case 8:
		t.Fickle = r.IntN(2) == 0
	}
	jobs, _, _ := measure(w)
	seconds := time.Duration(workers)*time.Second/2 + time.Duration(r.Int64N(int64(4*time.Second)*int64(workers)))
	t.Leaf = min(max(seconds/time.Duration(jobs), time.Millisecond), time.Second)
	return w
}

// drawTree draws trees until one has a fair number of jobs.
func drawTree(r *rand.Rand) *Tree {
	least := 20 << r.IntN(6)
	for {
		t := &Tree{
			Seed: r.Uint64(), Depth: 3 + r.IntN(7), Width: 2 + r.IntN(4), Leaf: time.Millisecond,
			Shuffled: r.IntN(2) == 0, Twins: r.IntN(3) == 0, Errors: r.IntN(4) == 0, Facts: r.IntN(4) == 0,
		}
		if jobs := jobsOf(t); jobs >= least && jobs <= 4*least {
			return t
		}
	}
}

// plan is faults that belong together, and how often they are drawn.
type plan struct {
	weight int
	draw   func(o *Options, r *rand.Rand, in func() time.Duration)
}

// drawFaults draws faults over so long a time that some come when all is over. In a third of the
// schedules masters die.
func (o *Options) drawFaults(r *rand.Rand, span time.Duration) {
	in := func() time.Duration { return o.begin() + time.Duration(r.Int64N(int64(span)*3/2)) }
	if r.IntN(5) < 2 { // some come too late to strike: the rest are a third
		o.drawMasters(r, o.begin()+time.Duration(r.Int64N(int64(span)*2/3)))
	}
	total := 0
	for _, p := range plans {
		total += p.weight
	}
	for range 2 + r.IntN(4) {
		at := r.IntN(total)
		for _, p := range plans {
			if at -= p.weight; at < 0 {
				p.draw(o, r, in)
				break
			}
		}
	}
}

// drawMasters lets masters die, each while the last one's successor restarts.
func (o *Options) drawMasters(r *rand.Rand, at time.Duration) {
	for range 1 + r.IntN(2)*r.IntN(4) {
		o.add(Fault{Kind: CrashMaster, At: at})
		at += time.Duration(r.IntN(1500)) * time.Millisecond
	}
}

func (o *Options) add(f Fault) { o.Faults = append(o.Faults, f) }

// simple is a plan of one fault.
func simple(weight int, kind FaultKind, forMin, forMax time.Duration) plan {
	return plan{weight, func(o *Options, r *rand.Rand, in func() time.Duration) {
		f := Fault{Kind: kind, At: in(), For: forMin}
		if forMax > forMin {
			f.For += time.Duration(r.Int64N(int64(forMax - forMin)))
		}
		switch kind {
		case CutTwoWay, CutOneWay:
			f.Side = r.Uint64()
		case CrashSeveral, JoinMany:
			f.N = 2 + r.IntN(6)
		}
		o.add(f)
	}}
}

var plans = []plan{
	{3, func(o *Options, r *rand.Rand, in func() time.Duration) {
		for range 1 + r.IntN(3) {
			o.add(Fault{Kind: Crash, At: in()})
		}
	}},
	simple(3, PowerLoss, 0, 0),
	simple(3, CrashSeveral, 0, 0),
	simple(3, CrashSite, 0, 0),
	simple(3, CrashAllButOne, 0, 0),
	simple(3, CrashAll, 0, 5*time.Second),
	simple(3, Restart, 0, 3*time.Second),
	simple(7, CrashHolder, 0, 0),
	simple(3, CrashHeir, 0, 2*time.Second),
	simple(3, Leave, 0, 5*time.Second),
	simple(5, LeaveMaster, 0, 5*time.Second),
	simple(3, LeaveTwo, 0, 5*time.Second),
	simple(3, LeaveSite, 0, 5*time.Second),
	simple(4, LeaveAll, 0, 5*time.Second),
	simple(3, Migrate, time.Second, 5*time.Second),
	simple(4, Pause, 100*time.Millisecond, 10*time.Second),
	simple(4, PauseMaster, time.Second, 10*time.Second),
	simple(4, CutTwoWay, 100*time.Millisecond, 12*time.Second),
	simple(3, CutOneWay, 100*time.Millisecond, 12*time.Second),
	simple(3, DeadLink, 100*time.Millisecond, 20*time.Second),
	simple(4, DeadAnswer, 100*time.Millisecond, 20*time.Second),
	simple(3, LostGossip, time.Second, 10*time.Second),
	simple(3, Join, 0, 0),
	simple(3, JoinMany, 0, 0),
	simple(3, AskerAway, 100*time.Millisecond, 8*time.Second),
	simple(3, AskAgain, 0, 0),
	simple(3, AskElsewhere, 0, 0),
	simple(3, AskTwice, 0, 0),
	simple(3, Kick, 0, 0),
	{2, func(o *Options, r *rand.Rand, in func() time.Duration) {
		// one joins in the middle of a recovery
		at := in()
		o.add(Fault{Kind: CrashMaster, At: at})
		for range 1 + r.IntN(3) {
			o.add(Fault{Kind: Join, At: at + time.Duration(r.IntN(1000))*time.Millisecond})
		}
	}},
}
