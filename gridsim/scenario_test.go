package gridsim

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// work is some 20 s of one worker, in jobs of 10 ms.
func work() *Tree { return &Tree{Seed: 5, Depth: 6, Width: 6, Leaf: 10 * time.Millisecond} }

// at is a time after the submission of a grid of quiet: that comes after submitAfter,
// as all start at once.
func at(d time.Duration) time.Duration { return submitAfter + d }

func TestMastersDieOneAfterAnother(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 4, 4)
	for n := range 7 {
		o.add(Fault{Kind: Crash, At: at(time.Duration(2*n+1) * 200 * time.Millisecond), Host: n + 1})
	}
	r := play(t, o)
	t.Logf("%d killed, %d epochs, took %v", r.Killed, r.Epochs, r.Took)
	if r.Killed < 5 { // the others outlived the run
		t.Errorf("%d were killed", r.Killed)
	}
	if r.Epochs < 3 || r.Epochs > 8 {
		// those that joined at once are masters in the order of their ids, not of their
		// deaths
		t.Errorf("%d epochs after 7 of 8 died", r.Epochs)
	}
}

// TestRivalMasters: a cut leaves a master on either side, and the client reaches both. A
// side that left its root for the other's, whom it holds dead, would take over at once; the
// epochs ran away so, once.
func TestRivalMasters(t *testing.T) {
	o := quiet(work(), 60*time.Millisecond, steal.CRS, 2, 2, 2, 2)
	o.add(Fault{Kind: CutTwoWay, At: at(100 * time.Millisecond), For: 2900 * time.Millisecond, Side: 0b0_0110_1001})
	o.add(Fault{Kind: CutTwoWay, At: at(300 * time.Millisecond), For: 6700 * time.Millisecond, Side: 0b1_0001_0011})
	r := play(t, o)
	if r.Epochs > 6 {
		t.Errorf("%d epochs", r.Epochs)
	}
	if r.Rejoined == 0 {
		t.Error("nobody had to come back: the cut did nothing")
	}
}

// TestCutHeals: two halves, cut for longer than it takes to give each other up, then quiet. Both
// must find each other again, though neither has any reason left to speak to the other.
func TestCutHeals(t *testing.T) {
	o := quiet(&Tree{Seed: 1, Depth: 1, Width: 1, Leaf: time.Millisecond}, time.Millisecond, steal.CRS, 3, 3)
	w := newWorld(o)
	w.who.asker = w.populate()
	w.after(time.Second, func() { w.fire(Fault{Kind: CutTwoWay, For: 7 * time.Second, Side: 0b111_0000}) })
	alive := func() (least int) {
		least = 99
		for _, h := range w.who.hosts {
			least = min(least, len(h.peer.Sight().Members()))
		}
		return least
	}
	w.play(7*time.Second, func() bool { return false })
	if n := alive(); n != 2 {
		t.Errorf("before the cut heals one sees %d others", n)
	}
	w.play(20*time.Second, func() bool { return false })
	if n := alive(); n < 5 {
		t.Errorf("after the cut has healed one sees %d others", n)
	}
	if w.err != nil {
		t.Error(w.err)
	}
}

// TestHealKeepsLoans: two sites compute on either side of a cut. When it has healed, all take new
// incarnations, and those of one site go on with what they have lent each other. One may hear late
// of the others' and hold them lost, as happens with some seeds; then nothing is put back either.
func TestHealKeepsLoans(t *testing.T) {
	whole := 0
	for seed := range uint64(10) {
		if healKeepsLoans(t, seed) == 0 {
			whole++
		}
	}
	if whole < 5 {
		t.Errorf("only %d of 10 heals went without a loss", whole)
	}
}

// healKeepsLoans plays one heal, and tells how many losses there were.
func healKeepsLoans(t *testing.T, seed uint64) (losses int) {
	o := quiet(&Tree{Seed: 5, Depth: 7, Width: 6, Leaf: 20 * time.Millisecond}, 20*time.Millisecond, steal.CRS, 4, 4)
	o.Seed = seed
	w := newWorld(o)
	w.who.asker = w.populate()
	w.after(o.begin(), func() { w.submit(w.who.asker) })
	w.after(at(time.Second), func() { w.fire(Fault{Kind: CutTwoWay, For: 6 * time.Second, Side: 0b1111_0000 << 1}) })
	again := func() (sum uint64) {
		for _, h := range w.who.hosts {
			sum += h.peer.Sight().Stats().Again
		}
		return sum
	}
	w.play(at(7*time.Second), func() bool { return false })
	before, lost := again(), w.report.Lost
	lent := 0
	for _, h := range w.who.hosts {
		lent += h.peer.Sight().Ledger().Lent()
	}
	w.play(at(12*time.Second), func() bool { return false })
	masters := len(w.who.masters())
	if w.err != nil || masters != 1 || lent < 6 || w.report.Rejoined < 8 {
		t.Fatalf("seed %d: %v: %d masters, %d lent, %d rejoins: the cut did nothing", seed, w.err, masters, lent, w.report.Rejoined)
	}
	if again() > before {
		t.Errorf("seed %d: of %d jobs lent %d were put back", seed, lent, again()-before)
	}
	losses = int(w.report.Lost - lost)
	w.play(time.Hour, func() bool { return w.left == 0 })
	if w.err != nil || w.left > 0 {
		t.Errorf("seed %d: %v, %d answers are missing", seed, w.err, w.left)
	}
	return losses
}

// TestSleepingMaster: the master is stopped, held dead and succeeded; it goes on, leaves its root
// and works for the other.
func TestSleepingMaster(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 2, 2)
	o.add(Fault{Kind: Pause, At: at(500 * time.Millisecond), For: 5 * time.Second, Host: 1})
	r := play(t, o)
	if r.Epochs < 2 || r.Epochs > 3 || r.Rejoined != 1 {
		t.Errorf("epoch %d, %d rejoins", r.Epochs, r.Rejoined)
	}
}

// TestContactDies: a joiner's only contact dies before it is let in.
func TestContactDies(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 2)
	o.Gap = 100 * time.Millisecond
	o.add(Fault{Kind: Crash, At: 100*time.Millisecond + 70*time.Microsecond, Host: 1})
	if r := play(t, o); r.Fired[Crash] != 1 || r.Killed != 1 {
		t.Errorf("the contact was to die; fired: %v", r.Fired)
	}
}

// TestManyJoinAtOnce: the peers of a whole site come while the run is on, and get work.
func TestManyJoinAtOnce(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 1)
	alone := play(t, o)
	o.add(Fault{Kind: JoinMany, At: at(time.Second), N: 15, Site: "b"})
	r := play(t, o)
	if ideal := time.Second + (alone.Took-time.Second)/16; r.Took > ideal*3/2 {
		t.Errorf("with 15 more after a second it took %v, alone %v", r.Took, alone.Took)
	}
}

// TestOneIsLeft: all peers but the last die in one moment.
func TestOneIsLeft(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 3, 3)
	for n := range 5 {
		o.add(Fault{Kind: Crash + FaultKind(n%2), At: at(time.Second), Host: n + 1})
	}
	if r := play(t, o); r.Killed != 5 {
		t.Errorf("%d of 6 were killed, and five were to be; fired: %v", r.Killed, r.Fired)
	}
}

// TestMasterLacksRoot: all leave, and whoever comes then learns of the run from the client,
// but its record is lost. As the only one it is the master, and nobody but the submitter
// can give it the root.
func TestMasterLacksRoot(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 2)
	o.add(Fault{Kind: CrashAll, At: at(500 * time.Millisecond), For: time.Second})
	records := 0
	o.spoil = func(m *peer.Message) bool {
		if m.Body.Kind() == peer.KindRecord {
			records++
			return records <= 2 // those that the first two had when the run began
		}
		return true
	}
	if r := play(t, o); r.Epochs < 2 || records <= 2 {
		t.Errorf("epoch %d, %d records", r.Epochs, records)
	}
}

// TestGreetingOfTheOnlyPeerIsLost: a client knows nobody any more, and the greeting of the
// one that comes is lost.
func TestGreetingOfTheOnlyPeerIsLost(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 2)
	o.add(Fault{Kind: CrashAll, At: at(500 * time.Millisecond), For: time.Second})
	lost := 0
	o.spoil = func(m *peer.Message) bool {
		if m.Body.Kind() == membership.KindHello && m.From.Join > 2 && lost < 3 {
			lost++
			return false
		}
		return true
	}
	if play(t, o); lost == 0 {
		t.Error("no greeting was lost")
	}
}

// TestLeaseExpires: the link between an owner and its thief dies, and others reach both. The job
// goes back when the thief has not answered for a lease and the probes.
func TestLeaseExpires(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 2, 2)
	o.add(Fault{Kind: DeadLoan, At: at(500 * time.Millisecond), For: 30 * time.Second})
	r := play(t, o)
	if r.Expired == 0 || r.Lost > 0 || r.Took < steal.Lease+steal.ProbeMax {
		t.Errorf("%d leases expired, %d losses were noticed, it took %v", r.Expired, r.Lost, r.Took)
	}
}

// TestCancel: the submitter withdraws its submission and asks for the same again, before that or
// after. One answer comes, for the later one.
func TestCancel(t *testing.T) {
	for n, before := range []string{"submitted again later", "submitted again before"} {
		o := quiet(work(), 20*time.Millisecond, steal.CRS, 2, 2)
		o.add(Fault{Kind: AskCancel, At: at(500 * time.Millisecond), For: time.Second, N: n})
		if r := play(t, o); r.Cancelled != 1 || r.Fired[AskCancel] != 1 {
			t.Errorf("%s: %d submissions were withdrawn", before, r.Cancelled)
		}
	}
}

// TestSubmitterNeverReachesTheOldest: the link between the two is dead before anything is
// submitted, so that one can neither hear the first submission nor ask for the root. It rides along
// again with what goes by way of others.
func TestSubmitterNeverReachesTheOldest(t *testing.T) {
	w := newWorld(quiet(work(), 20*time.Millisecond, steal.CRS, 4, 4))
	w.who.asker = w.populate()
	w.after(submitAfter/2, func() {
		w.net.cuts = append(w.net.cuts, &cut{pair: [2]*host{w.who.byID["a/0"], w.who.asker}, until: time.Hour})
	})
	w.after(w.opts.begin(), func() { w.submit(w.who.asker) })
	w.play(time.Minute, func() bool { return w.now > w.opts.begin() && w.left == 0 })
	if w.err != nil || w.left > 0 {
		t.Errorf("at %v: %d answers have not come, %v", w.now, w.left, w.err)
	}
	if w.report.Stopped == 0 {
		t.Error("the dead link stopped nothing")
	}
}
