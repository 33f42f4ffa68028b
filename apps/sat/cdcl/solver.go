package cdcl

// Status is what is known of a formula, or of a formula under assumptions.
type Status int8

// What Solve returns.
const (
	Unknown Status = iota // the budget was spent, or the caller wanted to stop
	Satisfiable
	Unsatisfiable
)

// lit is a literal: twice its variable, from 0, and one more when negated.
type lit uint32

func (l lit) not() lit     { return l ^ 1 }
func (l lit) vari() uint32 { return uint32(l) >> 1 }

// litOf is the literal that DIMACS writes as n.
func litOf(n int32) lit {
	if n < 0 {
		return lit(-n-1)<<1 | 1
	}
	return lit(n-1) << 1
}

// dimacs is the literal as DIMACS writes it.
func (l lit) dimacs() int32 {
	n := int32(l.vari()) + 1
	if l&1 != 0 {
		return -n
	}
	return n
}

// variable says why a variable has its value. Both are read and written together.
type variable struct {
	level  int32
	reason ref
}

// Solver holds clauses, what it has learned from them, and what it does at the moment.
type Solver struct {
	// Log, when not nil, is called with every clause that the solver learns, and Forgot with
	// those that it forgets. They may not keep the slice.
	Log, Forgot func(clause []int32)

	// Poll, when not nil, is called every few milliseconds, as conflicts and propagations tell
	// them; Solve returns Unknown when it returns true. It may Import.
	Poll func() bool

	// Conflicts, Decisions and Propagations count what was done.
	Conflicts, Decisions, Propagations int64
	Shortened                          int64 // learned clauses, by vivification
	Failures                           int64 // literals that probes found false
	Merged                             int64 // variables that others stand for

	arena   arena
	clauses []ref // as given
	learned []ref
	watches [][]watch // by literal: the clauses that must be looked at when it becomes true
	values  []int8    // by literal: 1 true, -1 false, 0 not assigned

	trail  []lit
	head   int   // of the trail: literals before it have been propagated
	levels []int // where each level begins in the trail
	vars   []variable
	phases phases

	uniform bool   // the formula has no structure
	wanted  []bool // by variable: some clause has it
	order   heap
	queue   queue
	bump    float64 // what a variable's activity grows by

	wrong bool // the clauses contradict each other
	seen  []byte
	marks []lit   // variables whose seen is set
	stack []lit   // of minimisation
	stamp []int64 // by level: the last time that it was counted
	time  int64

	merging merging
	asked   []lit // what is assumed, as it was said
	assumed []lit // … and the literals that stand for it
	failed  []int32
	model   []bool
	restart restarts
	reduce  reduction
	viv     vivification
	polls   polls
	shared  [][]int32 // short learned clauses that were not fetched yet
	words   []int32   // for Log
	learnt  []lit     // the clause that is being learned
	fixed   int       // literals of level 0 that simplify knows
}

// New returns a solver for clauses of the variables 1 to vars, less than 2^26.
func New(vars int) *Solver {
	s := &Solver{
		watches: make([][]watch, 2*vars),
		values:  make([]int8, 2*vars),
		vars:    make([]variable, vars),
		wanted:  make([]bool, vars),
		trail:   make([]lit, 0, vars),
		seen:    make([]byte, vars),
		stamp:   make([]int64, vars+1),
		bump:    1,
	}
	for v := range s.vars {
		s.vars[v].reason = none
	}
	s.phases.init(vars)
	s.merging.init(vars)
	s.order.init(vars)
	s.queue.init(vars)
	s.restart.init()
	s.reduce.init()
	return s
}

// Vars is the number of variables.
func (s *Solver) Vars() int { return len(s.vars) }

// Add adds a clause. It takes clauses with literals twice, or with a literal and its negation.
func (s *Solver) Add(clause []int32) {
	s.backtrack(0)
	if s.wrong {
		return
	}
	s.learnt = s.learnt[:0]
	for _, n := range clause {
		s.learnt = append(s.learnt, s.merging.of(litOf(n)))
	}
	if s.tidy() {
		s.attach(s.learnt, false, 0)
	}
}

// tidy takes double and false literals out of learnt, at level 0, and tells whether the
// clause says anything.
func (s *Solver) tidy() bool {
	out := s.learnt[:0]
	says := true
	for _, l := range s.learnt {
		v := s.values[l]
		bit := byte(1) << (l & 1)
		if v > 0 || s.seen[l.vari()]&(3^bit) != 0 {
			says = false
		}
		if v == 0 && s.seen[l.vari()] == 0 {
			s.seen[l.vari()] = bit
			out = append(out, l)
		}
	}
	for _, l := range out {
		s.seen[l.vari()] = 0
	}
	s.learnt = out
	return says
}

// attach puts a tidied clause where it belongs, at level 0.
func (s *Solver) attach(c []lit, learned bool, lbd int) {
	switch len(c) {
	case 0:
		s.wrong = true
	case 1:
		s.assign(c[0], none)
		if s.propagate() != none {
			s.wrong = true
		}
	default:
		s.want(c)
		s.keep(c, learned, lbd)
	}
	if s.wrong {
		s.log(nil)
	}
}

// want makes the variables of a clause ones to decide.
func (s *Solver) want(c []lit) {
	for _, l := range c {
		if v := l.vari(); !s.wanted[v] {
			s.wanted[v] = true
			s.order.insert(v)
			s.queue.push(v)
			s.queue.free(v)
		}
	}
}

// keep stores a clause of two literals or more, and watches the first two.
func (s *Solver) keep(c []lit, learned bool, lbd int) ref {
	r := s.arena.add(c, learned, lbd)
	if learned {
		s.learned = append(s.learned, r)
	} else {
		s.clauses = append(s.clauses, r)
	}
	s.watch(r)
	return r
}

// log writes down a learned clause.
func (s *Solver) log(c []lit) { s.tell(s.Log, c) }

func (s *Solver) tell(whom func([]int32), c []lit) {
	if whom == nil {
		return
	}
	s.words = s.words[:0]
	for _, l := range c {
		s.words = append(s.words, l.dimacs())
	}
	whom(s.words)
}

// Model is a satisfying assignment, by variable from 0, after Solve returned Satisfiable.
func (s *Solver) Model() []bool { return s.model }

// Failed are assumptions that cannot hold together, after Solve returned Unsatisfiable; none: the
// formula cannot be satisfied at all. The clause of their negations has been logged.
func (s *Solver) Failed() []int32 { return s.failed }
