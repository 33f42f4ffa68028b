package membership

import (
	"testing"
	"time"
)

// A seat is heard or vouched for, which ends a suspicion; only what is heard teaches how long its
// silences are.
func TestSeatIsHeard(t *testing.T) {
	s := &seat{Member: record("x", 5, Here)}
	s.redialed = true
	s.doubt(time.Second, true)
	if s.State != Suspected || s.verdict != time.Second+ProbeNear {
		t.Fatalf("doubted it is %v, dead at %v", s.State, s.verdict)
	}
	s.vouched(1100 * time.Millisecond)
	if s.State != Here || s.suspected || s.redialed || s.heard != 1100*time.Millisecond || s.gaps != (estimator{}) {
		t.Errorf("vouched for it is %v, doubted %v, and its gaps are %v", s.State, s.suspected, s.gaps)
	}
	s.hear(1400 * time.Millisecond)
	if s.gaps.gap != 300*time.Millisecond || s.heard != 1400*time.Millisecond {
		t.Errorf("heard after 0.3 s, its gap is %v", s.gaps.gap)
	}
	s.State = Leaving
	if s.doubt(2*time.Second, false); s.State != Leaving || !s.suspected || s.verdict != 2*time.Second+ProbeFar {
		t.Errorf("who is leaving is doubted, and is %v", s.State)
	}
}

// A record is news when it tells of a later life, of a later state in it, or that one who is held
// dead had left.
func TestSeatHearsNews(t *testing.T) {
	s := &seat{Member: record("x", 5, Here)}
	for _, c := range []struct {
		is, says State
		join     uint64
		news     bool
	}{
		{Here, Here, 6, true}, {Dead, Here, 6, true}, {Here, Dead, 4, false}, {Here, Here, 5, false},
		{Here, Leaving, 5, true}, {Suspected, Here, 5, false}, {Suspected, Leaving, 5, true}, {Leaving, Here, 5, false},
		{Leaving, Dead, 5, true}, {Left, Dead, 5, false}, {Dead, Here, 5, false}, {Dead, Left, 5, true}, {Dead, Dead, 5, false},
	} {
		s.State = c.is
		if m := record("x", c.join, c.says); s.isNews(&m) != c.news {
			t.Errorf("it is %v, and that it is %v in life %d is news: %v", c.is, c.says, c.join, !c.news)
		}
	}
}

// It is told that it is refused twice a second at most, and another's word that it is dead is
// doubted while it is heard, but not for ever.
func TestSeatIsDisputed(t *testing.T) {
	s := &seat{Member: record("x", 5, Here), refused: -refuseEvery}
	for _, c := range []struct {
		now time.Duration
		may bool
	}{{0, true}, {refuseEvery - 1, false}, {refuseEvery, true}, {refuseEvery + 1, false}} {
		if s.mayRefuse(c.now) != c.may {
			t.Errorf("at %v it may be told: %v", c.now, !c.may)
		}
	}
	s.heard = time.Second
	for _, c := range []struct {
		now    time.Duration
		client bool
		doubts bool
	}{
		{2*time.Second - 1, false, true},
		{2 * time.Second, false, false}, // it was not heard for a second
		{2 * time.Second, true, true},   // a client hears less
		{time.Second + SilenceMaxFar, true, false},
	} {
		if s.disputes(c.now, c.client) != c.doubts {
			t.Errorf("at %v, client %v: doubts %v", c.now, c.client, !c.doubts)
		}
	}
	first := s.disputed
	s.heard = first + disputeMax
	if s.disputes(first+disputeMax, false) || !s.disputes(first+disputeMax-1, false) {
		t.Error("it had the time to take another life")
	}
}

// A suspicion never travels, and who is gone says for how long.
func TestSeatTravels(t *testing.T) {
	s := &seat{Member: record("x", 5, Suspected)}
	if m := s.record(0); m.State != Here || m.ago() != 0 {
		t.Errorf("the suspected travels as %v", m.State)
	}
	s.State, s.gone = Dead, time.Minute
	m := s.record(90*time.Second + 1)
	if m.State != Dead || m.Ago != 30 || m.ago() != 30*time.Second {
		t.Errorf("the dead travels as %v, gone for %d s", m.State, m.Ago)
	}
	if m.Ago = 1 << 31; m.ago() != GoneKeptFor {
		t.Errorf("nobody is gone for %v and remembered", m.ago())
	}
}
