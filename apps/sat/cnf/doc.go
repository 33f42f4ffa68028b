// Package cnf has formulas in conjunctive normal form: their reader and
// generators of known families.
//
// [Read] takes the DIMACS format as it is found in the wild, and [Pigeons], [Random3] and
// [VanDerWaerden] make formulas. A [Formula] is flat, so that it travels as one array.
//
// # Limitations
//
// Weights (p wcnf) and quantifiers (p qdimacs) are refused.
package cnf
