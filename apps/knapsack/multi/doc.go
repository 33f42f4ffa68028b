// Package multi bounds and searches knapsack problems of several constraints: each item is packed
// or not, and all constraints hold. It is what one worker does; package knapsack divides the work.
//
// # How
//
// A linear program gives a multiplier for each constraint. With multipliers, rounded to whole
// numbers of a small unit, the constraints are taken into the profit (Lagrange), and items decide
// on their own: an item is worth its reduced profit, what it is worth beyond what its weights cost.
// That bounds all packings, and exactly: any multipliers give a true bound, so nothing that was
// computed in floating point decides what is right. The profit of any packing is the bound, less
// the reduced profit of each item that is decided against its sign, less what the room costs that
// is left. So
//
//   - an item whose reduced profit is more than the bound exceeds the best packing by is decided
//     (Ingargiola and Korsh, Management Science 20, 1973);
//   - of the others those that are left are gone through, the largest reduced profits first, as
//     long as what was lost is no more than that.
//
// # Costs
//
// The linear program takes some n·m steps for each of about n pivots, for n items and m
// constraints: 0.1 ms for 30 items and 5 constraints, some 20 ms for 500 and 30. It takes 8·n·m
// bytes.
//
// # Limitations
//
// The unit is 2^-s, so that all profits, in units, have 61 bits. Where profits add up to more than
// 2^40 and weights have as many bits, multipliers are coarse and bounds weak, but true.
package multi
