package program

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// Program is a binary with its applications, and all verbs.
type Program struct {
	// what is typed; all that is named after the program bears it. By default it is that of the
	// only application
	Name    string
	Summary string // in a few words, for help; by default that of the only application

	// changes when a task comes to mean something else under the same name and shape: peers of
	// one grid have the same
	Version string

	Applications []*Application // as lists name them; help begins with the first

	// Commands are verbs of this program's own; app has the tasks of all applications. nil:
	// there are none.
	Commands func(con *console.Console, app satin.App) []*cli.Command
}

// Main runs the command line of this process, and ends the process with the exit code.
func (p *Program) Main() {
	os.Exit(p.Run(os.Args[1:], console.New(p.Name, os.Stdout, os.Stderr)))
}

// App holds the tasks of all applications, so that a node serves any of them.
func (p *Program) App() satin.App {
	app := satin.App{Name: p.Name, Version: p.Version}
	for _, a := range p.Applications {
		app.Tasks = append(app.Tasks, a.App.Tasks...)
	}
	return app
}

// names are those of the applications.
func (p *Program) names() []string {
	var out []string
	for _, a := range p.Applications {
		out = append(out, a.Name)
	}
	return out
}

// Peer is what starts this binary as a peer of run --sites: a process that reads orders, as
// package local gives them.
func Peer() (command []string, err error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program cannot find itself to start its peers: %w", err)
	}
	return []string{executable, peerWord}, nil
}
