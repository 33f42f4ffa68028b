package node

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/dash"
	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/wording"
	"satingrid/satin/ticket"
)

// DrawingMax bounds the bytes of a [Exhibit].
const DrawingMax = dash.PictureMax

// Exhibit is what [Page.Draw] has a page show, and Legend what a colour in it stands for.
type (
	Exhibit = dash.Exhibit
	Legend  = dash.Legend
)

// DashCommand shows what a grid does in a browser.
func DashCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "dash", Category: "3 OBSERVE", Usage: "what a whole grid does, every second, on a page in a browser", ArgsUsage: "[FILE]",
		Description: `Prints the link to a page that shows the grid of the node that runs here, or of the one that --join leads to: sites,
runs and peers, their workers over time, what has happened and what is wrong. It shows that for as long as this command
runs, on this machine alone and to whoever has the link; from another machine ssh -L brings the port there. Nothing
can be done to the grid with it, unless --control says so: then whoever has the link can do what top does. A FILE that
record has written is played there, by the page's buttons or by keys: Space, left, right, +, -, Home and End.`,
		Flags: append(WhereFlags(con), atFlag(), controlFlag(), &cli.IntFlag{Name: "port", Usage: "the page's `PORT` on this machine", DefaultText: "a free one"}),
		Action: func(c *cli.Context) error {
			if c.Int("port") < 0 || c.Int("port") > 65535 {
				return console.Usage("--port is %d: 0 to 65535 is expected", c.Int("port"))
			}
			if err := replays(c); err != nil {
				return err
			}
			if c.NArg() == 1 && c.Bool("control") {
				return console.Usage("--control is for a grid that is there: a FILE is only played")
			}
			if c.NArg() == 1 {
				return play(con, c, func(stop *console.Interrupts, d *moments.Deck) error {
					return onPage(con, stop, c.Int("port"), dash.New(d, d.Press, moments.Control{}))
				})
			}
			w, err := WhereOf(con, c, "")
			if err != nil {
				return err
			}
			stop := con.Catch(nil)
			defer stop.Release()
			return w.dash(stop, c.Int("port"), c.Bool("control"))
		},
	}
}

func controlFlag() cli.Flag {
	return &cli.BoolFlag{Name: "control", Usage: "whoever has the link can cancel runs and, on the grid of the node that runs here, let peers leave and kick them"}
}

// dash shows it until it is told to stop. Who cannot be asked at first is not shown.
func (w *Where) dash(stop *console.Interrupts, port int, control bool) error {
	var may moments.Control
	if control {
		may = w.control()
	}
	var o *outlook
	err := stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		console.WhileSlow(func() { o, err = w.outlook(ctx) }, func() { w.con.Say("asking %s", w.Said()) })
		return err
	})
	if err != nil {
		return err
	}
	o.loans = true
	return onPage(w.con, stop, port, dash.New(moments.NewLive(o.look, 0), nil, may))
}

// onPage shows it at a port of this machine until it is told to stop.
func onPage(con *console.Console, stop *console.Interrupts, port int, s *dash.Dashboard) error {
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
	fmt.Fprintln(con.Out, s.Link(at.Addr()))
	return s.Serve(ctx, at)
}

// Page is a dash beside a run, for as long as that goes on.
type Page struct {
	*dash.Dashboard
	link    string
	cancel  context.CancelFunc
	served  chan error
	credits contributed
	seen    atomic.Pointer[observe.Sample] // the last
}

// Page shows the grids that this leads to on a page.
func (w *Where) Page(ctx context.Context) (*Page, error) {
	o, err := w.outlook(ctx)
	if err != nil {
		return nil, err
	}
	o.loans = true
	return openPage(o.look)
}

// PageOwn shows a grid that this process has made, of peers that have a [Informant].
func PageOwn(t ticket.Ticket) (*Page, error) {
	o := &observe.Observer{Ask: across.Visitor{Ticket: t}.Ask, Addrs: t.Addrs, Loans: true}
	return openPage(o.Look)
}

func openPage(look func(context.Context) (observe.Sample, error)) (*Page, error) {
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, console.Usage("--dash: %v", wording.Bare(err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Page{cancel: cancel, served: make(chan error, 1)}
	p.Dashboard = dash.New(moments.NewLive(p.noted(look), 0), nil, moments.Control{})
	p.link = p.Dashboard.Link(at.Addr())
	go func() { p.served <- p.Serve(ctx, at) }()
	return p, nil
}

// Link is where it is.
func (p *Page) Link() string { return p.link }

// Close ends it.
func (p *Page) Close() error {
	p.cancel()
	return <-p.served
}
