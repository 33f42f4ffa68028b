// Package knapsack packs the most valuable items that fit, and proves that it does: knapsack
// problems of 64-bit numbers, in which an item may be packed once or so often, and one constraint
// holds or several.
//
// [Solve] is the root task and [Packing] its answer; make it with [New] from a problem that package
// instance has read or made. [Branch] and [Span] are jobs below it. Package check verifies answers,
// and shares no solving code.
//
// # How
//
// A portfolio, honest about the grid: most problems that people have are solved by one worker in
// less time than a job takes to travel. So the root tries, one after another,
//
//   - reduction, by Dantzig's and by Martello's and Toth's bounds, with equal items tied up in
//     bundles and common divisors taken out;
//   - lists of states from the break item outwards (Pisinger's minknap): first short ones, thinned
//     to the most promising, which find very good packings in milliseconds, then longer ones that
//     also prove;
//   - two lists, of the heaviest and of the lightest items, that meet in the middle, which
//     is what few heavy items with many light ones need (Jooken, Leyman and De
//     Causmaecker, EJOR 301, 2022).
//
// In lists the next item's density bounds each state. The whole problem is bounded by how many
// items fit as well, which closes the gap of strongly correlated items.
//
// Each gives up in time, and those are left out that cannot succeed by how lists grew before.
// What is left are numbers too large for lists: there the grid pays.
//
//   - Up to 60 items the sums of half of them are cut into intervals of their weight, a [Span]
//     each, in which both halves are generated from quarters, sorted, and gone through together.
//     Spans halve until they have a million sums, which takes 20 to 50 ms.
//   - Of more items, those around the break item are searched in this way first. Then a [Branch]
//     decides items around it, four at a time, until bounds, lists, two lists or spans solve what
//     is left.
//
// Where several constraints hold a [Part] decides items one by one, until package multi goes
// through what is left: linear programs bound it, and decide most items. That pays on a grid from
// some 100 items and 10 constraints on.
//
// Jobs prune by the best packing, and are over when it reaches the bound.
//
// Products have 128 bits, and no floating-point number decides what is right; one, of how a list
// grew, decides what is tried.
//
// # Costs
//
// A state takes 24 bytes, and 8 more for each 32 items decided: up to some 100 MB in one job. A
// span takes some 50 MB a worker.
//
// # Limitations
//
// The lists are not divided: cut into independent jobs they lose what states of different jobs
// would dominate, which costs more than many workers gain. Of 60 items whose half sums must all be
// seen a worker sees 2^31, in about a minute. Problems of more items with large numbers and no
// packing near the bound get a good packing and a bound, but no proof.
package knapsack
