package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// die lets another be seen to die.
func (s *stage) die(now time.Duration, id membership.PeerID) (all []Effect) {
	delete(s.life, id)
	all = append(all, s.p.Reset(now, id)...)
	return append(all, s.p.ConnectRefused(now, id)...)
}

// TestPoisonIsToBlame: a job is lost five times at one age. It is poison when nothing else died
// meanwhile, or less than of it, and not when as many others did.
func TestPoisonIsToBlame(t *testing.T) {
	for _, c := range []struct {
		others int
		poison bool
	}{{0, true}, {1, true}, {4, true}, {5, false}} {
		s := newStage(t, "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1", "k1")
		s.p.Idle(0, 0)
		others := []membership.PeerID{"g1", "h1", "i1", "j1", "k1"}[:c.others]
		now, failed := time.Duration(0), false
		look := func(effects []Effect) {
			if d, ok := find[Deliver](effects); ok {
				failed = d.Result.Outcome == steal.Panicked
			}
		}
		for n, id := range []membership.PeerID{"b1", "c1", "d1", "e1", "f1"} {
			s.from(now, id, steal.Ask{Number: 1, Jobs: 1, Bytes: 1 << 10})
			if to, _ := sent[steal.Lend](s.p.Taken(now, []Job{{Ref: steal.Ref(n + 1), Run: 1, Key: steal.Key{1}, Task: "t", Args: []byte("x")}})); len(to) != 1 {
				t.Fatal("the job is not lent")
			}
			look(s.pass(now, now+2*time.Second))
			now += 2 * time.Second
			look(s.die(now, id))
			if n == 0 {
				for _, o := range others {
					look(s.die(now+50*time.Millisecond, o))
				}
			}
			now += 100 * time.Millisecond
		}
		look(s.pass(now, now+3*time.Second))
		if failed != c.poison {
			t.Errorf("while %d others died the run failed: %v", c.others, failed)
		}
	}
}
