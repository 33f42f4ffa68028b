package membership

import (
	"slices"
	"testing"
	"time"
)

// newWatch is the watch of a peer of site a, and the seats of those who are beside it.
func newWatch(others ...string) (*watch, *seats) {
	o, s := newOwnFor(false), newSeats()
	o.enter(0)
	for n, id := range others {
		s.sit(id, uint64(n+2), Here).Site = Site(id[:1])
	}
	w := &watch{self: o, seats: s}
	w.begin(0)
	return w, s
}

// said is what is said to whom, without the heartbeats.
func said(effects []Effect) (all []string) {
	for _, e := range effects {
		switch b := e.(Send).Body.(type) {
		case Ping:
			all = append(all, "ping "+string(e.(Send).To))
		case PingFor:
			all = append(all, string(e.(Send).To)+", ping "+string(b.Target))
		}
	}
	return all
}

// until lets time pass with a tick when one is due; those in heard are heard each time.
func (w *watch) until(now, end time.Duration, heard ...*seat) (effects []Effect, dead []*seat) {
	for ; now <= end; now += tickEvery {
		for _, s := range heard {
			s.hear(now)
		}
		more, gone := w.tick(now)
		effects, dead = append(effects, more...), append(dead, gone...)
	}
	return effects, dead
}

// A peer sends heartbeats to its neighbours, suspects the one that is silent, asks it, and has two
// others ask it, of whom one is in a third site. When it says nothing its time is over.
func TestWatchDoubts(t *testing.T) {
	w, s := newWatch("a1", "a2", "b1", "c1")
	a1, rest := s.byID["a1"], []*seat{s.byID["a2"], s.byID["b1"], s.byID["c1"]}
	effects, dead := w.until(tickEvery, time.Second, rest...)
	beats := len(effects)
	if beats < 4*4 || beats > 4*6 || said(effects) != nil || dead != nil {
		t.Errorf("in a second it says %d things to four, and %v", beats, said(effects))
	}
	effects, dead = w.until(time.Second+tickEvery, SilenceMin+2*tickEvery, rest...)
	got := said(effects)
	if len(got) != 3 || got[0] != "ping a1" || dead != nil || a1.State != Suspected {
		t.Fatalf("it doubts a1: %v, %v", got, a1.State)
	}
	// b1 and c1 are both in a third site for a1; one of them is asked first
	if got[1] != "b1, ping a1" && got[1] != "c1, ping a1" {
		t.Errorf("the first that is asked: %v", got[1])
	}
	at := a1.verdict
	if _, dead = w.until(SilenceMin+3*tickEvery, at-tickEvery/2, rest...); dead != nil {
		t.Error("it is dead too soon")
	}
	if _, dead = w.until(at, at+tickEvery, rest...); !slices.Contains(dead, a1) {
		t.Error("it is silent, and not dead")
	}
}

// A sign of life, or another's word for it, ends the suspicion.
func TestWatchClears(t *testing.T) {
	for name, clear := range map[string]func(*seat, time.Duration){"heard": (*seat).hear, "vouched for": (*seat).vouched} {
		w, s := newWatch("a1", "a2")
		a1, a2 := s.byID["a1"], s.byID["a2"]
		w.until(tickEvery, SilenceMin+2*tickEvery, a2)
		if !a1.suspected {
			t.Fatal("nobody doubts who is silent")
		}
		clear(a1, SilenceMin+2*tickEvery)
		if _, dead := w.until(SilenceMin+3*tickEvery, 2*SilenceMin, a2); a1.State != Here || dead != nil {
			t.Errorf("it was %s, and is %v, dead %v", name, a1.State, ids(dead))
		}
	}
}

// Who suspects everybody waits a second more before it believes it.
func TestWatchDoubtsItself(t *testing.T) {
	w, _ := newWatch("a1", "a2", "a3")
	all := SilenceMin + 2*tickEvery
	if _, dead := w.until(tickEvery, all+everybodyWait-tickEvery); dead != nil {
		t.Errorf("it believes that %v are dead", ids(dead))
	}
	if _, dead := w.until(all+everybodyWait, all+everybodyWait); len(dead) != 3 {
		t.Errorf("dead are %v; nobody was heard", ids(dead))
	}
}

// Who was asleep forgives everybody's silence, those too whom it suspected before.
func TestWatchForgives(t *testing.T) {
	w, s := newWatch("a1", "a2")
	w.until(tickEvery, SilenceMin+2*tickEvery, s.byID["a2"])
	now := time.Minute
	effects, dead := w.tick(now)
	if said(effects) != nil || dead != nil || s.byID["a1"].State != Here || s.byID["a1"].heard != now {
		t.Errorf("it slept, and says %v, dead %v", said(effects), ids(dead))
	}
}

// Neighbours are chosen anew when that is asked for, and those that were none have time to speak.
func TestWatchChooses(t *testing.T) {
	w, s := newWatch("a1")
	w.tick(tickEvery)
	s.sit("a2", 9, Here)
	if w.tick(2 * tickEvery); len(w.watched) != 1 {
		t.Error("nobody said that the view has changed")
	}
	w.stale = true
	if w.tick(3 * tickEvery); len(w.watched) != 2 || s.byID["a2"].heard != 3*tickEvery || s.byID["a1"].heard == 3*tickEvery {
		t.Errorf("%v are watched, a2 was heard at %v", ids(w.watched), s.byID["a2"].heard)
	}
	w.self.State, w.stale = 0, true
	if w.tick(4 * tickEvery); len(w.watched)+len(w.inOrder) != 0 {
		t.Error("who has not entered watches nobody")
	}
}

// Who cannot be reached is doubted at once.
func TestWatchSuspects(t *testing.T) {
	w, s := newWatch("a1", "b1")
	if got := said(w.suspect(0, s.byID["b1"])); !slices.Equal(got, []string{"ping b1", "a1, ping b1"}) || s.byID["b1"].verdict != ProbeFar {
		t.Errorf("it says %v, and b1 is dead at %v", got, s.byID["b1"].verdict)
	}
}
