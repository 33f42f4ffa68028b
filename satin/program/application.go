package program

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
)

// Application is a kind of run that a program offers. Of makes one of a task alone.
type Application struct {
	Name    string
	Summary string   // in a few words
	Input   string   // what INPUT is, for the usage line: "[N]"; "": there is none
	Many    bool     // INPUT may be any number of words
	Details string   // what INPUT may be and what is printed, in a few lines
	Inputs  []string // the inputs that have names, for suggestions
	App     satin.App

	Flags []cli.Flag // for what is computed, beside those that every run has
	// AnswerFlags say how an answer is shown and kept. run has them, and so have watch and
	// result, which come back to a run. submit has them for what they change of the root: only
	// a run that was asked for a proof has one.
	AnswerFlags []cli.Flag

	// Chooses tells that the jobs read the best solution so far, so that several values of one
	// are right. --verify leaves those out, and so does nothing here.
	Chooses bool

	// Draws tells that what a run has so far is drawn, by a Drawer, a Credited or a Bracketed:
	// pages keep a place for that from the start.
	Draws bool

	Root Root // how its runs begin, and how their answers are shown

	// Series makes something else of a command line than one run of Root: several, one after
	// another, which end with this process. It returns nil where a command line asks for one.
	// nil: all do.
	Series func(in *Input) (*Prepared, error)

	Checker *Checker // nil: there is none

	// NodeFlags are flags of the verb node, for what its jobs are allowed there. Serve reads
	// them before the node opens. nil: there are none.
	NodeFlags []cli.Flag
	Serve     func(c *cli.Context) error
}

// Prepared is a run that is ready to start, or a series of them.
type Prepared struct {
	Input string // as the answer names it
	Start func(ctx context.Context, p *satin.Peer, as ...satin.Option) (Running, error)

	series bool
}

// Prepare reads what stands on a command line, and says what is wrong with it before anything is
// computed.
func (a *Application) Prepare(in *Input) (*Prepared, error) {
	if a.Series != nil {
		if p, err := a.Series(in); p != nil || err != nil {
			if p != nil {
				p.series = true
			}
			return p, err
		}
	}
	return a.Root.prepare(in, true)
}

// prepareToSubmit is Prepare of a run whose answer is shown at another time.
func (a *Application) prepareToSubmit(in *Input) (*Prepared, error) {
	if a.Series != nil {
		if p, err := a.Series(in); err != nil {
			return nil, err
		} else if p != nil {
			return nil, errSeries
		}
	}
	return a.Root.prepare(in, false)
}

var errSeries = errors.New("this command line asks for many runs, which end with the process that wants them: submit them one by one")

// rootTask is how the statistics of a run name the application's root.
func (a *Application) rootTask() string { return a.App.NameOf(a.Root.task) }

// flags are all of the application's own.
func (a *Application) flags() []cli.Flag { return slices.Concat(a.Flags, a.AnswerFlags) }

// Of is an application of one task. Parse makes the root of what stands on the command line; others
// are the types of the other tasks that a run of it spawns. The answer is printed as fmt prints it,
// and with --json as encoding/json writes it; it may be a [Briefer]. If it is an [Answer] itself it
// says how it is shown, and may be a FileKeeper, a Coder and so on, too.
//
// Summary, Input, Details and what else help tells are for whoever calls it to fill in, and another
// Root where an answer needs flags, or the root, to be shown.
func Of[T satin.Task[R], R any](name string, parse func(in *Input) (T, error), others ...satin.TaskType) *Application {
	return &Application{
		Name: name, Input: "[INPUT]",
		App:  satin.App{Name: name, Tasks: append([]satin.TaskType{satin.Type[T]()}, others...)},
		Root: RootOf(parse, nil),
	}
}
