package tsp

import (
	"fmt"

	"satingrid/apps/tsp/tsplib"
	"satingrid/satin"
)

// Solve is the root of a run: find a shortest tour, and prove that there is none shorter.
type Solve struct {
	Distances Distances
	Initial   []int // a tour to start from, of cities from 0; none: one is looked for
	Certify   bool  // whether the answer has a certificate
	// for whoever shows the answer and may have nothing but the root
	Map tsplib.Map
}

// Check says what is wrong with the task.
func (v Solve) Check() error {
	n := v.Distances.Cities
	if n < citiesMin || n > citiesMax {
		return fmt.Errorf("tsp: %d cities: %d to %d are expected", n, citiesMin, citiesMax)
	}
	if len(v.Distances.Upper) != n*(n-1)/2 {
		return fmt.Errorf("tsp: %d distances of %d cities, %d are expected", len(v.Distances.Upper), n, n*(n-1)/2)
	}
	if err := v.Map.Check(n); err != nil {
		return fmt.Errorf("tsp: %w", err)
	}
	if v.Initial == nil {
		return nil
	}
	seen := make([]bool, n)
	for _, c := range v.Initial {
		if c < 0 || c >= n || seen[c] {
			return fmt.Errorf("tsp: the initial tour visits city %d twice, or there is no such city", c+1)
		}
		seen[c] = true
	}
	if len(v.Initial) != n {
		return fmt.Errorf("tsp: the initial tour visits %d of %d cities", len(v.Initial), n)
	}
	return nil
}

// Run solves the problem. The starting tours are looked for by other workers, if there are any,
// while this one brings the root to its bound.
func (v Solve) Run(s *satin.Scope) (Tour, error) {
	if err := v.Check(); err != nil {
		return Tour{}, err
	}
	m := matrixOf(s)
	tour, finish := v.start(s, m)
	w := &search{limit: func() int64 { return limit(s) }, aborted: s.Aborted}
	if v.Certify {
		w.proof = new(proof)
		w.proof.reset(make([]int64, m.n))
	}
	w.cutoff = (m.length(tour) - 1) * scale
	offer(s, m, tour, w.first(m))
	bound := w.rounds(m, tour)
	best, err := finish()
	if err != nil {
		return Tour{}, err
	}
	offer(s, m, best, bound)
	w.lower()
	part := Part{Nodes: 1}
	open := w.eliminate(m, bound)
	if s.Aborted() {
		return Tour{}, satin.ErrWithdrawn
	}
	if open {
		below, err := satin.Spawn(s, w.subtree()).Wait(s)
		if err != nil {
			return Tour{}, err
		}
		part = below
	} else {
		count()
	}
	answer, _ := satin.Best[Tour](s)
	proved := *answer
	proved.Bound, proved.Nodes = proved.Length, part.Nodes
	if v.Certify {
		proved.Proof = append(w.proof.data, part.Proof...)
	}
	satin.Offer(s, proved)
	return proved, nil
}

// start returns a tour to begin with, and a function that waits for the best one
// that is found meanwhile.
func (v Solve) start(s *satin.Scope, m *matrix) (tour []int16, finish func() ([]int16, error)) {
	if v.Initial != nil {
		for _, c := range v.Initial {
			tour = append(tour, int16(c))
		}
		return tour, func() ([]int16, error) { return tour, nil }
	}
	var futures [startsMax]satin.Future[Start, []int16]
	for k := range futures {
		futures[k] = satin.Spawn(s, Start{k})
	}
	quick := newImprover(m)
	quick.begin(0)
	quick.descend()
	return quick.tour, func() ([]int16, error) {
		best := quick.tour
		for k := len(futures) - 1; k >= 0; k-- {
			other, err := futures[k].Wait(s)
			if err != nil {
				return nil, err
			}
			if m.length(other) < m.length(best) {
				best = other
			}
		}
		return best, nil
	}
}

// App is what a peer needs to take part.
func App() satin.App {
	return satin.App{
		Name:    "tsp",
		Version: "1",
		Tasks:   []satin.TaskType{satin.Type[Solve](), satin.Type[Start](), satin.Type[Subtree]()},
	}
}
