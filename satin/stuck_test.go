package satin

// Inside the package: the test drives the plane in the place of a loop.

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// stuckCode is code of a program's own that returns when the test says so, if it is to wait at all.
type stuckCode struct {
	shut atomic.Pointer[chan struct{}] // nil: nobody waits
	held atomic.Int32                  // how many do
}

var gatedCode stuckCode

func (c *stuckCode) pass() {
	if gate := c.shut.Load(); gate != nil {
		c.held.Add(1)
		<-*gate
		c.held.Add(-1)
	}
}

// shutUntil makes them wait until open is called.
func (c *stuckCode) shutUntil() (open func()) {
	gate := make(chan struct{})
	c.shut.Store(&gate)
	return sync.OnceFunc(func() { c.shut.Store(nil); close(gate) })
}

// stuckField is encoded by code that may wait.
type stuckField struct{ N byte }

func (g stuckField) MarshalBinary() ([]byte, error) {
	gatedCode.pass()
	return []byte{g.N}, nil
}

func (g *stuckField) UnmarshalBinary(data []byte) error {
	if g.N = data[0]; g.N == stuckPanics {
		panic(stuckText{})
	}
	return nil
}

// stuckPanics is what panics when it is read, with a value whose text may wait.
const stuckPanics = 255

type stuckText struct{}

func (stuckText) String() string { gatedCode.pass(); return "as it was told to" }

// stuckJob has so many children, and waits for them when the test lets go.
type stuckJob struct {
	Wide  int
	Field stuckField
}

// quickJob is one whose fields no code of the program's encodes.
type quickJob struct{ N int }

var stuckGo atomic.Pointer[chan struct{}]

// stuckSpawned is when the children of a stuckJob lie open.
var stuckSpawned atomic.Bool

func (j stuckJob) Run(s *Scope) (int, error) {
	var all []Future[stuckJob, int]
	for n := range j.Wide {
		all = append(all, Spawn(s, stuckJob{0, stuckField{byte(n)}}))
	}
	if j.Wide > 0 {
		s.publish() // as if a thief had asked
		stuckSpawned.Store(true)
		<-*stuckGo.Load()
	}
	for _, x := range all {
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return j.Wide, nil
}

func (j quickJob) Run(s *Scope) (int, error) { return j.N, nil }

// overheard is what the machine hears of the workers, as far as the test looks.
type overheard struct {
	workers.Events
	mu         sync.Mutex
	taken      []peer.Job
	answered   int // WantJobs
	unfinished map[peer.RunNo]int
	failed     map[peer.RunNo]bool
}

func (o *overheard) noted(do func()) []peer.Effect {
	o.mu.Lock()
	defer o.mu.Unlock()
	do()
	return nil
}

func (o *overheard) Idle(time.Duration, int) []peer.Effect                { return nil }
func (o *overheard) Lacks(time.Duration, []peer.RunNo) []peer.Effect      { return nil }
func (o *overheard) Unkept(time.Duration, peer.RunNo) []peer.Effect       { return nil }
func (o *overheard) Salvaged(time.Duration, []peer.Part) []peer.Effect    { return nil }
func (o *overheard) Stopped(time.Duration, steal.Borrow) []peer.Effect    { return nil }
func (o *overheard) Gathered(time.Duration, []peer.Part) []peer.Effect    { return nil }
func (o *overheard) Told(time.Duration, peer.RunNo, []byte) []peer.Effect { return nil }

func (o *overheard) Abandoned(time.Duration, []steal.Ref, bool) []peer.Effect { return nil }

func (o *overheard) Finished(time.Duration, steal.Borrow, steal.Result) []peer.Effect { return nil }

func (o *overheard) Taken(_ time.Duration, jobs []peer.Job) []peer.Effect {
	return o.noted(func() { o.answered++; o.taken = append(o.taken, jobs...) })
}

func (o *overheard) Unfinished(_ time.Duration, no peer.RunNo, _ []steal.Key) []peer.Effect {
	return o.noted(func() { o.unfinished[no]++ })
}

func (o *overheard) Panicked(_ time.Duration, no peer.RunNo, _ steal.Result) []peer.Effect {
	return o.noted(func() { o.failed[no] = true })
}

// sees tells whether something of it is so.
func (o *overheard) sees(is func() bool) func() bool {
	return func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return is()
	}
}

// stuckBench is a plane with a loop, on which everything must be over soon.
type stuckBench struct {
	*plainLoop
	*overheard
	t *testing.T
}

func newStuckBench(t *testing.T) *stuckBench {
	app, err := newRegistry(App{Tasks: []TaskType{Type[stuckJob](), Type[quickJob]()}})
	if err != nil {
		t.Fatal(err)
	}
	o := &overheard{unfinished: map[peer.RunNo]int{}, failed: map[peer.RunNo]bool{}}
	return &stuckBench{newPlainLoop(app, 1, o), o, t}
}

// orders gives orders, and sees that the loop is through with them.
func (b *stuckBench) orders(what string, all ...peer.Effect) {
	b.t.Helper()
	b.through(what, func() { b.plainLoop.Do(all) })
}

func (b *stuckBench) through(what string, do func()) {
	b.t.Helper()
	done := make(chan struct{})
	b.Post(func() { do(); close(done) })
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		b.t.Fatalf("the loop waits for the program's own code: %s", what)
	}
}

func (b *stuckBench) begin(no peer.RunNo, task string, root []byte) {
	i := steal.Instance{Run: steal.KeyOf([]byte{byte(no)})}
	b.orders("a run begins", peer.StartRun{
		Run: no, Instance: i, Task: task, Root: root, Terms: peer.Terms{Share: peer.ShareDefault, ResultMax: 1 << 20},
	})
}

func (b *stuckBench) execute(no peer.RunNo, borrow steal.Borrow, task string, args []byte) {
	b.orders("a job is to be executed", peer.Execute{Run: no, Borrow: borrow, Key: steal.KeyOf(args), Task: task, Args: args})
}

// takes wants jobs until one is taken, which must be of that run.
func (b *stuckBench) takes(no peer.RunNo) {
	b.t.Helper()
	for had, answered := len(b.taken), b.answered; ; answered++ {
		b.orders("jobs are wanted", steal.WantJobs{N: 1, Bytes: 1 << 20})
		await.Until(b.t, "that is answered", b.sees(func() bool { return b.answered > answered }))
		if len(b.taken) == had {
			continue // all were idle
		}
		if b.taken[had].Run != no {
			b.t.Errorf("a job of run %d is taken, and not of run %d", b.taken[had].Run, no)
		}
		return
	}
}

// TestNothingSlowOnTheLoopWhereCodeIsStuck: code of one run's own, which encodes its fields or says
// what it panicked with, does not return. The loop goes on, and so do the keys and the loans of the
// other run.
func TestNothingSlowOnTheLoopWhereCodeIsStuck(t *testing.T) {
	b := newStuckBench(t)
	const bad, good, panics = 1, 2, 3
	goes := make(chan struct{})
	stuckGo.Store(&goes)
	stuckSpawned.Store(false)
	wide, root := mustMarshal(&stuckJob{16, stuckField{77}}), mustMarshal(&quickJob{1})
	unreadable := mustMarshal(&stuckJob{0, stuckField{stuckPanics}})
	b.begin(bad, "satin.stuckJob", wide)
	b.begin(good, "satin.quickJob", root)
	b.execute(bad, 1, "satin.stuckJob", wide)
	await.Until(t, "jobs lie open", stuckSpawned.Load)
	b.takes(bad)
	for n := range 4 {
		b.execute(good, steal.Borrow(10+n), "satin.quickJob", mustMarshal(&quickJob{10 + n}))
	}

	open := gatedCode.shutUntil()
	defer open()
	b.orders("keys are listed", peer.WantKeys{Run: bad})
	await.Until(t, "the code is stuck", func() bool { return gatedCode.held.Load() > 0 })
	b.orders("a job comes back", peer.PutBack{Ref: b.taken[0].Ref})
	b.plane.Idle()
	stuck := time.Now()
	await.Until(t, "it is looked whose turn it is", func() bool {
		p := b.plane.pool
		if !p.mu.TryLock() {
			return false
		}
		defer p.mu.Unlock()
		return p.turns.looked.After(stuck)
	})
	b.through("the loop asks", func() {
		b.plane.Shares(func(steal.Borrow, float64) {})
		b.plane.pool.idleWorkers()
	})
	b.orders("a share changes", peer.ShareIs{Run: bad, Share: 7})
	b.orders("keys of another run are listed", peer.WantKeys{Run: good})
	await.Until(t, "they are", b.sees(func() bool { return b.unfinished[good] == 1 }))
	b.takes(good)
	b.takes(good)
	b.begin(panics, "satin.stuckJob", unreadable)
	await.Until(t, "its text is stuck, too", func() bool { return gatedCode.held.Load() > 1 })
	b.orders("a job is not wanted", peer.Withdraw{Borrow: 13})

	open()
	await.Until(t, "the keys are listed", b.sees(func() bool { return b.unfinished[bad] == 1 }))
	await.Until(t, "the run fails that panics", b.sees(func() bool { return b.failed[panics] }))
	b.orders("the runs end", peer.EndRun{Run: bad}, peer.EndRun{Run: good}, peer.EndRun{Run: panics})
	close(goes)
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
