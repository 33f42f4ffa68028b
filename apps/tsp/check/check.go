// Package check verifies tours and certificates of the travelling salesman solver, and shares no
// solving code with it: it has its own distances, its own bounds and its own conclusions.
//
// [Answer] reads what `satin run tsp` printed, and [Verify] looks at what it says about its tour,
// whose [Length] it adds up again. [Certificate] verifies that no tour is shorter than a length.
//
// # The certificate
//
// It is gzip, of a line "satin tsp certificate 1", and then numbers: uvarint and varint are
// those of encoding/binary. First come two uvarints, the number of cities and the length L that
// no tour falls below. Then come records, which walk through a tree that divides all tours. A
// node is a set of edges in and a set of edges out of all its tours; the root's are empty. Each
// record begins with a byte:
//
//	1 reduce  leaf (uvarint), then for each city a varint: what is added to its
//	          multiplier. The bound of the 1-tree of these multipliers, and its
//	          marginal values, put edges in and out.
//	2 branch  side (byte: 1 in, 2 out), u and v (uvarints): the node has two children.
//	          The records of the first follow, in which the edge u-v is on that side,
//	          and then those of the second, where it is on the other.
//	3 bound   as reduce: the bound of the 1-tree is above L-1, and the node is closed.
//	4 dead    what is in and out leaves no tour, or one tour only, which is no shorter
//	          than L. The node is closed.
//	5 part    there are no cuts any more, and all potentials are 0.
//	6 cut     how many sets (uvarint), and of each, how many cities (uvarint), and of
//	          each of these, by number, how many it leaves out after the one before
//	          (uvarint). One set is a subtour: no tour leaves it less than twice. More
//	          are a comb: a handle and teeth, an odd number, which have no city in
//	          common and are each inside and outside of the handle. No tour leaves
//	          all sets of a comb with t teeth less than 3t+1 times in all. Cuts are
//	          numbered from 0.
//	7 fix     prices: for each city a varint, what is added to its potential; then how
//	          many cuts have a price (uvarint), and of each its number and its price
//	          (uvarints). What is left of the edges' lengths puts edges in and out.
//	8 priced  as fix: the bound of the prices is above L-1, and the node is closed.
//
// Edges that are fixed are in at the root. Two cities, or one, have one tour: a single record 4.
//
// A problem whose ways back have lengths of their own, an ATSP, is that of twice as many: city c
// stands for arriving, and city n+c for leaving; the way from c to d is the edge of n+c and d. The
// edges of c and n+c have length 0 and are in at the root, all others are out. So each tour of the
// cities is one of these, as long, and there is no other.
//
// Potentials and prices are in 1/1048576 of a length. What is left of an edge is its length less
// the potentials of its ends, and less the price of a cut for each of its sets that the edge
// leaves. The bound of prices is twice all potentials, the price of each cut as often as its sets
// are left at least, and what is left of each edge that is in, or not out and has less than 0 left.
// An edge that has more left than the bound lacks is out; one that has as much less than 0 is in.
// Potentials stay from record to record, whatever the node.
//
// Lengths and multipliers are in 1/1024. A city's multiplier begins with 0 and is what the last
// reduce on the way from the root has made it; that of bound is forgotten again. The weight of an
// edge is its length and the multipliers of its ends. The 1-tree is a spanning tree of all cities
// but leaf that is smallest of those with all edges in and none that is out, and two edges of leaf,
// likewise. Its bound is its weight less twice all multipliers.
//
// # Costs
//
// A record takes time proportional to the square of the number of cities, and one with prices, for
// each edge not out, to how many of their sets have its ends.
package check

import (
	"fmt"

	"satingrid/apps/tsp/tsplib"
)

// Length is the length of a tour, whose cities count from 0; the error says why it is no tour of
// the problem.
func Length(p *tsplib.Problem, tour []int) (int64, error) {
	first, last := p.Numbering.Of(0), p.Numbering.Of(p.Cities-1)
	at := make([]int, p.Cities) // by city: one more than its place
	for k, c := range tour {
		if c < 0 || c >= p.Cities {
			return 0, fmt.Errorf("the tour visits city %d; the problem has cities %d to %d", first+c, first, last)
		}
		if at[c] > 0 {
			return 0, fmt.Errorf("the tour visits city %d twice", first+c)
		}
		at[c] = k + 1
	}
	if len(tour) != p.Cities {
		return 0, fmt.Errorf("the tour visits %d of %d cities", len(tour), p.Cities)
	}
	for _, e := range p.Fixed {
		next := tour[at[e[0]]%len(tour)]
		if before := tour[(at[e[0]]-2+len(tour))%len(tour)]; next != e[1] && before != e[1] {
			return 0, fmt.Errorf("the tour has not the fixed edge %d-%d", first+e[0], first+e[1])
		}
	}
	var sum int64
	for k := range tour {
		sum += between(p, tour[k], tour[(k+1)%len(tour)])
	}
	return sum, nil
}
