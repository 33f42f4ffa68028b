// Package eliminate makes a formula smaller before it is solved.
//
// [Variables] returns what is left, as a [Rest], which completes models of it to
// models of the formula.
//
// # How
//
// A variable is replaced by all resolvents on it when they are no more than the clauses that it had
// (Davis and Putnam, JACM 7, 1960). Where some of its clauses define it as the output of a gate,
// these are resolved with the others only: what the others make of each other is implied (Eén and
// Biere, SAT 2005). A clause that contains another one is dropped, and one that does so but for a
// literal with the opposite sign loses that literal (the same). Both are repeated until nothing
// changes or enough was done. A model is completed from the last variable to the first: the clauses
// that it had say what it must be.
//
// Every new clause is logged. Each follows from the formula and the earlier ones
// by unit propagation.
//
// # Costs
//
// A clause takes some hundred bytes while this goes on. Work is bounded by a count of the literals
// that are looked at, so that the same formula always has the same rest.
//
// # Limitations
//
// Gates are conjunctions, disjunctions, choices and sums of two. What is blocked stays.
package eliminate
