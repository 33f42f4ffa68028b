package satin

// Inside the package: one pool borrows from another without a grid, and looks what is given out.

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"satingrid/satin/effort"
	"satingrid/steal"
)

// traced is a random tree whose results name their jobs, so that any part can be checked by itself.
type traced struct {
	Seed  uint64
	Depth int
}

type trace struct {
	Of traced
	V  uint64
}

func (b traced) children() (tasks []traced) {
	if b.Depth == 0 {
		return nil
	}
	for i := range int(mix(b.Seed, 1)%3) + 1 {
		tasks = append(tasks, traced{mix(b.Seed, uint64(i)+2), b.Depth - 1})
	}
	return tasks
}

// value is the dumb twin.
func (b traced) value() uint64 {
	v := mix(b.Seed, 99)
	for i, c := range b.children() {
		v += uint64(i+1) * c.value()
	}
	return v
}

func (b traced) Run(s *Scope) (trace, error) {
	v := mix(b.Seed, 99)
	tasks := b.children()
	fs := make([]Future[traced, trace], len(tasks))
	for i, c := range tasks {
		fs[i] = Spawn(s, c)
	}
	spinFor(time.Duration(mix(b.Seed, 5)%20) * time.Microsecond)
	switch mix(b.Seed, 7) % 8 {
	case 0: // waited for by nobody
		if b.Depth > 0 {
			Spawn(s, traced{b.Seed ^ 6, b.Depth / 2})
		}
	case 1:
		if err := s.Sync(); err != nil {
			// told to stop: what Run returns now must not pass for a value
			return trace{b, 13}, err
		}
	}
	for _, i := range rand.New(rand.NewPCG(b.Seed, 1)).Perm(len(fs)) {
		r, err := fs[i].Wait(s)
		if err != nil {
			return trace{b, 14}, nil // and neither must this
		}
		v += uint64(i+1) * r.V
	}
	return trace{b, v}, nil
}

func spinFor(d time.Duration) {
	for began := time.Now(); time.Since(began) < d; {
	}
}

var tracedApp = App{Name: "traced", Tasks: []TaskType{Type[traced]()}}

// salvor borrows jobs of one pool for another one, withdraws some with salvage, gives those back
// and brings the parts. It checks every part that it sees.
type salvor struct {
	t        *testing.T
	from, to *pool
	there    *run
	rand     *rand.Rand

	mu     sync.Mutex
	gone   map[steal.Ref]*borrowing
	early  map[steal.Ref]bool    // withdrawn before they were taken; orphaned
	third  map[steal.Ref]lentJob // what the other pool lent on
	lost   []runPart             // salvaged, not used yet
	counts salvorCounts
}

type salvorCounts struct{ lent, finished, stopped, salvaged, orphaned, gathered, used, keys int }

// borrowing is a job that runs in the other pool.
type borrowing struct {
	h        *shared
	salvaged bool
	ends     int
}

func (e *salvor) Idle()              {}
func (*salvor) Lacks([]*run)         {}
func (e *salvor) Published()         {}
func (e *salvor) Offered(*run, any)  {}
func (e *salvor) Told(*run, []byte)  {}
func (e *salvor) Failed(*run, error) {}

func (e *salvor) Salvaged(parts []runPart) {
	e.checkParts(parts)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lost = append(e.lost, parts...)
	e.counts.salvaged += len(parts)
}

func (e *salvor) Withdrawn(n steal.Ref, orphaned bool) {
	e.mu.Lock()
	b := e.gone[n]
	if b == nil { // lent, and not yet taken
		e.early[n] = orphaned
	}
	e.mu.Unlock()
	if b != nil {
		b.h.withdraw(orphaned)
	}
}

// beyond is the outside of the other pool: it lends on.
type beyond struct{ *salvor }

func (e beyond) Withdrawn(n steal.Ref, orphaned bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.third, n)
	if orphaned {
		e.counts.orphaned++
	}
}

// lendOn lends a job of the other pool to a third place, and answers for one that is there.
func (e *salvor) lendOn() {
	if e.rand.IntN(8) != 0 {
		return
	}
	for _, x := range lendAny(e.to, 1, 1<<20) {
		e.mu.Lock()
		e.third[x.Ref] = x
		e.mu.Unlock()
	}
	if e.rand.IntN(2) != 0 {
		return
	}
	e.mu.Lock()
	var x lentJob
	for n := range e.third {
		x = e.third[n]
		delete(e.third, n)
		break
	}
	e.mu.Unlock()
	if x.Run == nil {
		return
	}
	var b traced
	if err := unmarshal(x.Fields, &b); err != nil {
		e.t.Error(err)
	}
	data, _ := marshal(trace{b, b.value()})
	if err := e.to.settle(x.Ref, steal.Result{Cost: 1, Bytes: data}); err != nil {
		e.t.Error(err)
	}
}

// checkParts compares parts with what the twin computes for the job that each names.
func (e *salvor) checkParts(parts []runPart) {
	for _, x := range parts {
		var r trace
		if err := unmarshal(x.result, &r); err != nil {
			e.t.Errorf("a part cannot be read: %v", err)
			continue
		}
		if key, _ := e.there.keyOf(rootJob(r.Of)); key != x.key {
			e.t.Errorf("the part of %+v has the key of another job", r.Of)
		}
		if want := r.Of.value(); r.V != want {
			e.t.Errorf("a part says that %+v is %d, and it is %d", r.Of, r.V, want)
		}
	}
}

// ended is how the other pool says that a borrowed job is over.
func (e *salvor) ended(n steal.Ref) func(*shared) {
	return func(h *shared) {
		out := h.outcome()
		e.mu.Lock()
		b := e.gone[n]
		b.ends++
		if b.ends > 1 {
			e.t.Error("a job ended twice")
		}
		if out == nil && b.salvaged {
			e.counts.stopped++
		} else if out != nil {
			e.counts.finished++
		}
		e.mu.Unlock()
		if out == nil {
			e.from.putBack(n, 0) // of a loan that was withdrawn: ignored
			return
		}
		if err := e.from.settle(n, packed(e.there, out)); err != nil {
			e.t.Error(err)
		}
	}
}

func (e *salvor) drive(r *run, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Duration(e.rand.IntN(60)) * time.Microsecond):
		}
		if e.to.waiting(nil) < 3 {
			for _, x := range lendAny(e.from, 1+e.rand.IntN(2), 1<<20) {
				e.take(x)
			}
		}
		e.lendOn()
		switch e.rand.IntN(12) {
		case 0:
			e.mu.Lock()
			few := e.counts.stopped < 12+e.counts.finished // it must end some time
			e.mu.Unlock()
			if few {
				e.withdrawOne()
			}
		case 1, 2, 3, 4, 5:
			e.useOne(r)
		case 6, 7:
			parts := slices.Concat(e.from.fibers.parts(), e.to.fibers.parts())
			e.checkParts(parts)
			e.mu.Lock()
			e.counts.gathered += len(parts)
			e.mu.Unlock()
		}
	}
}

func (e *salvor) take(x lentJob) {
	e.mu.Lock()
	h, err := e.to.borrow(e.there, x.Task, x.Fields, e.ended(x.Ref))
	if err != nil {
		e.t.Error(err)
	}
	e.counts.lent++
	e.gone[x.Ref] = &borrowing{h: h}
	orphaned, withdrawn := e.early[x.Ref]
	e.mu.Unlock()
	e.to.enqueue(h)
	if withdrawn {
		h.withdraw(orphaned)
	}
}

// withdrawOne orphans a job.
func (e *salvor) withdrawOne() {
	e.mu.Lock()
	var h *shared
	for _, b := range e.gone {
		if b.ends == 0 && !b.salvaged {
			b.salvaged = true
			h = b.h
			break
		}
	}
	e.mu.Unlock()
	if h != nil {
		h.withdraw(true)
	}
}

// useOne brings a part, or another result, to whoever lists its key.
func (e *salvor) useOne(r *run) {
	keys := e.from.keys(r)
	e.mu.Lock()
	e.counts.keys += len(keys)
	lost := e.lost
	e.lost = nil
	e.mu.Unlock()
	for _, x := range lost {
		if slices.Contains(keys, x.key) {
			if err := e.from.use(r, x.key, steal.Result{Cost: 1, Bytes: x.result}); err != nil {
				e.t.Error(err)
			}
			e.mu.Lock()
			e.counts.used++
			e.mu.Unlock()
		} else {
			e.mu.Lock()
			e.lost = append(e.lost, x)
			e.mu.Unlock()
		}
	}
}

func (e *salvor) run(task traced, workers int) {
	app, err := newRegistry(tracedApp)
	if err != nil {
		e.t.Fatal(err)
	}
	conf := poolConfig{app: app, outside: e, recording: true, worth: 1}
	conf.workers, conf.name, conf.period = 2, "there", 300*time.Microsecond
	conf.outside = beyond{e}
	e.to = newPool(conf)
	defer e.to.close()
	conf.workers, conf.name, conf.outside = workers, "here", e
	e.from = newPool(conf)
	defer e.from.close()
	if e.there, err = e.to.newRun(context.Background(), rootJob(task)); err != nil {
		e.t.Fatal(err)
	}
	r, err := e.from.newRun(context.Background(), rootJob(task))
	if err != nil {
		e.t.Fatal(err)
	}
	stop := make(chan struct{})
	var driver sync.WaitGroup
	driver.Go(func() { e.drive(r, stop) })
	sub := &Submission[trace]{asked: r, release: func() {}}
	e.from.enqueue(r.root)
	select {
	case <-sub.Done():
	case <-time.After(30 * time.Second):
		e.t.Errorf("%+v does not end: %+v", task, e.counts)
		r.fail(context.DeadlineExceeded)
	}
	got, err := sub.Wait()
	close(stop)
	driver.Wait()
	if want := task.value(); err != nil || got.V != want {
		e.t.Fatalf("%+v: got %d, %v, want %d", task, got.V, err, want)
	}
}

// Whatever is lent, orphaned, salvaged, put back and used in whatever order: the answer is the
// twin's, and so is every part that anybody gives out. A job that was withdrawn ends exactly once.
func TestSalvageAgainstTwin(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	var sum salvorCounts
	// without the race detector until all has happened
	rare := func() bool {
		return min(sum.lent, sum.finished, sum.stopped, sum.salvaged, sum.orphaned, sum.gathered, sum.used, sum.keys) == 0 && effort.Of(0, 1, 1) == 1
	}
	least := uint64(effort.Of(6, 8, 24))
	for seed := uint64(0); seed < least || rare() && seed < 24; seed++ {
		e := &salvor{t: t, rand: rand.New(rand.NewPCG(seed, 3)), gone: map[steal.Ref]*borrowing{}, early: map[steal.Ref]bool{}, third: map[steal.Ref]lentJob{}}
		e.run(traced{seed, 12}, 1+int(seed%3))
		if n := e.from.room.bytes.Load() + e.to.room.bytes.Load(); n != 0 && !t.Failed() {
			t.Errorf("seed %d: %d bytes of parts are held after the run", seed, n)
		}
		for n, b := range e.gone {
			if b.ends != 1 {
				t.Errorf("seed %d: loan %d ended %d times", seed, n, b.ends)
			}
		}
		c := e.counts
		sum.lent, sum.finished, sum.stopped = sum.lent+c.lent, sum.finished+c.finished, sum.stopped+c.stopped
		sum.salvaged, sum.orphaned, sum.gathered = sum.salvaged+c.salvaged, sum.orphaned+c.orphaned, sum.gathered+c.gathered
		sum.used, sum.keys = sum.used+c.used, sum.keys+c.keys
	}
	t.Logf("%+v", sum)
	if rare() {
		t.Errorf("the test does less than it claims: %+v", sum)
	}
}

// packed is what a job came to as it travels.
func packed(r *run, out result) steal.Result {
	x, _ := r.pack(r.root.job, out)
	return x
}
