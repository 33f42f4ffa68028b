// Package sat decides formulas in conjunctive normal form, with a model or a proof, by
// adaptive cube and conquer, and finds cheapest models of those with weights.
//
// [Solve] is the root task and [Answer] its answer; its formula comes from package cnf. [Cube]
// decides the formula under some literals. [WriteProof] writes the proof, which package check
// verifies, as it does the model. Package cdcl has the solver, package ahead finds what to split
// on, package eliminate takes out variables beforehand, package pigeon refutes by counting what no
// solver would, and package maxsat has the solver for weights.
//
// # How
//
// Each peer makes the formula smaller first, all in the same way. A job is a cube: some literals
// that are taken for true. A worker keeps one solver for all its jobs, which learns clauses that
// the formula alone implies, so that what was learned in one cube helps in the others. The
// solver has a budget of conflicts for a cube. When it is spent, the cube is split in two by a
// look-ahead (Heule, Kullmann, Wieringa and Biere, HVC 2011, for a formula's hard parts), which
// depends on the formula and the cube alone. So whether a cube is split may differ from worker
// to worker, but never how. Budgets grow with a cube's length, and with each cube that nobody has
// taken from the worker that split it: splits that do not make a cube easier cost little then, and
// a worker alone hardly splits.
//
// Units and short clauses of a low literal block distance are told to all workers, unless
// a proof is asked for.
//
// A model is the run's best, so everybody stops when there is one.
//
// # Weights
//
// Of a formula with weights each peer finds the first cores, all in the same way; the worker that
// asks first goes on with the solver that found them, and the others follow. Then a job is a cube,
// too, here a [Cheaper]: below it cores are looked for until none of its models is cheaper than the
// best, or its budget is spent, and it is split in two. The run's best is the cheapest model so
// far, which all prune by. A worker that goes on with half of a cube that it has split knows what
// was known of the whole; another one knows what is known of all models. Clauses that are told to
// others say which cost they hold below, and are left out by whoever does not hold a model as
// cheap: else the best might be lost with a peer, and what others had pruned by it with it.
//
// # Proofs
//
// With Solve.Certify the answer to an unsatisfiable formula has a proof in DRAT format. A cube's
// part of the proof is closed but for the clauses that elimination made, which come first in the
// proof: it has all clauses that its worker's solver learned since it was made, so a part can be
// used whoever else is lost. A solver is made anew before that becomes too much. Pieces that
// parts of one solver share are kept once. What a solver forgets is deleted, which takes away
// one copy of a clause: no other solver's part leans on it. After the parts of its children
// comes the negation of a cube.
//
// # Costs
//
// A solver takes some hundred bytes for each clause, and each worker has one; a proof some ten to
// hundred bytes for each conflict.
//
// # Limitations
//
// A proof is part of the answer, so Config.ResultMax bounds it. Solving for a proof is slower,
// because solvers are made anew.
package sat
