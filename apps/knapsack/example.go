package knapsack

import (
	"fmt"

	"satingrid/apps/knapsack/instance"
)

// exampleSpec is a subset sum of numbers so large that no list of all sums is short, and no sum
// hits the capacity: all half sums must be seen.
const exampleSpec = "subsetsum,48,1000000000000000,11"

// Example is the problem that is solved where no other is given.
func Example() *instance.Instance {
	p, err := instance.Made(exampleSpec)
	if err != nil {
		panic(fmt.Sprintf("knapsack: BUG: %v", err))
	}
	return p
}
