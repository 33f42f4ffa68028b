// Package maxsat finds a cheapest model of a formula: clauses that must hold, and others each of
// which costs its weight where it fails.
//
// A [Problem] is made from a formula, and an [Optimizer] from a problem. Search raises a [Bound]:
// what is known of the models with some literals, a cube. It ends when none of these is cheaper
// than the best model that is known, or when its budget is spent; then it goes on another time, or
// for parts of the cube. Package sat divides problems in this way.
//
// # How
//
// Whatever has a weight becomes one literal, a goal. The solver, that of package cdcl, is asked for
// a model in which all goals hold. Where there is none it says which of them cannot hold together,
// a core: one of them fails at least, which costs the least of their weights. The bound grows by
// that, and each of them weighs so much less; what is left is that no second one of them fails,
// which becomes a goal of that weight, of a totalizer that is made as far as it is asked for. That
// is OLL (Andres, Kaufmann, Matheis and Schaub, ICLP 2012; for MaxSAT Morgado, Dodaro and
// Marques-Silva, CP 2014), as RC2 has it (Ignatiev, Morgado and Marques-Silva, JSAT 11, 2019).
//
//   - Heavy goals come first, in strata, the lighter ones below when these hold (Ansótegui, Bonet,
//     Gabàs and Levy, CP 2012). So cheap models are known soon.
//   - A goal that weighs as much as the best model costs above the bound holds in whatever is
//     cheaper: it is fixed.
//   - A core is made smaller by asking about it again, and about each of it without one goal, for a
//     few hundred conflicts. Where a second goal of a core must fail, and a third, the bound grows
//     at once.
//   - Totalizers are made when the other goals hold: cores that have nothing in common come first
//     (Berg and Järvisalo, CP 2017).
//
// The first model is made cheaper by a walk from model to model (Lei and Cai, SATLike, IJCAI 2018):
// what is pruned depends on the best model, which cores alone find last.
//
// What is known of a cube is known of its parts. A core that has nothing to do with the cube's
// literals raises the bound of all models, too, and what the solver learns holds everywhere.
//
// # Costs
//
// A bound takes 8 bytes for each goal, a core of n goals some 10n literals of clauses, and each
// further goal that fails some n more. All work is counted by conflicts and propagations, so that
// the same problem begins in the same way everywhere.
//
// Measured with `satin run sat --generate … --workers 1`, in seconds of processor time of one core
// that others used, too:
//
//   - cover,N,EDGES,1 of sparse graphs: 0.04 for 200 and 400, 0.09 for 500 and 750, 0.2 for 1000
//     and 1500, 1.0 for 2000 and 2500. Denser ones: 0.6 for 200 and 500; 500 and 1000 was given up
//     after 5, with a cost of 1397 and a bound of 1263.
//   - late,N,1: 0.3 for 20 jobs, 1.1 for 30; 36 were given up after 5, at 392 and 150.
//   - cut,N,EDGES,1: 2.7 for 50 and 150, 3.6 for 100 and 200; 200 and 280 were given up after 5,
//     at 27 and 23, and 2000 and 2200 at 132 and 40.
//
// So it is good where cores are small, and bad where they are long, or each goal is in many of
// them. Two workers took 1.5 to 1.9 times the processor time of one, of the three that were tried:
// half of a cube often needs most of the cores of the whole, so that a grid gains little there.
//
// # Limitations
//
// The formula is not made smaller beforehand, and goals of which at most one can hold are not
// looked for. That no model is cheaper has no proof.
package maxsat
