package membership

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// dumbRoll is what a roll keeps, found anew by looking at all seats.
type dumbRoll struct {
	here, gone, ring, suspects []*seat
	elder                      *Member
	sum                        uint64
}

func newDumbRoll(s *seats) (d dumbRoll) {
	for _, t := range s.sorted {
		switch {
		case t.State.Present():
			d.here, d.elder = append(d.here, t), older(d.elder, &t.Member)
			d.sum += digestOf(t.ID, t.Incarnation, t.State)
		default:
			d.gone = append(d.gone, t)
		}
		if t.suspected {
			d.suspects = append(d.suspects, t)
		}
	}
	d.ring = slices.Clone(d.here)
	slices.SortFunc(d.ring, func(a, b *seat) int {
		if ringPlace(a.ID) < ringPlace(b.ID) {
			return -1
		}
		return 1
	})
	return d
}

// differs tells in what a roll differs from that.
func (d dumbRoll) differs(s *seats) string {
	switch r := &s.roll; {
	case !slices.Equal(r.here, d.here):
		return fmt.Sprintf("present are %v, and not %v", ids(d.here), ids(r.here))
	case !slices.Equal(r.gone, d.gone):
		return fmt.Sprintf("gone are %v, and not %v", ids(d.gone), ids(r.gone))
	case !slices.Equal(r.ring, d.ring):
		return fmt.Sprintf("the ring is %v, and not %v", ids(d.ring), ids(r.ring))
	case r.oldest() != d.elder:
		return fmt.Sprintf("the oldest is %v, and not %v", d.elder, r.oldest())
	case r.sum != d.sum:
		return "the digest is another"
	case !slices.Equal(s.suspects.now(), d.suspects):
		return fmt.Sprintf("suspected are %v, and not %v", ids(d.suspects), ids(s.suspects.now()))
	}
	return ""
}

// What the roll keeps is what it would be made anew, whatever a view hears, and what was shown
// stays as it is.
func TestRollAgainstTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	v := newView("me", "a")
	v.Enter(0)
	suspected := 0
	for n := range time.Duration(5000) {
		now := n * 50 * time.Millisecond
		shown := v.seats.present()
		was := slices.Clone(shown)
		id := PeerID(fmt.Sprint("p", rng.IntN(12)))
		m := record(string(id), 1+rng.Uint64N(4), State(1+rng.IntN(5)))
		switch s := v.seats.byID[id]; rng.IntN(7) {
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
		case 6:
			// it goes on in another life
			if s != nil && s.State.Present() && s.Incarnation.Rejoin < 5 {
				m.Was, m.Incarnation = s.Incarnation, Incarnation{Join: s.Incarnation.Join, Rejoin: s.Incarnation.Rejoin + 1}
				v.HearHello(now, id, Hello{m})
			}
		}
		v.Tick(now)
		d := newDumbRoll(&v.seats)
		suspected += len(d.suspects)
		if wrong := d.differs(&v.seats); wrong != "" {
			t.Fatalf("at %v %s", now, wrong)
		}
		if !slices.Equal(shown, was) {
			t.Fatalf("at %v those who were present are %v, and were %v", now, ids(shown), ids(was))
		}
		if err := v.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if suspected == 0 {
		t.Error("nobody was ever suspected")
	}
	v.seats.forget(time.Hour + GoneKeptFor)
	if wrong := newDumbRoll(&v.seats).differs(&v.seats); wrong != "" || len(v.seats.roll.gone) > 0 {
		t.Errorf("when all are forgotten %s; %v are gone", wrong, ids(v.seats.roll.gone))
	}
}
