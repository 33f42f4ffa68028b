// Package tsp finds shortest round trips, and proves that they are: travelling salesman problems of
// some hundred cities, by branch and cut. Of up to 20,000 it finds good ones, and a bound.
//
// [Solve] is the root task and [Tour] its answer; make its distances with [DistancesOf] from a
// problem that package tsplib has read. [Start] looks for a short tour, and [Subtree] explores a
// part of the tree. [WriteCertificate] writes the proof, which package check verifies. Package lp
// solves linear programs, package cuts finds what their solutions violate, and package picture
// draws tours.
//
// # How
//
// A tour to begin with comes from exchanges in the manner of Lin and Kernighan (Operations Research
// 21, 1973), moves of Or, which put a few cities elsewhere, and double-bridge kicks. A [Shorten] of
// a thousand cities and more takes the tour apart, and each [Piece] is a job, from the start on, as
// in the segment partitioning of Helsgaun (LKH-2, Mathematical Programming Computation 1, 2009).
// The root's first bounds are those of Held and Karp (Operations Research
// 18, 1970; Mathematical Programming 1, 1971): the smallest 1-tree, a spanning tree and one edge
// more, is no longer than the shortest tour, also when each city has a multiplier that is added to
// all its edges and taken off again twice. Which leaf of the tree gets the second edge is chosen
// anew for each 1-tree, as Helsgaun does (EJOR 126, 2000).
//
// The root's multipliers climb by the volume algorithm (Barahona and Anbil, Mathematical
// Programming 87, 2000), first with few edges, and then with those that were missing, which Prim's
// algorithm finds; it converges where cities stand in clusters. What an edge's exclusion or
// inclusion would add to the bound is found by exchanging it in the 1-tree; edges whose other
// decision would close the root are decided. That leaves some edges at each city, and often
// nothing.
//
// What is left is a linear program: each edge is between 0 and 1, two are at each city, and cuts
// are added for as long as they raise its value. Those are subtours, sets of cities that at least
// two edges leave, and combs (Chvátal, Mathematical Programming 5, 1973; Grötschel and Padberg,
// 1979), found as blossoms of the solution's graph, or of one in which sets that just two edges
// leave are nodes. A node then tries the edges nearest to a half, with a few steps on each side:
// those with a side that closes are decided, and it branches on the one whose two sides gain most.
// One child is without it and one with it, so that its tours are divided, and begins with the
// cuts and the basis of its parent.
//
// No bound is the program's own. Its prices are rounded to whole numbers of 1/1,048,576, and what
// they prove is added up in whole numbers: twice those of the cities, those of the cuts as often as
// edges leave them at least, and of each edge what is left of its length, where that is below 0 or
// the edge is in. That holds for any prices. Edges are decided where what is left of them is more
// than what the bound lacks. Two edges at each city and no ring but the last decide others.
//
// Edges that all tours must have are in from the root on. An asymmetric problem of n cities is
// searched as a symmetric one of 2n nodes, of which n edges are such, and most are missing (see
// matrix). Its tours to begin with come from exchanges of two neighbouring pieces, which turn
// nothing around.
//
// A job explores a node and below it until it has looked at so many numbers; what it has then not
// explored are jobs of their own. Each node is set up from its fields. So a job depends on its
// fields, the distances and the best tour's length only, and with an optimal Solve.Initial the tree
// is the same whoever explores it, and [Tally] tells how much of it was explored twice. Programs
// round each product on its own, so that all machines have the same, and distances are computed
// once, by the submitter: no machine's rounding decides about anything.
//
// # Costs
//
// A 1-tree takes a few microseconds for 100 cities, a node some milliseconds, and the root of 200
// cities a second or two, which one worker does alone. Memory is 16 bytes for each pair of cities,
// some hundred bytes for each edge left, and 16 for each pair of rows: cities and cuts. Of
// more than 2,000 cities there is no list of pairs; a kick takes 0.1 ms, and all edges' bound some
// nanoseconds a pair.
//
// # Limitations
//
// Cuts are subtours and combs only: problems whose bound stays far below the shortest tour take a
// tree that grows exponentially with the gap. The root's program is one worker's. Problems of more
// than some hundred cities get a good tour and a bound, but rarely a proof. Tours of asymmetric
// problems that are not proved may be some percent too long.
package tsp
