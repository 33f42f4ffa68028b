package membership

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func newSeats() *seats {
	s := &seats{}
	s.clear()
	return s
}

// sit gives somebody a seat in that state.
func (s *seats) sit(id string, join uint64, state State) *seat {
	t := s.add(PeerID(id))
	t.Member = record(id, join, state)
	s.changed(t)
	return t
}

func ids(all []*seat) (ids []PeerID) {
	for _, t := range all {
		ids = append(ids, t.ID)
	}
	return ids
}

// Those who are gone keep their seats for a time, and make room for others.
func TestSeatsAreForgotten(t *testing.T) {
	s := newSeats()
	s.forget(time.Hour) // nobody is there
	c, b, a := s.sit("c", 1, Here), s.sit("b", 2, Dead), s.sit("a", 3, Left)
	s.isGone(b, time.Hour)
	s.isGone(a, time.Hour+time.Minute)
	if got := s.present(); !slices.Equal(got, []*seat{c}) || !slices.Equal(ids(s.sorted), []PeerID{"a", "b", "c"}) {
		t.Errorf("%v are present of %v", ids(got), ids(s.sorted))
	}
	for _, w := range []struct {
		now  time.Duration
		left int
	}{{time.Hour + GoneKeptFor, 3}, {time.Hour + GoneKeptFor + 1, 2}, {time.Hour + GoneKeptFor + time.Minute, 2}, {3 * time.Hour, 1}} {
		if s.forget(w.now); len(s.sorted) != w.left || s.check("me") != nil {
			t.Errorf("at %v there are %v: %v", w.now, ids(s.sorted), s.check("me"))
		}
	}
	for n := range MembersMax {
		if d := s.add(PeerID(fmt.Sprint("d", n))); d == nil && n < MembersMax-1 {
			t.Fatalf("no room beside %d", len(s.sorted))
		} else if d != nil {
			d.Member = record(fmt.Sprint("d", n), 4, Here)
			s.changed(d)
		}
	}
	if len(s.present()) != MembersMax {
		t.Errorf("%d are present", len(s.present()))
	}
	gone := s.byID["d7"]
	gone.State = Dead
	s.isGone(gone, 4*time.Hour)
	if s.add("late") == nil || s.byID["d7"] != nil {
		t.Error("one who is gone makes no room")
	}
}

// The oldest is the one with the smallest join number that is not leaving.
func TestSeatsOldest(t *testing.T) {
	s := newSeats()
	me := record("me", 2, Here)
	if s.oldest(nil) != nil || s.oldest(&me) != &me {
		t.Error("nobody else is there")
	}
	a := s.sit("a", 1, Leaving)
	if got := s.oldest(&me); got.ID != "me" {
		t.Errorf("%s is the oldest; a is leaving", got.ID)
	}
	if me.State = Leaving; s.oldest(&me) != &a.Member {
		t.Error("both are leaving, and a is older")
	}
	s.sit("b", 9, Here)
	s.sit("c", 0, Dead)
	if got := s.oldest(&me); got.ID != "b" {
		t.Errorf("%s is the oldest; only b stays", got.ID)
	}
}

// The suspected are drawn when there is nobody else, and the dead when they are asked for.
func TestSeatsDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := newSeats()
	if s.draw(rng) != nil || s.drawDead(rng, func(*seat) bool { return true }) != nil {
		t.Error("nobody is there, and is drawn")
	}
	a := s.sit("a", 1, Here)
	s.doubt(0, a, true)
	d := s.sit("d", 2, Dead)
	if s.draw(rng) != a {
		t.Error("there is nobody but the suspected")
	}
	s.sit("b", 3, Here)
	s.sit("c", 4, Leaving)
	drawn := map[PeerID]int{}
	for range 100 {
		drawn[s.draw(rng).ID]++
	}
	if drawn["b"] < 20 || drawn["c"] < 20 || len(drawn) != 2 {
		t.Errorf("drawn of b and c: %v", drawn)
	}
	if s.drawDead(rng, func(*seat) bool { return true }) != d || s.drawDead(rng, func(t *seat) bool { return t.ID != "d" }) != nil {
		t.Error("the dead is not drawn, or one who was not asked for")
	}
}

// A client lets go of those whom it does not hear, and of whom a member does not know.
func TestSeatsUnknown(t *testing.T) {
	s := newSeats()
	a, b := s.sit("a", 1, Here), s.sit("b", 2, Here)
	s.sit("c", 3, Dead)
	b.heard = time.Second
	now := unheardMax + time.Second
	if got := s.unknown(now, nil); !slices.Equal(got, []*seat{a}) {
		t.Errorf("unknown: %v; b was heard a minute ago", ids(got))
	}
	if got := s.unknown(now, []Member{record("a", 1, Here)}); got != nil {
		t.Errorf("a is known, and counts as unknown: %v", ids(got))
	}
	a.Incarnation.Rejoin = 1
	if got := s.unknown(now, []Member{record("a", 1, Here)}); !slices.Equal(got, []*seat{a}) {
		t.Errorf("unknown: %v; a is known in an older life", ids(got))
	}
}
