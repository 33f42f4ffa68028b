package peer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// border is what crosses the border of a peer called me at site a, with two workers and one run.
type border struct {
	*stealing
	t *testing.T
	present
	r      *run
	goes   bool // it is leaving
	fenced bool // whoever lends has lost the run
}

var borderRun = steal.Instance{Run: steal.Key{1}}

func newBorder(t *testing.T, others ...membership.PeerID) *border {
	b := &border{t: t, present: presentOf(others...)}
	rng := rand.New(rand.NewPCG(1, 1))
	leaves := func() bool { return b.goes }
	ledger, runs := steal.NewLedger(), &runs{}
	b.stealing = &stealing{
		self: "me", site: "a", workers: 2, members: b.present, runs: runs, ledger: ledger,
		thief: steal.NewThief("a", steal.CRS, rng), victim: &steal.Victim{},
		verifier: &verifier{rng: rng, ledger: ledger, failure: failing, self: "me"},
		copier: &copier{
			members: b.present, ledger: ledger, results: orphan.NewResults(orphan.NewTable("me")), obituary: &obituary{},
			lots: rng, leaves: leaves, at: steal.Never,
		},
		postponed: &postponing{runs: runs, members: b.present},
		fences:    func(*run, membership.Member, membership.Epoch) bool { return b.fenced },
		leaves:    leaves,
	}
	b.r = runs.whole(borderRun)
	b.copier.began(borderRun, b.r.no, nil)
	b.copier.on = true
	return b
}

// from is a message of another.
func (b *border) from(id membership.PeerID, body membership.Body) *arrival {
	who, _ := b.Member(id)
	return &arrival{life: in(id), as: member, member: &who, message: Message{From: in(id).incarnation, Body: body}}
}

// asks has another ask for so many jobs.
func (b *border) asks(id membership.PeerID, jobs int) []membership.Effect {
	ask := steal.Ask{Number: 1, Jobs: uint16(jobs), Bytes: 1 << 10}
	return b.hearAsk(0, b.from(id, ask), ask)
}

func (b *border) lends(id membership.PeerID, l steal.Lend) []membership.Effect {
	return b.hearLend(0, b.from(id, l), l)
}

func (b *border) returns(id membership.PeerID, r steal.Return) []membership.Effect {
	r.Run = borderRun
	return b.hearReturn(0, b.from(id, r), r)
}

// TestLentWhenAsked: the workers are asked, and what they give is in the ledger before it is sent,
// a message for each run; what nobody gets goes back to them.
func TestLentWhenAsked(t *testing.T) {
	b := newBorder(t, "a1", "b1")
	other := b.runs.whole(steal.Instance{Run: steal.Key{2}})
	b.idled(0, 2)
	does(t, "no worker has a job", b.asks("b1", 3), "b1: Nothing")
	does(t, "all are busy", b.idled(0, 0), "b1: Wake")
	does(t, "one asks", b.asks("b1", 3), "want 3 jobs")
	jobs := []Job{jobOf(1), jobOf(2), jobOf(3), jobOf(4)}
	jobs[0].Run, jobs[1].Run, jobs[2].Run, jobs[3].Run = b.r.no, b.r.no, other.no, b.r.no
	does(t, "they give more", b.taken(0, jobs), `b1: Lend loan 1 "b" loan 2 "c"`, `b1: Lend loan 3 "d"`, `put back job 4`)
	if b.ledger.Lent() != 3 || b.lentFar != 3 || b.lentNear != 0 {
		t.Errorf("%d are in the ledger, %d went far", b.ledger.Lent(), b.lentFar)
	}
	b.asks("a1", 1)
	gone := jobOf(5)
	gone.Run = 99
	does(t, "the run has ended", b.taken(0, []Job{gone}), "a1: Nothing")
	b.asks("a1", 1)
	one := jobOf(6)
	one.Run = b.r.no
	if does(t, "one nearby", b.taken(0, []Job{one}), `a1: Lend loan 4 "g"`); b.lentNear != 1 {
		t.Errorf("%d went near", b.lentNear)
	}
}

// TestNothingIsLentTo: one that is gone, or whose word the job is to confirm; and by one that
// leaves.
func TestNothingIsLentTo(t *testing.T) {
	for why, spoil := range map[string]func(b *border){
		"it has gone":       func(b *border) { delete(b.present, "b1") },
		"it began anew":     func(b *border) { b.present["b1"] = membership.Member{ID: "b1"} },
		"this peer leaves":  func(b *border) { b.goes = true },
		"it is in question": func(b *border) { b.verifier.checks = []*check{{thief: "b1", key: jobOf(1).Key}} },
	} {
		b := newBorder(t, "b1")
		b.idled(0, 0)
		b.asks("b1", 1)
		spoil(b)
		j := jobOf(1)
		j.Run = b.r.no
		if does(t, why, b.taken(0, []Job{j}), "put back job 1"); b.ledger.Lent() != 0 {
			t.Errorf("%s: it is in the ledger", why)
		}
	}
	b := newBorder(t, "b1")
	b.idled(0, 0)
	b.goes = true
	does(t, "it leaves", b.asks("b1", 1), "b1: Nothing")
}

// TestThiefIsToldOfWork: whether there may be jobs elsewhere, which runs lack some, and who has
// none to give.
func TestThiefIsToldOfWork(t *testing.T) {
	b := newBorder(t, "b1")
	m := b.present["b1"]
	b.thief.Joined(m)
	b.thief.Open(0, false)
	does(t, "idle, and there is no work", b.idled(0, 2))
	ask := b.opened(0)
	does(t, "there is a run", ask, "b1: Ask for 4")
	numberOf := func(ask membership.Effect) steal.AskNo { return ask.(membership.Send).Body.(steal.Ask).Number }
	l := steal.Lend{Run: borderRun, Answer: numberOf(ask[0]), Jobs: []steal.Lent{{Number: 1, Args: []byte("x")}}}
	lent := b.lends("b1", l)
	does(t, "it is lent one, and there is more", lent, `execute job "x" as borrow 1`, "b1: Ask for 4")
	b.fenced, l.Answer = true, numberOf(lent[1])
	b.lends("b1", l)
	does(t, "it got nothing, and asks again soon", b.thief.Tick(100*ms), "b1: Ask for 4")
	b.fenced = false
	b.goes = true
	does(t, "it leaves", b.opened(time.Minute))
	does(t, "time passes", b.thief.Tick(2*time.Minute))
	b.goes = false
	does(t, "it stays", b.opened(3*time.Minute), "b1: Ask for 4")
	does(t, "one that stays is asked", b.spares(0, "b1"))
	m.State = membership.Leaving
	b.present["b1"] = m
	b.spares(4*time.Minute, "b1")
	does(t, "it leaves, and nobody else is there", b.thief.Tick(5*time.Minute))

	b = newBorder(t, "b1")
	b.thief.Joined(b.present["b1"])
	b.idled(0, 0)
	b.opened(0)
	does(t, "a run lacks jobs", b.lacked(0, []RunNo{b.r.no, 99}), "b1: Ask for 4")
	b.r.answer = &steal.Result{}
	does(t, "it has its answer", b.lacked(0, []RunNo{b.r.no}))
}

// TestNobodyLacksWhatIsAnswered: runs whose answers are kept hide no other, though the workers,
// which know of no answer, name them first. One that is answered meanwhile is asked for no more,
// until another master begins it again.
func TestNobodyLacksWhatIsAnswered(t *testing.T) {
	b := newBorder(t, "b1")
	b.thief.Joined(b.present["b1"])
	b.idled(0, 0)
	b.opened(0)
	of := func(effects []membership.Effect) (all []steal.Instance) {
		for _, e := range effects {
			all = append(all, e.(membership.Send).Body.(steal.Ask).Of...)
		}
		return all
	}
	var kept []RunNo
	for n := range byte(2 * steal.LacksMax) {
		r := b.runs.whole(steal.Instance{Run: steal.Key{2, n}})
		r.over, r.keeps = true, []steal.Submission{{Submitter: "c", Nonce: steal.Nonce(n)}}
		kept = append(kept, r.no)
	}
	does(t, "all have their answers elsewhere", b.lacked(0, kept))
	if all := of(b.lacked(0, append(kept, b.r.no))); !slices.Equal(all, []steal.Instance{borderRun}) {
		t.Errorf("beside them one lacks, and %d are asked for", len(all))
	}
	b.r.over, b.r.keeps = true, []steal.Submission{{Submitter: "c"}}
	b.opened(0)
	if b.thief.Tick(time.Minute); b.thief.Deadline() != steal.Never {
		t.Error("it has its answer, and is asked for still")
	}
	b.r.begunAgain()
	if all := of(b.opened(2 * time.Minute)); !slices.Equal(all, []steal.Instance{borderRun}) {
		t.Errorf("it is begun again, and %d are asked for", len(all))
	}
}

// TestBorrowed: what is lent is executed once, under a best that is held here; and goes back where
// it cannot be.
func TestBorrowed(t *testing.T) {
	b := newBorder(t, "b1")
	l := steal.Lend{Run: borderRun, Jobs: []steal.Lent{{Number: 4, Args: []byte("x")}, {Number: 5, Args: []byte("y")}}}
	does(t, "two jobs", b.lends("b1", l), `execute job "x" as borrow 1`, `execute job "y" as borrow 2`)
	if does(t, "they are doubled", b.lends("b1", l)); b.borrowed != 2 {
		t.Errorf("%d have arrived", b.borrowed)
	}
	l.Jobs, l.Best = []steal.Lent{{Number: 6, Args: []byte("z")}}, naming("best")
	does(t, "under a best that is not here", b.lends("b1", l), "b1: WantBest")
	b.r.best.remember(l.Best.Digest)
	does(t, "it has come", b.lends("b1", l), `execute job "z" as borrow 3`)
	l.Jobs[0].Number, b.goes = 7, true
	does(t, "it leaves", b.lends("b1", l), "b1: Missing [7]")
	b.fenced = true
	record := `b1: Record epoch 0 master  submissions 1 root "root"`
	does(t, "its master is not any more", b.lends("b1", l), "b1: Missing [7]", record)
	l.Jobs[0].Number = 6
	does(t, "one that executes", b.lends("b1", l), "steal.Stop", "b1: Missing [6]", record)
	l.Jobs[0].Number, b.r.root.bytes = 7, nil
	does(t, "the root is missing", b.lends("b1", l), "b1: Fetch")
	l.Run = steal.Instance{Run: steal.Key{9}}
	does(t, "the run is", b.lends("b1", l), "b1: Fetch")
	for !b.runs.isFull() {
		b.runs.whole(steal.Instance{Run: steal.Key{1, byte(len(b.runs.all))}})
	}
	l.Jobs[0].Number = 8
	does(t, "there is no room for it", b.lends("b1", l), "b1: Missing [8]")
}

// TestBorrowedMayBeLentOn: those that have asked in vain are woken when a job comes, and not when
// it is one that was there.
func TestBorrowedMayBeLentOn(t *testing.T) {
	b := newBorder(t, "b1", "c1")
	l := steal.Lend{Run: borderRun, Jobs: []steal.Lent{{Number: 4, Args: []byte("x")}}}
	b.idled(0, 2)
	b.asks("c1", 1)
	does(t, "a job comes", b.lends("b1", l), `execute job "x" as borrow 1`, "c1: Wake")
	b.idled(0, 2)
	does(t, "nothing is left", b.asks("c1", 1), "c1: Nothing")
	does(t, "it is doubled", b.lends("b1", l))
}

// TestReturned: a result goes back until it is acknowledged, with the best; one that panicked fails
// the run, and what is not known here is somebody else's to say.
func TestReturned(t *testing.T) {
	b := newBorder(t, "b1")
	b.lends("b1", steal.Lend{Run: borderRun, Jobs: []steal.Lent{{Number: 4}, {Number: 5}}})
	b.r.best.offered(0, "me", stamp("best"))
	known, effects := b.finished(0, 1, value("v"))
	if does(t, "it returns", effects, `b1: Return loan 4: "v" with best "best"`); !known {
		t.Error("a borrowed job is unknown")
	}
	does(t, "once more", b.repeat(1), `b1: Return loan 4: "v" with best "best"`)
	_, effects = b.finished(0, 2, steal.Result{Outcome: steal.Panicked})
	does(t, "one panicked", effects, `fails: panic ""`)
	if known, effects = b.finished(0, 9, value("v")); known || len(effects) > 0 {
		t.Errorf("one that nobody has lent: %v", effects)
	}
}

// TestSettled: a result is used once and acknowledged always, but not before its best is here, nor
// before it was compared.
func TestSettled(t *testing.T) {
	b := newBorder(t, "b1")
	lend := func(share float64) {
		b.r.terms.Verify = share
		j := jobOf(1)
		j.Run = b.r.no
		b.lend(0, b.r, b.present["b1"], 0, []Job{j})
		b.flush()
	}
	lend(0)
	early := steal.Return{Number: 1, Result: value("v"), Best: naming("best")}
	does(t, "its best is missing", b.returns("b1", early), "b1: WantBest")
	b.r.best.remember(early.Best.Digest)
	does(t, "it is here", b.returns("b1", early), `settle job 1 with "v"`, "b1: Returned [1]")
	if y := b.copier.of(borderRun); !y.lacks(1) {
		t.Error("what was settled counts as covered by copies")
	}
	does(t, "it is repeated", b.returns("b1", early), "b1: Returned [1]")
	lend(1)
	does(t, "it is drawn", b.returns("b1", steal.Return{Number: 2, Result: value("v")}),
		`execute job "b" as borrow 1`, "employs")
	known, effects := b.finished(0, 1, value("v"))
	if does(t, "it comes to the same", effects, `settles job 1 with "v"`, "b1: Returned [2]", "verifies for 0 ms"); !known {
		t.Error("a job that is executed again is unknown")
	}
	lend(1)
	b.goes = true
	does(t, "who leaves verifies nothing", b.returns("b1", steal.Return{Number: 3, Result: value("v")}),
		`settle job 1 with "v"`, "b1: Returned [3]")
	does(t, "one panicked", b.returns("b1", steal.Return{Number: 9, Result: steal.Result{Outcome: steal.Panicked}}),
		`fails: panic ""`, "b1: Returned [9]")
	b.runs.end(b.r)
	does(t, "its run has ended", b.returns("b1", steal.Return{Number: 9}), "b1: Returned [9]")
}

// TestThiefAsksWhereItMay: only one that is in, does not leave and knows of a run; and one that
// stays is asked still when another, or this peer itself, leaves.
func TestThiefAsksWhereItMay(t *testing.T) {
	for why, spoil := range map[string]func(b *border){
		"there is no run": func(b *border) { b.runs.all = nil },
		"it leaves":       func(b *border) { b.goes = true },
		"it is not in":    func(b *border) { b.stealing.members = alone{b.present} },
	} {
		b := newBorder(t, "b1")
		b.thief.Joined(b.present["b1"])
		spoil(b)
		b.idled(0, 2)
		does(t, why, b.opened(0))
	}
	b := newBorder(t, "b1")
	b.present["me"] = membership.Member{ID: "me", Incarnation: in("me").incarnation, State: membership.Leaving}
	b.thief.Joined(b.present["b1"])
	b.idled(0, 2)
	does(t, "it asks", b.opened(0), "b1: Ask for 4")
	for _, id := range []membership.PeerID{"b1", "me", "gone"} {
		if effects := b.spares(0, id); len(effects) > 0 {
			t.Errorf("%s is spared: %q", id, told(effects))
		}
	}
	b.present["c1"] = presentOf("c1")["c1"]
	b.thief.Joined(b.present["c1"])
	does(t, "one more comes, and an answer is awaited", b.idled(0, 2))
	m := b.present["b1"]
	m.State = membership.Leaving
	b.present["b1"] = m
	does(t, "whom it has asked leaves", b.spares(0, "b1"), "c1: Ask for 4")
}

// alone is a peer that is no member yet.
type alone struct{ present }

func (alone) Self() membership.Member { return membership.Member{} }

// TestLentByRoom: long jobs go one at a time, as the thief has asked; those for which its account
// has no room go back; and who asks within the site is waited for less long.
func TestLentByRoom(t *testing.T) {
	b := newBorder(t, "a1", "b1")
	b.idled(0, 0)
	long := []Job{jobOf(1), jobOf(2)}
	for n := range long {
		long[n].Run, long[n].Args = b.r.no, make([]byte, 1<<10+1)
	}
	b.asks("b1", 2)
	effects := b.taken(0, long)
	if l, ok := effects[0].(membership.Send).Body.(steal.Lend); !ok || len(l.Jobs) != 1 {
		t.Errorf("of two long jobs it lends %q", told(effects))
	}
	does(t, "the other goes back", effects[1:], "put back job 2")
	b.asks("b1", 2)
	for n := range steal.LentMax - 2 {
		b.ledger.Lend(0, "b1", in("b1").incarnation, borderRun, steal.Key{}, steal.Ref(n+100))
	}
	short := []Job{jobOf(3), jobOf(4)}
	short[0].Run, short[1].Run = b.r.no, b.r.no
	does(t, "there is room for one", b.taken(0, short), "put back job 3", "put back job 4")
	b.asks("b1", 1)
	does(t, "and it is asked for one", b.taken(0, short[:1]), `b1: Lend loan 1024 "d"`)
	b.asks("a1", 1)
	b.asks("b1", 1)
	does(t, "one is served, and who was refused is told", b.taken(0, short[1:])[1:], "b1: Wake")
	var until [2]time.Duration
	for n, site := range []membership.Site{"a", "b"} {
		b := newBorder(t, "a1")
		m := b.present["a1"]
		m.Site = site
		b.present["a1"] = m
		b.idled(0, 0)
		b.asks("a1", 1)
		until[n] = b.victim.Deadline()
	}
	if until[0] >= until[1] {
		t.Errorf("one in its site is answered by %v, one outside by %v", until[0], until[1])
	}
}
