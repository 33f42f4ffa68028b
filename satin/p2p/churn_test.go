package p2p

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"
)

// Hosts dial each other, hang up, break connections and talk at random, all
// at the same time. Then it stops, all dial all, and every pair has a session
// that works. The witnesses check the order of events throughout.
func TestChurn(t *testing.T) {
	await.NoLeaks(t)
	const hosts, rounds = 5, 60
	all := make([]peerHost, hosts)
	for i := range all {
		all[i] = start(t)
	}
	var busy sync.WaitGroup
	for i, h := range all {
		busy.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			for range rounds {
				other := all[(i+1+r.IntN(hosts-1))%hosts]
				switch r.IntN(8) {
				case 0:
					h.HangUp(other.ID())
				case 1:
					if s := h.session(other.ID()); s != nil {
						s.conn.Close()
					}
				case 2:
					if s := h.session(other.ID()); s != nil {
						s.stream.Reset()
					}
				case 3:
					go h.SendBulk(soon(t), other.ID(), nil, noise(100_000))
				default:
					// It may fail: the other end may hang up just then.
					h.Dial(soon(t), other.Addrs()...)
				}
				h.Send(other.ID(), []byte("noise"))
			}
		})
	}
	busy.Wait()
	broken, closed := 0, 0
	for _, h := range all {
		broken += h.saw.ended(Reset)
		closed += h.saw.ended(Closed)
	}
	if broken == 0 || closed == 0 {
		t.Errorf("%d sessions were broken and %d hung up: there was no churn", broken, closed)
	}
	for i, a := range all {
		for _, b := range all[:i] {
			greetEachOther(t, a, b)
		}
	}
	for _, h := range all {
		h.Close()
	}
}

// ended is how many sessions ended in one way.
func (w *witness) ended(how SessionEnd) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.log {
		if strings.HasPrefix(l, "down ") && strings.HasSuffix(l, " "+how.String()) {
			n++
		}
	}
	return n
}

// greetEachOther dials until a frame has gone each way: the last of the churn
// may still end a session.
func greetEachOther(t *testing.T, a, b peerHost) {
	t.Helper()
	hi := fmt.Sprintf("hi %s %s", a.ID()[len(a.ID())-6:], b.ID()[len(b.ID())-6:])
	await.Until(t, hi, func() bool {
		if _, err := a.Dial(soon(t), b.Addrs()...); err != nil {
			return false
		}
		a.Send(b.ID(), []byte(hi))
		b.Send(a.ID(), []byte(hi))
		return a.saw.count("frame "+b.ID()+" "+hi) > 0 && b.saw.count("frame "+a.ID()+" "+hi) > 0
	})
}

// A member that floods with frames, messages, transfers and streams slows
// nobody down for good: the others' frames still arrive, and its own are held
// to their rate.
func TestAFloodingMember(t *testing.T) {
	evil, good := start(t), start(t)
	var got atomic.Int64 // frames of the flood
	victim := start(t, func(c *Config) {
		saw := c.Events.Frame
		c.Events.Frame = func(id string, frame []byte) {
			if id == evil.ID() {
				got.Add(1)
			} else {
				saw(id, frame)
			}
		}
	})
	for _, h := range []peerHost{victim, evil, good} {
		if err := h.Subscribe(bestTopic); err != nil {
			t.Fatal(err)
		}
	}
	join(t, evil, victim)
	join(t, good, victim)
	stop := make(chan struct{})
	var flood sync.WaitGroup
	flooding := func(f func()) {
		flood.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					f()
				}
			}
		})
	}
	began := time.Now()
	flooding(func() { evil.Send(victim.ID(), []byte("flood")) })
	flooding(func() { evil.Publish(bestTopic, []byte("flood")) })
	flooding(func() { evil.SendBulk(soon(t), victim.ID(), nil, make([]byte, 1<<16)) })
	flooding(func() {
		if s := evil.session(victim.ID()); s != nil {
			if x, err := s.conn.NewStream(soon(t)); err == nil {
				x.Reset()
			}
		}
	})
	await.Until(t, "flooded", func() bool { return got.Load() > framesBurst })
	for i := range 50 {
		if err := good.Send(victim.ID(), fmt.Appendf(nil, "work %d", i)); err != nil {
			t.Error(err)
			break
		}
		victim.saw.await(t, fmt.Sprintf("frame %s work %d", good.ID(), i), 1)
	}
	n, took := got.Load(), time.Since(began)
	close(stop)
	flood.Wait()
	if most := framesBurst + int64(framesPerSecond*took.Seconds()); n > most {
		t.Errorf("%d frames of the flood in %v, at most %d", n, took, most)
	}
	if victim.saw.count("down "+good.ID()) > 0 {
		t.Error("the flood ended another's session")
	}
}

// Nothing is kept of peers that have come and gone, or a host that lives for months would grow.
func TestPeersThatAreGoneAreForgotten(t *testing.T) {
	await.NoLeaks(t)
	a := start(t, func(c *Config) { c.keyTime = 10 * time.Millisecond })
	for range 3 {
		b := start(t)
		greetEachOther(t, a, b)
		if len(a.swarm.Peerstore().PeersWithKeys()) < 2 {
			t.Error("the key of a peer that is there is not kept: this test looks in the wrong place")
		}
		b.Close()
	}
	await.Until(t, "only its own key is kept", func() bool { return len(a.swarm.Peerstore().PeersWithKeys()) == 1 })
}
