package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestEndsOfWhatKeptRunsAreKept: at once, and where many come together once more a while later; of
// what somebody waited by nothing is, nor by a client. Whether runs are stored does not matter.
func TestEndsOfWhatKeptRunsAreKept(t *testing.T) {
	e := ends{on: true, tombstones: &tombstones{}}
	buries := func(now time.Duration, one Tombstone) []membership.Effect {
		_, effects := e.bury(now, one)
		return effects
	}
	kept := func(n int) Tombstone { return Tombstone{Submission: submissionNo(n).Kept()} }
	does(t, "one that somebody waited by", buries(0, Tombstone{Submission: submissionNo(1)}))
	does(t, "one that kept a run", buries(0, kept(1)), "the ends are to be kept")
	does(t, "again", buries(time.Minute, kept(1)))
	does(t, "another", buries(time.Second, kept(2)))
	does(t, "and another", buries(2*time.Second, kept(3)))
	if e.deadline() != keepEndsEvery {
		t.Errorf("they are kept at %v", e.deadline())
	}
	does(t, "not yet", e.tick(keepEndsEvery-1))
	does(t, "then", e.tick(keepEndsEvery), "the ends are to be kept")
	does(t, "without news", e.tick(time.Hour))
	e = ends{tombstones: &tombstones{}}
	does(t, "a client", buries(0, kept(1)))
	for _, c := range []struct{ client, store, on bool }{{false, false, true}, {false, true, true}, {true, false, false}} {
		conf := Config{Member: membership.Config{ID: "me", Client: c.client, Workers: 1}, Store: c.store}
		if p := New(conf, newOfRuns(t).rng); p.ends.on != c.on {
			t.Errorf("%+v keeps ends: %v", c, p.ends.on)
		}
	}
}

// TestEndsAreRemembered by a process that starts: what its disk, or another's, has of such a run
// does not bring it back, and is of no use. What somebody waited by is not among them.
func TestEndsAreRemembered(t *testing.T) {
	m := keepsFor(asks("u", 1, "root"), 60)
	s := newOfRuns(t)
	h := s.masteredBy("me", m)
	h.Run.First = m.Submission.Kept()
	h.Submissions = []steal.Submission{m.Submission.Kept()}
	s.Remembered(0, []Tombstone{{Submission: h.Run.First, Seconds: 7200}, {Submission: m.Submission}}, nil)
	if all := s.Sight().Ends(); len(all) != 1 || all[0].Submission != h.Run.First || all[0].Seconds != 7200 || s.tombstones.has(m.Submission) {
		t.Errorf("it remembers %v", all)
	}
	does(t, "its record is on the disk", s.records.remembered(0, recorded(Record{Head: h, Root: m.Root})), "forget the record")
	if len(s.runs.all) > 0 {
		t.Error("it is on again")
	}
}

// TestEndsAreBounded: of a file that is longer than any that was written no more is taken.
func TestEndsAreBounded(t *testing.T) {
	e := ends{on: true, tombstones: &tombstones{}}
	var all []Tombstone
	for n := range EndedMax + 1 {
		all = append(all, Tombstone{Submission: submissionNo(n).Kept()})
	}
	e.remembered(0, all)
	if e.tombstones.has(all[EndedMax].Submission) || !e.tombstones.has(all[0].Submission) || e.deadline() < time.Hour {
		t.Error("more is taken than there may be, or less, or it is written again")
	}
}
