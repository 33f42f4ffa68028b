package satintest_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Tree is a binary tree whose leaves take so long on any machine.
type Tree struct {
	Depth int
	Seed  uint64
	Leaf  time.Duration
}

func (q Tree) Run(s *satin.Scope) (uint64, error) {
	if q.Depth == 0 {
		computes(q.Leaf)
		return q.Seed, nil
	}
	x := satin.Spawn(s, Tree{q.Depth - 1, 3*q.Seed + 1, q.Leaf})
	m, err := Tree{q.Depth - 1, 5*q.Seed + 3, q.Leaf}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return 7*n + m, err
}

// Value is what the tree comes to, without satin.
func (q Tree) Value() uint64 {
	if q.Depth == 0 {
		return q.Seed
	}
	return 7*Tree{q.Depth - 1, 3*q.Seed + 1, 0}.Value() + Tree{q.Depth - 1, 5*q.Seed + 3, 0}.Value()
}

// seconds is a tree of two seconds of one worker, or so.
func seconds(seed uint64) Tree { return Tree{Depth: 11, Seed: seed, Leaf: time.Millisecond} }

// Breaking fails, or panics, in a leaf far away.
type Breaking struct {
	Depth int
	Panic bool
}

var errBroken = errors.New("the leaf broke")

var broken atomic.Int64 // leaves that began

func (b Breaking) Run(s *satin.Scope) (int, error) {
	if b.Depth == 0 {
		broken.Add(1)
		computes(20 * time.Millisecond)
		if b.Panic {
			panic(errBroken)
		}
		return 0, errBroken
	}
	x := satin.Spawn(s, Breaking{b.Depth - 1, b.Panic})
	y := satin.Spawn(s, Tree{6, 1, time.Millisecond})
	if _, err := y.Wait(s); err != nil {
		return 0, err
	}
	return x.Wait(s)
}

// Unsteady is no function of its fields.
type Unsteady struct{ Depth, N int }

var unsteady atomic.Int64

func (u Unsteady) Run(s *satin.Scope) (int64, error) {
	if u.Depth == 0 {
		computes(2 * time.Millisecond)
		return unsteady.Add(1), nil
	}
	x, y := satin.Spawn(s, Unsteady{u.Depth - 1, 2 * u.N}), satin.Spawn(s, Unsteady{u.Depth - 1, 2*u.N + 1})
	m, err := y.Wait(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return n + m, err
}

// Big returns, or takes, as many bytes.
type Big struct {
	Bytes int
	Pad   []byte
}

func (b Big) Run(s *satin.Scope) ([]byte, error) {
	computes(5 * time.Millisecond)
	return make([]byte, b.Bytes), nil
}

// Bigs has n of them.
type Bigs struct{ N, Bytes, Pad int }

func (b Bigs) Run(s *satin.Scope) (int, error) {
	total := 0
	make := func(i int) Big { return Big{b.Bytes + i, make([]byte, b.Pad)} }
	err := satin.Each(s, b.N, make, func(_ int, got []byte) { total += len(got) })
	return total, err
}

// Rivals has two parents that wait for one and the same subtree; one gives it up.
type Rivals struct{ Seed uint64 }

// Rival is one of them.
type Rival struct {
	Seed   uint64
	GiveUp bool
}

func (r Rival) Run(s *satin.Scope) (uint64, error) {
	x := satin.Spawn(s, Tree{6, r.Seed, time.Millisecond})
	y := satin.Spawn(s, Tree{4, r.Seed + 1, time.Millisecond})
	n, err := y.Wait(s)
	if err != nil {
		return 0, err
	}
	if r.GiveUp {
		s.Abort()
		if _, err := x.Wait(s); err != nil && !errors.Is(err, satin.ErrWithdrawn) {
			return 0, err
		}
		return n, nil
	}
	m, err := x.Wait(s)
	return n + m, err
}

func (r Rivals) Run(s *satin.Scope) (uint64, error) {
	all, err := satin.All(s, []Rival{{r.Seed, true}, {r.Seed, false}, {r.Seed, true}, {r.Seed + 5, false}})
	var sum uint64
	for _, v := range all {
		sum += v
	}
	return sum, err
}

func (r Rivals) Value() uint64 {
	one := func(seed uint64, giveUp bool) uint64 {
		v := Tree{4, seed + 1, 0}.Value()
		if !giveUp {
			v += Tree{6, seed, 0}.Value()
		}
		return v
	}
	return 2*one(r.Seed, true) + one(r.Seed, false) + one(r.Seed+5, false)
}

// Sulky answers soon, or waits until it is told to stop and then panics.
type Sulky struct{ N int }

func (k Sulky) Run(s *satin.Scope) (int, error) {
	if k.N == 0 {
		_, err := Tree{8, 1, time.Millisecond}.Run(s) // while thieves take the others
		return 0, err
	}
	computesUntil(s, never)
	panic("sulking")
}

// Sulkers takes the first answer, then goes on.
type Sulkers struct{ Count int }

func (k Sulkers) Run(s *satin.Scope) (uint64, error) {
	var tasks []Sulky
	for n := range k.Count {
		tasks = append(tasks, Sulky{n})
	}
	if _, err := satin.First(s, tasks, func(n int) bool { return n == 0 }); err != nil {
		return 0, err
	}
	return Tree{11, 1, time.Millisecond}.Run(s)
}

// Flat is one job that has N children, which are done elsewhere until its stage is over.
type Flat struct{ N, Stage int }

// Stalk is one of them.
type Stalk struct{ I, Stage int }

// stages are where runs of Flat are: a test has one, and moves it.
var stages [4]struct {
	phase  atomic.Int32
	ending atomic.Int64 // children that may have seen the first phase, and have not ended
	ended  atomic.Int64 // children
}

// The phases of a stage. In the first the root keeps its worker, and others do what they can. Then
// no child ends by itself, so what ends was found. In the last all goes on.
const (
	phaseOpen int32 = iota
	phaseShut
	phaseOver
)

func (k Stalk) Run(s *satin.Scope) (int, error) {
	at := &stages[k.Stage]
	computes(time.Millisecond) // less is not worth keeping
	at.ending.Add(1)
	if at.phase.Load() == phaseShut {
		at.ending.Add(-1)
		if !computesUntil(s, func() bool { return at.phase.Load() == phaseOver }) {
			return 0, satin.ErrWithdrawn
		}
		at.ending.Add(1)
	}
	at.ended.Add(1)
	at.ending.Add(-1)
	return k.I + 1, nil
}

func (f Flat) Run(s *satin.Scope) (int, error) {
	var all []satin.Future[Stalk, int]
	for i := range f.N {
		all = append(all, satin.Spawn(s, Stalk{i, f.Stage}))
	}
	computesUntil(s, func() bool { return stages[f.Stage].phase.Load() == phaseOver })
	sum := 0
	for _, x := range all {
		n, err := x.Wait(s)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

func (f Flat) Value() int { return f.N * (f.N + 1) / 2 }

// open gives a test its stage.
func open(stage int) {
	stages[stage].phase.Store(phaseOpen)
	stages[stage].ended.Store(0)
}

// shut moves a stage to its second phase, and returns how many children have ended. The last may
// not have been noted yet where they were made: that is done by whoever made them, who lives.
func shut(t *testing.T, stage int) int {
	t.Helper()
	at := &stages[stage]
	at.phase.Store(phaseShut)
	await.Until(t, "no child ends any more", func() bool { return at.ending.Load() == 0 })
	return int(at.ended.Load())
}

// partsMany is how many parts are more than one message holds, adverts and wills.
const partsMany = 600

// Bereaved has a child of which one child fails and the others compute until they are told to stop,
// and ends when they were. It says how many.
type Bereaved struct{}

// Failing is its child, and the one that fails.
type Failing struct{ Leaf bool }

// Sibling is one of the others.
type Sibling struct{ N int }

var siblings struct{ begun, told atomic.Int64 }

func (x Sibling) Run(s *satin.Scope) (int, error) {
	siblings.begun.Add(1)
	computesUntil(s, never)
	siblings.told.Add(1)
	return 0, nil
}

func (f Failing) Run(s *satin.Scope) (int, error) {
	if f.Leaf {
		return 0, errBroken
	}
	for n := range 4 {
		satin.Spawn(s, Sibling{n})
	}
	computesUntil(s, func() bool { return siblings.begun.Load() >= 2 })
	return satin.Spawn(s, Failing{Leaf: true}).Wait(s)
}

func (b Bereaved) Run(s *satin.Scope) (int64, error) {
	_, err := satin.Spawn(s, Failing{}).Wait(s)
	var failed *satin.JobError
	if !errors.As(err, &failed) {
		return 0, err
	}
	computesUntil(s, func() bool { return siblings.told.Load() >= siblings.begun.Load() })
	return siblings.told.Load(), nil
}

var app = satin.App{Name: "satintest", Version: "1.0", Tasks: []satin.TaskType{
	satin.Type[Tree](), satin.Type[Breaking](), satin.Type[Unsteady](), satin.Type[Big](), satin.Type[BigChild](), satin.Type[Bigs](),
	satin.Type[Rival](), satin.Type[Rivals](), satin.Type[Sulky](), satin.Type[Sulkers](),
	satin.Type[Endless](), satin.Type[Unending](), satin.Type[Flat](), satin.Type[Stalk](), satin.Type[Bereaved](), satin.Type[Failing](), satin.Type[Sibling](),
}}

func start(t *testing.T, c satintest.Config) *satintest.Grid {
	t.Helper()
	c.App = app
	if c.Delay == 0 {
		c.Delay = time.Millisecond
	}
	return satintest.Start(t, c)
}

func submit[T satin.Task[R], R any](t *testing.T, g *satintest.Grid, task T) *satin.Submission[R] {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Patience)
	t.Cleanup(cancel)
	sub, err := satin.Submit[T, R](ctx, g.Client, task)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func wait[R comparable](t *testing.T, sub *satin.Submission[R], want R) satin.Stats {
	t.Helper()
	if got, err := sub.Wait(); err != nil || got != want {
		t.Fatalf("got %v, %v, want %v; %+v", got, err, want, sub.Stats())
	}
	return sub.Stats()
}
