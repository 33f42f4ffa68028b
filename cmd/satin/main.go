// Command satin runs divide-and-conquer programs on computers that come and go.
//
// It computes in one process, on a grid of processes of this machine, or on a grid of
// nodes. See satin help.
package main

import (
	"satingrid/apps"
	"satingrid/satin/program"
)

func main() { command().Main() }

// command is this binary: the applications, and bench.
func command() *program.Program {
	return &program.Program{
		Name:         "satin",
		Summary:      "divide-and-conquer on computers that come and go",
		Version:      "1",
		Applications: apps.All(),
		Commands:     benchCommands,
	}
}
