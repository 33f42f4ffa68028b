package satin

// Inside the package: a peer alone has no shares, and the timer is nobody's to see.

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"
)

// turning computes until the test lets go, and counts what it does; it spawns now and then.
type turning struct{ I int }

var (
	turnOn atomic.Bool
	turned [3]atomic.Int64
)

func (k turning) Run(s *Scope) (int, error) {
	for turnOn.Load() {
		x := Spawn(s, fibTask{12})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
		turned[k.I].Add(1)
	}
	return k.I, nil
}

func newTurningPool(t *testing.T, workers int) *pool {
	app, err := newRegistry(App{Tasks: []TaskType{Type[turning](), Type[sleeping](), Type[fibTask]()}})
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(poolConfig{workers: workers, name: "here", app: app, outside: nobody{}})
	t.Cleanup(p.close)
	turnOn.Store(true)
	t.Cleanup(func() { turnOn.Store(false) })
	return p
}

// TestRunsHaveTheirShares: two endless runs, of which one has three times the share, have the
// worker's time by that.
func TestRunsHaveTheirShares(t *testing.T) {
	p := newTurningPool(t, 1)
	turned[1].Store(0)
	turned[2].Store(0)
	var subs []*Submission[int]
	var runs []*run
	for i, share := range []uint16{100, 300} {
		sub := submitTo[turning, int](t, p, turning{1 + i})
		subs, runs = append(subs, sub), append(runs, sub.asked.(*run))
		p.setShare(runs[i], share)
	}
	await.Until(t, "both have begun", func() bool { return turned[1].Load() > 0 && turned[2].Load() > 0 })
	// counted when the worker changes hands
	had := func(i int) time.Duration { return time.Duration(runs[i].busy.Load()) }
	one, three := had(0), had(1)
	await.Until(t, "many slices have passed", func() bool { return had(0)+had(1) > one+three+time.Second })
	one, three = had(0)-one, had(1)-three
	if ratio := three.Seconds() / one.Seconds(); !(ratio > 1.6 && ratio < 6) {
		// on a busy machine slices are long
		t.Errorf("one run had a worker for %v, and the other, with three times the share, for %v", one, three)
	}
	turnOn.Store(false)
	for _, sub := range subs {
		if _, err := sub.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// sleeping has children that last, one after the other, until the test lets go.
type sleeping struct {
	I    int
	Leaf bool
}

var slept [7]atomic.Int64

func (k sleeping) Run(s *Scope) (int, error) {
	for !k.Leaf && turnOn.Load() {
		x := Spawn(s, sleeping{k.I, true})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	if k.Leaf {
		// more than what a run may be owed that has nothing to do
		time.Sleep(500 * time.Millisecond)
		slept[k.I].Add(1)
	}
	return k.I, nil
}

// TestLongJobsStarveNobody: beside many runs, whose jobs last, one with a greater share has its
// turns.
func TestLongJobsStarveNobody(t *testing.T) {
	t.Parallel() // it is slow, and computes nothing
	p := newTurningPool(t, 1)
	var subs []*Submission[int]
	for i := range slept {
		slept[i].Store(0)
		sub := submitTo[sleeping, int](t, p, sleeping{I: i})
		if subs = append(subs, sub); i == 0 {
			p.setShare(sub.asked.(*run), 200)
		}
	}
	others := func() (n int64) {
		for i := range slept[1:] {
			n += slept[1+i].Load()
		}
		return n
	}
	await.Until(t, "the others have had many jobs", func() bool { return others() >= 16 })
	if n := slept[0].Load(); n < 3 {
		t.Errorf("of the run with twice the share %d jobs were done, of the six others %d", n, others())
	}
	turnOn.Store(false)
	for _, sub := range subs {
		if _, err := sub.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTurnsEndWithTheRuns: where one run is left nobody looks any more.
func TestTurnsEndWithTheRuns(t *testing.T) {
	p := newTurningPool(t, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	old := submitTo[turning, int](t, p, turning{0})
	r, err := p.newRun(ctx, &job[turning, int]{task: turning{1}})
	if err != nil {
		t.Fatal(err)
	}
	p.enqueue(r.root)
	armed := func() bool { p.mu.Lock(); defer p.mu.Unlock(); return p.turns.armed }
	if !armed() {
		t.Error("two runs, and nobody looks whose turn it is")
	}
	cancel()
	await.Until(t, "one run is left and nobody looks", func() bool { return !armed() })
	turnOn.Store(false)
	if _, err := old.Wait(); err != nil {
		t.Fatal(err)
	}
}

// TestTurnsRestWithTheWorkers: two runs are on, and nothing of them is here, as where their answers
// are kept. Nobody looks whose turn it is until there is something to do.
func TestTurnsRestWithTheWorkers(t *testing.T) {
	p := newTurningPool(t, 2)
	var runs []*run
	for i := range 2 {
		r, err := p.newRun(context.Background(), &job[turning, int]{task: turning{1 + i}})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	armed := func() bool { p.mu.Lock(); defer p.mu.Unlock(); return p.turns.armed }
	await.Until(t, "all workers sleep and nobody looks", func() bool {
		return p.idleWorkers() == 2 && !armed()
	})
	p.enqueue(runs[0].root)
	await.Until(t, "a worker wakes, and its time is shared out", armed)
	turnOn.Store(false)
	for _, r := range runs {
		r.fail(ErrWithdrawn)
	}
}
