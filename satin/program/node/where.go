package node

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/atomicfile"
	"satingrid/satin/p2p"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
)

// Where is how a command line leads to the grid whose runs it is about. What is typed holds; then
// how the run was submitted, where that was from here; then a ticket in the environment; then the
// node that runs with the state folder.
type Where struct {
	Run string // the word for the run, or its id where it is the last; "": none is meant

	con   *console.Console
	state string
	by    *Invitation // nil: the node's grid
	found sync.Mutex  // protects by while it is found out, since Said may be asked meanwhile
	ones  []runs.One  // that the word may mean, of those submitted with this state folder
	best  runs.Shown  // how bests are told, where they are
}

// WhereFlags are the flags of verbs that are about runs.
func WhereFlags(con *console.Console) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "join", Usage: "the grid that `TICKET` leads to: a file, a folder of tickets, - or an address", DefaultText: "that of the node that runs here"},
		&cli.StringFlag{Name: "state", Usage: "`FOLDER` of that node, and of what was submitted from here", DefaultText: "$XDG_STATE_HOME/" + con.Name},
	}
}

// WhereOf finds it out; word is what means the run, or "".
func WhereOf(con *console.Console, c *cli.Context, word string) (*Where, error) {
	w := &Where{Run: word, con: con, state: con.StateFolder(c.String("state"))}
	var last runs.One
	w.ones = runs.SubmittedIn(w.state).Find(word)
	known := len(w.ones) > 0
	switch {
	case known:
		last = w.ones[len(w.ones)-1]
		if word == runs.Last {
			w.Run = last.ID
		}
	case word == runs.Last:
		return nil, console.Usage("there is no run %s: none was submitted with state folder %s", runs.Last, w.state)
	}
	join := c.String("join")
	switch {
	case console.IsTyped(c, "join"):
	case known && w.hasNodeOf(last.Grid):
		return w, nil // it has heard more of the run than a client that comes now
	case known && last.Join != "":
		if by, err := Find(con, last.Join, w.state); err == nil {
			w.by = by
			return w, by.OfMember(con)
		}
		// the ticket is gone; what else there is may lead to the same grid
	case console.IsTyped(c, "state"):
		return w, nil
	}
	if join == "" && os.Getenv(TicketVariable(con)) == "" {
		return w, nil
	}
	on, err := WhereJoined(con, join, c.String("state"))
	w.by = on.by
	return w, err
}

// hasNodeOf tells whether a node of that grid runs with the state folder.
func (w *Where) hasNodeOf(grid string) bool {
	own, has, err := ticket.Grid(w.state)
	if err != nil || !has || own.Grid != grid {
		return false
	}
	_, err = admin.Ask(w.state)
	return err == nil
}

// WhereJoined is where a ticket leads, which join names as Find has it; state is what --state says.
func WhereJoined(con *console.Console, join, state string) (*Where, error) {
	w := &Where{con: con, state: con.StateFolder(state)}
	err := OwnState(w.state)
	if err != nil {
		return w, err
	}
	if w.by, err = Find(con, join, w.state); err == nil {
		err = w.by.OfMember(con)
	}
	return w, err
}

// OwnState refuses a state folder in which others may write: they could put their grid, their node
// or their word of what was submitted there.
func OwnState(folder string) error {
	if why := atomicfile.Foreign(folder); why != "" {
		return console.Usage("the state folder is not this user's alone: %s, or give another with --state", why)
	}
	return nil
}

// Grid is the name of the grid that it leads to; "": that of the node that runs here.
func (w *Where) Grid() string {
	if w.by == nil {
		return ""
	}
	return w.by.Ticket.Grid
}

// Invitation is how a client of its own comes in: the one that was given, or that of the node.
func (w *Where) Invitation() (*Invitation, error) {
	if w.by != nil {
		return w.by, nil
	}
	s, err := admin.Ask(w.state)
	if err != nil {
		return nil, w.noNode(err)
	}
	t, has, err := ticket.Grid(w.state)
	if err == nil && !has {
		err = fmt.Errorf("%s has no grid's secret, though a node runs there", w.state)
	}
	if err == nil {
		t, err = t.Invite(s.Addrs...)
	}
	if err != nil {
		return nil, console.Refused("%v: give a ticket with --join", err)
	}
	w.found.Lock()
	defer w.found.Unlock()
	w.by = &Invitation{Ticket: t, Said: "the node that runs with state folder " + w.state, here: true}
	return w.by, nil
}

// noNode is the error of a node that cannot be asked, with the other way.
func (w *Where) noNode(err error) error {
	if errors.Is(err, admin.ErrNoNode) {
		return console.Refused("no node runs with state folder %s: give a ticket with --join, or another folder with --state", w.state)
	}
	if errors.Is(err, admin.ErrNotYours) {
		return console.Refused("%v, or give a ticket with --join", err)
	}
	return adminError(err)
}

// Note remembers a run that was submitted there, so that it is found again. Where that cannot be
// written it is said, and the run goes on.
func (w *Where) Note(r runs.One) {
	r.Grid, r.Join = w.by.Ticket.Grid, w.by.again()
	if err := runs.SubmittedIn(w.state).Note(r); err != nil {
		w.con.Say("run %.8s cannot be remembered, and %s is another: %v", r.ID, runs.Last, err)
	}
}

// Back is what to type to come back to a run that was submitted there.
func (w *Where) Back(verb, id string) string {
	back := fmt.Sprintf("%s %s %.8s", w.con.Name, verb, id)
	if w.by != nil && w.by.word == "" && !w.by.here {
		back += " --join TICKET"
	}
	return back
}

// again is what leads there from anywhere at another time: a file, a folder or an address; "":
// nothing that may be written down.
func (by *Invitation) again() string {
	if by.word == "" || by.bare {
		return by.word
	}
	path, err := filepath.Abs(by.word)
	if err != nil {
		return ""
	}
	return path
}

// Client opens a client of the grid that the invitation leads to. Where that is of another build,
// it is one of the grid of this build that it knows of.
func (by *Invitation) Client(ctx context.Context, con *console.Console, state string, config satin.Config) (*satin.Peer, error) {
	p, err := by.open(ctx, state, config)
	if isOtherBuild(err) {
		p, err = by.openKin(ctx, con, state, config, err)
	}
	if err != nil {
		return nil, JoinError(con, err, by)
	}
	return p, nil
}

// open opens a client. Its identity is kept in the state folder, one for each grid; a process that
// is there at the same time as another has a new one.
func (by *Invitation) open(ctx context.Context, state string, config satin.Config) (*satin.Peer, error) {
	config.Client = true
	if len(config.Ticket.Addrs) == 0 {
		config.Ticket = by.Ticket
	}
	config.State = clientFolder(state, by.Ticket.Grid)
	p, err := satin.Open(ctx, config)
	if errors.Is(err, p2p.ErrStateBusy) {
		config.State = ""
		p, err = satin.Open(ctx, config)
	}
	if err == nil && by.folder != nil {
		m := &meeting{folder: by.folder, grid: by.Ticket, learnEvery: learnEvery}
		go m.follow(p) // it ends with the client
	}
	return p, err
}

// clientFolder is where the clients of a grid keep what they must remember.
func clientFolder(state, grid string) string {
	return filepath.Join(state, "clients", strings.ReplaceAll(url.PathEscape(grid), ".", "%2E"))
}

// Client opens a client there.
func (w *Where) Client(ctx context.Context, config satin.Config) (*satin.Peer, error) {
	by, err := w.Invitation()
	if err != nil {
		return nil, err
	}
	return by.Client(ctx, w.con, w.state, config)
}

// Said is where it leads, as a person would say it. Any goroutine may ask.
func (w *Where) Said() string {
	w.found.Lock()
	defer w.found.Unlock()
	if w.by == nil {
		return "the grid of the node that runs here"
	}
	return w.by.Said
}
