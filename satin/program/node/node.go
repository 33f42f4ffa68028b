package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/hosting"
	"satingrid/satin/program/local"
	"satingrid/satin/program/runs"
	"satingrid/satin/program/wording"
	"satingrid/satin/ticket"
)

func runNode(con *console.Console, app satin.App, display Display, c *cli.Context) error {
	if c.NArg() > 0 {
		return console.Usage("node takes no argument, but there is %q", c.Args().First())
	}
	if err := checkTimes(c); err != nil {
		return err
	}
	folder := con.StateFolder(c.String("state"))
	n := &nodeState{
		con: con, app: app, display: display, folder: folder, site: c.String("site"), grace: c.Duration("grace"), start: time.Now(),
		next: c.Bool("next"), untilIdle: c.Bool("until-idle"),
	}
	config, err := n.config(c)
	if err != nil {
		return err
	}
	if lifetime := c.Duration("lifetime"); lifetime > 0 {
		n.expiry = time.After(lifetime - n.grace)
		n.lifetime = n.start.Add(lifetime)
	}
	by, m, t, err := wayIn(con, c.String("join"), folder)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // whoever read what this node says may go
	stop := con.Catch(nil)
	defer stop.Release()
	slog.SetDefault(config.Log)
	config.Ticket, n.ticket = t, t
	if n.led, err = leads(m, t, folder); err != nil {
		return err
	}
	if addr := c.String("metrics"); addr != "" {
		to, err := n.listenForMetrics(addr)
		if err != nil {
			return err
		}
		defer to.Close()
	}
	err = stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		if c.Bool("auto") {
			n.look(ctx, c, &config)
		}
		console.WhileSlow(func() { err = n.come(ctx, by, m, config) }, func() { con.Say("opening the node") })
		return err
	})
	if err != nil {
		return n.notIn(by, err)
	}
	defer n.peer.Close()
	n.site = n.peer.Site()
	if m != nil {
		n.goroutines.Go(func() { m.stay(n.peer) })
		t = n.ticket
	}
	n.ticket, n.founded = t, m == nil && n.entrance == nil && len(t.Addrs) == 0
	return n.serve(stop)
}

// wayIn is how a node comes into its grid: by an invitation and through its folder of tickets,
// where there are such, and with which ticket.
func wayIn(con *console.Console, join, folder string) (by *Invitation, m *meeting, t ticket.Ticket, err error) {
	e, err := entranceOf(join)
	switch {
	case err != nil:
	case e != nil:
		by, err = findByEntrance(con, e, folder)
	default:
		by, err = Find(con, join, folder)
	}
	if err == nil && by != nil && by.folder != nil {
		m, err = newMeeting(by, folder)
	}
	if err == nil {
		t, err = nodeTicket(by, folder)
	}
	return by, m, t, err
}

// come opens a node, in the way that leads into its grid.
func (n *nodeState) come(ctx context.Context, by *Invitation, m *meeting, config satin.Config) error {
	switch {
	case m != nil:
		return n.meet(ctx, m, config)
	case by != nil && by.entrance != nil:
		n.entrance = by.entrance
		return n.enter(ctx, config)
	}
	return n.open(ctx, config)
}

// notIn is the error of a node that has not come into its grid.
func (n *nodeState) notIn(by *Invitation, err error) error {
	if by == nil && len(n.ticket.Addrs) > 0 {
		by = &Invitation{Said: "the grid of " + filepath.Join(n.folder, ticket.GridFile)}
	}
	if isOtherBuild(err) {
		return n.refusedByBuild(by, err)
	}
	return JoinError(n.con, err, by)
}

// leads are the addresses that lead to a node's grid, or to those of other builds: of its ticket,
// of a folder of tickets, and of who its state folder knows.
func leads(m *meeting, t ticket.Ticket, folder string) (addrs []string, err error) {
	if m != nil {
		fresh, _, err := m.untried()
		if err != nil {
			return nil, err
		}
		addrs = addressesOf(fresh, namedMax)
	}
	addrs = each(addrs, t.Addrs, satin.KnownAddrs(folder))
	return addrs[:min(len(addrs), ledMax)], nil
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
	display    Display
	neighbours across.Neighbours
	entrance   *entrance       // by which it has come in, if it is such a name
	next       bool            // its grid may be a successor of another
	untilIdle  bool            // it leaves when its grid is idle
	place      hosting.Place   // where it runs, with --auto
	led        []string        // where members of such others may be
	in         atomic.Bool     // all of this is there that is told to others
	life       context.Context // ends with the peer
	start      time.Time
	lifetime   time.Time                      // when that is over; zero: never
	ends       atomic.Pointer[hosting.Notice] // of where it runs; nil: nothing is known
	informant  Informant
	roster     roster
	chronicle  runs.Chronicle
	goroutines sync.WaitGroup // of those who end with the peer
}

// serve is a node from when it is a member to its end.
func (n *nodeState) serve(stop *console.Interrupts) error {
	life, end := context.WithCancel(context.Background())
	defer end()
	n.life = life
	n.beAsked()
	n.in.Store(true)
	n.keep()
	n.chronicle.Keep(filepath.Join(n.folder, "stories"))
	told := n.chronicle.Follow(n.peer, n.display.Best)
	n.goroutines.Go(func() { <-told })
	server, err := admin.Listen(n.folder, n)
	if err != nil {
		slog.Warn(n.con.Name+" peers, status, leave, migrate, kick and key invite cannot reach this node", "error", err)
	} else {
		defer server.Close()
	}
	n.introduce()
	if n.next {
		n.goroutines.Go(n.declare)
	}
	if n.entrance != nil {
		n.goroutines.Go(func() { n.entrance.watch(n) })
	}
	idle, over := n.whenIdle(), n.whenOver()
	select {
	case <-stop.First:
		n.con.Say("leaving within %v; a second signal stops at once", n.grace)
		n.quit(n.grace, "")
	case <-idle:
		n.con.Say("leaving, since the grid has had no run on for %v", idleFor)
		n.quit(n.grace, "")
	case e := <-over:
		n.leaveBefore(e)
	case <-n.expiry:
		n.con.Say("leaving, since --lifetime is over in %v", n.grace)
		n.quit(n.grace, "")
	case <-n.peer.Done():
	}
	end()
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
	all := peer.Runs()
	n.chronicle.Look(all) // what somebody is told is part of the story
	return admin.Status{
		Build: identity().Digest,
		Name:  peer.Name(), ID: peer.ID(), Site: n.site, Grid: n.ticket.Grid, PID: os.Getpid(),
		Uptime: console.Round(time.Since(n.start).Seconds()), Addrs: peer.Addrs(), Others: peer.Others(), Members: peer.Members(), Runs: all, Totals: peer.Totals(),
	}
}

// introduce prints who this is and how others join it, by a ticket that is kept true.
func (n *nodeState) introduce() {
	peer := n.peer
	did := map[satin.Beginning]string{satin.Founded: "founded", satin.Joined: "joined", satin.WentOn: "gone on alone with"}[peer.Beginning()]
	fmt.Fprintf(n.con.Out, "%s has %s grid %s\n", peer.Name(), did, n.ticket.Grid)
	for _, a := range peer.Addrs() {
		fmt.Fprintf(n.con.Out, "  %s\n", a)
	}
	s := newSpare(n.folder, n.ticket)
	err := s.write(peer)
	n.goroutines.Go(func() { s.stay(peer) }) // which writes it as soon as it can be
	if err != nil {
		slog.Warn("there is no ticket to invite others with", "error", err)
		return
	}
	fmt.Fprintf(n.con.Out, "to join it from another machine, copy %s there, and:\n  %s node --site %s --join %s\n", s.file, n.con.Name, n.site, filepath.Base(s.file))
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
	case satin.EventEnded:
		if e.How == "displaced" {
			con.Say("the answer of run %s is kept no longer: others needed its place", e.Run.Short())
		}
	case satin.EventResumed:
		con.Say("run %s goes on with what was stored here: %s, of %.1f s of work", e.Run.Short(), wording.Count(e.Results, "result"), e.Saved.Seconds())
	}
}
