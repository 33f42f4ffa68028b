package program

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// Program is a binary with its applications, and all verbs.
type Program struct {
	// what is typed, and what all that is the program's own is named after; by default it is
	// that of the only application
	Name    string
	Summary string // in a few words, for help; by default that of the only application

	// changes when a task comes to mean something else under the same name and shape: peers of
	// one grid have the same. By default it is that of the only application's App.
	Version string

	// what one build has stored is right for any other of the same Version: see [satin.App]. By
	// default that, too, is the only application's.
	VersionIsEnough bool

	Applications []*Application // as lists name them; help begins with the first

	// Commands are verbs of this program's own; app has the tasks of all applications. One that
	// is called bench is also bench recovery, as that of any program. nil: there are none.
	Commands func(con *console.Console, app satin.App) []*cli.Command
}

// Main is the main function of a program: it runs the command line of this process, and ends the
// process with the exit code.
//
//	func main() { program.Main(program.Of("change", parse)) }
//
// One that has several applications, or verbs of its own, is a [Program] literal with a Main.
func Main(a *Application) { (&Program{Applications: []*Application{a}}).Main() }

// Main runs the command line of this process, and ends the process with the exit code.
func (p *Program) Main() {
	os.Exit(p.Run(os.Args[1:], console.New(p.Name, os.Stdout, os.Stderr)))
}

// App holds the tasks of all applications, so that a node serves any of them.
func (p *Program) App() satin.App {
	p = p.settled()
	app := satin.App{Name: p.Name, Version: p.Version, VersionIsEnough: p.VersionIsEnough}
	for _, a := range p.Applications {
		app.Tasks = append(app.Tasks, a.App.Tasks...)
	}
	return app
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

// nameable is what a program and its applications may be called: a word that names a command, a
// folder and, in capitals, variables.
var nameable = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// settled is the program with what it leaves out. It panics where its author has made a mistake,
// which is then seen at the first start.
func (p *Program) settled() *Program {
	s := *p
	if slices.Contains(p.Applications, nil) {
		panic("program: an Application is nil")
	}
	if a := p.only(); a != nil {
		s.Name, s.Summary, s.Version = cmp.Or(s.Name, a.Name), cmp.Or(s.Summary, a.Summary), cmp.Or(s.Version, a.App.Version)
		s.VersionIsEnough = s.VersionIsEnough || a.App.VersionIsEnough
	}
	s.Summary = cmp.Or(s.Summary, "a divide-and-conquer program")
	switch {
	case len(s.Applications) == 0:
		panic("program: a Program has no application")
	case !nameable.MatchString(s.Name):
		panic(fmt.Sprintf("program: the name of a Program is %q: a letter is expected, then letters, digits, - and _", s.Name))
	}
	known := map[string]bool{}
	for _, a := range s.Applications {
		switch {
		case !nameable.MatchString(a.Name):
			panic(fmt.Sprintf("program: the name of an Application is %q: a letter is expected, then letters, digits, - and _", a.Name))
		case known[a.Name]:
			panic("program: two applications are called " + a.Name)
		case a.Root.prepare == nil || len(a.App.Tasks) == 0:
			panic("program: application " + a.Name + " has no Root, or no task in its App")
		}
		known[a.Name] = true
	}
	return &s
}

// only is the only application; nil where there are several.
func (p *Program) only() *Application {
	if len(p.Applications) != 1 {
		return nil
	}
	return p.Applications[0]
}

// named is the application of that name, or the only one.
func (p *Program) named(name string) *Application {
	for _, a := range p.Applications {
		if a.Name == name {
			return a
		}
	}
	return p.only()
}

// typed is how a verb of an application is typed: "run tsp", and "run" where there is one
// application.
func (p *Program) typed(verb string, a *Application) string {
	if p.only() != nil {
		return verb
	}
	return verb + " " + a.Name
}

// names are those of the applications.
func (p *Program) names() []string {
	var out []string
	for _, a := range p.Applications {
		out = append(out, a.Name)
	}
	return out
}
