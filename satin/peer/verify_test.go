package peer

import (
	"math/rand/v2"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// lender is a verifier that draws every job, and the ledger beside it.
type lender struct {
	*verifier
	t *testing.T
}

var verifiedRun = steal.Instance{Run: steal.Key{1}}

func newLender(t *testing.T) *lender {
	return &lender{&verifier{
		rng: rand.New(rand.NewPCG(1, 1)), ledger: steal.NewLedger(), failure: failing, self: "me",
	}, t}
}

// lend lends a job to a thief.
func (l *lender) lend(thief membership.PeerID, j Job) (number steal.LoanNo) {
	number = l.ledger.Lend(0, thief, in(thief).incarnation, verifiedRun, j.Key, j.Ref)
	l.lent(1, []Job{j})
	return number
}

// back hears of a result of a thief's.
func (l *lender) back(thief membership.PeerID, number steal.LoanNo, r steal.Result) (bool, []membership.Effect) {
	return l.returned(7, membership.Member{ID: thief}, steal.Return{Run: verifiedRun, Number: number, Result: r})
}

func value(text string) steal.Result { return steal.Result{Bytes: []byte(text)} }

func jobOf(n byte) Job {
	return Job{Ref: steal.Ref(n), Run: 7, Key: steal.Key{n}, Task: "t", Args: []byte{'a' + n}}
}

// TestVerifiedOnce: a job that comes back is executed here, with the fields that it was
// spawned with, and its result is used and acknowledged only then. Repeats wait with it, and
// so does nothing else.
func TestVerifiedOnce(t *testing.T) {
	l := newLender(t)
	one, two := l.lend("b", jobOf(1)), l.lend("b", jobOf(2))
	waits, effects := l.back("b", one, value("v"))
	does(t, "it comes back", effects, `execute job "b" as borrow 1`, "employs")
	if x := effects[0].(Execute); !waits || !x.Verifies || x.Ref != 1 || x.Run != 7 || x.Key != (steal.Key{1}) || x.Task != "t" {
		t.Errorf("it is executed as %+v", x)
	}
	waits, effects = l.back("b", one, value("v"))
	if does(t, "it is repeated", effects); !waits {
		t.Error("a repeat is used")
	}
	if waits, _ = l.back("c", one, value("v")); waits {
		t.Error("what was never lent there waits")
	}
	if !l.doubts("b", []Job{jobOf(1)}) || l.doubts("c", []Job{jobOf(1)}) || l.doubts("b", []Job{jobOf(2)}) {
		t.Error("it may be lent to the thief that is to be checked, or to no other")
	}
	if mine, effects := l.finished(9, value("v")); mine || len(effects) > 0 {
		t.Error("another job's end is taken for its own")
	}
	mine, effects := l.finished(1, steal.Result{Bytes: []byte("v"), Cost: 7})
	if does(t, "it comes to the same", effects, `settles job 1 with "v"`, "b: Returned [1]", "verifies for 7 ms"); !mine {
		t.Error("its end is not taken")
	}
	if e := effects[0].(settles); e.run != verifiedRun || e.number != one {
		t.Errorf("it settles %+v", e)
	}
	if l.doubts("b", []Job{jobOf(1)}) {
		t.Error("the thief is doubted still")
	}
	if waits, _ = l.back("b", one, value("v")); waits {
		t.Error("a late repeat is executed again")
	}
	l.ended(verifiedRun)
	if waits, _ = l.back("b", two, value("v")); !waits {
		t.Error("the next is not verified")
	}
}

// TestVerifiedVerdicts: what becomes of a result, by what the second execution comes to.
func TestVerifiedVerdicts(t *testing.T) {
	chosen := steal.Result{Bytes: []byte("w"), Choosing: true}
	failed := steal.Result{Outcome: steal.Failed, Bytes: []byte("v")}
	differ := `fails: panic "b: the job t came to one result on b and to another on me: it is not a function of its fields, or one of these computes wrong"`
	for name, c := range map[string]struct {
		first, second steal.Result
		want          []string
	}{
		"the same":                     {value("v"), value("v"), []string{`settles job 1 with "v"`, "b: Returned [1]", "verifies for 0 ms"}},
		"another":                      {value("v"), value("w"), []string{differ}},
		"an error":                     {value("v"), failed, []string{differ}},
		"errors of their own":          {failed, steal.Result{Outcome: steal.Failed, Bytes: []byte("w")}, []string{`settles job 1 with error "v"`, "b: Returned [1]", "verifies for 0 ms"}},
		"one that depends on the best": {value("v"), chosen, []string{`settles job 1 with "v"`, "b: Returned [1]", "verifies for 0 ms"}},
		"a panic":                      {value("v"), steal.Result{Outcome: steal.Panicked, Bytes: []byte("p")}, []string{`fails: panic "p"`}},
	} {
		l := newLender(t)
		l.back("b", l.lend("b", jobOf(1)), c.first)
		mine, effects := l.finished(1, c.second)
		if does(t, name, effects, c.want...); !mine || len(l.checks) > 0 {
			t.Errorf("%s: it is not over", name)
		}
		if f, ok := effects[0].(fails); ok && (!f.again || f.run != verifiedRun) {
			t.Errorf("%s: it fails %+v", name, f)
		}
	}
	l := newLender(t)
	if waits, _ := l.back("b", l.lend("b", jobOf(1)), chosen); waits {
		t.Error("a choosing result is executed again")
	}
	l = newLender(t)
	number := l.lend("b", jobOf(1))
	l.back("b", number, value("v"))
	l.ledger.Lost("b")
	_, effects := l.finished(1, steal.Result{Bytes: []byte("v"), Cost: 7})
	does(t, "its thief is gone, the job is back on the deque", effects, "verifies for 7 ms")
}

// TestVerifiedDraws: which jobs are drawn. What is part of a verification, or
// only passed on, is not.
func TestVerifiedDraws(t *testing.T) {
	with := func(change func(*Job)) Job {
		j := jobOf(1)
		change(&j)
		return j
	}
	for name, c := range map[string]struct {
		job   Job
		share float64
		want  bool
	}{
		"drawn":             {jobOf(1), 1, true},
		"none is":           {jobOf(1), 0, false},
		"part of one drawn": {with(func(j *Job) { j.Verifies = true }), 1, false},
		"passed on":         {with(func(j *Job) { j.PassedOn = true }), 1, false},
		"too long":          {with(func(j *Job) { j.Args = make([]byte, notesBytes+1) }), 1, false},
	} {
		l := newLender(t)
		number := l.ledger.Lend(0, "b", in("b").incarnation, verifiedRun, c.job.Key, c.job.Ref)
		l.lent(c.share, []Job{c.job})
		if waits, _ := l.back("b", number, value("v")); waits != c.want {
			t.Errorf("%s: it is verified: %v", name, waits)
		}
		if l.task(c.job.Ref) != "t" || l.task(99) != "" {
			t.Errorf("%s: its task is %q", name, l.task(c.job.Ref))
		}
	}
	l, drawn := newLender(t), 0
	for n := range steal.Ref(1000) {
		l.ledger.Lend(0, "b", in("b").incarnation, verifiedRun, steal.Key{1}, n+1)
		l.lent(0.1, []Job{{Ref: n + 1, Args: []byte("x")}})
	}
	for _, n := range l.notes {
		if n.args != nil {
			drawn++
		}
	}
	if drawn < 60 || drawn > 140 {
		t.Errorf("%d of 1000 are drawn, for a share of a tenth", drawn)
	}
}

// TestVerifiedBounds: so many at a time, and all are given up by one that leaves.
func TestVerifiedBounds(t *testing.T) {
	l := newLender(t)
	for n := range byte(checksMax + 1) {
		if waits, _ := l.back("b", l.lend("b", jobOf(n+1)), value("v")); waits != (n < checksMax) {
			t.Errorf("check %d: %v", n+1, waits)
		}
	}
	effects := l.leave()
	if len(effects) != checksMax || len(l.leave()) > 0 {
		t.Errorf("it leaves: %v", told(effects))
	}
	if mine, _ := l.finished(1, value("v")); mine {
		t.Error("what was given up is taken")
	}
}
