package peer

import (
	"slices"
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
	if len(g.order) != EndedMax || len(g.at) != EndedMax || g.has(submissionNo(99)) || !g.has(submissionNo(100)) {
		t.Errorf("%d tombstones", len(g.order))
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
	if g.forget(time.Minute + EndedKeptFor - 1); len(g.order) != EndedMax {
		t.Errorf("%d tombstones before their time", len(g.order))
	}
	if g.forget(time.Minute + EndedKeptFor); len(g.order) != 0 || len(g.at) != 0 {
		t.Errorf("%d tombstones after an hour", len(g.order))
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
	if want := []Tombstone{{submissionNo(1), 121}, {submissionNo(0), 181}}; !some || !slices.Equal(over.Submissions, want) {
		t.Errorf("%v have ended, want %v", over.Submissions, want)
	}
	if over, some = g.over(0, submissionNo(7)); some || over.Submissions != nil {
		t.Errorf("%v have ended", over.Submissions)
	}
	if got := g.youngest(2*time.Minute, 2); !slices.Equal(got, []Tombstone{{submissionNo(1), 61}, {submissionNo(2), 1}}) {
		t.Errorf("the youngest are %v", got)
	}
	if got := g.youngest(2*time.Minute, 9); len(got) != 3 {
		t.Errorf("all are %v", got)
	}
}
