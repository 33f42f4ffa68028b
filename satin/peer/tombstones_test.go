package peer

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

func submissionNo(n int) steal.Submission {
	return steal.Submission{Submitter: "x", Nonce: steal.Nonce(n)}
}

// TestTombstonesDoNotReturn: two peers that forget at slightly different times do not bring a
// tombstone back to each other.
func TestTombstonesDoNotReturn(t *testing.T) {
	g := tombstones{}
	g.add(0, Tombstone{Submission: submissionNo(1)})
	g.forget(EndedKeptFor)
	if g.add(EndedKeptFor, Tombstone{Submission: submissionNo(1), Seconds: 3599}) {
		t.Error("it is learned again")
	}
}

// TestTombstonesAreBoundedAndForgotten: the oldest go, by number and by age.
func TestTombstonesAreBoundedAndForgotten(t *testing.T) {
	g := tombstones{}
	for n := range EndedMax + 100 {
		g.add(time.Minute, Tombstone{Submission: submissionNo(n)})
	}
	if len(g.waited.order) != EndedMax || len(g.waited.at) != EndedMax || g.has(submissionNo(99)) || !g.has(submissionNo(100)) {
		t.Errorf("%d tombstones", len(g.waited.order))
	}
	for name, stone := range map[string]Tombstone{
		"of an hour ago":      {Submission: submissionNo(-1), Seconds: 3600},
		"of what is known":    {Submission: submissionNo(200)},
		"of one with no name": {Submission: steal.Submission{Submitter: membership.PeerID(make([]byte, membership.IDBytesMax+1))}},
	} {
		if g.add(0, stone) {
			t.Errorf("a tombstone %s is news", name)
		}
	}
	if g.forget(time.Minute + EndedKeptFor - 1); len(g.waited.order) != EndedMax {
		t.Errorf("%d tombstones before their time", len(g.waited.order))
	}
	if g.forget(time.Minute + EndedKeptFor); len(g.waited.order) != 0 || len(g.waited.at) != 0 {
		t.Errorf("%d tombstones after an hour", len(g.waited.order))
	}
}

// TestTombstonesAreTold: with their age in seconds, of those that have ended among others; to one
// that joins the youngest.
func TestTombstonesAreTold(t *testing.T) {
	g := tombstones{}
	for n := range 3 {
		g.add(time.Duration(n)*time.Minute, Tombstone{Submission: submissionNo(n), Seconds: 1})
	}
	all := []steal.Submission{submissionNo(7), submissionNo(1), {}, submissionNo(0)}
	if live := g.living(all); !slices.Equal(live, []steal.Submission{submissionNo(7)}) {
		t.Errorf("%v live", live)
	}
	over, some := g.over(3*time.Minute, all...)
	if want := []Tombstone{{submissionNo(1), 121, EndWithdrawn}, {submissionNo(0), 181, EndWithdrawn}}; !some || !slices.Equal(over.Submissions, want) {
		t.Errorf("%v have ended, want %v", over.Submissions, want)
	}
	if over, some = g.over(0, submissionNo(7)); some || over.Submissions != nil {
		t.Errorf("%v have ended", over.Submissions)
	}
	if got := g.youngest(2*time.Minute, 2); !slices.Equal(got, []Tombstone{{submissionNo(1), 61, EndWithdrawn}, {submissionNo(2), 1, EndWithdrawn}}) {
		t.Errorf("the youngest are %v", got)
	}
	if got := g.youngest(2*time.Minute, 9); len(got) != 3 {
		t.Errorf("all are %v", got)
	}
}

// TestTombstoneOfAnHourIsNoNews: what is told of a submission counts by how old it is, up to a
// minute before it would be forgotten. An age that no grid comes to is that of nothing.
func TestTombstoneOfAnHourIsNoNews(t *testing.T) {
	const late = uint32((EndedKeptFor - endedLate) / time.Second)
	for seconds, news := range map[uint32]bool{0: true, late - 1: true, late: false, math.MaxUint32: false} {
		g := tombstones{}
		if is := g.add(0, Tombstone{Submission: submissionNo(1), Seconds: seconds}); is != news || g.has(submissionNo(1)) != news {
			t.Errorf("what ended %d s ago is news: %v", seconds, is)
		}
		if over, some := g.over(0, submissionNo(1)); some && over.Submissions[0].Seconds != seconds {
			t.Errorf("%d s old, it is told as %d s old", seconds, over.Submissions[0].Seconds)
		}
	}
}

// TestOldTombstoneBehindAYoungOne: of a run that ended long ago is heard after one that ends now.
// It is forgotten with that one, and what is told of it by then is no news to anybody.
func TestOldTombstoneBehindAYoungOne(t *testing.T) {
	g, other := tombstones{}, tombstones{}
	g.add(0, Tombstone{Submission: submissionNo(1)})
	g.add(0, Tombstone{Submission: submissionNo(2), Seconds: 3000})
	if g.forget(EndedKeptFor - 1); !g.has(submissionNo(1)) || !g.has(submissionNo(2)) {
		t.Error("one is forgotten before its time")
	}
	over, _ := g.over(EndedKeptFor-time.Second, submissionNo(2), submissionNo(1))
	for _, s := range over.Submissions {
		if other.add(EndedKeptFor, s) {
			t.Errorf("one of %d s ago is learned", s.Seconds)
		}
	}
	if g.forget(EndedKeptFor); len(g.waited.at) != 0 || len(g.waited.order) != 0 {
		t.Errorf("%d are kept", len(g.waited.at))
	}
	if !g.add(EndedKeptFor, Tombstone{Submission: submissionNo(1)}) {
		t.Error("who was forgotten cannot end again")
	}
}

// TestWhoNeverLived: what names nobody, or somebody without bounds, is no submission that lives.
func TestWhoNeverLived(t *testing.T) {
	long := membership.PeerID(strings.Repeat("i", membership.IDBytesMax))
	all := []steal.Submission{{}, {Submitter: long + "x", Nonce: 1}, {Submitter: "two words", Nonce: 1}, {Submitter: long, Nonce: 1}}
	var g tombstones
	if live := g.living(all); !slices.Equal(live, all[3:]) {
		t.Errorf("%d of them live", len(live))
	}
	if g.add(0, Tombstone{Submission: all[3]}); len(g.living(all)) > 0 {
		t.Error("what has ended lives")
	}
}

// TestWhatKeptARunIsBuriedForLong: nobody is asked whether a run that is kept is wanted, so what
// kept it must not be brought up again by who was away for a day. It has a row of its own, which
// short runs that somebody waits for do not push it out of, and one that joins hears of all of it
// that goes into a message.
func TestWhatKeptARunIsBuriedForLong(t *testing.T) {
	g := tombstones{}
	kept := submissionNo(1).Kept()
	g.add(0, Tombstone{Submission: kept})
	g.add(0, Tombstone{Submission: submissionNo(1)})
	for n := range EndedMax {
		g.add(time.Hour, Tombstone{Submission: submissionNo(n + 2)})
	}
	if g.forget(KeepMax - 1); !g.has(kept) || g.has(submissionNo(1)) || g.has(submissionNo(2)) {
		t.Error("what kept a run is forgotten with who waited for it, or that one is not")
	}
	over, _ := g.over(KeepMax-2*endedLate, kept)
	other := tombstones{}
	if !other.add(KeepMax, over.Submissions[0]) || other.add(KeepMax, Tombstone{Submission: submissionNo(1).Kept(), Seconds: uint32(KeepMax / time.Second)}) {
		t.Error("it is not learned from another, or though it is as old as it gets")
	}
	if g.forget(KeepMax); g.has(kept) || g.check() != nil {
		t.Error("it is kept for ever")
	}
	for n := range EndedMax + 9 {
		g.add(KeepMax, Tombstone{Submission: submissionNo(n)})
		g.add(KeepMax, Tombstone{Submission: submissionNo(n).Kept()})
	}
	told := g.youngest(KeepMax, tombstonesTold)
	if last := told[len(told)-1].Submission; len(told) != EndedMax || told[tombstonesTold-1].Submission.Keeps || !told[tombstonesTold].Submission.Keeps || last != submissionNo(EndedMax+8).Kept() {
		t.Errorf("%d are told, the last of them %v", len(told), last)
	}
}

// TestCancelIsNews: of a run whose first submission had ended, too, once; that somebody has its
// answer is none where it was cancelled.
func TestCancelIsNews(t *testing.T) {
	g, first := tombstones{}, submissionNo(1)
	for _, step := range []struct {
		how             Epitaph
		news, cancelled bool
	}{{EndAnswered, true, false}, {EndWithdrawn, false, false}, {EndCancelled, true, true}, {EndCancelled, false, true}, {EndAnswered, false, true}} {
		if news := g.add(time.Minute, Tombstone{Submission: first, How: step.how}); news != step.news || g.isCancelled(first) != step.cancelled {
			t.Errorf("end %d is news: %v; it is cancelled: %v", step.how, news, g.isCancelled(first))
		}
	}
	h := Head{Run: steal.Instance{First: first}, Submissions: []steal.Submission{submissionNo(2)}}
	if told := g.overOf(2*time.Minute, &h); len(told) != 1 || told[0] != (Tombstone{first, 60, EndCancelled}) {
		t.Errorf("who brings it up is told %v", told)
	}
	h.Submissions = append(h.Submissions, first)
	if told := g.overOf(0, &h); len(told) != 1 || len(h.Submissions) != 2 {
		t.Errorf("it is told as %v", told)
	}
	if g.isCancelled(steal.Submission{}) || g.add(0, Tombstone{How: EndCancelled}) {
		t.Error("what is none is cancelled")
	}
}

// TestEpitaphsHaveNames: what documents have of them stays.
func TestEpitaphsHaveNames(t *testing.T) {
	for how, want := range map[Epitaph]string{
		EndWithdrawn: "withdrawn", EndAnswered: "answered", EndCancelled: "cancelled", EndDisplaced: "displaced",
		EndFailed: "failed", EndExpired: "expired", 77: "withdrawn",
	} {
		if got := how.String(); got != want {
			t.Errorf("%d is %q", how, got)
		}
	}
}

// TestAnswersEndSubmissions: with a value, or with an error.
func TestAnswersEndSubmissions(t *testing.T) {
	for outcome, want := range map[steal.Outcome]Epitaph{steal.Value: EndAnswered, steal.Failed: EndFailed, steal.Panicked: EndFailed} {
		how := answeredBy(steal.Result{Outcome: outcome})
		if how != want || !how.isAnswer() {
			t.Errorf("%v: %v", outcome, how)
		}
	}
	for _, how := range []Epitaph{EndWithdrawn, EndCancelled, EndDisplaced, EndExpired} {
		if how.isAnswer() {
			t.Errorf("%v is an answer", how)
		}
	}
}
