// Package satin runs divide-and-conquer programs: a job spawns jobs and waits for them.
//
// This is the sequential form of the API, the twin that the parallel one is compared with: a spawned
// job runs at once, in the goroutine that spawned it.
package satin

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
)

// Task is a kind of job.
type Task[R any] interface {
	Run(s *Scope) (R, error)
}

// Scope is what a running job sees of the run it belongs to.
type Scope struct{ run *run }

type run struct {
	ctx    context.Context
	root   any
	best   any
	values map[reflect.Type]any
}

// Future is the result of a spawned job, once waited for.
type Future[T Task[R], R any] struct{ j *job[R] }

type job[R any] struct {
	r   R
	err error
}

// ErrWithdrawn is what Wait returns for a job that nobody wants any more.
var ErrWithdrawn = errors.New("satin: job withdrawn")

// Spawn makes a job that may run elsewhere.
func Spawn[T Task[R], R any](s *Scope, task T) Future[T, R] {
	r, err := task.Run(s)
	return Future[T, R]{&job[R]{r, err}}
}

// Wait returns the result of the job.
func (f Future[T, R]) Wait(s *Scope) (R, error) { return f.j.r, f.j.err }

// All spawns tasks and returns their results in order.
func All[T Task[R], R any](s *Scope, tasks []T) ([]R, error) {
	out := make([]R, len(tasks))
	for i, t := range tasks {
		r, err := t.Run(s)
		if err != nil {
			return nil, err
		}
		out[i] = r
	}
	return out, nil
}

// Each spawns make(0) … make(n-1) and hands their results to got, in order of i.
func Each[T Task[R], R any](s *Scope, n int, make func(i int) T, got func(i int, r R)) error {
	for i := 0; i < n; i++ {
		r, err := make(i).Run(s)
		if err != nil {
			return err
		}
		got(i, r)
	}
	return nil
}

// First returns the first result that ok accepts and aborts the others; it fails when none is accepted.
func First[T Task[R], R any](s *Scope, tasks []T, ok func(R) bool) (R, error) {
	var zero R
	for _, t := range tasks {
		r, err := t.Run(s)
		if err != nil {
			return zero, err
		}
		if ok(r) {
			return r, nil
		}
	}
	return zero, ErrNone
}

// ErrNone is what First returns when it accepted no result.
var ErrNone = errors.New("satin: no result was accepted")

// Sync waits for every child of this job.
func (s *Scope) Sync() error { return nil }

// Abort gives up this job's outstanding children.
func (s *Scope) Abort() {}

// Aborted tells whether this job was withdrawn.
func (s *Scope) Aborted() bool { return s.run.ctx.Err() != nil }

// Context ends when the run ends.
func (s *Scope) Context() context.Context { return s.run.ctx }

// Rand is this job's random source.
func (s *Scope) Rand() *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%#v", s.run.root)
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// Root is the root task, read-only. It panics when the root is no T.
func Root[T any](s *Scope) *T { return s.run.root.(*T) }

// Derive is a value made from the root, once a peer and run. T is a named type with one f.
func Derive[T any](s *Scope, f func() T) T { return *local(s, f) }

// Local is this worker's state for this run, usable until the job's next Spawn or Wait.
func Local[T any](s *Scope, f func() T) T { return *local(s, f) }

func local[T any](s *Scope, f func() T) *T {
	t := reflect.TypeFor[T]()
	v, ok := s.run.values[t].(*T)
	if !ok {
		x := f()
		v = &x
		s.run.values[t] = v
	}
	return v
}

// Better is a solution that can be compared: a strict weak order.
type Better[T any] interface{ Better(than T) bool }

// Offer offers a solution as the run's best. T must be the root task's result type.
func Offer[T Better[T]](s *Scope, v T) {
	if cur, ok := s.run.best.(*T); !ok || v.Better(*cur) {
		s.run.best = &v
	}
}

// Best is the best solution so far, read-only.
func Best[T Better[T]](s *Scope) (*T, bool) {
	v, ok := s.run.best.(*T)
	return v, ok
}

// Peer computes. A nil *Peer stands for this process alone.
type Peer struct{}

// Config says what a peer is.
type Config struct {
	App     App
	Alone   bool // compute here, with no network
	Workers int  // cores to use; 0: all
}

// App is what a program brings.
type App struct {
	Name    string
	Version string
	Tasks   []TaskType
}

// TaskType is one task type of an App.
type TaskType struct{ name string }

// Type describes the task type T.
func Type[T Task[R], R any]() TaskType { return TaskType{reflect.TypeFor[T]().String()} }

// Open makes a peer.
func Open(ctx context.Context, c Config) (*Peer, error) { return &Peer{}, nil }

// Close ends the peer at once.
func (p *Peer) Close() error { return nil }

// Run computes task and returns its answer.
func Run[T Task[R], R any](ctx context.Context, p *Peer, task T) (R, error) {
	sub, err := Submit(ctx, p, task)
	if err != nil {
		var zero R
		return zero, err
	}
	return sub.Wait()
}

// Submission is a run that was asked for.
type Submission[R any] struct {
	done chan struct{}
	r    R
	err  error
	run  *run
}

// Submit starts a run; ending ctx withdraws it.
func Submit[T Task[R], R any](ctx context.Context, p *Peer, task T) (*Submission[R], error) {
	sub := &Submission[R]{done: make(chan struct{}), run: &run{ctx: ctx, root: &task, values: map[reflect.Type]any{}}}
	go func() {
		defer close(sub.done)
		s := &Scope{sub.run}
		sub.r, sub.err = task.Run(s)
		if b, ok := sub.run.best.(*R); ok && sub.err == nil {
			sub.r = *b
		}
	}()
	return sub, nil
}

// Wait waits for the answer.
func (u *Submission[R]) Wait() (R, error) { <-u.done; return u.r, u.err }

// Done is closed when the answer is there.
func (u *Submission[R]) Done() <-chan struct{} { return u.done }

// Progress estimates how much of the run is done, 0 to 1; it never falls.
func (u *Submission[R]) Progress() float64 { return 0 }

// Best is the best solution so far, for runs that Offer.
func (u *Submission[R]) Best() (R, bool) {
	b, ok := u.run.best.(*R)
	if !ok {
		var zero R
		return zero, false
	}
	return *b, true
}

// Stats tells what the run has done so far.
type Stats struct {
	Peers []PeerStats
}

// PeerStats is one peer's share.
type PeerStats struct {
	Name, Site string
	Workers    int
	Jobs       int64   // jobs executed
	Busy       float64 // worker seconds spent in jobs of this run
	Aborted    int64
}

// Stats tells what the run has done so far.
func (u *Submission[R]) Stats() Stats { return Stats{} }
