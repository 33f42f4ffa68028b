package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/node"
	"satingrid/satin/program/runs"
	"satingrid/satin/program/wording"
)

// watchCommand follows a run to its answer.
func (p *Program) watchCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "watch", Category: "1 RUN", Usage: "follow a run to its answer", ArgsUsage: "RUN",
		Description: `Shows how far a run is, whoever has submitted it, and prints its answer as run does. An interrupt ends the watching,
and not the run. ` + node.RunWords,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "events", Usage: "write what happens from now on to `FILE`, as JSON lines"},
			&cli.BoolFlag{Name: "dash", Usage: dashFlagUsage},
		}, comebackFlags(con), p.answerFlags()),
		Action: func(c *cli.Context) error { return p.comeBack(con, c, true) },
	}
}

// resultCommand prints the answer of a run.
func (p *Program) resultCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "result", Category: "1 RUN", Usage: "the answer of a run", ArgsUsage: "RUN",
		Description: `Prints the answer of a run, whoever has submitted it, as run does, with the same exit code. Where there is none yet it
says so, with exit code 1, or waits for it with --wait. ` + node.RunWords,
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "wait", Usage: "wait for the answer"},
		}, comebackFlags(con), p.answerFlags()),
		Action: func(c *cli.Context) error { return p.comeBack(con, c, c.Bool("wait")) },
	}
}

func comebackFlags(con *console.Console) []cli.Flag {
	return append([]cli.Flag{
		&cli.DurationFlag{Name: "timeout", Usage: "wait no longer than `D`, and print the best answer so far", DefaultText: "none"},
		&cli.BoolFlag{Name: "json", Usage: "print the answer as one line of JSON"},
	}, node.WhereFlags(con)...)
}

// comeBack prints the answer of a run that was submitted before. waits: if it is not there yet, it
// is waited for.
func (p *Program) comeBack(con *console.Console, c *cli.Context, waits bool) error {
	if err := checkTimeout(c); err != nil {
		return err
	}
	where, err := node.OneRun(con, c)
	if err != nil {
		return err
	}
	// before the file of events is there, by which others see that it is on
	stop := con.Catch(DiscardUnfinished)
	defer stop.Release()
	log, err := openEvents(con, c.String("events"))
	if err != nil {
		return err
	}
	defer log.close()
	b := &comeback{program: p, con: con, c: c, where: where, feed: newFeed(con, log), log: log}
	defer b.close()
	err = stop.Unless("interrupted; the run goes on", func(ctx context.Context) (err error) {
		if !waits && !b.asksMore() {
			result, err := b.visit(ctx)
			if err != nil || result != nil {
				return b.printed(result, err)
			}
		}
		console.WhileSlow(func() { err = b.open(ctx, waits) }, func() { con.Say("joining %s", where.Said()) })
		switch {
		case !b.elsewhere:
			return err
		case c.Command.Name == "result":
			return b.told(ctx, waits, err)
		}
		return where.Elsewhere(ctx, c.Command.Name, err)
	})
	if err != nil || b.run.Running == nil {
		return err
	}
	return b.follow(stop)
}

// told prints the answer of a run that the grid of another build has, as that tells it. Where none
// has such a run, the error is the one for which it was looked for there.
func (b *comeback) told(ctx context.Context, waits bool, otherwise error) error {
	result, found, err := b.where.ResultElsewhere(ctx, b.c.Bool("json"), waits)
	if !found {
		return otherwise
	}
	for _, f := range b.program.answerFlags() {
		if err == nil && isTyped(b.c, f) {
			return console.Usage("the run is on a grid of another build, whose answers come as text: fetch it with that build's command for %s", wording.Dashed(f.Names()[0]))
		}
	}
	return b.printed(result, err)
}

// asksMore tells whether flags of applications say what else shall become of the answer, such as a
// file: that is for this process to do.
func (b *comeback) asksMore() bool {
	return slices.ContainsFunc(b.program.answerFlags(), func(f cli.Flag) bool { return b.c.IsSet(f.Names()[0]) })
}

// visit has the answer printed by a member of the run's grid, which takes a visit; nil: a client
// has to come. Where nothing is said of a file, an application that has such flags may write one
// all the same.
func (b *comeback) visit(ctx context.Context) (result *across.Printed, err error) {
	asJSON := b.c.Bool("json")
	console.WhileSlow(func() {
		result, err = b.where.Result(ctx, asJSON, func(r satin.RunStats) bool {
			a, _, err := b.program.rootOf(r)
			return err == nil && (asJSON || len(a.AnswerFlags) == 0)
		})
	}, func() { b.con.Say("asking %s", b.where.Said()) })
	return result, err
}

// printed prints an answer that another process has made text of, and ends as that says.
func (b *comeback) printed(result *across.Printed, err error) error {
	if err != nil {
		return err
	}
	if _, err := io.WriteString(b.con.Out, result.Text); err != nil {
		return fmt.Errorf("the answer could not be printed: %w", err)
	}
	if result.Exit != console.ExitOK {
		return &console.Error{Code: result.Exit, Text: result.Says}
	}
	return nil
}

// comeback is a run that was submitted before, and this process has come back to.
type comeback struct {
	program *Program
	con     *console.Console
	c       *cli.Context
	where   *node.Where
	feed    *feed
	log     *eventLines

	peer  *satin.Peer
	app   *Application
	input string
	run   shownRun
	start time.Time // so that it has taken until now what the grid says
	end   context.CancelFunc
	easel *easel // of --dash; else nil
	// the grid of this build has not the run, or there is none: one of another may have it
	elsewhere bool
}

// open finds the run, and waits for its root. It does so as a client, and not as an observer: who
// waits for an answer has submitted the run once more, so the grid holds the answer until it has
// been handed on, even if the run's other submitters let go.
func (b *comeback) open(ctx context.Context, waits bool) (err error) {
	b.peer, err = b.where.Client(ctx, satin.Config{App: b.program.App(), Events: b.feed.event, Log: b.con.Log("")})
	var told *console.Error
	if err != nil {
		b.elsewhere = errors.As(err, &told) && told.Code == console.ExitIncompatible
		return err
	}
	r, err := b.where.Find(ctx, b.peer)
	if err != nil {
		b.elsewhere = true
		return err
	}
	if b.app, b.input, err = b.program.rootOf(r); err != nil {
		return err
	}
	if err := b.program.checkAnswerFlags(b.c, b.app, r); err != nil {
		return err
	}
	if !r.State.HasAnswer() && !waits {
		return unanswered(r, b.app, b.input)
	}
	attached, end := context.WithCancel(context.Background())
	b.end = end
	defer context.AfterFunc(ctx, end)()
	b.start = time.Now().Add(-tookOf(r))
	b.run, err = b.app.Root.reopen(attached, b.peer, r, &Input{Flags: b.c, Elsewhere: true, Called: b.input})
	if err == nil && b.c.Bool("dash") {
		b.easel, err = openEasel(ctx, b.con, b.app, b.where, nil)
	}
	return err
}

// unanswered is the error of a run that has no answer yet.
func unanswered(r satin.RunStats, a *Application, input string) error {
	return &console.Error{Code: console.ExitFailed, Text: fmt.Sprintf("run %s of %s has no answer yet; --wait waits for it", r.ID.Short(), nameOf(a, input))}
}

// tookOf is how long a run has taken, until now or until it had its answer.
func tookOf(r satin.RunStats) time.Duration {
	if r.State.HasAnswer() {
		return max(0, r.Age-(r.Keep-r.Kept))
	}
	return r.Age
}

// follow follows the run to its answer, and prints that.
func (b *comeback) follow(stop *console.Interrupts) error {
	w := &follower{
		run: b.run, cancel: b.end, start: b.start, stop: stop.First, meter: b.con.NewMeter(nameOf(b.app, b.input), b.start),
		log: b.log, feed: b.feed, timeout: b.c.Duration("timeout"), patience: stopMax,
		peers:  func() int { return len(b.peer.Members()) },
		leaves: &onGrid{hold: b.run, joined: true}, easel: b.easel,
	}
	out := w.follow()
	out.losses = func(string) []local.Loss { return nil }
	return show(b.con, b.app.Name, b.input, b.c.Bool("json"), b.run.Stats(), out)
}

func (b *comeback) close() {
	b.easel.close() // a page that fails has nothing that is lost with it
	if b.end != nil {
		b.end()
	}
	if b.peer != nil {
		b.peer.Close()
	}
}

// rootOf is the application whose root a run has, and its input as the answer names it. What is
// said of the run decides only between applications of one root.
func (p *Program) rootOf(r satin.RunStats) (*Application, string, error) {
	called, input := runs.Called(r, func(string) string { return "" })
	var found *Application
	for _, a := range p.Applications {
		if a.rootTask() == r.Task && (found == nil || a.Name == called) {
			found = a
		}
	}
	switch {
	case found == nil:
		return nil, "", console.Usage("run %s is of task %s, which is the root of no application here", r.ID.Short(), r.Task)
	case r.Label == "":
		input = Embedded // by whoever used the library
	}
	return found, input, nil
}

// appOf is the name of the application that a task is the root of; "": of none.
func (p *Program) appOf(task string) string {
	for _, a := range p.Applications {
		if a.rootTask() == task {
			return a.Name
		}
	}
	return ""
}
