package peer

import (
	"fmt"
	"testing"

	"satingrid/steal"
)

// TestStops: a job is withdrawn once. An orphan is remembered until the workers say what became of
// it, a job of a leave until it was handed back.
func TestStops(t *testing.T) {
	run := steal.Instance{Run: steal.Key{1}}
	s := &stops{}
	does(t, "nobody waits", s.withdraw(1), "withdraw borrow 1")
	does(t, "an orphan", s.salvage(orphaned{2, run, keyOf("two")}), "withdraw borrow 2, salvage")
	does(t, "of a leave", s.halt(3), "withdraw borrow 3, salvage")
	does(t, "once more", s.halt(3))
	does(t, "nobody waits for it now", s.withdraw(3))
	does(t, "its owner is lost", s.salvage(orphaned{3, run, keyOf("three")}))
	if _, was := s.ended(1); was || s.handsBack(1) || s.handsBack(2) {
		t.Error("what only was withdrawn is an orphan, or handed back")
	}
	if o, was := s.ended(2); !was || o.key != keyOf("two") {
		t.Errorf("2 was an orphan: %v, with %v", was, o)
	}
	if o, was := s.ended(3); !was || o.key != keyOf("three") || !s.handsBack(3) || s.handsBack(3) {
		t.Errorf("3 was an orphan: %v, with %v, or is handed back never or twice", was, o)
	}
	if len(s.halted) != 0 || len(s.orphans) != 0 {
		t.Errorf("%v and %v are left", s.halted, s.orphans)
	}
}

// TestStopsForget: of a run that has ended nothing is heard, and a second leave forgets what of the
// first is not here any more.
func TestStopsForget(t *testing.T) {
	one, two := steal.Instance{Run: steal.Key{1}}, steal.Instance{Run: steal.Key{2}}
	s := &stops{}
	for b := range steal.Borrow(4) {
		s.halt(b + 1)
	}
	s.salvage(orphaned{1, one, keyOf("one")})
	s.salvage(orphaned{2, two, keyOf("two")})
	if s.runEnded(one); len(s.orphans) != 1 || s.orphans[0].borrow != 2 {
		t.Errorf("the orphans are %v", s.orphans)
	}
	s.leaves([]steal.Borrow{3, 5})
	for b, kept := range map[steal.Borrow]bool{1: false, 2: true, 3: true, 4: false} {
		if s.handsBack(b) != kept {
			t.Errorf("%d is handed back: %v", b, !kept)
		}
	}
	s = &stops{noFT: true}
	does(t, "without fault tolerance", s.salvage(orphaned{2, one, keyOf("two")}), "withdraw borrow 2")
	if len(s.orphans) != 0 {
		t.Error("an orphan is remembered")
	}
}

// TestStopsOverLeaves: a leave that was called off and begun again stops each job once. What it has
// stopped is handed back when the workers say so, though the peer stays by then; a job that returns
// meanwhile is not, and one that a loss makes an orphan is that only.
func TestStopsOverLeaves(t *testing.T) {
	run := steal.Instance{Run: steal.Key{1}}
	s := &stops{}
	s.leaves([]steal.Borrow{1, 2, 3})
	for b := range steal.Borrow(3) {
		does(t, "of a leave", s.halt(b+1), fmt.Sprintf("withdraw borrow %d, salvage", b+1))
	}
	if !s.handsBack(1) || s.handsBack(1) {
		t.Error("one that was stopped, or has returned, is handed back never or twice")
	}
	does(t, "its owner is gone", s.salvage(orphaned{2, run, keyOf("two")}))
	s.leaves([]steal.Borrow{3, 4})
	does(t, "it leaves again", s.halt(3))
	does(t, "with one that came since", s.halt(4), "withdraw borrow 4, salvage")
	if o, was := s.ended(2); !was || o.run != run || !s.handsBack(2) {
		t.Error("the orphan is none any more, or not known to have been stopped")
	}
	s.salvage(orphaned{3, run, keyOf("three")})
	s.salvage(orphaned{4, steal.Instance{Run: steal.Key{2}}, keyOf("four")})
	if s.runEnded(run); len(s.orphans) != 1 || s.orphans[0].borrow != 4 {
		t.Errorf("of another run are left %v", s.orphans)
	}
	if s.leaves(nil); len(s.halted) != 1 {
		t.Errorf("%v are stopped, and only an orphan is here", s.halted)
	}
	if _, was := s.ended(4); !was || !s.handsBack(4) || s.handsBack(3) {
		t.Error("the orphan is forgotten, or one of a run that has ended is not")
	}
}
