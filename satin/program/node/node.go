package node

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	satinbuild "satingrid/satin/build"
	"satingrid/satin/p2p/ticket"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

func Command(con *console.Console, app satin.App) *cli.Command {
	return &cli.Command{
		Name:     "node",
		Category: "2 GRID",
		Usage:    "be a peer until told to leave",
		Description: `Joins the grid that --join leads to, or the one that the state folder belongs to; where there is neither
it founds a grid. Serves every application of this binary. Prints its name, its addresses and the command
that joins it from another machine. At the first SIGTERM, SIGINT or SIGHUP (which nohup keeps from it), or when the terminal
of its stderr is gone, it leaves: it finishes or hands over what it has, for as long as --grace allows, and ends
with exit code 0, or 1 if it could not hand over everything. A second signal, a second later or more, ends it at
once.`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "site", Usage: "`NAME` of the site: peers that are near each other have the same", DefaultText: "as at the last start, or site"},
			&cli.StringFlag{Name: "join", Usage: "a `TICKET`: its file, a folder of tickets, - for standard input, or a peer's address; without it the ticket itself that " + TicketVariable(con) + " holds, if it is set"},
			&cli.StringFlag{Name: "listen", Usage: "`ADDRESS` such as /ip4/0.0.0.0/tcp/4001", DefaultText: "every interface, port 4001 or another"},
			&cli.IntFlag{Name: "workers", Usage: "cores to use", DefaultText: "all"},
			GraceFlag(),
			&cli.DurationFlag{Name: "lifetime", Usage: "leave so early that all is over after `D`, as a cluster job must", DefaultText: "none"},
			StateFlag(con),
			&cli.StringFlag{Name: "allow", Usage: "let in only the peer ids in `FILE`, one a line", DefaultText: "whoever has the secret"},
			&cli.StringFlag{Name: "relay", Value: "auto", Usage: "`MODE`: auto passes connections on for peers behind NAT if others can dial this one, " +
				"and is reached through others if they cannot; on passes on in any case; off does neither"},
		}, CareFlags("what a lost peer had is then done again from the start")...),
		Action: func(c *cli.Context) error { return runNode(con.Patiently(), app, c) },
	}
}

// WorkersMax bounds --workers: a mistyped number must not start a million of them.
const WorkersMax = 4096

// relayModes are what --relay may say.
var relayModes = map[string]satin.Relay{"auto": satin.RelayAuto, "on": satin.RelayOn, "off": satin.RelayOff}

func StateFlag(con *console.Console) cli.Flag {
	return &cli.StringFlag{Name: "state", Usage: "`FOLDER` of the peer's identity and grid", DefaultText: "$XDG_STATE_HOME/" + con.Name}
}

func GraceFlag() cli.Flag {
	return &cli.DurationFlag{Name: "grace", Value: graceDefault, Usage: "`D` that a peer may take to leave when it is told to"}
}

// checkTimes says what is wrong with --grace and --lifetime.
func checkTimes(c *cli.Context) error {
	grace, lifetime := c.Duration("grace"), c.Duration("lifetime")
	switch {
	case grace <= 0:
		return console.Usage("--grace is %v: more than 0s is expected", grace)
	case c.IsSet("lifetime") && lifetime <= grace:
		return console.Usage("--lifetime is %v: more than the %v of --grace is expected, which are part of it", lifetime, grace)
	}
	return nil
}

func runNode(con *console.Console, app satin.App, c *cli.Context) error {
	if c.NArg() > 0 {
		return console.Usage("node takes no argument, but there is %q", c.Args().First())
	}
	if err := checkTimes(c); err != nil {
		return err
	}
	folder := con.StateFolder(c.String("state"))
	n := &nodeState{con: con, app: app, folder: folder, site: c.String("site"), grace: c.Duration("grace"), start: time.Now()}
	config, err := n.config(c)
	if err != nil {
		return err
	}
	if lifetime := c.Duration("lifetime"); lifetime > 0 {
		n.expiry = time.After(lifetime - n.grace)
	}
	by, err := Find(con, c.String("join"), folder)
	if err != nil {
		return err
	}
	var m *meeting
	if by != nil && by.folder != nil {
		if m, err = newMeeting(by, folder); err != nil {
			return err
		}
	}
	t, err := nodeTicket(by, folder)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // whoever read what this node says may go
	stop := con.Catch(nil)
	defer stop.Release()
	slog.SetDefault(config.Log)
	config.Ticket = t
	err = stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		console.WhileSlow(func() {
			if m != nil {
				err = n.meet(ctx, m, config)
			} else {
				n.peer, err = satin.Open(ctx, config)
			}
		}, func() { con.Say("opening the node") })
		return err
	})
	if err != nil {
		if by == nil && len(t.Addrs) > 0 {
			by = &Invitation{Said: "the grid of " + filepath.Join(folder, ticket.GridFile)}
		}
		return JoinError(con, err, by)
	}
	defer n.peer.Close()
	n.site = n.peer.Site()
	if m != nil {
		n.goroutines.Go(func() { m.stay(n.peer) })
		t = n.ticket
	}
	n.ticket, n.founded = t, m == nil && len(t.Addrs) == 0
	return n.serve(stop)
}

// config is what the flags say, but for the ticket.
func (n *nodeState) config(c *cli.Context) (satin.Config, error) {
	var none satin.Config
	workers := c.Int("workers")
	if err := local.CheckName(n.site); c.IsSet("site") && err != nil {
		return none, console.Usage("--site: %v", err)
	}
	if c.IsSet("workers") && (workers < 1 || workers > WorkersMax) {
		return none, console.Usage("--workers is %d: 1 to %d is expected", workers, WorkersMax)
	}
	care, err := ReadCare(c)
	if err != nil {
		return none, err
	}
	allow, err := readAllowed(n.con, c.String("allow"))
	if err != nil {
		return none, err
	}
	relay, known := relayModes[c.String("relay")]
	if !known {
		return none, console.Usage("--relay is %q: auto, on or off is expected", c.String("relay"))
	}
	config := satin.Config{
		App: n.app, Site: n.site, Workers: workers, State: n.folder, Allow: allow, Relay: relay, Log: n.con.Log(""),
		Events: func(e satin.Event) {
			n.roster.event(e)
			sayMember(n.con, e)
		},
	}
	care.Apply(&config)
	if listen := c.String("listen"); listen != "" {
		config.Listen = strings.Split(listen, ",")
	}
	return config, nil
}

// nodeTicket is the ticket to open a node with: the one given, the state folder's,
// or that of a new grid.
func nodeTicket(by *Invitation, folder string) (ticket.Ticket, error) {
	own, has, err := ticket.Grid(folder)
	if err != nil {
		return own, console.Usage("%v", err)
	}
	switch {
	case by != nil && has && (own.Grid != by.Ticket.Grid || own.Secret != by.Ticket.Secret):
		return own, console.Refused("%s belongs to grid %q already, and %s is for another: give another folder with --state, "+
			"or remove %s to leave that grid", folder, own.Grid, by.Said, filepath.Join(folder, ticket.GridFile))
	case by != nil:
		return by.Ticket, nil
	case has:
		return own, nil
	}
	t, err := ticket.New("")
	if err != nil {
		return t, err
	}
	// At once, and not when the node runs: two nodes that start in one folder must
	// not found two grids.
	if err := ticket.SetGrid(folder, t); err != nil {
		slog.Warn("the grid's secret cannot be kept; it is lost when this node ends", "error", err)
	}
	return t, nil
}

// nodeState is a node.
type nodeState struct {
	con        *console.Console
	app        satin.App
	peer       *satin.Peer
	folder     string
	site       string
	ticket     ticket.Ticket
	founded    bool
	grace      time.Duration
	expiry     <-chan time.Time // when to leave by --lifetime; nil: never
	start      time.Time
	roster     roster
	goroutines sync.WaitGroup // of those who end with the peer
}

// serve is a node from when it is a member to its end.
func (n *nodeState) serve(stop *console.Interrupts) error {
	n.keep()
	server, err := admin.Listen(n.folder, n)
	if err != nil {
		slog.Warn(n.con.Name+" peers, status, leave, migrate, kick and key invite cannot reach this node", "error", err)
	} else {
		defer server.Close()
	}
	n.introduce()
	select {
	case <-stop.First:
		n.con.Say("leaving within %v; a second signal stops at once", n.grace)
		n.quit(n.grace, "")
	case <-n.expiry:
		n.con.Say("leaving, since --lifetime is over in %v", n.grace)
		n.quit(n.grace, "")
	case <-n.peer.Done():
	}
	n.goroutines.Wait()
	err = n.peer.Err()
	var late *satin.LateError
	switch {
	case errors.Is(err, satin.ErrLeft):
		n.con.Say("left")
		return nil
	case errors.As(err, &late):
		return err
	case errors.Is(err, satin.ErrBarred), errors.Is(err, satin.ErrTwin):
		return console.Refused("%v", err)
	}
	return fmt.Errorf("the node has ended: %w", err)
}

// quit lets the peer leave, with its heirs at a site or anywhere, and returns when it has ended: an
// error says that it was not in order. A second one only waits for the first.
func (n *nodeState) quit(within time.Duration, heirs string) error {
	if err := n.peer.Order(context.Background(), n.peer.ID(), within, heirs); err != nil {
		return err
	}
	<-n.peer.Done()
	if err := n.peer.Err(); !errors.Is(err, satin.ErrLeft) {
		return err
	}
	return nil
}

// keep makes the state folder belong to the grid, now that the grid has let this peer in.
func (n *nodeState) keep() {
	if n.founded {
		return
	}
	if err := ticket.SetGrid(n.folder, n.ticket); err != nil {
		slog.Warn("the ticket cannot be kept; give it again at the next start", "error", err)
	}
}

// Status is what the node tells of itself.
func (n *nodeState) Status() admin.Status {
	peer := n.peer
	made, _ := satinbuild.This()
	return admin.Status{
		Build: made.Digest,
		Name:  peer.Name(), ID: peer.ID(), Site: n.site, Grid: n.ticket.Grid, PID: os.Getpid(),
		Uptime: console.Round(time.Since(n.start).Seconds()), Addrs: peer.Addrs(), Others: peer.Others(), Members: peer.Members(), Runs: peer.Runs(),
	}
}

// introduce prints who this is and how others join it.
func (n *nodeState) introduce() {
	peer := n.peer
	did := map[satin.Beginning]string{satin.Founded: "founded", satin.Joined: "joined", satin.WentOn: "gone on alone with"}[peer.Beginning()]
	fmt.Fprintf(n.con.Out, "%s has %s grid %s\n", peer.Name(), did, n.ticket.Grid)
	for _, a := range peer.Addrs() {
		fmt.Fprintf(n.con.Out, "  %s\n", a)
	}
	t, err := n.ticket.Invite(slices.Concat(peer.Addrs(), peer.Others())...)
	file := filepath.Join(n.folder, n.ticket.Grid+ticketEnding)
	if err == nil {
		err = ticket.Save(file, t)
	}
	if err != nil {
		slog.Warn("there is no ticket to invite others with", "error", err)
		return
	}
	fmt.Fprintf(n.con.Out, "to join it from another machine, copy %s there, and:\n  %s node --site %s --join %s\n", file, n.con.Name, n.site, filepath.Base(file))
}

// ticketEnding is how the names of tickets' files end.
const ticketEnding = ".ticket"

// sayMember tells of peers that come and go.
func sayMember(con *console.Console, e satin.Event) {
	switch e.Kind {
	case satin.EventJoined:
		con.Say("%s is here", e.Peer)
	case satin.EventLost:
		con.Say("%s is gone (%s)", e.Peer, local.Ended(e.How))
	}
}

// readAllowed reads a file of peer ids, one a line, with comments; nil where none is given.
func readAllowed(con *console.Console, name string) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, console.Usage("--allow %v", wording.Bare(err))
	}
	defer f.Close()
	ids := []string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if strings.ContainsAny(text, " \t/") || len(text) < 40 || len(text) > 64 {
			return nil, console.Usage("%s:%d: %q is no peer id: one as %s key show prints is expected", name, n, text, con.Name)
		}
		ids = append(ids, text)
	}
	if err := lines.Err(); err != nil {
		return nil, console.Usage("--allow %s: %v", name, err)
	}
	return ids, nil
}
