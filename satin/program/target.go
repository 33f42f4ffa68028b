package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/chaos"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/node"
)

// peerWord is the hidden command that is one process of run --sites.
const peerWord = "__peer"

// target is where a run shall compute: in this process, in some of its own, or on a grid.
type target struct {
	app     satin.App // of the grid
	workers int
	sites   []local.Site
	far     local.Distance
	wan     bool
	pin     bool
	script  []chaos.Fault
	seed    int64
	grace   time.Duration // that a peer may take to leave
	care    local.Care
	terms   terms
	record  string      // the file that tells what the grid did; "": none
	dash    bool        // it is shown on a page
	where   *node.Where // to the grid of --join

	own atomic.Pointer[local.Grid] // of --sites, while it is there
}

// verifyWords say what comes of --verify.
func verifyWords(a *Application) string {
	if a.Chooses {
		return "it does nothing for " + a.Name + ", " + whyNotVerified
	}
	return "a difference fails the run"
}

// gridFlags are the flags of run that say where.
func gridFlags(con *console.Console, a *Application) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "sites", Usage: "a grid of processes on this machine: `a:2,b:2x4` is 2 peers at site a, 2 of 4 workers at b"},
		&cli.BoolFlag{Name: "pin", Usage: "each site of --sites on one core of its own"},
		&cli.StringFlag{Name: "wan", Usage: "delay, and rate, between the sites of --sites, one way: `20ms,50Mbit`"},
		&cli.StringFlag{Name: "chaos", Usage: "what goes wrong with --sites: `SCRIPT` as in \"kill b/1@3s; leave a@50%; join c:2@50%\"; @50% is when the " +
			"run's own guess reaches that, which may be far from half of it"},
		node.GraceFlag(),
		&cli.BoolFlag{Name: "strict", Usage: "look for mistakes in the program itself, here or with --sites: what could not travel whole, fields that change after Spawn, a Scope that is handed on; each spawn takes microseconds then"},
		&cli.StringFlag{Name: "record", Usage: "write down what the grid of --sites or --join does to `FILE`, which must not be there yet, for report"},
		&cli.BoolFlag{Name: "dash", Usage: dashFlagUsage + "; for --sites or --join"},
		&cli.StringFlag{Name: "join", Usage: "compute on the grid that `TICKET` leads to: a file, a folder of tickets, - or an address; without it that of the ticket " +
			"which " + node.TicketVariable(con) + " holds, if it is set and nothing else says where"},
		&cli.StringFlag{Name: "state", Usage: "`FOLDER` with the grid's secret, for --join with an address, and of what was submitted from here", DefaultText: "$XDG_STATE_HOME/" + con.Name},
	}, append(node.CareFlags("a loss then fails the run"), runTerms(verifyWords(a))...)...)
}

// readTarget reads the flags that say where to compute.
func (p *Program) readTarget(con *console.Console, c *cli.Context, d direction) (*target, error) {
	w := &target{
		app: p.App(), workers: c.Int("workers"), pin: c.Bool("pin"), seed: c.Int64("seed"), grace: c.Duration("grace"),
		record: c.String("record"), dash: c.Bool("dash"),
	}
	var err error
	if w.care, err = node.ReadCare(c); err != nil {
		return nil, err
	}
	w.care.Strict = c.Bool("strict")
	if w.terms, err = readTerms(c, &w.care); err != nil {
		return nil, err
	}
	switch {
	case (d.alone || d.sites != "") && console.IsTyped(c, "state"):
		return nil, console.Usage("--state is for a run on a grid of --join, and this one joins none")
	case d.sites != "":
		if err := needsOthers(c); err != nil {
			return nil, err
		}
		return w, w.onSites(c, d.sites)
	}
	for _, name := range []string{"pin", "wan", "chaos", "copies", "ft"} {
		if console.IsTyped(c, name) {
			return nil, console.Usage("--%s needs --sites, the grid that it is about%s", name, otherwise(name))
		}
	}
	if d.alone {
		// it is no grid that the environment asks to be watched
		w.record, w.dash = "", false
		return w, needsGrid(c)
	}
	if w.care.Strict {
		return nil, console.Usage("--strict looks at each spawn, here or with --sites: a grid's nodes do not")
	}
	if w.where, err = node.WhereJoined(con, d.join, c.String("state")); err == nil && d.by != "" {
		con.Say("computing on grid %s, as %s says", w.where.Grid(), d.by)
	}
	return w, err
}

// needsGrid refuses flags that mean nothing to a run in one process.
func needsGrid(c *cli.Context) error {
	switch {
	case console.IsTyped(c, "verify"):
		return console.Usage("--verify needs a grid, whose peers execute jobs for each other: --sites or --join")
	case console.IsTyped(c, "record"):
		return console.Usage("--record needs a grid, whose peers tell what they do: --sites or --join")
	case console.IsTyped(c, "dash"):
		return console.Usage("--dash needs a grid, whose peers tell what they do: --sites or --join")
	}
	return needsOthers(c)
}

// needsOthers refuses flags that mean nothing to a run that is on its own.
func needsOthers(c *cli.Context) error {
	for _, name := range []string{"share", "keep", "fresh"} {
		if console.IsTyped(c, name) {
			return console.Usage("--%s needs --join: it is for a run on a grid that others use, too", name)
		}
	}
	return nil
}

// direction is where to compute, as flags and environment say it.
type direction struct {
	sites string // of a grid of this run's own
	join  string // what leads to another grid; "": the ticket in the environment
	by    string // the variable that says so; "": it is typed
	alone bool   // in this process
}

// directed finds out where to compute. What is in the environment gives way to what is typed,
// --workers included, which is for a run in this process.
func directed(con *console.Console, c *cli.Context) (direction, error) {
	d := direction{sites: c.String("sites"), join: c.String("join")}
	typed := console.IsTyped(c, "sites") || console.IsTyped(c, "join") || console.IsTyped(c, "workers")
	if typed && !console.IsTyped(c, "sites") {
		d.sites = ""
	}
	if typed && !console.IsTyped(c, "join") {
		d.join = ""
	}
	switch {
	case d.sites != "" && d.join != "":
		return d, console.Usage("--sites makes a grid and --join uses one: give one of them")
	case (d.sites != "" || d.join != "") && console.IsTyped(c, "workers"):
		return d, console.Usage("--workers is for a run in one process; say a:2x4 in --sites, or --workers to each node")
	case d.sites != "" || d.join != "":
		if !typed {
			d.by = con.Variable("join")
		}
	case os.Getenv(node.TicketVariable(con)) != "" && !typed:
		d.by = node.TicketVariable(con)
	default:
		d.alone = true
	}
	return d, nil
}

// onSites reads the flags that say what grid --sites makes.
func (w *target) onSites(c *cli.Context, sites string) (err error) {
	if w.sites, err = local.ParseSites(sites); err != nil {
		return console.Usage("--sites: %v", err)
	}
	if text := c.String("wan"); text != "" {
		w.wan = true
		if w.far, err = local.ParseDistance(text); err != nil {
			return console.Usage("--wan: %v", err)
		}
	}
	if text := c.String("chaos"); text != "" {
		if w.script, err = chaos.Parse(text, w.sites); err != nil {
			return console.Usage("--chaos: %v", err)
		}
	}
	w.wan = w.wan || chaos.HasCuts(w.script)
	return w.checkPin()
}

// otherwise says where else than with --sites a flag can be given.
func otherwise(flag string) string {
	switch flag {
	case "copies", "ft":
		return "; the nodes of another grid have a --" + flag + " of their own"
	}
	return ""
}

func (w *target) checkPin() error {
	if !w.pin {
		return nil
	}
	cores, err := local.Cores()
	if err != nil {
		return console.Usage("--pin: %v", err)
	}
	if len(cores) < len(w.sites) {
		return console.Usage("--pin: %d sites need a core each, and there are %d", len(w.sites), len(cores))
	}
	return nil
}

// openTarget is where a run computes, once it is there.
type openTarget struct {
	peer  *satin.Peer
	grid  *local.Grid // of --sites; else nil
	feed  *feed       // what happens on the grid; nil alone
	close func()

	recording *node.Recording // of --record; else nil
	easel     *easel          // of --dash; else nil
}

// beginWatching begins what --record and --dash ask for.
func (p *openTarget) beginWatching(ctx context.Context, con *console.Console, w *target, a *Application) (err error) {
	if w.dash {
		p.easel, err = openEasel(ctx, con, a, w.where, func() (*node.Page, error) { return node.PageOwn(p.grid.Ticket()) })
	}
	if err == nil {
		err = p.beginRecording(ctx, con, w)
	}
	if err != nil {
		err = errors.Join(err, p.easel.close())
	}
	return err
}

// endWatching ends it. Of a run that was begun it is recorded how it has ended.
func (p *openTarget) endWatching() error { return errors.Join(p.easel.close(), p.endRecording()) }

// beginRecording begins what --record asks for.
func (p *openTarget) beginRecording(ctx context.Context, con *console.Console, w *target) (err error) {
	switch {
	case w.record == "":
	case w.where != nil:
		p.recording, err = w.where.Record(ctx, w.record, node.RecordDefaults)
	default:
		p.recording, err = node.RecordOwn(con, p.grid.Ticket(), w.record, node.RecordDefaults)
	}
	return err
}

// endRecording ends it.
func (p *openTarget) endRecording() error {
	if p.recording == nil {
		return nil
	}
	return p.recording.Stop()
}

// open opens it. For --sites all peers are members when it returns.
func (w *target) open(ctx context.Context, con *console.Console, app satin.App, log *eventLines) (*openTarget, error) {
	switch {
	case w.where != nil:
		return w.openJoined(ctx, con, log)
	case w.sites != nil:
		return w.openSites(ctx, con, log)
	}
	peer, err := satin.Open(ctx, satin.Config{App: app, Alone: true, Workers: w.workers, Testing: satin.Testing{Strict: w.care.Strict}})
	if err != nil {
		return nil, err
	}
	return &openTarget{peer: peer, close: func() { local.CloseWithin(peer, stopMax) }}, nil
}

func (w *target) openJoined(ctx context.Context, con *console.Console, log *eventLines) (*openTarget, error) {
	f := newFeed(con, log)
	peer, err := w.where.Client(ctx, satin.Config{
		App: w.app, Events: f.event, Log: con.Log(""), ResultMax: w.care.ResultMax, Verify: w.care.Verify,
	})
	if err != nil {
		return nil, err
	}
	return &openTarget{peer: peer, feed: f, close: func() { peer.Close() }}, nil
}

func (w *target) openSites(ctx context.Context, con *console.Console, log *eventLines) (*openTarget, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("--sites: this program cannot find itself to start its peers: %w", err)
	}
	f := newFeed(con, log)
	g, err := local.Open(ctx, local.Options{
		App: w.app, Command: []string{program, peerWord}, Sites: w.sites, Wan: w.wan, Far: w.far, Pin: w.pin, Grace: w.grace, Care: w.care,
		Stderr: os.Stderr, Log: con.Log(""), Started: log.startedProcess, Event: f.event,
	})
	if err != nil {
		return nil, fmt.Errorf("--sites: %w", err)
	}
	w.own.Store(g)
	return &openTarget{peer: g.Client, grid: g, feed: f, close: sync.OnceFunc(func() {
		w.own.Store(nil)
		g.Close()
	})}, nil
}

// servePeer is one process of run --sites.
func (p *Program) servePeer(con *console.Console) int {
	leave := leaveSignal()
	log := con.Log("a peer of --sites: ")
	slog.SetDefault(log)
	// what observes the grid, as --record does, asks its peers as it would ask nodes
	equip := func(c *satin.Config) func(*satin.Peer) {
		w := node.NewInformant(c.Ticket, p.appOf)
		c.Visit, c.Events = w.Visit, w.Event
		return w.Of
	}
	err := local.Serve(context.Background(), p.App(), log, os.Stdin, os.Stdout, leave, equip)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, satin.ErrLeft) {
		return console.ExitFailed
	}
	return console.ExitOK
}

// leaveSignal is told when somebody tells a peer of --sites to leave. An interrupt, and a terminal
// that hangs up, are left to its parent, whom they reach too.
func leaveSignal() <-chan os.Signal {
	signal.Ignore(os.Interrupt, syscall.SIGHUP)
	leave := make(chan os.Signal, 1)
	signal.Notify(leave, syscall.SIGTERM)
	return leave
}

// losses are what this process knows itself of a peer's losses: of a grid that it has
// not started, nothing.
func (p *openTarget) losses(peer string) []local.Loss {
	if p.grid == nil {
		return nil
	}
	return p.grid.Losses(peer)
}
