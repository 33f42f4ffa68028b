package gridsim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"
)

// taskName is the one kind of job that a workload has.
const taskName = "sim.Node"

// Workload is a tree of jobs. All of it is a function of the arguments, and of the best.
type Workload interface {
	Root() []byte
	Cost(args []byte) time.Duration
	Expand(args, best []byte) Step
	Combine(args []byte, results [][]byte) []byte
	Better(task string, a, b []byte) bool
	Choosing() bool
	// Right tells whether an answer is one that one core alone may find.
	Right(answer []byte) error
	// Witnessed tells whether a best has the value that it claims.
	Witnessed(best []byte) bool
	// Implied tells whether a fact follows from the root.
	Implied(fact []byte) bool
}

// Step is what a job comes to when it has run: children to wait for, a value or an error; and maybe a best and a fact.
type Step struct {
	Children [][]byte
	Shuffled bool // the children are spawned in an order that is drawn at each execution
	Any      bool // the first child's value that is not empty is the job's; then the other children are aborted
	Value    []byte
	Err      string
	Offer    []byte
	Fact     []byte
}

// alone computes a job without a grid.
func alone(w Workload, args []byte) []byte {
	s := w.Expand(args, nil)
	if len(s.Children) == 0 {
		return s.Value
	}
	results := make([][]byte, len(s.Children))
	for n, c := range s.Children {
		results[n] = alone(w, c)
	}
	return w.Combine(args, results)
}

// wrongAnswer is what a checker of answers found.
type wrongAnswer struct{ got, want []byte }

func (e *wrongAnswer) Error() string {
	return fmt.Sprintf("%x was delivered, but alone it is %x", e.got, e.want)
}

func same(got, want []byte) error {
	if !bytes.Equal(got, want) {
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

// mix scatters a number (splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
