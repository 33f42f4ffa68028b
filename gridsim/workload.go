package gridsim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"

	"satingrid/steal"
)

// taskName is the one kind of job that a workload has.
const taskName = "sim.Node"

// Workload is a tree of jobs. All of it is a function of the arguments, and of the best.
type Workload interface {
	Root() []byte
	Cost(args []byte) time.Duration
	Expand(args, best []byte) Step
	// Combine makes a job's value of its children's; that of a child that failed is nil.
	Combine(args []byte, results [][]byte) []byte
	Better(task string, a, b []byte) bool
	Choosing() bool
	// Right tells whether an answer is one that one core alone may find.
	Right(answer steal.Result) error
	// Witnessed tells whether a best has the value that it claims.
	Witnessed(best []byte) bool
	// Implied tells whether a fact follows from the root.
	Implied(fact []byte) bool
}

// Step is what a job comes to when it has run: children to wait for, a value, an error or a panic;
// and maybe a best and a fact.
type Step struct {
	Children [][]byte
	Shuffled bool // the children are spawned in an order that is drawn at each execution
	Catches  bool // children's errors are not the job's
	// the job's value once a child has one that is not empty; then the other children are
	// aborted
	Any    []byte
	Value  []byte
	Err    string
	Panic  string // what the job panics with
	Offer  []byte
	Fact   []byte
	Fickle bool // the value is drawn: the job breaks its contract
}

// isFickle tells whether some of a workload's jobs break their contract. Then no answer is right;
// that the run ends is all there is to demand.
func isFickle(w Workload) bool {
	t, ok := w.(*Tree)
	return ok && t.Fickle
}

// alone computes a job without a grid.
func alone(w Workload, args []byte) steal.Result {
	return evaluate(w, args, func([]byte, steal.Result) {})
}

// evaluate computes a job alone, and tells of every job below it. None is left out, though an error
// or a find would let a core on its own go on.
func evaluate(w Workload, args []byte, came func(args []byte, r steal.Result)) (r steal.Result) {
	s := w.Expand(args, nil)
	switch {
	case s.Panic != "":
		r = steal.Result{Outcome: steal.Panicked, Bytes: []byte(s.Panic)}
	case s.Err != "":
		r = steal.Result{Outcome: steal.Failed, Bytes: []byte(s.Err)}
	case len(s.Children) == 0:
		r.Bytes = s.Value
	default:
		r = evaluateKids(w, args, &s, came)
	}
	came(args, r)
	return r
}

func evaluateKids(w Workload, args []byte, s *Step, came func(args []byte, r steal.Result)) steal.Result {
	results := make([][]byte, len(s.Children))
	var failed, panicked *steal.Result
	found := false
	for n, c := range s.Children {
		r := evaluate(w, c, came)
		switch {
		case r.Outcome == steal.Value:
			results[n] = r.Bytes
			found = found || len(r.Bytes) > 0
		case r.Outcome == steal.Panicked:
			panicked = &r
		case !s.Catches && failed == nil:
			failed = &r
		}
	}
	switch {
	case panicked != nil: // no Wait returns it
		return *panicked
	case failed != nil:
		return *failed
	case s.Any != nil && found:
		return steal.Result{Bytes: s.Any}
	}
	return steal.Result{Bytes: w.Combine(args, results)}
}

// measureMax bounds a measurement: one takes less than a second.
const measureMax = 1 << 17

// measure counts the jobs of a workload without pruning, what they cost, and what those cost that
// wait for one another: the time that is needed with any number of workers. There are no more than
// measureMax, or what it says would be less than they are.
func measure(w Workload) (jobs int, work, span time.Duration) {
	if jobs, work, span = measured(w); jobs > measureMax {
		panic(fmt.Sprintf("gridsim: BUG: a workload of more than %d jobs is measured", measureMax))
	}
	return jobs, work, span
}

// jobsOf counts the jobs of a workload. Of one that cannot be measured it is one too many.
func jobsOf(w Workload) int {
	jobs, _, _ := measured(w)
	return min(jobs, measureMax+1)
}

// measured measures the first so many.
func measured(w Workload) (jobs int, work, span time.Duration) {
	var down func(args []byte) time.Duration
	down = func(args []byte) (span time.Duration) {
		if jobs++; jobs > measureMax {
			return 0
		}
		for _, c := range w.Expand(args, nil).Children {
			span = max(span, down(c))
		}
		cost := w.Cost(args)
		work += cost
		return cost + span
	}
	span = down(w.Root())
	return jobs, work, span
}

// wrongAnswer is what a checker of answers found.
type wrongAnswer struct{ got, want steal.Result }

func (e *wrongAnswer) Error() string {
	return fmt.Sprintf("%v %x was delivered, but alone it is %v %x", e.got.Outcome, e.got.Bytes, e.want.Outcome, e.want.Bytes)
}

func same(got, want steal.Result) error {
	if got.Outcome != want.Outcome || !bytes.Equal(got.Bytes, want.Bytes) {
		return &wrongAnswer{got, want}
	}
	return nil
}

// encode writes numbers; word reads one.
func encode(numbers ...uint64) []byte {
	b := make([]byte, 0, 8*len(numbers))
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

func word(b []byte, n int) uint64 { return binary.BigEndian.Uint64(b[8*n:]) }

// lead tells jobs apart, those too that no workload has made.
func lead(args []byte) uint64 {
	if len(args) < 8 {
		return uint64(len(args))
	}
	return word(args, 0)
}

// mix scatters a number (splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
