package tsp

import (
	"errors"
	"fmt"

	"satingrid/apps/tsp/tsplib"
	"satingrid/satin"
)

// Solve is the root of a run: find a shortest tour, and prove that there is none shorter.
type Solve struct {
	Distances Distances
	Fixed     [][2]int // edges that each tour must have, of a symmetric problem
	Initial   []int    // a tour to start from, of cities from 0; none: one is looked for
	Certify   bool     // whether the answer has a certificate
	// for whoever shows the answer and may have nothing but the root
	Map tsplib.Map
}

// Check says what is wrong with the task.
func (v Solve) Check() error {
	n, by := v.Distances.Cities, v.Map.Numbering
	if err := v.Distances.check(); err != nil {
		return err
	}
	if err := v.Map.Check(n); err != nil {
		return fmt.Errorf("tsp: %w", err)
	}
	if at, what := tsplib.FaultOfFixed(n, v.Fixed); what != "" {
		return fmt.Errorf("tsp: the fixed edge %d-%d %s", by.Of(v.Fixed[at][0]), by.Of(v.Fixed[at][1]), what)
	}
	if v.Distances.directed() && v.Fixed != nil {
		return errors.New("tsp: an asymmetric problem has fixed edges, none are expected")
	}
	if v.Initial == nil {
		return nil
	}
	return v.checkInitial(by)
}

func (v Solve) checkInitial(by tsplib.Numbering) error {
	n := v.Distances.Cities
	at := make([]int, n) // by city: one more than its place in the tour
	for k, c := range v.Initial {
		if c < 0 || c >= n || at[c] > 0 {
			return fmt.Errorf("tsp: the initial tour visits city %d twice, or there is no such city", by.Of(c))
		}
		at[c] = k + 1
	}
	if len(v.Initial) != n {
		return fmt.Errorf("tsp: the initial tour visits %d of %d cities", len(v.Initial), n)
	}
	for _, e := range v.Fixed {
		if d := max(at[e[0]]-at[e[1]], at[e[1]]-at[e[0]]); d != 1 && d != n-1 {
			return fmt.Errorf("tsp: the initial tour has not the fixed edge %d-%d, a tour with all of them is expected", by.Of(e[0]), by.Of(e[1]))
		}
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
	w := &search{limit: func() int64 { return limit(s) }, aborted: s.Aborted}
	w.found = func(tour []int16) { offerAgain(s, m, tour) }
	w.bounded = func(bound int64) { offerBound(s, bound) }
	if v.Certify {
		w.proof = new(proof)
		w.proof.reset(make([]int64, m.n))
	}
	if v.Distances.Cities < branchMin {
		offer(s, m, m.nodes([]int{0, 1}[:v.Distances.Cities]), 0)
		return v.proved(s, w.proof, single(w.proof)), nil
	}
	first, open := w.first(m)
	if !open {
		if w.chosen < m.n {
			panic("tsp: BUG: fixed edges that leave no tour")
		}
		offer(s, m, w.tour(), first)
		return v.proved(s, w.proof, single(w.proof)), nil
	}
	tour, finish, err := v.start(s, m, first)
	if err != nil {
		return Tour{}, err
	}
	w.cutoff = (m.length(tour) - 1) * scale
	bound := max(w.rounds(m, tour), first)
	best, err := finish()
	if err != nil {
		return Tour{}, err
	}
	offer(s, m, best, bound)
	if answer, _ := satin.Best[Tour](s); m.w == nil && !s.Aborted() {
		return *answer, nil // there are too many cities for more than a bound
	}
	w.lower()
	part := Part{Nodes: 1}
	open = w.eliminate(m)
	if s.Aborted() {
		return Tour{}, satin.ErrWithdrawn
	}
	if open {
		if part, err = v.explore(s, m, w.edgesLeft(func(int) bool { return false })); err != nil {
			return Tour{}, err
		}
	} else {
		count()
	}
	return v.proved(s, w.proof, part), nil
}

// explore explores the root, and has jobs explore what is below.
func (v Solve) explore(s *satin.Scope, m *matrix, edges []byte) (Part, error) {
	w := new(explorer)
	w.begin(s, m, v.Certify)
	w.bounded = func(bound int64) { offerBound(s, bound) }
	w.budget = 1
	if err := w.explore(Subtree{Edges: edges}, m); err != nil {
		return Part{}, err
	}
	return w.finish(s)
}

// branchMin is the least number of cities with more than one tour but for its direction.
const branchMin = 3

// single is the part of a root that has one tour.
func single(p *proof) Part {
	count()
	p.dead()
	return Part{Nodes: 1}
}

// proved is the answer: the best tour, when all of the tree was explored.
func (v Solve) proved(s *satin.Scope, root *proof, below Part) Tour {
	answer, _ := satin.Best[Tour](s)
	proved := *answer
	proved.Bound, proved.Nodes = proved.Length, below.Nodes
	if v.Certify {
		proved.Proof = append(root.data, below.Proof...)
	}
	satin.Offer(s, proved)
	return proved
}

// start offers a tour to begin with and returns it, and a function that waits for the best one
// that is found meanwhile. The bound is what is known of all tours.
func (v Solve) start(s *satin.Scope, m *matrix, bound int64) (tour []int16, finish func() ([]int16, error), err error) {
	if v.Initial != nil {
		tour = m.nodes(v.Initial)
		offer(s, m, tour, bound)
		return tour, func() ([]int16, error) { return tour, nil }, nil
	}
	if m.half == 0 && m.n >= manyCities {
		if tour, err = v.startMany(s, m, bound); err != nil {
			return nil, nil, err
		}
		better := satin.Spawn(s, Shorten{tour})
		return tour, func() ([]int16, error) { return better.Wait(s) }, nil
	}
	var futures [startsMax]satin.Future[Start, []int16]
	for k := range futures {
		futures[k] = satin.Spawn(s, Start{k})
	}
	tour = m.quick(0)
	offer(s, m, tour, bound)
	return tour, func() ([]int16, error) {
		best := tour
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
	}, nil
}

// App is what a peer needs to take part.
func App() satin.App {
	return satin.App{
		Name:    "tsp",
		Version: "1",
		Tasks:   []satin.TaskType{satin.Type[Solve](), satin.Type[Start](), satin.Type[Shorten](), satin.Type[Piece](), satin.Type[Subtree]()},
	}
}
