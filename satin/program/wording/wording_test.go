package wording_test

import (
	"fmt"

	"satingrid/satin/program/wording"
)

func Example() {
	known := []string{"raytracer", "tsp", "sat"}
	fmt.Println("there are", wording.Count(len(known), "application"), "and", wording.Count(1, "command"))
	fmt.Println("one of", wording.List(known))
	fmt.Println("flags", wording.Dashed("n"), "and", wording.Dashed("nodes"))
	fmt.Println(wording.LastLine("much is said\n  before this \n\n"))
	for _, word := range []string{"spt", "stp", "soft", "nothing"} {
		meant, ok := wording.Nearest(word, known)
		fmt.Printf("%s: %q, %v\n", word, meant, ok)
	}
	fmt.Println(wording.There(known[:1], 2) + "; " + wording.There(known, 2))
	fmt.Println("several begin so:", wording.Some(known, 1))
	// Output:
	// there are 3 applications and 1 command
	// one of raytracer, tsp and sat
	// flags -n and --nodes
	// before this
	// spt: "sat", true
	// stp: "tsp", true
	// soft: "", false
	// nothing: "", false
	// there is raytracer; there are raytracer, tsp and 1 other
	// several begin so: raytracer and 2 others
}
