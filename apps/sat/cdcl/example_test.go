package cdcl_test

import (
	"fmt"

	"satingrid/apps/sat/cdcl"
)

// One solver is asked again and again, with more clauses and other assumptions: what it has learned
// stays.
func ExampleSolver() {
	const budget = 10_000 // conflicts
	s := cdcl.New(3)
	s.Add([]int32{1, 2})
	s.Add([]int32{-1, 3})
	fmt.Println(s.Solve([]int32{-3}, budget) == cdcl.Satisfiable, s.Model())

	s.Grow(4)
	s.Add([]int32{-2, 4})
	fmt.Println(s.Solve([]int32{-4, -3, 1}, budget) == cdcl.Unsatisfiable, len(s.Failed()), "of 3 contradict the clauses")
	fmt.Println(s.Solve(nil, budget) == cdcl.Satisfiable)
	// Output: true [false true false]
	// true 2 of 3 contradict the clauses
	// true
}
