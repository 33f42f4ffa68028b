package multi_test

import (
	"fmt"

	"satingrid/apps/knapsack/multi"
)

// Three items of two constraints: the last two are too heavy together by the second.
func Example() {
	k := &multi.Knapsack{
		Profits: []int64{6, 10, 12},
		Weights: [][]int64{{1, 2, 3}, {1, 4, 4}},
		Room:    []int64{5, 7},
	}
	b := k.Relax()
	best := k.Greedy(b)
	z := k.Profit(best)
	in, free, open := k.Settle(b, z)
	fmt.Println("none is worth more than", b.Value(), "and this is worth", z, best)
	fmt.Println("some may be worth more:", open, "with", in, "and some of", free)

	rest, fits := k.Take(free, in)
	inside := k.Profit(in)
	done := rest.Search(rest.Relax(), z-inside, 1000,
		func(items []int32) { z = rest.Profit(items) + inside },
		func() (int64, bool) { return z - inside, true })
	fmt.Println("they fit:", fits, "all were looked at:", done, "the best is worth", z)
	// Output:
	// none is worth more than 23 and this is worth 18 [0 2]
	// some may be worth more: true with [] and some of [0 1 2]
	// they fit: true all were looked at: true the best is worth 18
}
