package peer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// reader draws small values from fuzzed bytes; when they are used up, zeros.
type reader struct{ in []byte }

func (r *reader) byte() byte {
	if len(r.in) == 0 {
		return 0
	}
	b := r.in[0]
	r.in = r.in[1:]
	return b
}

// n is a number below max, now and then a huge one.
func (r *reader) n(max uint64) uint64 {
	b := uint64(r.byte())
	if b > 250 {
		return ^uint64(0) - b
	}
	return b % max
}

func (r *reader) id() membership.PeerID {
	return []membership.PeerID{"me", "other", "x", "y", "", "client"}[r.n(6)%6]
}

func (r *reader) incarnation() membership.Incarnation {
	return membership.Incarnation{Join: r.n(4), Rejoin: r.n(2), Random: r.n(2) * 5}
}

func (r *reader) bytes() []byte { return []byte("xxxxxxxxxxxxxxxx")[:r.n(16)%16] }

func (r *reader) nonce() steal.Nonce { return steal.Nonce(r.n(4)) }

func (r *reader) submission() steal.Submission {
	return steal.Submission{Submitter: r.id(), Nonce: r.nonce(), Keeps: r.n(4) == 3}
}

func (r *reader) ask() steal.AskNo { return steal.AskNo(r.n(8)) }

func (r *reader) loan() steal.LoanNo { return steal.LoanNo(r.n(8)) }

func (r *reader) loans() []steal.LoanNo { return []steal.LoanNo{r.loan(), r.loan()} }

func (r *reader) instance() steal.Instance {
	return steal.Instance{Run: steal.KeyOf([]byte("root")), First: r.submission()}
}

func (r *reader) stamp() steal.Stamp {
	v := r.bytes()
	s := steal.Stamp{Digest: steal.KeyOf(v), Value: v}
	switch r.n(4) {
	case 0:
		s.Value = nil
	case 1:
		s = steal.Stamp{}
	case 2:
		s.Digest = steal.Key{r.byte()}
	}
	return s
}

func (r *reader) result() steal.Result {
	return steal.Result{Outcome: steal.Outcome(r.n(3) % 3), Choosing: r.n(2) == 0, Cost: uint32(r.n(9)), Bytes: r.bytes()}
}

func (r *reader) member() membership.Member {
	return membership.Member{ID: r.id(), Incarnation: r.incarnation(), Was: r.incarnation(), Site: "a", State: membership.State(r.n(7)), How: membership.How(r.n(7))}
}

func (r *reader) head() Head {
	root := []byte("root")
	return Head{Terms: Terms{Keep: uint32(r.n(4)), ShareNo: r.n(9)}, Answered: uint32(r.n(3)), Run: r.instance(), Task: "t", RootDigest: steal.KeyOf(root), RootBytes: uint32(len(root)),
		Epoch: membership.Epoch{Number: r.n(5), Master: r.incarnation()}, Master: r.id(), Submissions: []steal.Submission{r.submission(), r.submission()},
		Contacts: []Contact{{r.id(), []string{"x"}}}[:r.n(2)%2],
		Deaths:   []Death{{r.id(), r.incarnation(), "a", r.instance().Run, "t", uint32(r.n(9))}}[:r.n(2)%2]}
}

// body is a message of any kind.
func (r *reader) body() membership.Body {
	n := func() uint64 { return r.n(8) }
	switch r.byte() % 40 {
	case 33:
		return r.aside()
	case 34, 35, 36, 37, 38, 39:
		return r.orphanBody()
	case 0:
		return membership.Hello{Member: r.member()}
	case 1:
		return membership.Gone{Member: r.member()}
	case 2:
		return membership.Ping{}
	case 3:
		return membership.Pong{}
	case 4:
		return membership.PingFor{Target: r.id(), Incarnation: r.incarnation()}
	case 5:
		return membership.Alive{Target: r.id(), Incarnation: r.incarnation()}
	case 6:
		return membership.Refused{Incarnation: r.incarnation(), Barred: r.n(20) == 7, Void: r.n(2) == 1}
	case 7:
		return membership.Who{}
	case 8:
		return membership.Barred{Bars: []membership.Bar{{ID: "y", Counter: n(), Barred: n() > 3}}}
	case 9, 10:
		return steal.Ask{Number: r.ask(), Jobs: uint16(n()), Bytes: uint32(n())}
	case 11:
		return steal.Nothing{Number: r.ask()}
	case 12:
		return steal.Wake{}
	case 13, 14, 15:
		return steal.Lend{Run: r.instance(), Best: r.stamp(), Answer: r.ask(), Jobs: []steal.Lent{{Number: r.loan(), Args: r.bytes()}, {Number: r.loan()}}[:r.n(3)%3]}
	case 16, 17:
		return steal.Return{Run: r.instance(), Best: r.stamp(), Number: r.loan(), Result: r.result()}
	case 18:
		return steal.Returned{Numbers: r.loans()}
	case 19:
		return steal.Withdraw{Numbers: r.loans()}
	case 20:
		return steal.Probe{Number: steal.ProbeNo(n()), Before: r.loan(), Numbers: r.loans()}
	case 21:
		return steal.Missing{Number: steal.ProbeNo(n()), Numbers: r.loans()}
	}
	return r.ownBody()
}

// aside is what is said beside the work.
func (r *reader) aside() membership.Body {
	switch r.byte() % 6 {
	case 4, 5:
		return r.report()
	case 0:
		return Late{}
	case 1:
		return Order{Within: time.Duration(r.n(9)) << (r.n(64) % 64), Heirs: membership.Site(r.id()), Bound: r.n(2) == 1}
	}
	return Progress{Numbers: r.loans(), Done: []float32{0.5, float32(r.n(3)), -1}[:r.n(4)%4]}
}

// report is one whose figures may be what no peer can say.
func (r *reader) report() Report {
	figure := func() int64 { return int64(r.n(9)) }
	return Report{
		Run: r.instance(), Master: r.n(2) == 0, Progress: float64(r.n(3)) / 2, Final: r.n(2) == 0, Number: uint64(r.n(9)),
		Stats:  PeerStats{Name: string(r.bytes()), State: []string{"here", "leaving", "\n"}[r.n(3)%3], Jobs: figure(), Busy: float64(figure())},
		Losses: []LossShare{{Peer: r.id(), Life: LifeOf(r.incarnation()), Restarted: int(figure()), Saved: time.Duration(figure())}}[:r.n(2)%2],
	}
}

// vetted is a body that a decoder lets pass.
func (r *reader) vetted() membership.Body {
	if b := r.body(); Vet(b) == nil {
		return b
	}
	return membership.Heartbeat{}
}

func (r *reader) ownBody() membership.Body {
	switch r.byte() % 20 {
	case 16:
		return Support{Epochs: []RunEpoch{{r.instance(), r.head().Epoch}}}
	case 17:
		return Claim{Run: r.instance(), By: r.id(), To: r.id(), Epoch: r.head().Epoch, Workers: uint32(r.n(9))}
	case 18:
		return Wanted{Submission: r.submission(), Hops: uint8(r.n(3))}
	case 19:
		return Facts{Run: r.instance(), Facts: [][]byte{r.bytes(), r.bytes()}}
	case 14:
		return Keep{Run: r.instance(), Best: r.stamp(), Result: r.result()}
	case 15:
		return Kept{Run: r.instance()}
	case 0:
		return Pull{}
	case 1:
		return Snapshot{Members: []membership.Member{r.member(), r.member()}, Heads: []Head{r.head()}, Ended: []Tombstone{{r.submission(), uint32(r.n(5)), Epitaph(r.n(4))}}, Reply: r.n(2) == 0}
	case 2:
		return Digest{Members: r.n(3)}
	case 3:
		return Fetch{Run: r.instance()}
	case 4, 5:
		return Record{Head: r.head(), Root: []byte("root"), Best: r.stamp()}
	case 6:
		return Submit{Submission: r.submission(), Run: steal.KeyOf([]byte("root")), Task: "t", RootDigest: steal.KeyOf([]byte("root")), Root: []byte("root"), Addrs: []string{"y"}, Hops: r.byte()}
	case 7:
		return Accepted{Nonce: r.nonce(), Run: r.instance(), Master: r.id()}
	case 8:
		return NeedRoot{Nonce: r.nonce()}
	case 9:
		return Answer{Run: r.instance(), Nonce: r.nonce(), To: r.id(), Best: r.stamp(), Result: r.result()}
	case 10:
		return Ended{Submissions: []Tombstone{{r.submission(), uint32(r.n(5)), Epitaph(r.n(4))}}}
	case 11:
		return Fail{Run: r.instance(), Result: r.result()}
	case 12:
		return WantBest{Run: r.instance(), Digest: r.stamp().Digest}
	}
	switch r.n(8) {
	case 0:
		return NoRun{r.nonce(), r.n(2) == 0}
	case 1:
		return Holds{Run: r.instance(), Number: r.n(3)}
	case 2:
		return Cancel{Run: r.instance(), Hops: r.byte()}
	case 3:
		return Reshare{Run: r.instance(), No: r.n(9), Share: uint16(r.n(3))}
	case 4:
		return Submit{Submission: r.submission(), Joins: r.instance().ID(), Hops: r.byte()}
	case 5:
		return Record{Head: r.head(), Confirm: r.n(3)}
	}
	if r.n(2) == 0 {
		return BestIs{Run: r.instance(), For: r.stamp().Digest, Best: r.stamp()}
	}
	return HaveBest{Run: r.instance(), Digest: r.stamp().Digest}
}

// FuzzPeer brings any messages from anybody and any events of the workers that keep the contract.
// Nothing may panic, grow beyond its bounds, or make the peer break its own contract.
func FuzzPeer(f *testing.F) {
	f.Add([]byte{6, 6, 5, 1, 0, 13, 1, 1, 1, 0, 1, 200, 9, 9, 9})
	f.Add([]byte("Never a wrong answer, delivered exactly once, bounded loss, progress, speed."))
	f.Add([]byte{18, 0, 3, 2, 1, 18, 0, 3}) // its root panics, once and once more
	// its submission is cancelled, then the root panics
	f.Add([]byte{0, 0, 19, 3, 18, 0, 3, 2, 1, 19, 3})
	f.Add([]byte{20, 1, 0, 20, 0, 0, 4, 1, 0, 1}) // it bars another, then itself
	f.Fuzz(func(t *testing.T, in []byte) {
		r := &reader{in}
		p, _ := lone(t)
		w := newWorkers(t)
		now := time.Duration(0)
		if len(in) > 0 && in[0]%2 == 0 {
			nonce, effects, _ := p.Submit(now, RootOf(steal.KeyOf([]byte("root")), "t", []byte("root")).With(Terms{Verify: float64(len(in) % 2)}))
			w.asked = nonce
			w.take(effects)
		}
		for len(r.in) > 0 {
			w.take(fuzzEvent(r, p, w, &now))
			if err := p.Sight().Check(); err != nil {
				t.Fatal(err)
			}
			if at := p.Deadline(); at != deadlineOf(p) || at < now-time.Hour {
				t.Fatalf("the deadline %v is long over at %v, or was another, %v", at, now, deadlineOf(p))
			}
		}
	})
}

func fuzzEvent(r *reader, p *Peer, w *workers, now *time.Duration) []Effect {
	switch r.byte() % 23 {
	case 22:
		return p.Did(*now, RunNo(1+r.n(3)), Work{Jobs: int64(r.n(9)), Root: r.n(2) == 0, Progress: 0.5})
	case 21:
		return w.compares(r, p, *now)
	case 18:
		return w.panics(r, p, *now)
	case 19:
		if r.n(4) != 3 {
			return nil
		}
		w.told[w.asked] = true // from now on nothing may be delivered for it
		return p.Cancel(*now, w.asked)
	case 20:
		return p.Bar(*now, r.id(), r.n(2) == 0)
	case 12, 13:
		return w.salvage(r, p, *now)
	case 16:
		if r.n(8) != 7 {
			return nil
		}
		return p.Leave(*now, *now+time.Duration(r.n(20))*time.Second, "b")
	case 15:
		if !w.parts {
			return nil
		}
		w.parts = false
		return p.Gathered(*now, []Part{{Run: RunNo(1 + r.n(3)), Key: steal.Key{byte(r.n(8))}, Result: r.result()}, {Run: 1, Result: r.result()}})
	case 14:
		no := RunNo(1 + r.n(3)%3)
		if !w.keys[no] {
			return nil
		}
		delete(w.keys, no)
		return p.Unfinished(*now, no, []steal.Key{{byte(r.n(8))}, {byte(r.n(8))}})
	case 17:
		return p.Told(*now, RunNo(1+r.n(3)), r.bytes())
	case 0:
		return p.Idle(*now, int(r.n(3)%3))
	case 1:
		if w.wanted == 0 {
			return nil
		}
		var jobs []Job
		for range min(int(r.n(8)), w.wanted) {
			w.ref++
			w.refs[w.ref] = true
			jobs = append(jobs, Job{Ref: w.ref, Run: RunNo(1 + r.n(3)%3), Args: r.bytes()})
		}
		w.wanted = 0
		return p.Taken(*now, jobs)
	case 2:
		if len(w.borrows) == 0 {
			return nil
		}
		b := w.borrows[0]
		w.borrows = w.borrows[1:]
		return p.Finished(*now, b, r.result())
	case 3:
		return p.Offered(*now, RunNo(1+r.n(3)), steal.StampOf(r.bytes()))
	case 4:
		*now += time.Duration(r.n(250)%250) * 50 * time.Millisecond
		return p.Tick(*now)
	case 5:
		id := r.id()
		p.Proved(id, r.n(8) == 7)
		switch r.n(4) {
		case 0:
			return p.Disconnected(*now, id)
		case 1:
			return p.DialFailed(*now, id, DialRefused)
		case 2:
			return p.DialFailed(*now, id, DialUnanswered)
		}
		return p.Connected(*now, id)
	case 6:
		ref := steal.Ref(r.n(uint64(w.ref) + 1))
		delete(w.refs, ref)
		return p.Abandoned(*now, []steal.Ref{ref}, false)
	}
	m := Message{From: r.incarnation(), Body: r.vetted()}
	if _, orders := m.Body.(Order); orders {
		m.To = p.Sight().Self().Incarnation // or it is nobody's
	}
	return p.Received(*now, r.id(), m)
}

// zero is a random source that draws the same number always: the client's first nonce is
// one that fuzzing finds.
type zero struct{}

func (zero) Uint64() uint64 { return 1 }

// FuzzSubmitter brings answers and the like to a client.
func FuzzSubmitter(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, in []byte) {
		r := &reader{in}
		p := New(Config{Member: membership.Config{ID: "client", Client: true}}, rand.New(zero{}))
		p.Join(0)
		now := time.Duration(0)
		told := 0
		p.Submit(now, RootOf(steal.KeyOf([]byte("root")), "t", []byte("root")))
		for len(r.in) > 0 {
			var effects []Effect
			switch r.byte() % 6 {
			case 0:
				now += time.Duration(r.n(250)%250) * 20 * time.Millisecond
				effects = p.Tick(now)
			case 1:
				effects = p.Connected(now, membership.PeerID(fmt.Sprint("x", r.n(30))))
			default:
				effects = p.Received(now, r.id(), Message{From: r.incarnation(), Body: r.vetted()})
			}
			for _, e := range effects {
				switch e.(type) {
				case Deliver:
					told++
				case Execute, steal.WantJobs:
					t.Fatalf("a client is given work: %v", e)
				}
			}
			if err := p.Sight().Check(); err != nil || told > 1 {
				t.Fatalf("%v; delivered %d times", err, told)
			}
		}
	})
}
