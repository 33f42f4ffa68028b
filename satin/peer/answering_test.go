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
	if a.keep.again != answerGapMax || !a.isOnlyHere() {
		t.Errorf("it looks again at %v", a.keep.again)
	}
	a = newAnswerer("a1", "b1")
	keep := `Keep "4" with best "best"`
	does(t, "to keep", a.sendKeep(0, firstEpoch), "a1: "+keep)
	does(t, "again", a.sendKeep(time.Second, firstEpoch), "a1: "+keep)
	if a.keep.again.Truncate(ms) != 3*time.Second {
		t.Errorf("again at %v", a.keep.again)
	}
	if a.hearKept("b1"); !a.isOnlyHere() {
		t.Error("another's word counts")
	}
	if a.hearKept("a1"); a.isOnlyHere() {
		t.Error("it is kept, and only here")
	}
	a.livesOn(in("b1"), life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}})
	next := life{"a1", membership.Incarnation{Join: 1, Rejoin: 1}}
	if a.livesOn(in("a1"), next); a.keep.incarnation != next.incarnation || a.isOnlyHere() {
		t.Error("who keeps it lives on, and does not keep it")
	}
	if a.lost(time.Minute, "b1"); a.isOnlyHere() {
		t.Error("another is gone, and it is only here")
	}
	if a.lost(time.Minute, "a1"); a.keep.again != time.Minute || !a.isOnlyHere() {
		t.Errorf("who kept it is gone, and it is kept anew at %v", a.keep.again)
	}
	a.others = a.others[1:]
	does(t, "anew", a.sendKeep(time.Minute, firstEpoch), "b1: "+keep)
	a.delivering = false
	if a.lost(time.Hour, "b1"); a.keep.by != "b1" || a.isOnlyHere() {
		t.Error("one that does not deliver has it kept")
	}
}
