package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestPanicIsTold: to the master, and every other time to anybody.
func TestPanicIsTold(t *testing.T) {
	s := newSubmitter("a1", "b1")
	x := panicking{members: s, of: theRun}
	if x.deadline() != steal.Never {
		t.Error("nothing has panicked, and it is told")
	}
	for n, want := range []membership.PeerID{"a1", "b1", "a1", "b1"} {
		now := time.Duration(n) * time.Minute
		does(t, "it is told", x.tell(now, "a1", panicked), string(want)+`: Fail panic "why"`)
		if x.deadline() != now+failEvery {
			t.Errorf("at %v it was told, and is again at %v", now, x.deadline())
		}
	}
}

// TestPanicIsToldByOneAlone: with nobody else to tell it to, it is told to the master each time,
// who may come back.
func TestPanicIsToldByOneAlone(t *testing.T) {
	s := newOfRuns(t)
	x := panicking{members: s.view, of: theRun}
	for range 3 {
		does(t, "it is told", x.tell(0, "a1", panicked), `a1: Fail panic "why"`)
	}
}

// TestPanicIsToldUntilTheRunEnds: two jobs panic here, and the first panic is what the run is to
// fail with. Its master says nothing, dies, and is followed by another, which is told then. The run
// ends with the answer that comes of that, or with another one.
func TestPanicIsToldUntilTheRunEnds(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	r := s.of("a1", m)
	first := fails{run: r.instance, result: panicked}
	does(t, "a job panics", s.decisions.fails(0, first), `a1: Fail panic "why"`)
	second := fails{run: r.instance, result: failing("t", r.instance.Run, "me", "another why")}
	does(t, "another one panics", s.decisions.fails(ms, second))
	does(t, "too soon", s.decisions.tick(failEvery-1, r))
	does(t, "nothing is heard of it", s.decisions.tick(failEvery, r), `a1: Fail panic "why"`)
	if at := r.deadline(); at != 2*failEvery {
		t.Errorf("it is told again at %v", at)
	}
	s.dies("a1")
	s.comes("b1", 9)
	s.mastership.adopt(2*failEvery, r, membership.Epoch{Number: 2}, "b1")
	does(t, "another is master", s.decisions.tick(2*failEvery, r), `b1: Fail panic "why"`)
	s.endings.bury(2*failEvery, over(m).Submissions)
	if s.runs.deadline() != steal.Never || len(s.runs.all) > 0 {
		t.Error("the run is over, and something of it is repeated")
	}
	does(t, "late, it is over", s.decisions.fails(time.Minute, first))
}

// TestPanicAtTheOneThatSucceeds: the master dies before it has heard of the panic, and it is this
// peer that follows it. It need not start the root: it knows what the run comes to.
func TestPanicAtTheOneThatSucceeds(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("u", 1, "root"))
	does(t, "a job panics", s.decisions.fails(0, fails{run: r.instance, result: panicked}), `a1: Fail panic "why"`)
	s.dies("a1")
	if is, _ := s.mastership.succeed(2*time.Second, r); !is {
		t.Fatal("another succeeds it")
	}
	does(t, "it is due", s.decisions.tick(2*time.Second, r), `u: Answer panic "why"`, `b1: Keep panic "why"`)
	if r.panicking.deadline() != steal.Never || s.mastership.mayStart(r) {
		t.Error("it is told again, or the root starts")
	}
	does(t, "another peer's panic, late", s.decisions.hearFail(time.Minute, Fail{Run: r.instance, Result: panicked}))
}
