package node

import (
	"context"
	"fmt"
	"net"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/dash"
	"satingrid/satin/program/wording"
)

// DashCommand shows what a grid does in a browser.
func DashCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "dash", Category: "3 OBSERVE", Usage: "what a whole grid does, every second, on a page in a browser",
		Description: `Prints the link to a page that shows the grid of the node that runs here, or of the one that --join leads to: sites,
runs and peers, their workers over time, what has happened and what is wrong. It shows that for as long as this command
runs, on this machine alone and to whoever has the link; from another machine ssh -L brings the port there. Nothing
can be done with it.`,
		Flags: append(WhereFlags(con), &cli.IntFlag{Name: "port", Usage: "the page's `PORT` on this machine", DefaultText: "a free one"}),
		Action: func(c *cli.Context) error {
			switch {
			case c.NArg() > 0:
				return console.Usage("dash takes no argument, but there is %q", c.Args().First())
			case c.Int("port") < 0 || c.Int("port") > 65535:
				return console.Usage("--port is %d: 0 to 65535 is expected", c.Int("port"))
			}
			w, err := WhereOf(con, c, "")
			if err != nil {
				return err
			}
			stop := con.Catch(nil)
			defer stop.Release()
			return w.dash(stop, c.Int("port"))
		},
	}
}

// dash shows it until it is told to stop. Who cannot be asked at first is not shown.
func (w *Where) dash(stop *console.Interrupts, port int) error {
	var o *outlook
	err := stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		console.WhileSlow(func() { o, err = w.outlook(ctx) }, func() { w.con.Say("asking %s", w.Said()) })
		return err
	})
	if err != nil {
		return err
	}
	at, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return console.Usage("dash: %v; --port names another", wording.Bare(err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	context.AfterFunc(ctx, func() { at.Close() })
	go func() {
		select {
		case <-stop.First:
			cancel()
		case <-ctx.Done():
		}
	}()
	o.loans = true
	s := dash.New(o.look)
	fmt.Fprintln(w.con.Out, s.Link(at.Addr()))
	return s.Serve(ctx, at)
}
