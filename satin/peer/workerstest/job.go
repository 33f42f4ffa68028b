package workerstest

import (
	"time"

	"satingrid/steal"
)

// Job is one job of the program that a data plane executes under test: a tree whose right answer
// is known, and whose results name their jobs, so that each can be judged by itself. A plane has a
// task that does what a Job says: it computes for Cost, or Leaf where it has no children, hears of
// the best, and then
//
//   - with children, spawns all of them, waits for them in their order, and returns the error of
//     the first that has one, else [Job.Sum] of their results;
//   - without, offers its own Result as a best if it Searches, tells [Job.Fact] if it Tells, panics
//     or fails if [Job.Panics] or [Job.Fails] says so, and returns [Job.Own].
//
// A child and a result carry in Seen the value of the best that their job saw. A job that was told
// to stop returns no error but a wrong value: nobody may take that for its result.
type Job struct {
	Seed  uint64
	Seen  uint64 // of the best, by the parent: no part of what the job is
	Depth uint8  // 0: a leaf
	Wide  uint8  // how many children a job has, but for leaves
	Does  Does
	Cost  time.Duration
	Leaf  time.Duration
}

// Does is what else leaves do.
type Does uint8

// What leaves do.
const (
	Searches Does = 1 << iota // each offers its result
	Tells                     // each tells a fact
	Errs                      // one in four fails
	Blows                     // all panic
)

// Result is what a job comes to.
type Result struct {
	Of   Job
	V    uint64
	Seen uint64
}

// Better is the order of bests.
func (r Result) Better(than Result) bool { return r.V > than.V }

// Children are what a job spawns when it has seen a best.
func (j Job) Children(seen uint64) (all []Job) {
	if j.Depth == 0 {
		return nil
	}
	for i := range uint64(j.Wide) {
		child := j
		child.Seed, child.Depth, child.Seen = mix(j.Seed, i+2), j.Depth-1, seen
		all = append(all, child)
	}
	return all
}

// Computes is how long a job does before it spawns, or returns.
func (j Job) Computes() time.Duration {
	if j.Depth == 0 {
		return j.Leaf
	}
	return j.Cost
}

// Own is what a job returns that has no children.
func (j Job) Own(seen uint64) Result { return Result{j.bare(), mix(j.Seed, 99), seen} }

// Sum is what a job returns that has some.
func (j Job) Sum(children []Result) Result {
	r := j.Own(j.Seen)
	for i, c := range children {
		r.V += uint64(i+1) * c.V
		r.Seen = max(r.Seen, c.Seen)
	}
	return r
}

// Fails tells whether a leaf returns an error, and Panics whether it panics.
func (j Job) Fails() bool  { return j.Depth == 0 && j.Does&Errs != 0 && mix(j.Seed, 7)%4 == 0 }
func (j Job) Panics() bool { return j.Depth == 0 && j.Does&Blows != 0 }

// Fact is what a leaf tells.
func (j Job) Fact() []byte { return []byte{byte(j.Seed), byte(j.Seed >> 8), byte(j.Seed >> 16)} }

// bare is a job as it is told from others.
func (j Job) bare() Job {
	j.Seen = 0
	return j
}

// alone is the dumb twin: what a job comes to, and whether that is an error.
func (j Job) alone() (v uint64, failed bool) {
	v = mix(j.Seed, 99)
	if j.Fails() {
		return 0, true
	}
	for i, c := range j.Children(0) {
		x, failed := c.alone()
		if failed {
			return 0, true
		}
		v += uint64(i+1) * x
	}
	return v, false
}

// below visits a job and all below it.
func (j Job) below(visit func(Job)) {
	visit(j.bare())
	for _, c := range j.Children(0) {
		c.below(visit)
	}
}

// has tells whether another job is this one or below it.
func (j Job) has(other Job) (has bool) {
	j.below(func(x Job) { has = has || x == other.bare() })
	return has
}

// mix scatters a number.
func mix(a, b uint64) uint64 {
	x := a ^ b*0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

// Codec is how a data plane writes what travels.
type Codec interface {
	Task() string // of a Job
	Fields(Job) []byte
	ReadFields([]byte) (Job, error)
	Bytes(Result) []byte
	ReadBytes([]byte) (Result, error)
	Failure(text string) []byte // of a result that is an error
	Key(i steal.Instance, j Job) steal.Key
}
