package peer

import (
	"testing"
	"time"

	"satingrid/steal"
)

// TestOpening: a thief asks when there is a run, and not once there is none. Who copies begins when
// there may be something to copy.
func TestOpening(t *testing.T) {
	s := newOfRuns(t, "a1")
	a1, _ := s.view.Member("a1")
	s.thief.Joined(a1)
	s.thief.Idle(0, 1)
	does(t, "there is no run", s.opening.look(0))
	m := asks("u", 1, "root")
	r := s.runs.made(m, 0)
	s.copier.every, s.copier.lots = copyEvery, s.rng
	s.copier.began(r.instance, r.no, r)
	does(t, "there is one", s.opening.look(0), "a1: Ask for 4")
	if s.copier.at > copyEvery {
		t.Errorf("copies are made from %v on", s.copier.at)
	}
	s.runs.all = nil
	s.copier.ended(r.instance)
	does(t, "it has ended", s.opening.look(time.Minute))
	if s.copier.at != steal.Never {
		t.Errorf("copies of nothing are made at %v", s.copier.at)
	}
}
