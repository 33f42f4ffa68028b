package main

import (
	fib "satingrid/apps/fib/cli"
	knapsack "satingrid/apps/knapsack/cli"
	nqueens "satingrid/apps/nqueens/cli"
	raytracer "satingrid/apps/raytracer/cli"
	sat "satingrid/apps/sat/cli"
	tsp "satingrid/apps/tsp/cli"
	uts "satingrid/apps/uts/cli"
	"satingrid/satin/program"
)

// applications are those of this binary, as lists name them; help begins with the first. The
// command knows nothing else of any.
func applications() []*program.Application {
	return []*program.Application{
		raytracer.Application(),
		tsp.Application(),
		sat.Application(),
		knapsack.Application(),
		uts.Application(),
		nqueens.Application(),
		fib.Application(),
	}
}
