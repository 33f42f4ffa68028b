package satin

// Inside the package: it looks at what is kept of jobs, which only a loss would bring out.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/steal"
)

// costly is a job whose children cost what the test says.
type costly struct{ N int }

var costlyApp = App{Name: "costly", Tasks: []TaskType{Type[costly](), Type[far](), Type[fibTask]()}}

func (c costly) Run(s *Scope) (int, error) {
	switch {
	case c.N == 0:
		spinFor(20 * time.Millisecond)
		return 0, nil
	case c.N < 10:
		x := Spawn(s, far(c)) // is taken away
		for hold.Load() {
			y := Spawn(s, fibTask{10}) // gives the wire a chance
			if _, err := y.Wait(s); err != nil {
				return 0, err
			}
		}
		return x.Wait(s)
	}
	s.markRunning()
	x, y, z := Spawn(s, costly{0}), Spawn(s, costly{1}), Spawn(s, costly{2})
	n, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	m, err := y.Wait(s)
	if err != nil {
		return 0, err
	}
	k, err := z.Wait(s)
	return n + m + k, err
}

func costlyPool(t *testing.T, out outside) *pool {
	t.Helper()
	app, err := newRegistry(costlyApp)
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(poolConfig{workers: 1, name: "here", app: app, outside: out, recording: true, period: time.Millisecond})
	t.Cleanup(p.close)
	return p
}

func partNamed(p *pool, key steal.Key) (part, bool) {
	for _, x := range p.fibers.parts() {
		if x.key == key {
			return x.part, true
		}
	}
	return part{}, false
}

// A fiber parks: results that arrive then are parts too. A child costs what its worker spent,
// without the time parked, and what others spent on its own children.
func TestPartsOfAParkedFiber(t *testing.T) {
	p := costlyPool(t, nobody{})
	hold.Store(true)
	defer hold.Store(false)
	sub := submitTo[costly, int](t, p, costly{10})
	r := sub.asked.(*run)
	inline, _ := r.keyOf(rootJob(costly{0}))
	await.Until(t, "the leaf's part", func() bool { _, ok := partNamed(p, inline); return ok })
	if x, _ := partNamed(p, inline); x.cost < 15*time.Millisecond {
		t.Errorf("a leaf of 20 ms is said to have cost %v", x.cost)
	}
	var loans []lentJob // costly{2}, then far of costly{1}
	await.Until(t, "two jobs to lend", func() bool { loans = append(loans, lendAny(p, 1, 0)...); return len(loans) == 2 })
	hold.Store(false)
	await.Until(t, "the fiber parks", func() bool { return p.parkedNow() == 1 })
	answer := func(x lentJob, n int, cost uint32) {
		data, _ := marshal(n)
		if err := p.settle(x.Ref, steal.Result{Cost: cost, Bytes: data}); err != nil {
			t.Fatal(err)
		}
	}
	first, second := loans[0], loans[1]
	answer(first, 5, 3000)
	if x, ok := partNamed(p, first.Key); !ok || x.cost != 3*time.Second || p.parkedNow() != 1 {
		t.Errorf("the result that waits for its parked parent: %+v, %v", x, ok)
	}
	cheap := p.room.bytes.Load()
	keys := p.keys(r)
	if len(keys) < 2 {
		t.Errorf("a parked fiber lists %d keys", len(keys))
	}
	answer(second, 7, 0)
	if got, err := sub.Wait(); err != nil || got != 12 {
		t.Errorf("%d, %v", got, err)
	}
	if n := p.room.bytes.Load(); cheap == 0 || n != 0 {
		t.Errorf("%d bytes of parts were held, and %d are after the run", cheap, n)
	}
}

// useLog notes what the control loop is told.
type useLog struct {
	nobody
	mu        sync.Mutex
	withdrawn []steal.Ref
}

func (b *useLog) Withdrawn(n steal.Ref, _ bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.withdrawn = append(b.withdrawn, n)
}

// A value from elsewhere ends its job wherever it is: lent, in the queue, or in a deque.
func TestUseWhereverTheJobIs(t *testing.T) {
	log := new(useLog)
	p := costlyPool(t, log)
	hold.Store(true)
	defer hold.Store(false)
	sub := submitTo[costly, int](t, p, costly{10})
	r := sub.asked.(*run)
	var loans []lentJob
	await.Until(t, "two jobs to lend", func() bool { loans = append(loans, lendAny(p, 1, 0)...); return len(loans) == 2 })
	hold.Store(false)
	await.Until(t, "the fiber parks and the worker sleeps", func() bool { return p.parkedNow() == 1 && p.idleWorkers() == 1 })
	use := func(key steal.Key, n int) {
		data, _ := marshal(n)
		if err := p.use(r, key, steal.Result{Cost: 9, Bytes: data}); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan *shared, 1)
	queued := p.queue(t, r, costly{3})
	queued.ended = func(h *shared) { ended <- h }
	use(queued.key, 4)
	if h := <-ended; h.outcome() == nil || h.partNow().cost != 9*time.Millisecond {
		t.Error("a queued job did not end with the value that came for it")
	}
	use(loans[0].Key, 100)
	if len(log.withdrawn) != 1 || log.withdrawn[0] != loans[0].Ref {
		t.Errorf("told of the loans %v, want %v", log.withdrawn, loans[0].Ref)
	}
	// The job between the root and the second loan runs inline, under the parked fiber's top.
	key, _ := r.keyOf(rootJob(costly{1}))
	use(key, 1000)
	if got, err := sub.Wait(); err != nil || got != 1100 {
		t.Errorf("%d, %v, want the sum of the values that came", got, err)
	}
}

// queue has the pool hold a borrowed job of a run, without waking a worker for it.
func (p *pool) queue(t *testing.T, r *run, task costly) *shared {
	t.Helper()
	fields, _ := marshal(task)
	h, err := p.borrow(r, "satin.costly", fields, func(*shared) {})
	if err != nil {
		t.Fatal(err)
	}
	h.key, _ = r.keyOf(rootJob(task))
	h.keyed = true
	p.mu.Lock()
	p.inbox = append(p.inbox, h)
	p.mu.Unlock()
	return h
}

// A worker is busy while values come for as many of the jobs that wait for it as are listed at a
// time. They stay where they are until it comes, and what waits behind them is listed.
func TestKeysBehindJobsThatHaveValues(t *testing.T) {
	p := costlyPool(t, nobody{})
	hold.Store(true)
	defer hold.Store(false)
	r := submitTo[costly, int](t, p, costly{10}).asked.(*run)
	await.Until(t, "the worker to be busy", func() bool { return len(p.keys(r)) > 0 })
	for n := range openKeysMax {
		h, data := p.queue(t, r, costly{100 + n}), []byte{1}
		if err := p.use(r, h.key, steal.Result{Cost: 9, Bytes: data}); err != nil || h.outcome() == nil {
			t.Fatalf("a queued job has no value: %v", err)
		}
	}
	if h := p.queue(t, r, costly{99}); !slices.Contains(p.keys(r), h.key) {
		t.Error("what waits behind jobs that have values is not listed")
	}
}

// salvageLog notes what parts are given out.
type salvageLog struct {
	nobody
	keys []steal.Key
}

func (b *salvageLog) Salvaged(parts []runPart) {
	for _, x := range parts {
		b.keys = append(b.keys, x.key)
	}
}

// A borrowed job was lent on, and is orphaned after its result has come, before that is used: it is
// given out, since who has returned it keeps it no longer. One that nobody wants is not.
func TestResultThatComesTooLateForAnOrphan(t *testing.T) {
	for _, orphaned := range []bool{true, false} {
		log := new(salvageLog)
		p := costlyPool(t, log)
		hold.Store(true)
		sub := submitTo[costly, int](t, p, costly{10})
		r := sub.asked.(*run)
		await.Until(t, "the worker to be busy", func() bool { return len(p.keys(r)) > 0 })
		h := p.queue(t, r, costly{99})
		var loan lentJob
		await.Until(t, "the queued job to be lent", func() bool {
			for _, x := range lendAny(p, 1, 0) {
				if x.Key == h.key {
					loan = x
				}
			}
			return loan.Ref != 0
		})
		h.withdraw(orphaned)
		value := steal.Result{Cost: 9, Bytes: []byte{1}}
		if err := p.settle(loan.Ref, value); err != nil {
			t.Fatal(err)
		}
		p.salvageLate(h, value)
		if got := slices.Equal(log.keys, []steal.Key{h.key}); got != orphaned || !orphaned && len(log.keys) > 0 {
			t.Errorf("orphaned: %v; given out are %v", orphaned, log.keys)
		}
		hold.Store(false)
		p.close()
	}
}

// shard is a result that only its maker can bear to look at.
type shard struct{ N int }

func (shard) MarshalCBOR() ([]byte, error) { return []byte{1}, nil }

func (*shard) UnmarshalCBOR([]byte) error { panic("it cuts") }

type brittle struct{ Deep int }

func (b brittle) Run(s *Scope) (shard, error) {
	if b.Deep > 0 {
		x := Spawn(s, brittle{b.Deep - 1})
		return x.Wait(s)
	}
	s.markRunning()
	for hold.Load() {
		y := Spawn(s, fibTask{10}) // gives the wire a chance
		if _, err := y.Wait(s); err != nil {
			return shard{}, err
		}
	}
	return shard{1}, nil
}

// A value comes for a job that runs, and the program's own code panics on it: the run fails. Where
// the value is none of the job's type, the job goes on.
func TestPanicOnALetterFailsTheRun(t *testing.T) {
	app, err := newRegistry(App{Name: "brittle", Tasks: []TaskType{Type[brittle](), Type[fibTask]()}})
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(poolConfig{workers: 1, name: "here", app: app, outside: nobody{}, recording: true, period: time.Millisecond})
	t.Cleanup(p.close)
	hold.Store(true)
	defer hold.Store(false)
	sub := submitTo[brittle, shard](t, p, brittle{1})
	r := sub.asked.(*run)
	key, _ := r.keyOf(rootJob(brittle{0}))
	await.Until(t, "the key of the job that runs", func() bool { return slices.Contains(p.keys(r), key) })
	if err := p.use(r, key, steal.Result{Bytes: []byte{0xff}}); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the first letter to be read", func() bool { return slices.Contains(p.keys(r), key) })
	if r.isOver() {
		t.Fatal("a value of another type fails the run")
	}
	data, _ := marshal(shard{1})
	if err := p.use(r, key, steal.Result{Bytes: data}); err != nil {
		t.Fatal(err)
	}
	var raised *PanicError
	if _, err := sub.Wait(); !errors.As(err, &raised) || !strings.Contains(err.Error(), "it cuts") {
		t.Errorf("%v", err)
	}
}

func TestPartsAreBounded(t *testing.T) {
	p := costlyPool(t, nobody{})
	p.room.bytes.Store(partBytesTotalMax)
	hold.Store(true)
	defer hold.Store(false)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sub, err := Submit[costly, int](ctx, &Peer{pool: p, app: p.app}, costly{10})
	if err != nil {
		t.Fatal(err)
	}
	var loans []lentJob
	await.Until(t, "a job to lend", func() bool { loans = append(loans, lendAny(p, 1, 0)...); return len(loans) == 1 })
	data, _ := marshal(1)
	if err := p.settle(loans[0].Ref, steal.Result{Cost: 9000, Bytes: data}); err != nil {
		t.Fatal(err)
	}
	if n := len(p.fibers.parts()); n != 0 {
		t.Errorf("%d parts are kept where there is no room", n)
	}
	cancel()
	if _, err := sub.Wait(); err == nil {
		t.Error("a cancelled run has an answer")
	}
	if n := p.room.bytes.Load(); n != partBytesTotalMax {
		t.Errorf("the count of bytes went from %d to %d", int64(partBytesTotalMax), n)
	}
}
