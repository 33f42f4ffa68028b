package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// stage is one peer with a run, and others that a test plays itself.
type stage struct {
	t    *testing.T
	p    *Peer
	run  steal.Instance
	life map[membership.PeerID]membership.Incarnation
}

// newStage has a peer called me at site a, others by name and site, and a run that it masters.
func newStage(t *testing.T, others ...string) *stage {
	t.Helper()
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(4, 4)))
	p.Found(0)
	s := &stage{t: t, p: p, life: map[membership.PeerID]membership.Incarnation{}}
	for n, o := range others {
		id := membership.PeerID(o)
		s.life[id] = membership.Incarnation{Join: uint64(n + 2)}
		s.member(id, membership.Here, 0)
	}
	_, effects, _ := p.Submit(0, RootOf(steal.KeyOf([]byte("root")), "t", []byte("root")))
	start, _ := find[StartRun](effects)
	s.run = start.Instance
	return s
}

// member says in what state another is.
func (s *stage) member(id membership.PeerID, state membership.State, grace uint32) []Effect {
	m := membership.Member{ID: id, Site: membership.Site(id[:1]), Workers: 1, Incarnation: s.life[id], State: state, Grace: grace}
	if state == membership.Here {
		return s.p.Received(0, id, Message{From: s.life[id], Body: membership.Hello{Member: m}})
	}
	return s.from(0, id, membership.Gone{Member: m})
}

func (s *stage) from(now time.Duration, id membership.PeerID, b membership.Body) []Effect {
	s.t.Helper()
	effects := s.p.Received(now, id, Message{From: s.life[id], Body: b})
	if err := s.p.Sight().Check(); err != nil {
		s.t.Fatal(err)
	}
	return effects
}

// pass lets time pass in which all others are heard, and gathers what the peer does.
func (s *stage) pass(from, until time.Duration) (all []Effect) {
	s.t.Helper()
	for now := from; now <= until; now += 50 * time.Millisecond {
		for id := range s.life {
			all = append(all, s.from(now, id, membership.Heartbeat{})...)
		}
		all = append(all, s.p.Tick(now)...)
	}
	return all
}

// sent lists to whom a kind of message went.
func sent[B membership.Body](effects []Effect) (to []membership.PeerID, all []B) {
	for _, e := range effects {
		if x, ok := e.(Send); ok {
			if b, ok := x.Message.Body.(B); ok {
				to, all = append(to, x.To), append(all, b)
			}
		}
	}
	return to, all
}

func (s *stage) advert(now time.Duration, id membership.PeerID, after uint64, cost uint32, keys ...byte) []Effect {
	a := orphan.Advert{After: after, Runs: []steal.Instance{s.run}}
	for _, k := range keys {
		a.Changes = append(a.Changes, orphan.Change{Key: steal.Key{k}, Cost: cost})
	}
	return s.from(now, id, a)
}
