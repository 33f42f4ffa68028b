package tsp

// level is a node whose children are being explored.
type level struct {
	pi   []int64
	arcs []arc
	mark int // of the trail

	tried [3][]int64 // by side: the multipliers of a probe
	warm  [3][]int64 // of the probes of the edge to branch on
}

func (s *search) save(depth int) {
	for len(s.levels) <= depth {
		s.levels = append(s.levels, &level{})
	}
	l := s.levels[depth]
	l.pi = append(l.pi[:0], s.pi...)
	l.arcs = append(l.arcs[:0], s.arcs...)
	l.mark = len(s.trail)
}

func (s *search) restore(depth int) {
	l := s.levels[depth]
	s.undo(l.mark)
	copy(s.pi, l.pi)
	s.arcs = append(s.arcs[:0], l.arcs...)
	s.rebase()
	s.proof.rebase(s.pi)
}

// decide puts an edge in or out, draws the conclusions, and tells whether tours may be left.
func (s *search) decide(e int32, to int) bool {
	if to == out {
		s.exclude(e)
	} else if !s.include(e) {
		return false
	}
	if !s.propagate() {
		return false
	}
	s.filter()
	return true
}

// stepsNode is how many steps the multipliers of a node take, more than one of a probe.
const stepsNode = 30

// settle brings a node as far as it comes without branching: to its bound, with all edges fixed
// that the bound allows. It returns false when the node is closed, and has written why.
func (s *search) settle() (bound int64, open bool) {
	for {
		if s.complete() {
			return 0, false
		}
		bound = s.ascend(stepsNode, firstNode)
		if bound <= s.cutoff && s.excess() == 0 {
			s.report()
		}
		if bound > s.cutoff {
			s.proof.bound(s.leaf, s.pi)
			return bound, false
		}
		s.proof.reduce(s.leaf, s.pi)
		fixed, ok := s.fix(bound)
		if !ok {
			s.proof.dead()
			return bound, false
		}
		if fixed == 0 {
			return bound, true
		}
		s.filter()
	}
}

// complete tells whether the edges in are a tour, which closes the node.
func (s *search) complete() bool {
	if s.chosen < s.cities {
		return false
	}
	if s.fixing.cost <= s.cutoff {
		s.report()
	}
	s.proof.dead()
	return true
}

// report hands over the tour that the 1-tree is.
func (s *search) report() {
	s.found(s.tour())
	s.lower()
}

// lower takes over the best tour's length.
func (s *search) lower() { s.cutoff = (s.limit() - 1) * scale }

// fix puts the edges out and in whose other decision would close the node, and what follows. It
// returns how many, and false if no tour is left.
func (s *search) fix(bound int64) (fixed int, ok bool) {
	s.measure()
	mark, room := len(s.trail), s.cutoff-bound
	for k, x := range s.arcs {
		if s.with[k] > room && s.state[x.edge] == free {
			s.exclude(x.edge)
		}
	}
	for k, x := range s.arcs {
		if s.without[k] > room {
			if s.state[x.edge] == out || s.state[x.edge] == free && !s.include(x.edge) {
				return 0, false
			}
		}
	}
	if !s.propagate() {
		return 0, false
	}
	return len(s.trail) - mark, true
}

// explore explores a node and all below it, or, when the budget is spent, makes a job of
// it. The ascent begins with the multipliers warm if there are any; a job does without,
// which makes it smaller.
func (s *search) explore(depth int, warm []int64) {
	if s.work >= s.budget {
		s.pending = append(s.pending, s.subtree())
		return
	}
	s.nodes++
	count()
	s.lower()
	if warm != nil {
		s.begin()
		s.move(warm)
	}
	for {
		bound, open := s.settle()
		if !open {
			return
		}
		s.save(depth)
		e, open := s.choose(depth, bound)
		if !open {
			return
		}
		if e < 0 {
			continue
		}
		s.proof.branch(s.u[e], s.v[e], out)
		for _, side := range [2]int{out, in} {
			if s.decide(e, side) {
				s.explore(depth+1, s.levels[depth].warm[side])
			} else {
				s.proof.dead()
			}
			s.restore(depth)
		}
		return
	}
}
