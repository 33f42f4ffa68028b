// Package check verifies what a solver says of a formula, and shares no code with one.
//
// [Model] looks at each clause of the formula as it was read, and [Cost] adds up the weights of
// those that may fail. [Proof] verifies a proof of unsatisfiability in DRAT format: each clause
// that it adds must follow from the formula and the clauses before it by reverse unit propagation
// (RUP: Goldberg and Novikov, DATE 2003), or be a resolution asymmetric tautology on its first
// literal (RAT: Järvisalo, Heule and Biere, IJCAR 2012; Wetzler, Heule and Hunt, SAT 2014). [LRAT]
// also writes the proof with the steps that lead to each clause. [Read] takes an answer in the
// format of the SAT competitions or of the MaxSAT Evaluations, or as `satin run sat --json` prints
// it.
//
// # Costs
//
// Proofs are verified forward, each clause once: about as long as finding them, and several times
// that when nothing is deleted. To write one in LRAT takes up to half as long again, and twice the
// bytes that it has in DRAT.
//
// # Limitations
//
// Nothing verifies that no model costs less: that would take a proof with cardinalities, and there
// is none. A model and what it costs are verified.
//
// A proof in LRAT has all clauses of the one in DRAT, needed or not. Proofs are read as text, not
// in the binary format. A deletion of a clause that is the reason of a unit is ignored, as by
// drat-trim.
package check
