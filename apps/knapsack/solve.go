package knapsack

import (
	"fmt"

	"satingrid/apps/knapsack/instance"
	"satingrid/apps/knapsack/multi"
	"satingrid/satin"
)

// Solve is the root of a run: find a most valuable packing, and prove that it is. Make it with
// [New].
type Solve struct {
	Profits  []int64
	Weights  []int64
	Capacity int64
	Counts   []int64               // how often each may be packed; nil: once
	Further  []instance.Constraint // that hold, too
	// at once, without the lists that solve most problems: to see what the workers do
	Divide bool
}

// New makes the root of a run of an instance.
func New(p *instance.Instance) Solve {
	v := Solve{
		Profits: make([]int64, len(p.Items)), Weights: make([]int64, len(p.Items)), Capacity: p.Capacity,
		Counts: p.Counts, Further: p.Further,
	}
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
	p := instance.Instance{Capacity: v.Capacity, Counts: v.Counts, Further: v.Further}
	for k := range v.Profits {
		p.Items = append(p.Items, instance.Item{Profit: v.Profits[k], Weight: v.Weights[k]})
	}
	if err := p.Check(); err != nil {
		return fmt.Errorf("knapsack: %w", err)
	}
	if sum := v.profit(); len(v.Further) > 0 && sum > multi.ProfitMax {
		return fmt.Errorf("knapsack: with several constraints all profits add up to %d, which is more than %d", sum, int64(multi.ProfitMax))
	}
	return nil
}

// profit is that of all items.
func (v Solve) profit() (sum int64) {
	for k, p := range v.Profits {
		n := int64(1)
		if v.Counts != nil {
			n = v.Counts[k]
		}
		sum += p * n
	}
	return sum
}

// Run solves the problem: alone, as far as lists of states go, and else with all workers.
func (v Solve) Run(s *satin.Scope) (Packing, error) {
	if err := v.Check(); err != nil {
		return Packing{}, err
	}
	if len(v.Further) > 0 {
		return v.wide(s)
	}
	g := groundOf(s)
	whole := node{problem: g.problem}
	_, chosen := g.greedy()
	bound := g.bound()
	offer(s, g, whole.packed(chosen), bound)
	r := root{scope: s, g: g, bound: bound, whole: v.Divide}
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
		if err := r.divide(rest); err != nil {
			return Packing{}, err
		}
	}
	return proved(s), nil
}

// proved is the best packing, when all is searched.
func proved(s *satin.Scope) Packing {
	best, _ := satin.Best[Packing](s)
	t := *best
	t.Bound = t.Value
	satin.Offer(s, t)
	return t
}

// root is the part of a run that one worker does alone.
type root struct {
	search
	scope *satin.Scope
	g     *ground
	bound int64

	whole   bool  // nothing was tried before
	counted bool  // whether count has lowered the bound
	at      int64 // for this best
}

const (
	// finds a good packing in milliseconds, and what is easy is solved; a few items need less
	widthFirst  = 1 << 10
	widthSecond = 1 << 15 // solves most of what people have
	widthLast   = 1 << 20 // some 100 MB of states and what they came from, in one job
	// by how lists grew before: above it they are in vain; what is guessed is often a
	// thousand times too much
	sizeSecond = 30
	sizeLast   = 32
	statesHalf = 1 << 20 // of each of two lists
	lookItems  = 32      // whose two lists have 2^16 states at most
	workRoot   = 200_000_000
	workMeet   = 100_000_000
	meetMax    = 2000    // items, each of which is looked at for each of them
	cardMax    = 200_000 // items, whose bounds by cardinality take some seconds
)

// run solves the problem, or returns what is left of it.
func (r *root) run(n node) (rest node, open bool) {
	tries := [...]func() bool{
		func() bool { return r.lists(n, r.bound, min(widthFirst, 2*len(n.items)), workRoot) },
		func() bool { r.look(n); return r.closed() },
		func() bool { return r.core.size() <= sizeSecond && r.lists(n, r.bound, widthSecond, workRoot) },
		func() bool { return len(n.items) <= meetMax && r.meet(n, statesHalf, workMeet) },
	}
	for _, try := range tries {
		z, ok := r.limit()
		if n, open = n.narrow(z); !open || !ok || try() {
			return n, false
		}
		if r.count(n); r.closed() {
			return n, false
		}
	}
	z, _ := r.limit()
	return n.narrow(z)
}

// look searches the items around the break item for a better packing, which is for nothing where
// all are searched so anyway.
func (r *root) look(n node) {
	if len(n.items) > leafItems {
		r.meet(n.core(lookItems), 1<<lookItems, workRoot)
	}
}

// closed tells whether the best has reached the bound.
func (r *root) closed() bool {
	z, _ := r.limit()
	return z >= r.bound
}

// count lowers the bound by the number of items. The better the best, the lower it gets.
func (r *root) count(n node) {
	z, _ := r.local(n)()
	if len(n.items) > cardMax || r.counted && z+n.profit == r.at {
		return
	}
	r.counted, r.at = true, z+n.profit
	r.bound = min(r.bound, n.profit+n.cardinality(z))
	r.tell()
}

// divide solves what is left with all workers: as a branch, and meanwhile, or before that where
// there is one worker, by searching more items around the break item: where many packings are about
// as good, one of these is the best, and nothing else is left to do. The branch is spawned first:
// whoever guesses how far the run is knows of both.
func (r *root) divide(n node) error {
	wide := !r.whole && r.core.size() <= sizeLast
	rest := satin.Spawn(r.scope, Branch{pack(r.g, n), wide})
	if !r.whole && len(n.items) > leafItems {
		if _, err := satin.Spawn(r.scope, n.core(coreItems).span(r.g)).Wait(r.scope); err != nil {
			return err
		}
		r.count(n)
	}
	_, err := rest.Wait(r.scope)
	return err
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
		Version: "2",
		Tasks:   []satin.TaskType{satin.Type[Solve](), satin.Type[Branch](), satin.Type[Span](), satin.Type[Part]()},
	}
}
