// Package tsp finds shortest round trips, and proves that they are: travelling salesman problems of
// some hundred cities, by branch and bound. Of up to 20,000 it finds good ones, and a bound.
//
// [Solve] is the root task and [Tour] its answer; make its distances with [DistancesOf] from a
// problem that package tsplib has read. [Start] looks for a short tour, and [Subtree] explores a
// part of the tree. [WriteCertificate] writes the proof, which package check verifies. Package
// picture draws tours.
//
// # How
//
// A tour to begin with comes from exchanges in the manner of Lin and Kernighan (Operations Research
// 21, 1973), moves of Or, which put a few cities elsewhere, and double-bridge kicks. A [Shorten] of
// a thousand cities and more takes the tour apart, and each [Piece] is a job, from the start on, as
// in the segment partitioning of Helsgaun (LKH-2, Mathematical Programming Computation 1, 2009).
// Lower bounds are those of Held and Karp (Operations Research
// 18, 1970; Mathematical Programming 1, 1971): the smallest 1-tree, a spanning tree and one edge
// more, is no longer than the shortest tour, also when each city has a multiplier that is added to
// all its edges and taken off again twice. Which leaf of the tree gets the second edge is chosen
// anew for each 1-tree, as Helsgaun does (EJOR 126, 2000).
//
// The root's multipliers climb by the volume algorithm (Barahona and Anbil, Mathematical
// Programming 87, 2000), first with few edges, and then with those that were missing, which Prim's
// algorithm finds; it converges where cities stand in clusters. A node's begin with those of its
// parent and take steps with a memory of two directions (Volgenant and Jonker, EJOR 9, 1982). What
// an edge's exclusion or inclusion would add to the bound is found by exchanging it in the 1-tree;
// edges whose other decision would close the node are decided. Two edges at each city and no ring
// but the last decide others. A node then tries the edges where its 1-tree forks, all but always
// all of them, with a few steps on each side: those with a side that closes are decided, and it
// branches on the one whose two sides gain most. One child is without it and one with it, so that
// its tours are divided, and begins with the multipliers of the probe.
//
// Edges that all tours must have are in from the root on. An asymmetric problem of n cities is
// searched as a symmetric one of 2n nodes, of which n edges are such, and most are missing (see
// matrix). Its tours to begin with come from exchanges of two neighbouring pieces, which turn
// nothing around.
//
// A job explores a node and below it until its 1-trees have looked at so many edges and cities;
// what it has then not explored are jobs of their own. So a job depends on its fields, the
// distances and the best tour's length only, and with an optimal Solve.Initial the tree is the same
// whoever explores it, and [Tally] tells how much of it was explored twice. Multipliers and bounds
// are whole numbers of 1/1024, and distances are computed once, by the submitter: no machine's
// rounding decides about anything.
//
// # Costs
//
// A 1-tree takes a few microseconds for 100 cities, a node some milliseconds, nearly all of it for
// probes. Memory is 16 bytes for each pair of cities and some hundred bytes for each edge left. Of
// more than 2,000 cities there is no list of pairs; a kick takes 0.1 ms, and all edges' bound some
// nanoseconds a pair.
//
// # Limitations
//
// There are no cutting planes: problems whose bound is far below the shortest tour take a tree that
// grows exponentially with the gap. Problems of more than a few hundred cities get a good tour and
// a bound, but rarely a proof. Those of asymmetric problems may be some percent too long.
package tsp
