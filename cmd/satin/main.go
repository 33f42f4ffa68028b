// Command satin runs divide-and-conquer programs on computers that come and go.
//
// It computes in one process, on a grid of processes of this machine, or on a grid of
// nodes. See satin help.
package main

import (
	"github.com/urfave/cli/v2"

	"satingrid/apps"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

func main() { command().Main() }

// command is this binary: the applications, bench and sim.
func command() *program.Program {
	return &program.Program{
		Name:         "satin",
		Summary:      "divide-and-conquer on computers that come and go",
		Version:      "1",
		Applications: apps.All(),
		Commands: func(con *console.Console, app satin.App) []*cli.Command {
			return append(benchCommands(con, app), simCommand(con))
		},
	}
}
