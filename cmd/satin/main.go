// Command satin runs divide-and-conquer programs on computers that come and go.
//
// It computes in one process, on a grid of processes of this machine, or on a grid of
// nodes. See satin help.
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

func main() { command().Main() }

// command is this binary: its applications, and bench.
func command() *program.Program {
	return &program.Program{
		Name:    "satin",
		Summary: "divide-and-conquer on computers that come and go",
		Version: "1",
		Applications: []*program.Application{
			raytracer.Application(),
			tsp.Application(),
			sat.Application(),
			knapsack.Application(),
			uts.Application(),
			nqueens.Application(),
			fib.Application(),
		},
		Commands: benchCommands,
	}
}
