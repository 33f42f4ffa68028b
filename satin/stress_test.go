package satin

// Inside the package: it stands in for other processes: it lends, settles and delivers at random.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"satingrid/satin/effort"
	"satingrid/steal"
)

// branch is a random program: its value is a function of its fields, and how it computes that –
// which calls, in which order – is drawn from the seed. leaf is another type at the same depths.
type branch struct {
	Seed  uint64
	Depth int
}

type twig struct {
	Pad  []int
	Seed uint64
	Dep  int
}

func mix(a, b uint64) uint64 {
	x := a ^ b*0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

func (b branch) children() (tasks []branch) {
	if b.Depth == 0 {
		return nil
	}
	n := int(mix(b.Seed, 1)%5) + 1
	for i := range n {
		tasks = append(tasks, branch{mix(b.Seed, uint64(i)+2), b.Depth - 1 - int(mix(b.Seed, uint64(i)+77)%2)*min(1, b.Depth-1)})
	}
	return tasks
}

// value is the dumb twin.
func (b branch) value() uint64 {
	v := mix(b.Seed, 99)
	for i, c := range b.children() {
		v += uint64(i+1) * c.value()
	}
	return v
}

func (b branch) Run(s *Scope) (uint64, error) {
	tasks := b.children()
	v := mix(b.Seed, 99)
	add := func(i int, r uint64) { v += uint64(i+1) * r }
	var err error
	if b.Depth == 0 {
		return v, nil
	}
	switch mix(b.Seed, 1000) % 9 {
	case 0:
		err = inOrder(s, tasks, add, func(i, n int) int { return n - 1 - i })
	case 1:
		err = inOrder(s, tasks, add, func(i, n int) int { return i })
	case 2:
		perm := rand.New(rand.NewPCG(b.Seed, 1)).Perm(len(tasks))
		err = inOrder(s, tasks, add, func(i, n int) int { return perm[i] })
	case 3:
		var all []uint64
		all, err = All(s, tasks)
		for i, r := range all {
			add(i, r)
		}
	case 4:
		err = Each(s, len(tasks), func(i int) branch { return tasks[i] }, add)
	case 5:
		var fs []Future[branch, uint64]
		for _, t := range tasks {
			fs = append(fs, Spawn(s, t))
		}
		Spawn(s, branch{b.Seed ^ 5, b.Depth / 2}) // nobody waits for it
		if err = s.Sync(); err != nil {
			break
		}
		for i, f := range fs {
			r, err := f.Wait(s)
			if err != nil {
				return 0, err
			}
			add(i, r)
		}
	case 6: // speculation that is given up
		for range 3 {
			Spawn(s, branch{b.Seed ^ 6, b.Depth / 2})
		}
		x := Spawn(s, twig{nil, b.Seed ^ 7, b.Depth / 2})
		s.Abort()
		if _, err := x.Wait(s); !errors.Is(err, ErrWithdrawn) {
			return 0, fmt.Errorf("an aborted job came to %v", err)
		}
		err = inOrder(s, tasks, add, func(i, n int) int { return n - 1 - i })
	case 7: // another type, then plain calls
		for i, t := range tasks {
			if i%2 == 0 {
				r, err := t.Run(s)
				if err != nil {
					return 0, err
				}
				add(i, r)
				continue
			}
			x := Spawn(s, twig{[]int{i}, t.Seed, t.Depth})
			r, err := x.Wait(s)
			if err != nil {
				return 0, err
			}
			add(i, r)
		}
	case 8: // the first of equal ones
		t := tasks[0]
		r, failed := First(s, []branch{t, t, t}, func(uint64) bool { return true })
		if failed != nil {
			return 0, failed
		}
		add(0, r)
		err = inOrder(s, tasks[1:], func(i int, r uint64) { add(i+1, r) }, func(i, n int) int { return n - 1 - i })
	}
	return v, err
}

func (g twig) Run(s *Scope) (uint64, error) {
	x := Spawn(s, branch{g.Seed, g.Dep})
	return x.Wait(s)
}

func inOrder(s *Scope, tasks []branch, add func(int, uint64), at func(i, n int) int) error {
	var fs [8]Future[branch, uint64]
	for i, t := range tasks {
		fs[i] = Spawn(s, t)
	}
	for i := range tasks {
		k := at(i, len(tasks))
		r, err := fs[k].Wait(s)
		if err != nil {
			return err
		}
		add(k, r)
	}
	return nil
}

var stressApp = App{Name: "stress", Tasks: []TaskType{Type[branch](), Type[twig]()}}

// elsewhere stands in for other processes: it borrows jobs of one pool, runs some in another, gives
// some back, forgets some for a while, and delivers values to jobs that are under way.
type elsewhere struct {
	from, to *pool
	rand     *rand.Rand
	mu       sync.Mutex
	gone     map[steal.Ref]*shared // running in the other pool
	counts   struct{ lent, settled, back, delivered, withdrawn int }
}

func (e *elsewhere) Idle()              {}
func (*elsewhere) Lacks([]*run)         {}
func (e *elsewhere) Published()         {}
func (e *elsewhere) Offered(*run, any)  {}
func (e *elsewhere) Told(*run, []byte)  {}
func (e *elsewhere) Failed(*run, error) {}
func (e *elsewhere) Salvaged([]runPart) {}
func (e *elsewhere) Withdrawn(n steal.Ref, _ bool) {
	e.mu.Lock()
	h := e.gone[n]
	delete(e.gone, n)
	e.counts.withdrawn++
	e.mu.Unlock()
	if h != nil {
		h.withdraw(false)
	}
}

func (e *elsewhere) drive(there *run, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			if e.rand.IntN(4) == 0 {
				// a disorder: it comes later, now and then
				time.Sleep(time.Microsecond)
			}
			runtime.Gosched()
		}
		for _, x := range lendAny(e.from, 1+e.rand.IntN(3), 1<<20) {
			e.counts.lent++
			switch e.rand.IntN(4) {
			case 0:
				e.counts.back++
				e.from.putBack(x.Ref, 0)
			default:
				e.mu.Lock()
				h, err := e.to.borrow(there, x.Task, x.Fields, func(h *shared) {
					out := h.outcome()
					if out == nil {
						return
					}
					e.mu.Lock()
					delete(e.gone, x.Ref)
					e.counts.settled++
					e.mu.Unlock()
					if err := e.from.settle(x.Ref, packed(there, out)); err != nil {
						panic(err)
					}
				})
				if err != nil {
					panic(err)
				}
				e.gone[x.Ref] = h
				e.mu.Unlock()
				e.to.enqueue(h)
			}
			if e.rand.IntN(3) == 0 {
				e.deliverOne(x)
			}
		}
	}
}

// deliverOne brings the value of a job from a third place.
func (e *elsewhere) deliverOne(x lentJob) {
	var v uint64
	switch t := e.from.app.byName[x.Task]; t.name {
	case "satin.branch":
		var b branch
		if unmarshal(x.Fields, &b) != nil || b.Depth > 10 {
			return
		}
		v = b.value()
	default:
		return
	}
	data, _ := marshal(v)
	e.counts.delivered++
	e.from.use(x.Run, x.Key, steal.Result{Bytes: data})
}

func TestRandomProgramsAgainstTwin(t *testing.T) {
	app, err := newRegistry(stressApp)
	if err != nil {
		t.Fatal(err)
	}
	// As a peer does: with a computing worker on every P the other goroutines wait
	// 10 ms for each turn.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	total := 0
	var sum elsewhere
	for seed := range uint64(effort.Of(4, 8, 24)) {
		e := &elsewhere{rand: rand.New(rand.NewPCG(seed, 3)), gone: map[steal.Ref]*shared{}}
		workers := 1 + int(seed%4)
		e.to = newPool(poolConfig{workers: 1, name: "there", app: app, outside: nobody{}, recording: true, period: time.Millisecond})
		e.from = newPool(poolConfig{workers: workers, name: "here", app: app, outside: e, recording: true, period: 300 * time.Microsecond})
		task := branch{seed, 16}
		j := &job[branch, uint64]{task: task}
		j.index = noIndex
		r, err := e.from.newRun(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		there, err := e.to.newRun(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		var driver sync.WaitGroup
		driver.Go(func() { e.drive(there, stop) })
		sub := &Submission[uint64]{asked: r, release: func() {}}
		e.from.enqueue(r.root)
		last := 0.0
		for running := true; running; {
			select {
			case <-sub.Done():
				running = false
			case <-time.After(time.Millisecond):
			}
			if p := sub.Progress(); p < last || p > 1 {
				t.Fatalf("progress went from %v to %v", last, p)
			} else {
				last = p
			}
		}
		got, err := sub.Wait()
		close(stop)
		driver.Wait()
		if want := task.value(); err != nil || got != want {
			t.Fatalf("seed %d: got %d, %v, want %d", seed, got, err, want)
		}
		e.from.close()
		e.to.close()
		total += int(r.jobs.Load())
		sum.counts.lent += e.counts.lent
		sum.counts.settled += e.counts.settled
		sum.counts.back += e.counts.back
		sum.counts.delivered += e.counts.delivered
		sum.counts.withdrawn += e.counts.withdrawn
		if n := len(e.from.loans.lent); n != 0 {
			t.Errorf("seed %d: %d loans are left in the ledger", seed, n)
		}
	}
	t.Logf("%d jobs, %+v", total, sum.counts)
	if c := sum.counts; min(c.lent, c.settled, c.back, c.delivered, c.withdrawn) == 0 {
		t.Errorf("not all that can happen to a lent job has happened: %+v", c)
	}
}

// A program that keeps the contract runs as ever, on thieves too.
func TestStrictRunsRightPrograms(t *testing.T) {
	p, err := Open(context.Background(), Config{Alone: true, Workers: 3, Testing: Testing{Strict: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for seed := range uint64(4) {
		task := branch{seed, 8}
		if got, err := Run(context.Background(), p, task); err != nil || got != task.value() {
			t.Errorf("seed %d: %d, %v, want %d", seed, got, err, task.value())
		}
	}
}
