package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// answerer is a peer called me that has the answer 4 of a run, with others: the first is the oldest
// of them, and the last is the one that is drawn.
type answerer struct {
	answering
	present
	others []membership.PeerID
}

func newAnswerer(others ...membership.PeerID) *answerer {
	a := &answerer{present: presentOf(others...), others: others}
	four := value("4")
	a.answering = answering{self: "me", members: a, answer: &four, delivering: true,
		bestFor: func(membership.PeerID, membership.Incarnation) steal.Stamp { return stamp("best") }}
	return a
}

func (a *answerer) first(n int) (m membership.Member, ok bool) {
	if len(a.others) == 0 {
		return m, false
	}
	return a.Member(a.others[n])
}

func (a *answerer) OldestOther() (membership.Member, bool) { return a.first(0) }
func (a *answerer) Draw() (membership.Member, bool)        { return a.first(len(a.others) - 1) }

var firstEpoch = membership.Epoch{Number: 1}

// TestAnswerIsRepeated: to the submitter, and from the fourth time on every other time by way of
// any member, in longer and longer gaps. To this peer itself it goes at once.
func TestAnswerIsRepeated(t *testing.T) {
	a := newAnswerer("a1", "b1")
	does(t, "it waits", a.owe(0, steal.Submission{Submitter: "client"}, firstEpoch), `client: Answer "4" with best "best"`)
	for n, step := range []struct {
		to    string
		again time.Duration // in so long
	}{{"client", 2 * time.Second}, {"client", 4 * time.Second}, {"b1", 8 * time.Second}, {"client", 8 * time.Second}, {"b1", 8 * time.Second}} {
		now := time.Duration(n) * time.Hour
		does(t, "no word", a.deliver(now, 0, firstEpoch), step.to+`: Answer "4" with best "best"`)
		if got := (a.deliveries[0].again - now).Truncate(ms); got != step.again {
			t.Errorf("repetition %d is followed by one after %v", n, got)
		}
	}
	does(t, "it waits itself", a.owe(0, steal.Submission{Submitter: "me"}, firstEpoch), `answers itself "4"`)
	does(t, "by way of one that asked", a.sendBy(steal.Submission{Submitter: "client"}, "b1", firstEpoch), `b1: Answer "4" with best "best"`)
	big := value(string(make([]byte, 10*bytesPerSecond)))
	a.answer = &big
	a.owe(0, steal.Submission{Submitter: "client"}, firstEpoch)
	if last := a.deliveries[2]; last.again != answerGapMin+10*time.Second || last.gap.Next() != last.again {
		t.Errorf("a big one is repeated after %v, and not again", last.again)
	}
}

// TestAnswerIsKept: by the oldest other, to whom it is repeated until that one says so; by the next
// when that one is gone, and by the same when it goes on in another life.
func TestAnswerIsKept(t *testing.T) {
	a := newAnswerer()
	does(t, "nobody is there", a.sendKeep(0, firstEpoch))
	if a.keptBy.again != answerGapMax || !a.isOnlyHere() {
		t.Errorf("it looks again at %v", a.keptBy.again)
	}
	a = newAnswerer("a1", "b1")
	keep := `Keep "4" with best "best"`
	does(t, "to keep", a.sendKeep(0, firstEpoch), "a1: "+keep)
	does(t, "again", a.sendKeep(time.Second, firstEpoch), "a1: "+keep)
	if a.keptBy.again.Truncate(ms) != 3*time.Second {
		t.Errorf("again at %v", a.keptBy.again)
	}
	if a.hearKept("b1"); !a.isOnlyHere() {
		t.Error("another's word counts")
	}
	if a.hearKept("a1"); a.isOnlyHere() {
		t.Error("it is kept, and only here")
	}
	a.livesOn(in("b1"), life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}})
	a.livesOn(life{"a1", membership.Incarnation{Join: 9}}, life{"a1", membership.Incarnation{Join: 10}})
	if a.keptBy.incarnation != in("a1").incarnation {
		t.Errorf("another lives on, and who keeps it is %v", a.keptBy.incarnation)
	}
	next := life{"a1", membership.Incarnation{Join: 1, Rejoin: 1}}
	if a.livesOn(in("a1"), next); a.keptBy.incarnation != next.incarnation || a.isOnlyHere() {
		t.Error("who keeps it lives on, and does not keep it")
	}
	if a.lost(time.Minute, "b1"); a.isOnlyHere() {
		t.Error("another is gone, and it is only here")
	}
	if a.lost(time.Minute, "a1"); a.keptBy.again != time.Minute || !a.isOnlyHere() {
		t.Errorf("who kept it is gone, and it is kept anew at %v", a.keptBy.again)
	}
	a.others = a.others[1:]
	does(t, "anew", a.sendKeep(time.Minute, firstEpoch), "b1: "+keep)
	a.delivering = false
	if a.lost(time.Hour, "b1"); a.keptBy.by != "b1" || a.isOnlyHere() {
		t.Error("one that does not deliver has it kept")
	}
}

// TestAnswerGoesBack: a submission that comes by way of another, though its answer is on the
// straight way, shows that this way is dead: the answer goes back the way that it came, not more
// often than it takes. One that keeps the answer, and delivers it to nobody, always gives it.
func TestAnswerGoesBack(t *testing.T) {
	s, other := steal.Submission{Submitter: "client", Nonce: 1}, steal.Submission{Submitter: "client", Nonce: 2}
	answer := `Answer "4" with best "best"`
	a := newAnswerer("a1", "b1")
	a.owe(0, s, firstEpoch)
	does(t, "it was sent just now", a.sendBack(ms, s, "a1", firstEpoch))
	a.deliver(time.Second, 0, firstEpoch)
	does(t, "the submitter itself asks", a.sendBack(time.Second, s, "client", firstEpoch))
	does(t, "another brings it", a.sendBack(time.Second, s, "a1", firstEpoch), "a1: "+answer)
	does(t, "at once again", a.sendBack(2*time.Second-1, s, "b1", firstEpoch))
	does(t, "another's at the same time", a.sendBack(2*time.Second-1, other, "a1", firstEpoch), "a1: "+answer)
	if len(a.passed) != 2 {
		t.Errorf("it went back to %v", a.passed)
	}
	does(t, "that one's again", a.sendBack(2*time.Second-1, other, "b1", firstEpoch))
	does(t, "later", a.sendBack(a.passed[0].until, s, "b1", firstEpoch), "b1: "+answer)
	does(t, "one that was not delivered to", a.sendBack(time.Minute, other, "client", firstEpoch), "client: "+answer)
	a.delivering, a.deliveries = false, nil
	does(t, "it keeps it", a.sendBack(time.Hour, s, "client", firstEpoch), "client: "+answer)
	big := value(string(make([]byte, 3*bytesPerSecond)))
	a.answer = &big
	a.sendBack(2*time.Hour, s, "a1", firstEpoch)
	if len(a.passed) != 1 || a.passed[0].until != 2*time.Hour+answerGapMin+3*time.Second {
		t.Errorf("a big one goes back again as %v", a.passed)
	}
	does(t, "it asks itself", a.sendBack(3*time.Hour, s, "me", firstEpoch))
	a.answer = nil
	does(t, "there is no answer", a.sendBack(3*time.Hour, s, "a1", firstEpoch))
}

// TestBigAnswerIsKeptLater: nearly always it reaches its submitters before. A small one is kept at
// once; where this peer is alone it looks for somebody from time to time.
func TestBigAnswerIsKeptLater(t *testing.T) {
	a := newAnswerer("a1")
	does(t, "a small one", a.keepElsewhere(0, firstEpoch), `a1: Keep "4" with best "best"`)
	for _, size := range []int{rootAlong, rootAlong + 1} {
		a, big := newAnswerer("a1"), value(string(make([]byte, size)))
		a.answer = &big
		a.begin(time.Second)
		sent := a.keepElsewhere(time.Second, firstEpoch)
		if later := len(sent) == 0; later != (size > rootAlong) || later && a.keptBy.again != time.Second+keepBigAfter {
			t.Errorf("one of %d bytes is sent at once: %v, or at %v", size, !later, a.keptBy.again)
		}
		if !a.isOnlyHere() || a.answered != time.Second {
			t.Errorf("nobody keeps it, or it is answered since %v", a.answered)
		}
	}
}

// TestAnswerIsKeptByWhoIsThere: the word of one that was lost meanwhile, or of a process that came
// in its place, is not that of who keeps it.
func TestAnswerIsKeptByWhoIsThere(t *testing.T) {
	a := newAnswerer("a1", "b1")
	a.sendKeep(0, firstEpoch)
	a.others = a.others[1:]
	a.lost(time.Second, "a1")
	a.sendKeep(time.Second, firstEpoch)
	if a.hearKept("a1"); !a.isOnlyHere() || a.keptBy.by != "b1" {
		t.Error("it is kept by one that is lost")
	}
	m := a.present["b1"]
	m.Incarnation.Random++
	a.present["b1"] = m // another process: its loss was not heard of yet
	does(t, "it is another", a.sendKeep(2*time.Second, firstEpoch), `b1: Keep "4" with best "best"`)
	if a.keptBy.incarnation != m.Incarnation || a.keptBy.again.Truncate(ms) != 3*time.Second {
		t.Errorf("it is sent to %v, and again at %v", a.keptBy.incarnation, a.keptBy.again)
	}
	if a.hearKept("b1"); a.isOnlyHere() {
		t.Error("it is kept, and only here")
	}
}

// TestAnswerHasADate: the latest that is heard holds, and this peer's own when nothing was heard.
func TestAnswerHasADate(t *testing.T) {
	a := newAnswerer("a1")
	if a.begin(5 * time.Second); !a.over || a.answered != 5*time.Second {
		t.Errorf("it is there now, since %v", a.answered)
	}
	a = newAnswerer("a1")
	a.isOver(time.Minute, 50)
	a.dates(time.Minute, 51)
	if a.begin(2 * time.Minute); a.answered != 10*time.Second {
		t.Errorf("it was there before, since %v", a.answered)
	}
	if a.isOver(time.Minute, 40); a.answered != 20*time.Second {
		t.Errorf("somebody has heard of more, and it is kept since %v", a.answered)
	}
}

// TestWhoHasTheAnswerKnowsBest whether it is an error: what others said of it holds while it is not
// here.
func TestWhoHasTheAnswerKnowsBest(t *testing.T) {
	for about, c := range map[string]struct {
		answering
		failed bool
	}{
		"it has none":           {answering{failed: true}, false},
		"others have a value":   {answering{over: true}, false},
		"others have an error":  {answering{over: true, failed: true}, true},
		"a value is here":       {answering{over: true, failed: true, answer: &steal.Result{}}, false},
		"an error is here":      {answering{answer: &steal.Result{Outcome: steal.Failed}}, true},
		"a job's panic is here": {answering{answer: &steal.Result{Outcome: steal.Panicked}}, true},
	} {
		if c.hasFailed() != c.failed {
			t.Errorf("%s: it has failed: %v", about, !c.failed)
		}
	}
}

// TestAnswerIsDue: at the first of what is repeated of it, and to nobody that waits for it no more.
func TestAnswerIsDue(t *testing.T) {
	a := &answering{keptBy: answerHolder{again: steal.Never}}
	u, v := steal.Submission{Submitter: "u"}, steal.Submission{Submitter: "v"}
	a.deliveries = []delivery{{to: u, again: 2}, {to: v, again: 3}}
	for _, step := range []struct {
		does func()
		at   time.Duration
	}{
		{func() {}, 2},
		{func() { a.drops(u) }, 3},
		{func() { a.brought = bringing{to: in("b1"), again: 1} }, 1},
		{func() { a.brought.hearKept("b1") }, 3},
		{func() { a.keptBy.again = 2 }, 2},
		{func() { a.keptBy.again = steal.Never }, 3},
		{func() { a.drops(v) }, steal.Never},
	} {
		if step.does(); a.deadline() != step.at {
			t.Errorf("it is due at %v, want %v", a.deadline(), step.at)
		}
	}
}
