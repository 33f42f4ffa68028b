package sat

import "satingrid/apps/sat/cnf"

// Example is the formula that is decided where no other is given: random 3-SAT at the threshold,
// unsatisfiable, and about two seconds of one core.
func Example() *cnf.Formula { return cnf.Random3(250, 4) }
