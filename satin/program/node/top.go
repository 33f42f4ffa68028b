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
	"satingrid/satin/program/moments"
	"satingrid/satin/program/top"
)

// TopCommand shows what a grid does on a full screen.
func TopCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "top", Category: "3 OBSERVE", Usage: "what a whole grid does, every second, on a full screen", ArgsUsage: "[FILE]",
		Description: `Shows the sites, the peers and the runs of the grid of the node that runs here, or of the one that --join leads to, and
what is wrong. Tab goes to the next table, the arrows choose a line, s sorts by the next column, and q quits. c cancels
the run that is chosen; on the grid of the node that runs here l lets the peer leave, and k kicks it: each asks first.
A FILE that record has written is played: Space stops it and lets it go on, left and right go a look back and on,
+ and - make it faster and slower, Home and End go to its ends.`,
		Flags: append(WhereFlags(con), atFlag()),
		Action: func(c *cli.Context) error {
			if err := replays(c); err != nil {
				return err
			}
			if !con.Screen {
				other := "status --watch prints the same line by line"
				if c.NArg() == 1 {
					other = "report FILE --at prints a moment of it"
				}
				return console.Usage("top needs a terminal with a screen, which standard output is not: %s %s", con.Name, other)
			}
			if c.NArg() == 1 {
				return play(con, c, func(stop *console.Interrupts, d *moments.Deck) error {
					return stop.Unless("interrupted", func(ctx context.Context) error {
						return onScreen(ctx, top.Vantage{Moments: d, Press: d.Press})
					})
				})
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
	can := w.control()
	var o *outlook
	console.WhileSlow(func() { o, err = w.outlook(ctx) }, func() { w.con.Say("asking %s", w.Said()) })
	if err != nil {
		return err
	}
	return onScreen(ctx, top.Vantage{Moments: moments.NewLive(o.look, 0), Control: can})
}

// onScreen shows what is seen from there until that is ended.
func onScreen(ctx context.Context, from top.Vantage) error {
	screen, err := tcell.NewScreen()
	if err != nil {
		return console.Usage("no full screen: %v; TERM says which terminal this is", err)
	}
	return top.Run(ctx, screen, from, os.Getenv("NO_COLOR") == "")
}

// control is what can be done from here, before the grid is looked at: that goes by a visit.
func (w *Where) control() moments.Control {
	if w.by == nil {
		return moments.Control{Can: []moments.Ability{moments.Leave, moments.Kick, moments.Cancel}, Act: w.tellNode}
	}
	return moments.Control{Can: []moments.Ability{moments.Cancel}, Act: w.cancelRun}
}

// cancelRun ends a run of a grid of any build.
func (w *Where) cancelRun(ctx context.Context, order moments.Intent) (string, error) {
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
func (w *Where) tellNode(ctx context.Context, order moments.Intent) (string, error) {
	r := admin.Request{Do: admin.Action(order.Do), Peers: []string{order.ID}, Deadline: graceDefault}
	said := []string{}
	switch order.Do {
	case moments.Cancel:
		r, said = admin.Request{Do: admin.Cancel, Run: order.ID}, []string{"run " + order.Name + " is cancelled"}
	case moments.Leave:
		said = []string{order.Name + " is told to leave"}
	}
	err := admin.Tell(ctx, w.state, r, func(line string) { said = append(said, line) })
	return strings.Join(said, "; "), adminError(err)
}
