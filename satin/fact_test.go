package satin

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/peer"
)

// lemma is a fact; note is another type of the same shape.
type lemma struct{ N int }

type noted struct{ N int }

// gossip has two jobs at once on two workers: one tells, the other waits until it has heard.
type gossip struct{ Teller bool }

var (
	gossipHeard  atomic.Int64
	gossipTimes  atomic.Int64
	gossipOthers atomic.Int64
)

func (g gossip) Run(s *Scope) (int, error) {
	if g.Teller {
		for gossipHeard.Load() == 0 && !s.Aborted() {
			Tell(s, lemma{7})
			time.Sleep(50 * time.Microsecond)
		}
		if len(Heard[lemma](s)) != 0 {
			panic("a worker was given its own fact")
		}
		return 0, nil
	}
	x := Spawn(s, gossip{true})
	for gossipHeard.Load() == 0 && !s.Aborted() {
		for _, l := range Heard[lemma](s) {
			gossipTimes.Add(1)
			gossipHeard.Store(int64(l.N))
		}
		gossipOthers.Add(int64(len(Heard[noted](s))))
		y := Spawn(s, unit{0}) // gives the wire a chance
		if _, err := y.Wait(s); err != nil {
			return 0, err
		}
	}
	return x.Wait(s)
}

func TestFactsReachOtherWorkersOnce(t *testing.T) {
	for _, count := range []*atomic.Int64{&gossipHeard, &gossipTimes, &gossipOthers} {
		count.Store(0)
	}
	p := openWorkers(t, 2)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	sub, err := Submit[gossip, int](ctx, p, gossip{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sub.Wait(); err != nil {
		t.Fatal(err)
	}
	if gossipHeard.Load() != 7 || gossipTimes.Load() != 1 || gossipOthers.Load() != 0 {
		t.Errorf("heard %d, %d times, and %d of another type", gossipHeard.Load(), gossipTimes.Load(), gossipOthers.Load())
	}
	if !sub.asked.(*run).choosing.Load() {
		t.Error("a run that hears facts does not count as choosing")
	}
}

func TestFactsAreBounded(t *testing.T) {
	var f facts
	for i := range 2 * factsKept {
		f.add([]byte{byte(i), byte(i >> 8), byte(i >> 16)}, elsewhereBy)
		if f.add([]byte{byte(i), byte(i >> 8), byte(i >> 16)}, 3) {
			t.Fatal("a fact is news twice")
		}
	}
	if len(f.kept) != factsKept || len(f.known) != factsKept {
		t.Errorf("%d facts and %d digests are kept", len(f.kept), len(f.known))
	}
	f = facts{}
	for i := range 3000 {
		f.add(append(make([]byte, peer.FactMax-2), byte(i), byte(i>>8)), elsewhereBy)
	}
	if f.bytes > factBytesKept || f.bytes < factBytesKept-peer.FactMax {
		t.Errorf("%d bytes of facts are kept", f.bytes)
	}
	var seen uint64
	if n := len(f.since(&seen, 0)); n != len(f.kept) || seen != 3000 {
		t.Errorf("a worker that never asked is given %d facts, up to %d", n, seen)
	}
	allowed := 0
	for i := range 3 * tellsMax {
		if f.mayTell(time.Duration(i) * time.Microsecond) {
			allowed++
		}
	}
	if allowed != tellsMax || !f.mayTell(time.Second) {
		t.Errorf("%d facts may be told in a second", allowed)
	}
}

// mute tells what cannot travel.
type mute struct{ N int }

func (mute) Run(s *Scope) (int, error) {
	Tell(s, func() {})
	return 0, nil
}

func TestTellOfWhatCannotTravel(t *testing.T) {
	_, err := Run(context.Background(), openWorkers(t, 1), mute{})
	if err == nil || !strings.Contains(err.Error(), "cannot travel") {
		t.Errorf("telling a func: %v", err)
	}
}
