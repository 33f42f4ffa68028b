package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
)

// RunWords are what help says of RUN.
const RunWords = `RUN is the id that submit prints and jobs lists, or the beginning of it, or
@last: the one that was submitted last with this state folder.`

// OneRun is where the run is that is the only argument.
func OneRun(con *console.Console, c *cli.Context) (*Where, error) {
	if c.NArg() != 1 {
		return nil, console.Usage("%s takes one run, by its id, but there are %d", c.Command.Name, c.NArg())
	}
	return WhereOf(con, c, c.Args().First())
}

// CancelCommand ends a run.
func CancelCommand(con *console.Console, app satin.App) *cli.Command {
	return &cli.Command{
		Name: "cancel", Category: "1 RUN", Usage: "end a run of a grid", ArgsUsage: "RUN",
		Description: `Ends a run, whoever has submitted it, on the grid of the node that runs here, on that of --join, or where it was
submitted from here. Whoever waits for it is told, and a kept answer goes, too. ` + RunWords,
		Flags: WhereFlags(con),
		Action: func(c *cli.Context) error {
			w, err := OneRun(con, c)
			if err != nil {
				return err
			}
			return w.command(app, func(ctx context.Context, g reached, r satin.RunStats) (string, error) {
				return "run " + r.ID.Short() + " of " + r.Task + " is cancelled", g.cancel(ctx, r)
			})
		},
	}
}

// ShareCommand gives a run another share of the workers.
func ShareCommand(con *console.Console, app satin.App) *cli.Command {
	return &cli.Command{
		Name: "share", Category: "1 RUN", Usage: "give a run another share of the workers", ArgsUsage: "RUN N",
		Description: `Gives a run, whoever has submitted it, a part of the workers beside others, each of which has 100 if nothing else was
said: N from 1 to ` + strconv.Itoa(satin.ShareMax) + `. Of several who say so the last is obeyed. ` + RunWords,
		Flags: WhereFlags(con),
		Action: func(c *cli.Context) error {
			if c.NArg() != 2 {
				return console.Usage("share takes a run, by its id, and a number, and no other word: %s share RUN N", con.Name)
			}
			n, err := strconv.Atoi(c.Args().Get(1))
			if err != nil || n < 1 || n > satin.ShareMax {
				return console.Usage("the share is %q: a number from 1 to %d is expected", c.Args().Get(1), satin.ShareMax)
			}
			w, err := WhereOf(con, c, c.Args().First())
			if err != nil {
				return err
			}
			return w.command(app, func(ctx context.Context, g reached, r satin.RunStats) (string, error) {
				return fmt.Sprintf("run %s of %s has a share of %d", r.ID.Short(), r.Task, n), g.share(ctx, r, n)
			})
		},
	}
}

// command does something to a run, and prints what it says of it when it is done.
func (w *Where) command(app satin.App, do func(context.Context, reached, satin.RunStats) (string, error)) error {
	return w.during(app, func(ctx context.Context, g reached) error {
		r, err := w.find(ctx, g.list)
		if err != nil {
			return err
		}
		said, err := do(ctx, g, r)
		if err == nil {
			_, err = fmt.Fprintln(w.con.Out, said)
		}
		return err
	})
}

// aboutRun does what a command wants of a run.
func (n *nodeState) aboutRun(ctx context.Context, r admin.Request) error {
	run, err := runs.Find(n.peer.Runs(), r.Run)
	switch {
	case err != nil:
	case r.Do == admin.Share:
		err = n.peer.ShareRun(ctx, run.ID, r.Share)
	default:
		err = n.peer.CancelRun(ctx, run.ID)
	}
	return missing(err)
}

// Story is what has happened to a run, as this node has heard.
func (n *nodeState) Story(word string, from int) (runs.Story, error) {
	n.chronicle.Look(n.peer.Runs()) // what is known by now is part of it
	s, err := n.chronicle.Story(word, from)
	s.By = fmt.Sprintf("%s since %d", n.peer.ID(), n.start.UnixMilli())
	return s, missing(err)
}

// missing is the failure of a word that means no run.
func missing(err error) error {
	var m *runs.NotFound
	if errors.As(err, &m) {
		return &admin.Failure{Code: console.ExitUsage, Text: m.Error()}
	}
	return err
}
