package knapsack

import (
	"fmt"
	"math/bits"

	"satingrid/apps/knapsack/instance"
	"satingrid/satin"
)

// Solve is the root of a run: find a most valuable packing, and prove that it is. Make it with [New].
type Solve struct {
	Profits  []int64
	Weights  []int64
	Capacity int64
	Divide   bool // at once, without the lists that solve most problems: to see what the workers do
}

// New makes the root of a run of an instance.
func New(p *instance.Instance) Solve {
	v := Solve{Profits: make([]int64, len(p.Items)), Weights: make([]int64, len(p.Items)), Capacity: p.Capacity}
	for k, x := range p.Items {
		v.Profits[k], v.Weights[k] = x.Profit, x.Weight
	}
	return v
}

// Check says what is wrong with the task.
func (v Solve) Check() error {
	if len(v.Profits) != len(v.Weights) {
		return fmt.Errorf("knapsack: %d profits and %d weights, as many of both are expected", len(v.Profits), len(v.Weights))
	}
	p := instance.Instance{Capacity: v.Capacity}
	for k := range v.Profits {
		p.Items = append(p.Items, instance.Item{Profit: v.Profits[k], Weight: v.Weights[k]})
	}
	if err := p.Check(); err != nil {
		return fmt.Errorf("knapsack: %w", err)
	}
	return nil
}

// Run solves the problem: alone, as far as lists of states go, and else with all workers.
func (v Solve) Run(s *satin.Scope) (Packing, error) {
	if err := v.Check(); err != nil {
		return Packing{}, err
	}
	g := groundOf(s)
	whole := node{problem: g.problem}
	_, chosen := g.greedy()
	bound := g.bound()
	offer(s, g, whole.packed(chosen), bound)
	r := root{scope: s, g: g, bound: bound}
	r.limit = func() (int64, bool) { return limit(s, g), !s.Aborted() }
	r.found = func(chosen []int32) { offer(s, g, chosen, r.bound) }
	rest, open := whole, true
	if v.Divide {
		r.count(whole)
	} else {
		rest, open = r.run(whole)
	}
	if s.Aborted() {
		return Packing{}, satin.ErrWithdrawn
	}
	if open {
		if err := rest.divide(s, g); err != nil {
			return Packing{}, err
		}
	}
	best, _ := satin.Best[Packing](s)
	proved := *best
	proved.Bound = proved.Value
	satin.Offer(s, proved)
	return proved, nil
}

// divide solves a node with all workers. Of many items those around the break item are searched first: where many packings are
// about as good, one of theirs is the best, and nothing else is left to do.
func (n node) divide(s *satin.Scope, g *ground) error {
	if len(n.items) > leafItems {
		if _, err := satin.Spawn(s, n.core(coreItems).span(g)).Wait(s); err != nil {
			return err
		}
	}
	_, err := satin.Spawn(s, Branch{pack(g, n)}).Wait(s)
	return err
}

// root is the part of a run that one worker does alone.
type root struct {
	search
	scope *satin.Scope
	g     *ground
	bound int64
}

const (
	widthFirst  = 1 << 10 // finds a good packing in milliseconds, and what is easy is solved
	widthSecond = 1 << 15 // solves most of what people have
	widthLast   = 1 << 20 // some 100 MB of states and what they came from
	guessMax    = 1 << 14 // how many times more states than there is width may be guessed before lists are in vain
	statesHalf  = 1 << 20 // of each of two lists
	workRoot    = 400_000_000
	workMeet    = 100_000_000
	meetMax     = 2000    // items, each of which is looked at for each of them
	cardMax     = 200_000 // items, whose bounds by cardinality take some seconds
)

// run solves the problem, or returns what is left of it.
func (r *root) run(n node) (rest node, open bool) {
	tries := [...]func() bool{
		func() bool { return r.lists(n, r.bound, widthFirst, workRoot) },
		func() bool { r.count(n); return r.hopeful(widthSecond) && r.lists(n, r.bound, widthSecond, workRoot) },
		func() bool { return len(n.items) <= meetMax && r.meet(n, statesHalf, workMeet) },
		func() bool { return r.hopeful(widthLast) && r.lists(n, r.bound, widthLast, workRoot) },
	}
	for _, try := range tries {
		z, ok := r.limit()
		if n, open = n.narrow(z); !open || !ok || try() {
			return n, false
		}
	}
	z, _ := r.limit()
	return n.narrow(z)
}

// hopeful tells whether lists of this width may solve the problem, by how lists grew before.
func (r *root) hopeful(width int) bool { return r.core.size() <= bits.Len(uint(width*guessMax)) }

// count lowers the bound by the number of items.
func (r *root) count(n node) {
	if len(n.items) > cardMax {
		return
	}
	z, _ := r.local(n)()
	r.bound = min(r.bound, n.profit+n.cardinality(z))
	r.tell()
}

// tell lets the best so far carry the bound.
func (r *root) tell() {
	if best, ok := satin.Best[Packing](r.scope); ok {
		told := *best
		told.Bound = max(r.g.value(r.bound), told.Value)
		satin.Offer(r.scope, told)
	}
}

// App is what a peer needs to take part.
func App() satin.App {
	return satin.App{
		Name:    "knapsack",
		Version: "1",
		Tasks:   []satin.TaskType{satin.Type[Solve](), satin.Type[Branch](), satin.Type[Span]()},
	}
}
