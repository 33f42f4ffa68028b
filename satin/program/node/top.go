package node

import (
	"context"
	"os"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/top"
)

// TopCommand shows what a grid does on a full screen.
func TopCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "top", Category: "3 OBSERVE", Usage: "what a whole grid does, every second, on a full screen",
		Description: `Shows the sites, the peers and the runs of the grid of the node that runs here, or of the one that --join leads to, and
what is wrong. Tab goes to the next table, the arrows choose a line, s sorts by the next column, and q quits. c cancels
the run that is chosen; on the grid of the node that runs here l lets the peer leave, and k kicks it: each asks first.`,
		Flags: WhereFlags(con),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return console.Usage("top takes no argument, but there is %q", c.Args().First())
			}
			if !con.Screen {
				return console.Usage("top needs a terminal with a screen, which standard output is not: %s status --watch prints the same line by line", con.Name)
			}
			w, err := WhereOf(con, c, "")
			if err != nil {
				return err
			}
			stop := con.Catch(nil)
			defer stop.Release()
			return stop.Unless("interrupted", w.top)
		},
	}
}

// top shows it until that is ended. Who cannot be asked at first is not shown.
func (w *Where) top(ctx context.Context) (err error) {
	from := top.Vantage{Can: []top.Ability{top.Cancel}, Act: w.cancelRun}
	if w.by == nil {
		from = top.Vantage{Can: []top.Ability{top.Leave, top.Kick, top.Cancel}, Act: w.tellNode}
	}
	var o *outlook
	console.WhileSlow(func() { o, err = w.outlook(ctx) }, func() { w.con.Say("asking %s", w.Said()) })
	if err != nil {
		return err
	}
	from.Look = func(ctx context.Context) (observe.View, error) { return o.next(ctx) }
	screen, err := tcell.NewScreen()
	if err != nil {
		return console.Usage("no full screen: %v; TERM says which terminal this is", err)
	}
	return top.Run(ctx, screen, from, os.Getenv("NO_COLOR") == "")
}

// cancelRun ends a run of a grid of any build.
func (w *Where) cancelRun(ctx context.Context, order top.Intent) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, elsewhereMax)
	defer cancel()
	var r satin.RunStats
	err := parseKey(r.ID[:], order.ID)
	if err != nil {
		return "", err
	}
	v, err := w.byVisit(ctx, w.by, w.by.leads(w.state))
	if err == nil {
		err = v.cancel(ctx, r)
	}
	return "run " + order.Name + " is cancelled", err
}

// tellNode has the node that runs here do it.
func (w *Where) tellNode(ctx context.Context, order top.Intent) (string, error) {
	r := admin.Request{Do: admin.Action(order.Do), Peers: []string{order.ID}, Deadline: graceDefault}
	said := []string{}
	switch order.Do {
	case top.Cancel:
		r, said = admin.Request{Do: admin.Cancel, Run: order.ID}, []string{"run " + order.Name + " is cancelled"}
	case top.Leave:
		said = []string{order.Name + " is told to leave"}
	}
	err := admin.Tell(ctx, w.state, r, func(line string) { said = append(said, line) })
	return strings.Join(said, "; "), adminError(err)
}
