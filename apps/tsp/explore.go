package tsp

import (
	"satingrid/apps/tsp/cuts"
	"satingrid/apps/tsp/lp"
)

// explorer is what a worker needs to explore a part of the tree, node by node. Each is set up
// afresh from its fields, so that it is the same whoever explores it.
type explorer struct {
	relaxed
	cutoff  int64 // in fine units: a bound above it closes a node
	tried   lp.Simplex
	nodes   int64
	work    int64 // that was done, by which jobs measure themselves
	budget  int64 // of it, after which nodes become jobs
	pending []Subtree
	proof   *proof
	limit   func() int64       // the best tour's length
	found   func(tour []int16) // has found a tour that is shorter than the limit
	bounded func(bound int64)  // has raised the bound of the root; nil: it is not the root
	aborted func() bool        // tells that what comes out will not be used; nil: it will
}

// lower takes over the best tour's length.
func (s *explorer) lower() { s.cutoff = (s.limit() - 1) * fine }

// explore explores a node and all below it, or, when the budget is spent, makes a job of it.
func (s *explorer) explore(t Subtree, m *matrix) error {
	if s.work >= s.budget {
		s.pending = append(s.pending, t)
		return nil
	}
	s.nodes++
	count()
	s.lower()
	before := s.program.Work
	if err := s.load(t, m); err != nil {
		return err
	}
	e, open := s.settle()
	s.work += s.program.Work - before
	if !open {
		return nil
	}
	s.bounded = nil
	s.proof.branch(s.u[e], s.v[e], out)
	var children [2]Subtree
	var alive [2]bool
	for k, side := range [2]int{out, in} {
		mark := len(s.trail)
		if alive[k] = s.decide(e, side); alive[k] {
			children[k] = s.subtree()
		}
		s.undo(mark)
	}
	for k, child := range children {
		if !alive[k] {
			s.proof.dead()
		} else if err := s.explore(child, m); err != nil {
			return err
		}
	}
	return nil
}

// decide puts an edge in or out, draws the conclusions, and tells whether tours may be left.
func (f *fixing) decide(e int32, to int) bool {
	if to == out {
		f.exclude(e)
	} else if !f.include(e) {
		return false
	}
	return f.propagate()
}

// settle brings a node as far as it comes without branching, and returns the edge to branch on. It
// returns false when the node is closed, and has written why.
func (s *explorer) settle() (edge int32, open bool) {
	for {
		if !s.raise() || !s.wanted() {
			return 0, false
		}
		e, closed := s.choose()
		if closed == free {
			return e, true
		}
		mark := len(s.trail)
		if !s.decide(e, in+out-closed) {
			s.proof.dead()
			return 0, false
		}
		s.follow(mark)
	}
}

// follow has the program know what was decided since the trail was so long.
func (s *explorer) follow(mark int) {
	for _, c := range s.trail[mark:] {
		s.bound(int(c.edge))
	}
	s.program.Settle()
}

const (
	roundsMost  = 100
	staleRounds = 4   // that gain little, until a node is branched on
	gainLeast   = 100 // what is little: less than this part of the gap
	// edges are put in and out between rounds where one of so many can be: each time takes a
	// record of the proof
	enoughPart = 20
)

// raise solves the program, and adds cuts, for as long as that raises the bound. It returns false
// when the node is closed, and has written why.
func (s *explorer) raise() bool {
	stale, best := 0, int64(-forever)
	for round := 0; ; round++ {
		if s.complete() {
			return false
		}
		bound, done := s.solve()
		if bound > s.cutoff {
			s.proof.priced(recordPriced, &s.relaxed)
			return false
		}
		if s.bounded != nil {
			s.bounded(bound >> (fineBits - scaleBits))
		}
		if bound < best+(s.cutoff-bound)/gainLeast {
			stale++
		} else {
			stale = 0
		}
		best = max(best, bound)
		more := done && round < roundsMost && stale < staleRounds && s.wanted()
		enough := 1
		if more {
			enough = len(s.u) / enoughPart
		}
		if fixed, open := s.fix(bound, enough); !open {
			return false
		} else if fixed > 0 {
			continue
		}
		if !more || !s.separate() {
			return true
		}
	}
}

// separate adds cuts, and tells whether there are any. It reports the tour that the solution is.
func (s *explorer) separate() bool {
	s.clean()
	g := s.support()
	list := g.Separate()
	for _, c := range list {
		s.cut(c)
	}
	if len(list) > 0 {
		return true
	}
	tour := g.Tour()
	if tour == nil {
		return false
	}
	before := s.cutoff
	s.report(tour)
	return s.cutoff < before
}

const (
	stepsChunk = 20 // of the program, after which it is asked whether it is wanted
	stepsMost  = 50_000
)

// solve solves the program, and returns the bound that its duals prove. What it has is a solution
// if done.
func (s *explorer) solve() (bound int64, done bool) {
	status := lp.Stopped
	for margin := int64(fine / 64); margin < forever/4; margin *= 2 {
		s.program.Limit = float64(s.cutoff+margin) / fine / s.unit
		for k := 0; k < stepsMost && s.wanted(); k += stepsChunk {
			if status = s.program.Solve(stepsChunk); status != lp.Stopped {
				break
			}
		}
		bound = s.prices(&s.program)
		if bound > s.cutoff || status != lp.Above {
			break
		}
	}
	if bound <= s.cutoff && status == lp.Infeasible {
		s.program.Again()
	}
	return bound, status == lp.Optimal
}

// wanted tells whether somebody waits for what comes out.
func (s *explorer) wanted() bool { return s.aborted == nil || !s.aborted() }

// fix puts the edges out and in whose other side would close the node, if they are enough, and what
// follows. It returns false when the node is closed, and has written why.
func (s *explorer) fix(bound int64, enough int) (fixed int, open bool) {
	mark, room := len(s.trail), s.cutoff-bound
	var ins, outs []int32
	for e, d := range s.reduced {
		switch {
		case s.state[e] != free:
		case d > room:
			outs = append(outs, int32(e))
		case -d > room:
			ins = append(ins, int32(e))
		}
	}
	fixed = len(ins) + len(outs)
	if fixed == 0 || fixed < enough {
		return 0, true
	}
	s.proof.priced(recordFix, &s.relaxed)
	for _, e := range outs {
		s.exclude(e)
	}
	for _, e := range ins {
		if s.state[e] == out || s.state[e] == free && !s.include(e) {
			s.proof.dead()
			return fixed, false
		}
	}
	if !s.propagate() {
		s.proof.dead()
		return fixed, false
	}
	s.follow(mark)
	return fixed, true
}

// complete tells whether the edges in are a tour, which closes the node.
func (s *explorer) complete() bool {
	if s.chosen < s.cities {
		return false
	}
	if s.fixing.cost<<(fineBits-scaleBits) <= s.cutoff {
		s.report(s.ring())
	}
	s.proof.dead()
	return true
}

// report hands over a tour.
func (s *explorer) report(tour []int16) {
	s.found(tour)
	s.lower()
}

// ring lists the cities of the edges in, which are a tour.
func (s *explorer) ring() []int16 {
	g := cuts.Solution{Cities: s.cities}
	for _, c := range s.trail {
		if c.to == in {
			g.U, g.V, g.X = append(g.U, s.u[c.edge]), append(g.V, s.v[c.edge]), append(g.X, 1)
		}
	}
	return g.Tour()
}
