package sat

import (
	"slices"

	"satingrid/apps/sat/ahead"
	"satingrid/apps/sat/cdcl"
	"satingrid/satin"
)

// Cube decides the formula under some literals, and returns what refutes them. A model is
// offered as the run's best.
type Cube struct {
	Lits []int32
	Rest bool // the cubes of the formula were refuted: what is left may lean on their negations
}

// Part is what refutes a cube.
type Part struct {
	Conflicts int64
	Pieces    []Piece // of the proof, when one is asked for
}

// Budgets of conflicts: some 10 ms for a cube that was not split, so that all workers have work
// soon, and a tenth more for each split. A worker from whom nobody takes cubes is more patient.
const (
	budgetFirst  = 1000
	budgetGrowth = 1.1
)

// budget is how many conflicts a cube may take at least.
func (c Cube) budget() int64 {
	b := float64(budgetFirst)
	for range c.Lits {
		b = float64(b * budgetGrowth)
	}
	return int64(b)
}

// Run decides the cube, or splits it.
func (c Cube) Run(s *satin.Scope) (Part, error) {
	if _, ok := satin.Best[Answer](s); ok {
		return Part{}, nil
	}
	w, ready := workerOf(s, c.Rest)
	if !ready {
		return given(s)
	}
	w.patience.begin(c.Lits)
	before := w.solver.Conflicts
	budget := w.patience.stretch(c.budget(), before, w.solver.Propagations)
	status, ended := w.decide(s, c.Lits, budget)
	if status == cdcl.Unknown && !ended {
		switch l, ended := w.split(s, c.Lits); {
		case ended:
			return given(s)
		case l != 0:
			return c.divide(s, w, l, w.solver.Conflicts-before)
		}
		// Unit propagation alone decides it, or nearly.
		status, ended = w.decide(s, c.Lits, 0)
	}
	if ended {
		return given(s)
	}
	if status == cdcl.Satisfiable {
		model := w.solver.Model()
		w.ground.rest.Complete(model)
		satin.Offer(s, Answer{Status: Satisfiable, Model: pack(model)})
	}
	return Part{Conflicts: w.solver.Conflicts - before, Pieces: w.pieces()}, nil
}

// over tells whether a job is to end before it has decided its cube.
func over(s *satin.Scope) bool {
	_, found := satin.Best[Answer](s)
	return found || s.Aborted()
}

// given is what a job returns that is over.
func given(s *satin.Scope) (Part, error) {
	if s.Aborted() {
		return Part{}, satin.ErrWithdrawn
	}
	return Part{}, nil
}

// divide decides the two halves of a cube.
func (c Cube) divide(s *satin.Scope, w *worker, l int32, conflicts int64) (Part, error) {
	half := func(l int32) Cube { return Cube{append(slices.Clone(c.Lits), l), c.Rest} }
	w.patience.split(c.Lits)
	parts, err := satin.All(s, []Cube{half(l), half(-l)})
	if err != nil {
		return Part{}, err
	}
	whole := join(parts)
	whole.Conflicts += conflicts
	if satin.Root[Solve](s).Certify {
		whole.closeCube(c.Lits)
	}
	return whole, nil
}

// worker is what a worker keeps from job to job.
type worker struct {
	certify  bool
	ground   *ground
	solver   *cdcl.Solver
	splitter *ahead.Splitter
	patience patience
	rest     bool // the solver knows that the formula's cubes were refuted
	lineage  lineage
	proof    []byte
	kept     []Piece // of the proof, since the solver was made
	keptSize int
}

// keptMax is how much of a proof a solver may have behind it before it is made anew, in bytes: all
// that goes with each cube that it refutes.
const keptMax = 4 << 20

// workerOf is this worker's, ready for a job unless that is over. A solver that leans on the
// negated cubes serves no job that may not: in a run that was restarted, the cubes come again after
// the rest.
func workerOf(s *satin.Scope, rest bool) (w *worker, ready bool) {
	w = satin.Local(s, func() *worker { return &worker{certify: satin.Root[Solve](s).Certify, ground: groundOf(s)} })
	if w.solver == nil || rest != w.rest || w.keptSize > keptMax {
		return w, w.make(s, rest)
	}
	return w, true
}

// make makes the solver, unless the job is over before that has all clauses.
func (w *worker) make(s *satin.Scope, rest bool) bool {
	f := &w.ground.rest.Formula
	w.solver, w.rest = cdcl.New(f.Vars), rest
	w.proof, w.kept, w.keptSize = nil, nil, 0
	if w.certify {
		w.lineage = newLineage()
		w.solver.Log = func(clause []int32) { w.proof = appendClause(w.proof, clause) }
		w.solver.Forgot = func(clause []int32) { w.proof = appendClause(append(w.proof, deletion), clause) }
	}
	for clause := range f.Until(func() bool { return over(s) }) {
		w.solver.Add(clause)
	}
	if over(s) {
		w.solver = nil
		return false
	}
	if rest {
		for cube := range f.EachCube() {
			w.solver.Add(negated(cube))
		}
	}
	return true
}

// decide asks the solver about a cube, and tells whether the job was over before its
// budget was spent.
func (w *worker) decide(s *satin.Scope, cube []int32, budget int64) (status cdcl.Status, ended bool) {
	w.solver.Poll = func() bool {
		if ended = over(s); !ended {
			w.share(s)
		}
		return ended
	}
	w.share(s)
	return w.solver.Solve(cube, budget), ended
}

// split is the literal to split a cube on, or 0, unless the job is over before.
func (w *worker) split(s *satin.Scope, cube []int32) (l int32, ended bool) {
	if w.splitter == nil {
		splitter := ahead.New(&w.ground.rest.Formula, func() bool { return over(s) })
		if over(s) {
			return 0, true
		}
		w.splitter = splitter
	}
	return w.splitter.Split(cube), false
}

// pieces are the proof of what the solver knows, when one is asked for.
func (w *worker) pieces() []Piece {
	if len(w.proof) > 0 {
		p := w.lineage.piece(len(w.kept), w.proof)
		w.kept = append(w.kept, p)
		w.keptSize += len(p.Data)
		w.proof = nil
	}
	return slices.Clone(w.kept)
}

// negated is the clause that rules a cube out.
func negated(cube []int32) []int32 {
	out := make([]int32, len(cube))
	for i, l := range cube {
		out[i] = -l
	}
	return out
}
