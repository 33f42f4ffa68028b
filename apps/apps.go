// Package apps lists the applications, each in a folder of its own.
package apps

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

// All are the applications, in the order in which they are shown.
func All() []*program.Application {
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
