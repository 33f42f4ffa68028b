package peer

import (
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// theRun is the one that this peer has submitted first, under nonce 1.
var theRun = steal.Instance{Run: steal.Key{1}, First: steal.Submission{Submitter: "me", Nonce: 1}}

// ownRun is the one that this peer begins by a submission.
func ownRun(n steal.Nonce, root steal.Key) steal.Instance {
	return steal.Instance{Run: root, First: steal.Submission{Submitter: "me", Nonce: n}}
}

// asked is what one hears who has submitted that run.
func asked(others ...membership.PeerID) (*reports, present) {
	all := presentOf(others...)
	r := &reports{members: all}
	r.submitted(1, ownRun(1, theRun.Run))
	return r, all
}

// hears lets it hear a report of the run, by a member.
func (r *reports) hears(now time.Duration, from membership.PeerID, final bool) []membership.Effect {
	return r.hearReport(in(from), reportOf(func(m *Report) { m.Run, m.Final = theRun, final }))
}

// TestAnswerWaitsForLastReports: of those who are here and have told anything.
func TestAnswerWaitsForLastReports(t *testing.T) {
	r, all := asked("b1", "c1", "d1", "e1")
	for _, from := range []membership.PeerID{"b1", "c1", "d1"} {
		does(t, "a report", r.hears(0, from, false), fmt.Sprintf("1 is told by %s", from))
	}
	does(t, "no answer yet", r.look(time.Hour))
	if r.waits() {
		t.Error("it waits before there is an answer")
	}
	r.delivered(time.Hour, 1)
	if at := r.deadline(); at != time.Hour+reportPatience {
		t.Errorf("it waits until %v", at)
	}
	does(t, "none is the last", r.look(time.Hour))
	does(t, "the last of b1", r.hears(time.Hour, "b1", true), "1 is told by b1")
	does(t, "two are missing", r.look(time.Hour))
	delete(all, "c1")
	does(t, "c1 is gone, one is missing", r.look(time.Hour))
	r.hearReport(in("d1"), reportOf(func(m *Report) { m.Run, m.Stats.State = theRun, "leaving" }))
	does(t, "d1 leaves, and e1 has never told anything", r.look(time.Hour), "all is told of 1")
	does(t, "it is said once", r.look(2*time.Hour))
	does(t, "it is over", r.hears(2*time.Hour, "c1", true))
	if r.waits() || len(r.all) > 0 {
		t.Errorf("left are %v", r.all)
	}
}

// TestAnswerWaitsNoLonger: than it may, and not at all where nobody has told anything.
func TestAnswerWaitsNoLonger(t *testing.T) {
	r, _ := asked("b1")
	r.hears(0, "b1", false)
	r.delivered(time.Second, 1)
	does(t, "too early", r.look(time.Second+reportPatience-1))
	does(t, "long enough", r.look(time.Second+reportPatience), "all is told of 1")

	r, _ = asked("b1")
	r.delivered(0, 1)
	does(t, "nobody has told anything", r.look(0), "all is told of 1")
}

// TestReportsAreOfSubmissions: of the run, each of its submissions; of another run, or one that was
// cancelled, none. What no peer can say is dropped.
func TestReportsAreOfSubmissions(t *testing.T) {
	r, _ := asked("b1")
	r.submitted(2, ownRun(2, steal.Key{1}))
	r.submitted(3, ownRun(3, steal.Key{3}))
	r.accepted(2, theRun)
	does(t, "two of one run", r.hears(0, "b1", false), "1 is told by b1", "2 is told by b1")
	r.cancelled(1)
	does(t, "one is cancelled", r.hears(0, "b1", true), "2 is told by b1")
	does(t, "unsound", r.hearReport(in("b1"), reportOf(func(m *Report) { m.Run, m.Stats.Jobs = theRun, -1 })))
	r.delivered(0, 2)
	does(t, "the other's answer", r.look(0), "all is told of 2")
}

// TestLateReportsAreDropped: one that comes after a later one of its sender is neither shown nor
// makes the answer wait. A peer that has come back begins to count anew, and so does one that has
// dropped the run and learnt of it again: these are heard.
func TestLateReportsAreDropped(t *testing.T) {
	r, _ := asked("b1")
	told := func(number uint64, of membership.Incarnation, final bool) []membership.Effect {
		return r.hearReport(life{"b1", of}, reportOf(func(m *Report) { m.Run, m.Number, m.Final = theRun, number, final }))
	}
	first, second := membership.Incarnation{Join: 2}, membership.Incarnation{Join: 2, Rejoin: 1}
	does(t, "the second", told(2, first, false), "1 is told by b1")
	does(t, "the first, late", told(1, first, false))
	does(t, "its last", told(4, first, true), "1 is told by b1")
	does(t, "one before, late", told(3, first, false))
	r.delivered(0, 1)
	does(t, "it has told its last", r.look(0), "all is told of 1")

	r, _ = asked("b1")
	told(4, first, true)
	does(t, "the run is here again", told(5, first, false), "1 is told by b1")
	r.delivered(0, 1)
	does(t, "it will tell more", r.look(0))
	does(t, "another life", told(1, second, true), "1 is told by b1")
	does(t, "the life before, late", told(6, first, false))
	does(t, "that life's last", r.look(0), "all is told of 1")
}

// TestReportsAreOfOneRun: two runs of one root, under other terms, or one after the other, are two.
// What is told of the one is not of the other's submission.
func TestReportsAreOfOneRun(t *testing.T) {
	r, _ := asked("b1")
	other := steal.Instance{Run: theRun.Run, First: steal.Submission{Submitter: "me", Nonce: 2}}
	older := steal.Instance{Run: theRun.Run, First: steal.Submission{Submitter: "c", Nonce: 1}}
	told := func(i steal.Instance, final bool) []membership.Effect {
		return r.hearReport(in("b1"), reportOf(func(m *Report) { m.Run, m.Final = i, final }))
	}
	r.submitted(2, ownRun(2, theRun.Run))
	does(t, "of the first", told(theRun, true), "1 is told by b1")
	does(t, "of the second", told(other, false), "2 is told by b1")
	does(t, "of one that was asked for elsewhere", told(older, false))
	r.delivered(0, 2)
	does(t, "the last of the second is missing", r.look(0))

	r.submitted(3, ownRun(3, theRun.Run))
	does(t, "nobody has told yet which is the third's", told(older, false))
	r.accepted(3, older)
	does(t, "it has joined the older one", told(older, true), "3 is told by b1")
	r.delivered(0, 3)
	does(t, "all is told of the third", r.look(0), "all is told of 3")

	r.accepted(1, older)
	does(t, "the first is done by another run", told(theRun, true))
	does(t, "of which it hears", told(older, true), "1 is told by b1")
}

// TestReportersAreBounded: so are answers that wait. Who is known goes on.
func TestReportersAreBounded(t *testing.T) {
	r, _ := asked("b1")
	for n := range reportersMax + 1 {
		r.hears(0, membership.PeerID(fmt.Sprint(n)), false)
	}
	if n := len(r.all[0].by); n != reportersMax {
		t.Errorf("%d are known", n)
	}
	does(t, "one that is known", r.hears(0, "0", false), "1 is told by 0")
	r, _ = asked("b1")
	for n := range steal.Nonce(unreportedMax) {
		r.submitted(n+2, ownRun(n+2, steal.Key{1}))
		r.accepted(n+2, theRun)
	}
	r.hears(0, "b1", false)
	for n := range steal.Nonce(unreportedMax + 1) {
		does(t, "not yet", r.look(0))
		r.delivered(0, n+1)
	}
	does(t, "too many wait", r.look(1), "all is told of 1")

	r, _ = asked("b1")
	for n := range steal.Nonce(2 * unreportedMax) {
		r.submitted(n+2, ownRun(n+2, steal.Key{1}))
	}
	r.hears(0, "b1", false)
	r.delivered(0, 1)
	does(t, "all others have no answer yet", r.look(0))
}

// TestReportsOfItsOwnRun: a submission makes a run, of which somebody has told something when the
// grid says that the submission is part of an older one, as two sides of a cut have each made one.
// Who worked for the one that is given up tells no last of it, and nobody waits for that.
func TestReportsOfItsOwnRun(t *testing.T) {
	r, _ := asked("b1", "c1")
	older := steal.Instance{Run: theRun.Run, First: steal.Submission{Submitter: "a", Nonce: 9}}
	does(t, "of its own run", r.hears(0, "b1", false), "1 is told by b1")
	r.accepted(1, theRun)
	does(t, "as was to be expected", r.hears(0, "b1", false), "1 is told by b1")
	r.accepted(1, theRun) // each repeat of the submission is accepted
	if len(r.all[0].by) != 1 {
		t.Error("who has told something of it is forgotten")
	}
	r.accepted(1, older)
	does(t, "late, of the former", r.hears(0, "b1", false))
	ofOlder := reportOf(func(m *Report) { m.Run, m.Final = older, true })
	does(t, "another's last of the older one", r.hearReport(in("c1"), ofOlder), "1 is told by c1")
	r.delivered(0, 1)
	does(t, "the answer is there", r.look(0), "all is told of 1")

	r, _ = asked("b1")
	does(t, "of its own run", r.hears(0, "b1", false), "1 is told by b1")
	r.accepted(1, older)
	r.delivered(0, 1)
	does(t, "it hears of the older one at once", r.look(0), "all is told of 1")
}

// TestReporterComesBack: a peer is killed in the middle of a run and started again under its id.
// The new process knows nothing of what the former has told, and counts from one.
func TestReporterComesBack(t *testing.T) {
	r, all := asked("b1")
	second := life{"b1", membership.Incarnation{Join: 9}}
	told := func(from life, number uint64, final bool) []membership.Effect {
		return r.hearReport(from, reportOf(func(m *Report) { m.Run, m.Number, m.Final = theRun, number, final }))
	}
	does(t, "before", told(in("b1"), 1<<63, false), "1 is told by b1")
	r.delivered(0, 1)
	does(t, "it will tell more", r.look(0))
	delete(all, "b1")
	does(t, "doubled, after it has died", told(in("b1"), 1<<63, false), "1 is told by b1")
	all["b1"] = membership.Member{ID: "b1", Incarnation: second.incarnation, State: membership.Here}
	does(t, "it is back before anybody has looked", r.look(0))
	does(t, "its first", told(second, 1, false), "1 is told by b1")
	does(t, "one of its former life, late", told(in("b1"), 1<<63+1, true))
	does(t, "it will tell more", r.look(0))
	does(t, "its last", told(second, 2, true), "1 is told by b1")
	does(t, "all is told", r.look(0), "all is told of 1")
}

// TestAnswersWaitEachForItself: three answers come one after another, and what each waits for is
// another's last, or nobody's any more. The first to be over is the first to be looked at.
func TestAnswersWaitEachForItself(t *testing.T) {
	r, _ := asked("b1")
	for n := steal.Nonce(2); n <= 3; n++ {
		r.submitted(n, theRun)
		r.accepted(n, theRun)
	}
	r.hears(0, "b1", false)
	for n := range steal.Nonce(3) {
		r.delivered(time.Duration(n)*10*ms, 3-n)
	}
	if at := r.deadline(); at != reportPatience {
		t.Errorf("it looks at %v", at)
	}
	r.cancelled(2)
	does(t, "the first has waited long enough", r.look(reportPatience), "all is told of 3")
	if at := r.deadline(); at != reportPatience+20*ms {
		t.Errorf("then it looks at %v", at)
	}
	r.hears(reportPatience, "b1", true)
	does(t, "the last has come", r.look(reportPatience), "all is told of 1")
	if r.waits() || r.deadline() != steal.Never {
		t.Errorf("nothing waits, and it looks at %v", r.deadline())
	}
}
