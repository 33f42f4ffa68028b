// Package cnf has formulas in conjunctive normal form: their reader and
// generators of known families.
//
// [Read] takes the DIMACS format as it is found in the wild, and [Pigeons], [Random3] and
// [VanDerWaerden] make formulas. A [Formula] is flat, so that it travels as a few arrays.
//
// Formulas with weights come in both formats of the MaxSAT Evaluations: with a header that says
// from which weight on a clause must hold, p wcnf VARIABLES CLAUSES TOP, and as they are since
// 2022, without one and with h in the place of the weight of a clause that must. [MaxCut], [Cover]
// and [Lateness] make some.
//
// # Limitations
//
// Quantifiers (p qdimacs) are refused.
package cnf
