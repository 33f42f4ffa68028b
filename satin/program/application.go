package program

import (
	"context"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
)

// Application is a kind of run that a program offers. Of makes one of a task alone.
type Application struct {
	Name    string
	Summary string     // in a few words
	Input   string     // what INPUT is, for the usage line: "[N]"; "": there is none
	Many    bool       // INPUT may be any number of words
	Details string     // what INPUT may be and what is printed, in a few lines
	Inputs  []string   // the inputs that have names, for suggestions
	Flags   []cli.Flag // beside those that every run has
	App     satin.App

	// Chooses tells that the jobs read the best solution so far, so that several values of one
	// are right. --verify leaves those out, and so does nothing here.
	Chooses bool

	// Prepare reads what stands on the command line, and says what is wrong with it before
	// anything is computed.
	Prepare func(in *Input) (*Prepared, error)

	Checker *Checker // nil: there is none

	// NodeFlags are flags of the verb node, for what its jobs are allowed there. Serve reads
	// them before the node opens. nil: there are none.
	NodeFlags []cli.Flag
	Serve     func(c *cli.Context) error
}

// Prepared is a run that is ready to start.
type Prepared struct {
	Input string // as the answer names it; "": by its words
	Start func(ctx context.Context, p *satin.Peer) (Running, error)
}

// Of is an application of one task. Parse makes the root of what stands on the command line; others
// are the types of the other tasks that a run of it spawns. The answer is printed as fmt prints it,
// and with --json as encoding/json writes it, unless it is an [Answer] itself: then it says so, and
// may be a Briefer, a Keeper and so on, too.
//
// Summary, Input, Details and what else help tells are for whoever calls it to fill in.
func Of[T satin.Task[R], R any](name string, parse func(in *Input) (T, error), others ...satin.TaskType) *Application {
	return &Application{
		Name: name, Input: "[INPUT]",
		App: satin.App{Name: name, Tasks: append([]satin.TaskType{satin.Type[T]()}, others...)},
		Prepare: func(in *Input) (*Prepared, error) {
			task, err := parse(in)
			if err != nil {
				return nil, err
			}
			return &Prepared{Start: Submit(task, shown[R])}, nil
		},
	}
}
