package satin_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
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

func (g gossip) Run(s *satin.Scope) (int, error) {
	if g.Teller {
		satin.ComputesUntil(s, func() bool {
			satin.Tell(s, lemma{7})
			return gossipHeard.Load() != 0
		})
		if len(satin.Heard[lemma](s)) != 0 {
			panic("a worker was given its own fact")
		}
		return 0, nil
	}
	x := satin.Spawn(s, gossip{true})
	for gossipHeard.Load() == 0 && !s.Aborted() {
		for _, l := range satin.Heard[lemma](s) {
			gossipTimes.Add(1)
			gossipHeard.Store(int64(l.N))
		}
		gossipOthers.Add(int64(len(satin.Heard[noted](s))))
		y := satin.Spawn(s, unit{0}) // gives the wire a chance
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
	p := alone(t, 2)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	sub, err := satin.Submit[gossip, int](ctx, p, gossip{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sub.Wait(); err != nil {
		t.Fatal(err)
	}
	if gossipHeard.Load() != 7 || gossipTimes.Load() != 1 || gossipOthers.Load() != 0 {
		t.Errorf("heard %d, %d times, and %d of another type", gossipHeard.Load(), gossipTimes.Load(), gossipOthers.Load())
	}
	if !satin.IsChoosing(sub) {
		t.Error("a run that hears facts does not count as choosing")
	}
}

// mute tells what cannot travel.
type mute struct{ N int }

func (mute) Run(s *satin.Scope) (int, error) {
	satin.Tell(s, func() {})
	return 0, nil
}

func TestTellOfWhatCannotTravel(t *testing.T) {
	_, err := satin.Run(context.Background(), alone(t, 1), mute{})
	if err == nil || !strings.Contains(err.Error(), "cannot travel") {
		t.Errorf("telling a func: %v", err)
	}
}
