// Package cdcl decides formulas in conjunctive normal form by conflict-driven clause learning.
//
// A [Solver] is filled by Add and asked by Solve, as often as one likes, under assumptions and with
// a budget of conflicts. What it has learned is implied by the clauses alone, never by the
// assumptions, and is kept from one call to the next.
//
// # How
//
// Two literals of each clause are watched, each beside another of its literals, so that most
// satisfied clauses are not looked at (Moskewicz et al., DAC 2001; Eén and Sörensson, SAT 2003). A
// conflict is analysed to its first unique implication point, and the learned clause minimised
// recursively (Sörensson and Biere, SAT 2009).
//
// Restarts follow the moving averages of the literal block distance, LBD (Audemard and Simon, IJCAI
// 2009; Biere and Fröhlich, POS 2015), and alternate with phases that restart rarely (Oh, SAT
// 2015). With many restarts the variable is decided that a conflict had to do with last, VMTF
// (Ryan 2004; Biere and Fröhlich, SAT 2015); else, and always where hardly a clause has two
// literals, the one of the highest activity, which fades. What the reasons of a learned clause name
// counts, too (Liang et al., SAT 2016). A variable gets its last value, or, while restarts are
// rare, the one that it had on the longest trail without a conflict; now and then all begin anew,
// from their first values, the opposite, or the best (Biere and Fleury, SAT competition 2020).
//
// Now and then learned clauses of a low LBD are made shorter by vivification (Luo et al., IJCAI
// 2017), and those of a high LBD that were not used are forgotten. Less often, and before the
// search, literals are tried that imply others, but follow from none: those that lead to a conflict
// are false (Le Berre, SAT 2001). Literals that binary clauses make equal are replaced by one of
// them (Aspvall, Plass and Tarjan, IPL 8, 1979); assumptions, models and clauses that come later
// still have the names that the formula has.
//
// With Log the solver writes down every clause that it learns, in the order of learning. Each
// follows from the formula and the earlier ones by unit propagation, so that the log is a DRAT
// proof; with Forgot it has deletions, which make it quick to verify. No clause is forgotten that a
// unit of level 0 leans on, nor one that says which literals are equal.
//
// # Costs
//
// A clause takes 12 bytes and 4 for each literal, and 16 for its watches; a variable about 170.
// Analysis and propagation do not allocate.
//
// # Limitations
//
// A Solver belongs to one goroutine. All clauses together have less than 2^31 literals.
package cdcl
