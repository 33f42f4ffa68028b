// Package pigeon refutes formulas that put too many things into too few places, as the principle of
// pigeon holes does. Clause learning takes exponential time for them (Haken, TCS 39, 1985), and
// proofs of them are short all the same.
//
// [Refute] finds such a part of a formula, and writes its proof.
//
// # How
//
// A row is a clause: one of its literals is true. A place is a set of literals of which any two
// exclude each other by a clause of two literals, so at most one of them is true (Biere, Le Berre,
// Lonca and Manthey, SAT 2014, find those too). Rows without common literals need a place each.
// When a greatest matching of rows with places leaves a row out, then the rows that alternating
// paths reach from it have too few places by one, says Hall's theorem.
//
// Their proof defines new variables as Cook did for the pigeon hole principle (SIGACT News 8,
// 1976), for any matrix of rows and places, also with gaps: a row and a place are taken out, and
// who sat in that place has the seats of that row instead. The pair that makes the fewest new seats
// goes first, as Markowitz eliminates.
//
// # Costs
//
// Finding takes time in proportion to the formula, and the matching a bounded number of steps. The
// proof that n+1 things do not fit into n places has some n⁴/4 clauses.
//
// # Limitations
//
// A place whose literals exclude each other only by way of further variables is not
// seen. The places, and the rows among clauses that overlap, are chosen greedily, so
// that a part may be missed.
package pigeon
