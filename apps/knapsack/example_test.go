package knapsack_test

import (
	"context"
	"fmt"
	"strings"

	"satingrid/apps/knapsack"
	"satingrid/apps/knapsack/instance"
	"satingrid/satin"
)

func Example() {
	p, err := instance.Read(strings.NewReader("3\n5\n6 1\n10 2\n12 3\n"), "three.kp", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := satin.Run(context.Background(), nil, knapsack.New(p))
	fmt.Println(best.Value, best.Weight, best.Items, best.Bound == best.Value, err)
	// Output: 22 5 [1 2] true <nil>
}

func ExampleSolve_Check() {
	task := knapsack.Solve{Profits: []int64{1, 2}, Weights: []int64{3}, Capacity: 4}
	fmt.Println(task.Check())
	// Output: knapsack: 2 profits and 1 weights, as many of both are expected
}

func ExamplePacking_Better() {
	a, b := knapsack.Packing{Value: 7, Bound: 9}, knapsack.Packing{Value: 7, Bound: 7}
	fmt.Println(a.Better(b), b.Better(a))
	// Output: false true
}

func ExampleApp() {
	fmt.Println(knapsack.App().Name)
	// Output: knapsack
}

func ExampleExample() {
	p := knapsack.Example()
	fmt.Println(len(p.Items), p.Items[0].Profit == p.Items[0].Weight)
	// Output: 48 true
}
