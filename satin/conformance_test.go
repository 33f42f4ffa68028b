package satin

// Inside the package: the suite drives the plane in the place of a loop.

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/effort"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/satin/peer/workerstest"
	"satingrid/steal"
)

// conforms is the program of package workerstest as a task.
type conforms workerstest.Job

type conformsFact []byte

func (c conforms) Run(s *Scope) (workerstest.Result, error) {
	j := workerstest.Job(c)
	Computes(j.Computes())
	seen := uint64(0)
	if j.Does&workerstest.Searches != 0 {
		if best, ok := Best[workerstest.Result](s); ok {
			seen = best.V
		}
	}
	children := j.Children(seen)
	if len(children) == 0 {
		return ends(s, j, seen)
	}
	futures := make([]Future[conforms, workerstest.Result], len(children))
	for i, x := range children {
		futures[i] = Spawn(s, conforms(x))
	}
	results := make([]workerstest.Result, len(children))
	for i, f := range futures {
		var err error
		if results[i], err = f.Wait(s); errors.Is(err, ErrWithdrawn) {
			return workerstest.Result{V: 13}, nil // this must not pass for a value
		} else if err != nil {
			return workerstest.Result{}, err
		}
	}
	return j.Sum(results), nil
}

// ends is what a leaf does.
func ends(s *Scope, j workerstest.Job, seen uint64) (workerstest.Result, error) {
	switch {
	case j.Panics():
		panic("as it was told to")
	case j.Fails():
		return workerstest.Result{}, errors.New("as it was told to")
	}
	if j.Does&workerstest.Searches != 0 {
		Offer(s, j.Own(0))
	}
	if j.Does&workerstest.Tells != 0 {
		Tell(s, conformsFact(j.Fact()))
	}
	return j.Own(seen), nil
}

// plainLoop has workers as a grid's loop does, but without a carrier and a clock: what the machine
// would order comes from the bench, and what it would hear goes there.
type plainLoop struct {
	conformsCodec
	plane      *plane
	start      time.Time
	stop       context.CancelFunc
	goroutines sync.WaitGroup
	wake       chan struct{}
	busy       time.Duration // some goroutines begin late by up to that

	mu     sync.Mutex // protects what follows
	posted []func()
}

const plainTick = 2 * time.Millisecond

func openPlain(t *testing.T) workerstest.Open {
	app, err := newRegistry(App{Tasks: []TaskType{Type[conforms]()}})
	if err != nil {
		t.Fatal(err)
	}
	return func(n int, to workers.Events) workerstest.Bench { return newPlainLoop(app, n, to) }
}

func newPlainLoop(app *registry, workers int, to workers.Events) *plainLoop {
	ctx, stop := context.WithCancel(context.Background())
	p := &plainLoop{start: time.Now(), stop: stop, wake: make(chan struct{}, 1)}
	p.plane = newPlane(ctx, poolConfig{
		workers: workers, name: "here", app: app, recording: true,
		period: plainTick, worth: 1, log: slog.Default(),
	}, p, to)
	p.Go(func() {
		for ctx.Err() == nil {
			select {
			case <-p.wake:
				p.Flush()
			case <-ctx.Done():
			}
		}
	})
	return p
}

func (p *plainLoop) Now() time.Duration { return time.Since(p.start) }

func (p *plainLoop) Go(do func()) {
	late := time.Duration(0)
	if p.busy > 0 && rand.N(8) == 0 {
		late = rand.N(p.busy)
	}
	p.goroutines.Go(func() {
		time.Sleep(late)
		do()
	})
}

func (p *plainLoop) NameOf(id membership.PeerID) string { return string(id) }

func (p *plainLoop) Post(do func()) {
	p.mu.Lock()
	p.posted = append(p.posted, do)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *plainLoop) Flush() {
	for {
		p.mu.Lock()
		if len(p.posted) == 0 {
			p.mu.Unlock()
			return
		}
		do := p.posted[0]
		p.posted = p.posted[1:]
		p.mu.Unlock()
		do()
	}
}

func (p *plainLoop) Do(effects []peer.Effect) {
	for _, e := range slices.Clone(effects) {
		if !workers.Carry(p.plane, e) {
			panic(fmt.Sprintf("%T is no order", e))
		}
	}
}

func (p *plainLoop) Pass(most time.Duration) {
	time.Sleep(min(most, 100*time.Microsecond)) // the plane has no other clock
}

func (p *plainLoop) Plane() workers.Plane { return p.plane }

func (p *plainLoop) TickEvery() time.Duration { return plainTick }

func (p *plainLoop) Turn(do func() []peer.Effect) {
	done := make(chan struct{})
	p.Post(func() {
		p.Do(do())
		close(done)
	})
	<-done
}

func (p *plainLoop) Close() error {
	p.stop()
	p.goroutines.Wait()
	p.plane.pool.close()
	pool, borrowed := p.plane.pool, p.plane.Executing()
	lent, bytes := len(pool.loans.lent), pool.room.bytes.Load()
	if lent+borrowed > 0 || bytes > 0 {
		return &workerstest.Broken{Rule: workerstest.RuleEnded, Why: fmt.Sprintf(
			"after all runs have ended %d loans, %d borrowed jobs and %d bytes of parts are left", lent, borrowed, bytes)}
	}
	return nil
}

// conformsCodec writes as this package does.
type conformsCodec struct{}

func (conformsCodec) Task() string { return "satin.conforms" }

func (conformsCodec) Fields(j workerstest.Job) []byte {
	c := conforms(j)
	return mustMarshal(&c)
}

func (conformsCodec) ReadFields(data []byte) (workerstest.Job, error) {
	var c conforms
	err := unmarshal(data, &c)
	return workerstest.Job(c), err
}

func (conformsCodec) Bytes(r workerstest.Result) []byte { return mustMarshal(&r) }

func (conformsCodec) ReadBytes(data []byte) (r workerstest.Result, err error) {
	err = unmarshal(data, &r)
	return r, err
}

func (conformsCodec) Failure(text string) []byte { return packText(text).Bytes }

func (x conformsCodec) Key(i steal.Instance, j workerstest.Job) steal.Key {
	c := conforms(j)
	key, err := keyOfWhole(i.Run, x.Task(), &c, false)
	if err != nil {
		panic(err)
	}
	return key
}

// atOnce does something in so many goroutines, most of which wait for jobs that take their time.
func atOnce(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// TestWorkersKeepTheContract holds this package's data plane to the contract of package peer, on a
// machine that is idle, and on one that is busy.
func TestWorkersKeepTheContract(t *testing.T) {
	scripts, idle := workerstest.Scripts(), openPlain(t)
	busy := func(n int, to workers.Events) workerstest.Bench {
		p := idle(n, to).(*plainLoop)
		p.busy = 60 * time.Millisecond
		return p
	}
	for _, open := range []workerstest.Open{idle, busy} {
		atOnce(len(scripts), func(i int) {
			if err := workerstest.Check(open, scripts[i], 1); err != nil {
				t.Error(err)
			}
		})
	}
}

var walksFlag = flag.Int("walks", 0, "how many walks TestWorkersKeepTheContractOnWalks takes with one, two and three workers; 0: a few")

// TestWorkersKeepTheContractOnWalks draws courses of things. What goroutines do meanwhile is not
// drawn: of the rarest orders only long walks come upon some.
func TestWorkersKeepTheContractOnWalks(t *testing.T) {
	var mu sync.Mutex
	covered, open := map[string]int{}, openPlain(t)
	walks := cmp.Or(*walksFlag, effort.Of(3, 6, 6))
	atOnce(3, func(i int) {
		one, err := workerstest.Walks(open, i+1, 500, uint64(walks))
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for event, times := range one {
			covered[event] += times
		}
	})
	t.Logf("contract: %d walks, %v", 3*walks, covered)
	for _, event := range workerstest.Events() {
		if covered[event] == 0 && !t.Failed() && effort.Of(0, 1, 1) == 1 {
			t.Errorf("%s has not come up in any walk", event)
		}
	}
}

// TestPlantsAreFound: each rule has a planted violation, and the suite finds every one, as what it
// is. What these workers do first is chance, and one violation may lead to another: some tries are
// allowed.
func TestPlantsAreFound(t *testing.T) {
	plants, open := workerstest.Plants(), openPlain(t)
	atOnce(len(plants), func(i int) {
		var broken *workerstest.Broken
		var err error
		for range 5 {
			if err = plants[i].Find(open); errors.As(err, &broken) && broken.Rule == plants[i].Breaks {
				return
			}
		}
		t.Errorf("%s: found %v, want %q broken", plants[i].Name, err, plants[i].Breaks)
	})
	for _, r := range workerstest.Rules() {
		if !slices.ContainsFunc(plants, func(x workerstest.Plant) bool { return x.Breaks == r }) {
			t.Errorf("nothing is planted that breaks %q", r)
		}
	}
}

// hearer is a machine that counts what it hears of jobs in its hands.
type hearer struct {
	*peer.Peer
	taken, abandoned int
}

func (l *hearer) Taken(_ time.Duration, jobs []peer.Job) []peer.Effect {
	l.taken += len(jobs)
	return nil
}

func (l *hearer) Abandoned(_ time.Duration, refs []steal.Ref, _ bool) []peer.Effect {
	l.abandoned += len(refs)
	return nil
}

// queuesBehind has the only worker of a plane busy with a root, and a job wait behind it.
func (p *plainLoop) queuesBehind(e peer.Execute) {
	c, i := p.conformsCodec, steal.Instance{Run: steal.Key{1}, First: steal.Submission{Submitter: workerstest.Self}}
	computes, waits := workerstest.Job{Seed: 1, Leaf: 50 * time.Millisecond}, workerstest.Job{Seed: 2}
	root := peer.Execute{
		Run: 1, Borrow: 1, Key: c.Key(i, computes), Task: c.Task(), Args: c.Fields(computes), IsRoot: true,
	}
	e.Run, e.Borrow, e.Key, e.Task, e.Args = 1, 2, c.Key(i, waits), c.Task(), c.Fields(waits)
	p.Turn(func() []peer.Effect {
		return []peer.Effect{peer.StartRun{Run: 1, Instance: i, Task: c.Task(), Root: c.Fields(computes)}, root, e}
	})
	for p.plane.pool.idleWorkers() > 0 || p.plane.pool.waiting(nil) != 1 {
		p.Pass(time.Millisecond)
	}
}

func newHearer() *hearer {
	return &hearer{Peer: peer.New(peer.Config{Member: membership.Config{ID: workerstest.Self}}, rand.New(rand.NewPCG(1, 2)))}
}

// A job that is withdrawn when it has been taken from the workers, and the machine has not been
// told, is none that the machine hears of.
func TestWithdrawnBeforeItIsTaken(t *testing.T) {
	heard := newHearer()
	p := openPlain(t)(1, heard).(*plainLoop)
	p.queuesBehind(peer.Execute{})
	taken := lendAny(p.plane.pool, 1, 1<<20)
	p.Turn(func() []peer.Effect {
		p.plane.want = &steal.WantJobs{N: 1}
		return []peer.Effect{peer.Withdraw{Borrow: 2}}
	})
	p.Turn(func() []peer.Effect {
		p.plane.answerTaken(taken, []*run{})
		return []peer.Effect{peer.EndRun{Run: 1}}
	})
	if len(taken) != 1 || heard.taken+heard.abandoned != 0 {
		t.Errorf("of %d jobs taken %d are said to be, and %d to be abandoned", len(taken), heard.taken, heard.abandoned)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// A job that is executed to verify another stays, though nobody waits for that one any more.
func TestWhatVerifiesStays(t *testing.T) {
	p := openPlain(t)(1, newHearer()).(*plainLoop)
	p.queuesBehind(peer.Execute{Ref: 99})
	if taken := lendAny(p.plane.pool, 1, 1<<20); len(taken) != 0 {
		t.Errorf("%d jobs are taken", len(taken))
	}
	p.Turn(func() []peer.Effect { return []peer.Effect{peer.EndRun{Run: 1}} })
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
