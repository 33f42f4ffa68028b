package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// lone is a peer that has founded a grid, with one other member that a test plays itself.
func lone(t testing.TB) (p *Peer, other membership.Incarnation) {
	t.Helper()
	p = New(Config{
		Member: membership.Config{ID: "me", Site: "a", Workers: 2},
	}, rand.New(rand.NewPCG(1, 2)))
	p.Found(0)
	other = membership.Incarnation{Join: 2, Random: 5}
	p.Received(0, "other", Message{From: other, Body: membership.Hello{Member: membership.Member{
		ID: "other", Site: "a", Incarnation: other, State: membership.Here}}})
	return p, other
}

// asClient is the life in which a client speaks.
var asClient = membership.Incarnation{Random: 77}

// bodies are the bodies of what an event sends.
func bodies(effects []Effect) (out []membership.Body) {
	for _, e := range effects {
		if s, ok := e.(Send); ok {
			out = append(out, s.Message.Body)
		}
	}
	return out
}

func find[T any](effects []Effect) (T, bool) {
	for _, e := range effects {
		if x, ok := e.(T); ok {
			return x, true
		}
	}
	var zero T
	return zero, false
}

// TestBarred: a barred peer is lost, and told so when it speaks; allowed again, it may greet.
func TestBarred(t *testing.T) {
	p, other := lone(t)
	if l, ok := find[membership.Lost](p.Bar(0, "other", true)); !ok || l.Member.How != membership.Kicked {
		t.Error("barred, but not lost")
	}
	got := bodies(p.Received(0, "other", Message{From: other, Body: steal.Ask{Number: 1}}))
	if len(got) != 1 || got[0] != (membership.Refused{Incarnation: other, Barred: true}) {
		t.Errorf("the barred is answered %v", got)
	}
	p.Bar(0, "other", false)
	next := other
	next.Rejoin++
	hello := membership.Hello{Member: membership.Member{ID: "other", Site: "a", Incarnation: next, State: membership.Here}}
	if _, ok := find[membership.Joined](p.Received(0, "other", Message{From: next, Body: hello})); !ok {
		t.Error("allowed again, but not let in")
	}
}

func TestGonePeerDoesNothing(t *testing.T) {
	p, other := lone(t)
	p.Idle(0, 2)
	if got := p.Leave(0, time.Hour, ""); len(got) == 0 {
		t.Error("it left without a word")
	}
	p.Idle(0, 1)
	if got := p.Received(0, "other", Message{From: other, Body: steal.Ask{Number: 1}}); len(got) != 0 || p.Deadline() != steal.Never {
		t.Errorf("it has left, and does %v", got)
	}
}

// BenchmarkSteal is both sides of a steal: the request, the loan, the result and its
// acknowledgement, nine events.
func BenchmarkSteal(b *testing.B) {
	a, thief := lone(b)
	t, _ := New(Config{Member: membership.Config{ID: "other", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(1, 1))), 0
	t.Join(0)
	t.Connected(0, "me")
	_ = thief
	peers := map[membership.PeerID]*Peer{"me": a, "other": t}
	now := time.Duration(0)
	ref := steal.Ref(0)
	var carry func(from membership.PeerID, effects []Effect)
	carry = func(from membership.PeerID, effects []Effect) {
		for _, e := range bytesSafe(effects) {
			switch e := e.(type) {
			case Send:
				carry(e.To, peers[e.To].Received(now, from, e.Message))
			case Publish:
				for id, p := range peers {
					if id != from {
						carry(id, p.Received(now, from, e.Message))
					}
				}
			case steal.WantJobs:
				ref++
				carry(from, peers[from].Taken(now, []Job{{Ref: ref, Run: 1, Task: "t", Args: []byte("some arguments")}}))
			case Execute:
				if !e.IsRoot {
					carry(from, peers[from].Finished(now, e.Borrow, steal.Result{Bytes: []byte("result")}))
				}
			}
		}
	}
	carry("other", t.Connected(0, "me"))
	carry("other", t.Tick(time.Second))
	_, effects, _ := a.Submit(now, RootOf(steal.Key{1}, "t", []byte("root")))
	carry("me", effects)
	carry("me", a.Idle(now, 0))
	for b.Loop() {
		now += time.Microsecond
		carry("other", t.Idle(now, 1))
	}
	b.ReportMetric(float64(a.Sight().Stats().LentNear)/float64(b.N), "steals/op")
}

// bytesSafe copies effects, which are valid only until the next event of the same peer.
func bytesSafe(effects []Effect) []Effect { return append([]Effect(nil), effects...) }
