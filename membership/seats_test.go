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
	s.changed()
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
		}
	}
	if s.changed(); len(s.present()) != MembersMax {
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
	a.doubt(0, true)
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

// TestSeatsAreFresh: who is present and the digest, which are kept from one change to the next, are
// what they would be made anew, whatever a view hears.
func TestSeatsAreFresh(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	v := newView("me", "a")
	v.Enter(0)
	for n := range time.Duration(5000) {
		now := n * 50 * time.Millisecond
		id := PeerID(fmt.Sprint("p", rng.IntN(12)))
		m := record(string(id), 1+rng.Uint64N(4), State(1+rng.IntN(5)))
		switch s := v.seats.byID[id]; rng.IntN(6) {
		case 0, 1:
			if s != nil && rng.IntN(2) == 0 {
				m.Incarnation = s.Incarnation
			}
			v.Merge(now, []Member{m})
		case 2:
			v.Disconnected(now, id)
			v.Unreached(now, id)
		case 3:
			v.Heard(now, id, m.Incarnation)
		case 4:
			v.Bar(now, id, rng.IntN(3) == 0)
		case 5:
			v.Adopt(now, []Member{m}, nil)
		}
		v.Tick(now)
		here, sum := v.seats.present(), v.Digest()
		oldest, _ := v.Oldest()
		v.seats.changed()
		v.bars.fresh = false
		if next, _ := v.Oldest(); next.ID != oldest.ID {
			t.Fatalf("at %v the oldest is %s, and was %s", now, next.ID, oldest.ID)
		}
		if !slices.Equal(here, v.seats.present()) || sum != v.Digest() {
			t.Fatalf("at %v present are %v, and were %v", now, ids(v.seats.present()), ids(here))
		}
	}
}
