package node

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
)

// tailEvery is how often it is asked for more of a run's story.
const tailEvery = 300 * time.Millisecond

// LogsCommand tells what has happened to a run; best tells of its bests.
func LogsCommand(con *console.Console, app satin.App, best runs.Shown) *cli.Command {
	return &cli.Command{
		Name: "logs", Category: "3 OBSERVE", Usage: "what has happened to a run: masters, losses, bests", ArgsUsage: "RUN",
		Description: `Prints what the node that runs here has heard of a run, and goes on until the run has its answer or has ended. With
--join it is what this process hears itself, from now on. ` + RunWords,
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

// tail prints a run's story until it is over.
func (w *Where) tail(ctx context.Context, g reached, asJSON bool) error {
	word := w.Run
	for from := 0; ; {
		s, err := g.story(word, from)
		if err != nil {
			return w.Elsewhere(ctx, "logs", w.notThere(err))
		}
		for _, line := range s.Lines {
			if err := printHappening(w.con, line, asJSON); err != nil {
				return err
			}
		}
		if s.Over {
			return nil
		}
		word, from = s.Run, s.Next
		if err := pause(ctx, tailEvery); err != nil {
			return err
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
