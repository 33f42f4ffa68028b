package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// attacher is a submitter that attaches to a run, which is known here with its root, or not.
func attacher(known bool, root string) (*submitter, *submission) {
	s := newSubmitter("a1", "b1")
	s.submissions.known = func(id steal.Key) (Root, bool) {
		r := Root{Run: steal.Key{1}, Task: "task"}
		if root != "" {
			r = RootOf(steal.Key{1}, "task", []byte(root))
		}
		return r, known && id == steal.Key{7}
	}
	one, _ := s.beginJoin(steal.Key{7})
	return s, one
}

// TestAttachingBringsNoRoot: neither the first time nor later. Where it is asked for, it brings the
// one that is known here, and says nothing if there is none: a master that lacks it would ask again
// at once.
func TestAttachingBringsNoRoot(t *testing.T) {
	s, one := attacher(false, "")
	const bare = "Submit for a run that is on"
	does(t, "to the oldest", s.submit(0, one), "a1: "+bare)
	does(t, "by way of another", s.submit(time.Second, one), "b1: "+bare)
	does(t, "asked for the root, which it lacks", s.hearNeedRoot("a1", NeedRoot{one.id.Nonce}))
	does(t, "accepted", s.accepted(0, Accepted{Nonce: one.id.Nonce, Master: "a1"}), "the grid has its submission")
	does(t, "again", s.accepted(0, Accepted{Nonce: one.id.Nonce, Master: "a1"}))
	s, one = attacher(true, "root")
	does(t, "asked for the root, which it has", s.hearNeedRoot("a1", NeedRoot{one.id.Nonce}), `a1: Submit for a run that is on, root "root"`)
	s, one = attacher(false, "")
	if s.taskOf(one) != "task" || one.begins().Run != (steal.Key{}) {
		t.Errorf("it is of task %q", s.taskOf(one))
	}
	for len(s.mine) < SubmissionsMax {
		s.begins(t, "root")
	}
	if _, err := s.beginJoin(steal.Key{7}); err != ErrTooMany {
		t.Errorf("one too many: %v", err)
	}
}

// TestNoRunIsBelieved: unless it is known here; who was part of one that nobody else knows any more
// brings it.
func TestNoRunIsBelieved(t *testing.T) {
	s, one := attacher(false, "")
	does(t, "there is none", s.notOn(NoRun{Nonce: one.id.Nonce}), "there is no such run", "buries 1", "all: Ended 1")
	does(t, "it has ended", s.notOn(NoRun{Nonce: one.id.Nonce}))
	s, one = attacher(true, "root")
	does(t, "it is known here", s.notOn(NoRun{Nonce: one.id.Nonce}))
	does(t, "it has the root", s.notOn(NoRun{one.id.Nonce, true}))
	s.accepted(0, Accepted{Nonce: one.id.Nonce, Master: "a1"})
	does(t, "it was part of it", s.notOn(NoRun{Nonce: one.id.Nonce}))
	does(t, "it brings it", s.submit(0, one), `a1: Submit root "root"`)
	s, one = attacher(true, "")
	does(t, "it is known here by name", s.notOn(NoRun{Nonce: one.id.Nonce}))
	does(t, "nobody has its root", s.notOn(NoRun{one.id.Nonce, true}), "there is no such run", "buries 1", "all: Ended 1")
	for _, root := range []string{"", "root"} { // of one of which it was no part
		s, one = attacher(true, root)
		for range noRunMax - 1 {
			does(t, "it is known here, and may come back", s.notOn(NoRun{Nonce: one.id.Nonce}))
		}
		s.joinedRun(one.id.Nonce, one.run)
		one.known = false
		for range noRunMax - 1 {
			does(t, "it was on meanwhile", s.notOn(NoRun{Nonce: one.id.Nonce}))
		}
		does(t, "all who were part of it are lost", s.notOn(NoRun{Nonce: one.id.Nonce}), "there is no such run", "buries 1", "all: Ended 1")
	}
	begun := s.begins(t, "root")
	does(t, "one that begins a run", s.notOn(NoRun{Nonce: begun.id.Nonce}))
}

// TestReleasedAndWithdrawn: with what is kept, or without.
func TestReleasedAndWithdrawn(t *testing.T) {
	s, _ := attacher(false, "")
	for _, keep := range []uint32{0, 60} {
		for _, ends := range []func(steal.Nonce) int{
			func(n steal.Nonce) int { return len(s.release(n)) }, func(n steal.Nonce) int { return len(s.cancel(n)) },
		} {
			one, _ := s.begin(RootOf(steal.Key{1}, "task", []byte("root")).With(Terms{Keep: keep}))
			if all := len(one.all()); all != 1+int(keep/60) || one.begins().First.Keeps != (keep > 0) || one.all()[all-1] != one.id {
				t.Errorf("kept for %d it is %v", keep, one.all())
			}
			if ends(one.id.Nonce) == 0 || s.own(one.id.Nonce) != nil || ends(one.id.Nonce) != 0 {
				t.Error("it does not end, or twice")
			}
		}
	}
}

// TestWhoHasAttachedSaysToWhat: from when it is known, and also where it brings the run that nobody
// else knows any more: that may have been cancelled.
func TestWhoHasAttachedSaysToWhat(t *testing.T) {
	s, one := attacher(true, "root")
	of := steal.Instance{Run: steal.Key{1}, First: steal.Submission{Submitter: "c1", Nonce: 3, Keeps: true}}
	if s.bare(one).Of != (steal.Submission{}) {
		t.Error("it says so before it knows")
	}
	s.accepted(0, Accepted{Nonce: one.id.Nonce, Run: of, Master: "a1"})
	s.notOn(NoRun{Nonce: one.id.Nonce})
	if m := s.bare(one); m.Of != of.First || m.Joins != (steal.Key{}) {
		t.Errorf("it says that it was part of %v, and joins %v", m.Of, m.Joins)
	}
	does(t, "another run was cancelled", s.endedElsewhere(Tombstone{Submission: steal.Submission{Submitter: "c1", Nonce: 3}, How: EndCancelled}))
	does(t, "what kept the run has ended", s.endedElsewhere(Tombstone{Submission: of.First}))
	does(t, "it was cancelled", s.endedElsewhere(Tombstone{Submission: of.First, How: EndCancelled}),
		`deliver panic ": the run was cancelled on the grid, for all who waited for it"`, "buries 1")
	if s.own(one.id.Nonce) != nil {
		t.Error("it is waited for")
	}
}

// TestNoRunOfOneThatIsGone: it tells nothing. Those who are there may know of the run, and are
// asked again.
func TestNoRunOfOneThatIsGone(t *testing.T) {
	for _, gone := range []bool{false, true} {
		p := outside(true)
		b := someone("b1", 2)
		greet(p, 0, b)
		greet(p, 0, someone("c1", 3))
		p.entering.letIn(0)
		nonce, _, err := p.Attach(0, steal.Key{7})
		if err != nil {
			t.Fatal(err)
		}
		if gone {
			lost := b
			lost.State, lost.How = membership.Dead, membership.Killed
			p.Received(time.Second, "c1", Message{From: someone("c1", 3).Incarnation, Body: membership.Gone{Member: lost}})
		}
		_, over := find[NotOn](p.Received(time.Second, "b1", Message{From: b.Incarnation, Body: NoRun{Nonce: nonce}}))
		if over == gone {
			t.Errorf("gone: %v, and it believes that: %v", gone, over)
		}
	}
}
