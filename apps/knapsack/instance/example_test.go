package instance_test

import (
	"fmt"
	"strings"

	"satingrid/apps/knapsack/instance"
)

func ExampleRead() {
	p, err := instance.Read(strings.NewReader("3\n5\n6 1\n10 2\n12 3\n"), "three.kp", 1)
	fmt.Println(p.Items, p.Capacity, err)
	_, err = instance.Read(strings.NewReader("3\n5\n6 1\n10 two\n12 3\n"), "three.kp", 1)
	fmt.Println(err)
	// Output:
	// [{6 1} {10 2} {12 3}] 5 <nil>
	// three.kp:4: the weight is "two", a whole number is expected
}

func ExampleGenerate() {
	p, err := instance.Generate(instance.StronglyCorrelated, 3, 100, 1)
	fmt.Println(len(p.Items), p.Items[0].Profit-p.Items[0].Weight, err)
	// Output: 3 10 <nil>
}

func ExampleMade() {
	p, err := instance.Made("subsetsum,4,1000,1")
	fmt.Println(p.Items[0].Profit == p.Items[0].Weight, err)
	// Output: true <nil>
}

func ExampleInstance_Check() {
	p := instance.Instance{Items: []instance.Item{{Profit: 3, Weight: -1}}, Capacity: 5}
	fmt.Println(p.Check())
	// Output: item 1: the weight is -1, a number from 0 is expected
}
