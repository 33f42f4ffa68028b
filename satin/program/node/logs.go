package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
)

// LogsCommand tells what has happened to a run; best tells of its bests.
func LogsCommand(con *console.Console, app satin.App, best runs.Shown) *cli.Command {
	return &cli.Command{
		Name: "logs", Category: "3 OBSERVE", Usage: "what has happened to a run: masters, losses, bests", ArgsUsage: "RUN",
		Description: `Prints what the node that runs here has heard of a run, or with --join a member of the grid, and goes on until the run
has its answer or has ended. ` + RunWords,
		Flags: append(WhereFlags(con), &cli.BoolFlag{Name: "json", Usage: "print lines of JSON"}),
		Action: func(c *cli.Context) error {
			w, err := OneRun(con, c)
			if err != nil {
				return err
			}
			w.best = best
			return w.during(app, func(ctx context.Context, g reached) error { return w.tail(ctx, g, c.Bool("json")) })
		},
	}
}

// tail prints a run's story until it is over. Where the host that tells it is gone, another goes
// on: with what it has heard since then, by its own clock.
func (w *Where) tail(ctx context.Context, g reached, asJSON bool) error {
	s, err := soon(ctx, func() (runs.Story, bool, error) {
		s, err := g.story(ctx, w.Run, 0)
		return s, isUsage(err), err
	})
	var last time.Time
	for {
		if err != nil {
			return w.notThere(err)
		}
		for _, line := range s.Lines {
			if line.At.After(last) {
				last = line.At
			}
			if err := printHappening(w.con, line, asJSON); err != nil {
				return err
			}
		}
		if s.Over {
			return nil
		}
		if err := pause(ctx, g.tailEvery()); err != nil {
			return err
		}
		by, run := s.By, s.Run
		if s, err = g.story(ctx, run, s.Next); err == nil && s.By != by {
			s, err = g.story(ctx, run, 0)
			s.Lines = slices.DeleteFunc(s.Lines, func(h runs.Happening) bool { return !h.At.After(last) })
		}
	}
}

func printHappening(con *console.Console, h runs.Happening, asJSON bool) error {
	if asJSON {
		return console.PrintJSON(con.Out, h)
	}
	_, err := fmt.Fprintln(con.Out, h)
	return err
}
