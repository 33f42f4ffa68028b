package check_test

import (
	"fmt"
	"strings"

	"satingrid/apps/knapsack/check"
	"satingrid/apps/knapsack/instance"
)

func problem() *instance.Instance {
	p, err := instance.Read(strings.NewReader("3\n5\n6 1\n10 2\n12 3\n"), "three.kp", 1)
	if err != nil {
		panic(err)
	}
	return p
}

func ExampleAnswer() {
	c, err := check.Answer(strings.NewReader("value 22\nweight 5\noptimal yes\nitems 2 3\n"), "three.answer")
	fmt.Println(c.Value, c.Items, c.Optimal, err)
	// Output: 22 [2 3] true <nil>
}

func ExampleVerify() {
	fmt.Println(check.Verify(problem(), check.Claim{Value: 22, Weight: 5, Items: []int64{2, 3}, Optimal: true}))
	fmt.Println(check.Verify(problem(), check.Claim{Value: 18, Weight: 4, Items: []int64{1, 3}, Optimal: true}))
	// Output:
	// {22 5 true} <nil>
	// {0 0 false} the value 18 is said to be optimal, but 22 is reached
}

func ExamplePacking() {
	fmt.Println(check.Packing(problem(), []int64{1, 2}, nil))
	// Output: 16 3 <nil>
}

func ExampleOptimum() {
	fmt.Println(check.Optimum(problem()))
	// Output: 22 <nil>
}
