package program

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
	"satingrid/satin/program/wording"
)

// runCommand runs an application, which need not be named where it is the only one.
func (p *Program) runCommand(con *console.Console) *cli.Command {
	if a := p.only(); a != nil {
		c := p.runOne(con, a)
		c.Name, c.Category, c.Usage = "run", "1 RUN", "run it: on this machine, on several local sites, or on a grid"
		return c
	}
	run := &cli.Command{
		Name:      "run",
		Category:  "1 RUN",
		Usage:     "run an application: on this machine, on several local sites, or on a grid",
		ArgsUsage: "APP [INPUT]",
	}
	for _, a := range p.Applications {
		run.Subcommands = append(run.Subcommands, p.runOne(con, a))
	}
	return run
}

// runOne is the command that runs an application.
func (p *Program) runOne(con *console.Console, a *Application) *cli.Command {
	return &cli.Command{
		Name:        a.Name,
		Usage:       a.Summary,
		ArgsUsage:   a.Input,
		Description: a.Details,
		Flags:       append(append(runFlags(), gridFlags(con, a)...), a.Flags...),
		Action:      func(c *cli.Context) error { return p.run1(con, a, c) },
	}
}

// runFlags are the flags that every application has.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "workers", Usage: "cores to use", DefaultText: "all"},
		&cli.Int64Flag{Name: "seed", Value: 1, Usage: "for applications that draw, and --chaos"},
		&cli.DurationFlag{Name: "timeout", Usage: "stop after `D`, with the best answer so far", DefaultText: "none"},
		&cli.BoolFlag{Name: "json", Usage: "print the answer as one line of JSON"},
		&cli.StringFlag{Name: "events", Usage: "write what happens to `FILE`, as JSON lines"},
	}
}

// whyNotVerified is why the jobs of an application that chooses are not executed twice and
// compared.
const whyNotVerified = "whose jobs read the best solution so far: two results of one may differ and both be right"

// run1 runs one application once.
func (p *Program) run1(con *console.Console, a *Application, c *cli.Context) error {
	workers, timeout := c.Int("workers"), c.Duration("timeout")
	switch {
	case c.NArg() > 0 && a.Input == "":
		return console.Usage("%s takes no input, but there is %q", p.typed("run", a), c.Args().First())
	case c.NArg() > 1 && !a.Many:
		return console.Usage("%s takes one input, but there are %d: %q is too many", p.typed("run", a), c.NArg(), c.Args().Get(1))
	case c.NArg() == 1 && c.Args().First() == "":
		return console.Usage("%s: the input is an empty word; leave it away for the embedded example", p.typed("run", a))
	case c.IsSet("workers") && (workers < 1 || workers > node.WorkersMax):
		return console.Usage("--workers is %d: 1 to %d is expected", workers, node.WorkersMax)
	case c.Duration("grace") <= 0:
		return console.Usage("--grace is %v: more than 0s is expected", c.Duration("grace"))
	case c.IsSet("timeout") && timeout <= 0:
		return console.Usage("--timeout is %v: more than 0s is expected", timeout)
	}
	var ready *Prepared
	var err error
	in := &Input{Words: c.Args().Slice(), Flags: c}
	console.WhileSlow(func() { ready, err = a.Prepare(in) }, func() {
		what := "reading " + in.Name()
		if c.NArg() == 0 {
			what = "preparing the embedded example"
		}
		con.Say("%s", what)
	})
	if err != nil {
		return console.Usage("%v", err)
	}
	if ready.Input == "" {
		ready.Input = in.Name()
	}
	where, err := p.readTarget(con, c)
	if err != nil {
		return err
	}
	if where.care.Verify > 0 && a.Chooses {
		con.Say("--verify does nothing for %s, %s", a.Name, whyNotVerified)
	}
	log, err := openEvents(con, c.String("events"))
	if err != nil {
		return err
	}
	defer log.close()
	return where.run(con, a, ready, log, c.Bool("json"), timeout)
}

// abandon ends what a second interrupt would otherwise leave to the kernel, or unfinished.
func (w *target) abandon() {
	DiscardUnfinished()
	if g := w.own.Load(); g != nil {
		g.Kill9()
	}
}

// run opens the target and runs what is prepared there.
func (w *target) run(con *console.Console, a *Application, p *Prepared, log *events, asJSON bool, timeout time.Duration) error {
	stop := con.Catch(w.abandon)
	defer stop.Release()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var at *openTarget
	err := stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		console.WhileSlow(func() { at, err = w.open(ctx, con, a.App, log) }, func() { con.Say("%s", w.opening()) })
		return err
	})
	if err != nil {
		return err
	}
	defer at.close()
	start := time.Now()
	r, err := p.Start(ctx, at.peer)
	if err != nil {
		return err
	}
	t := w.begin(at, r, start, log)
	what := a.Name
	if p.Input != Embedded {
		what += " " + p.Input
	}
	watching := &watch{
		run:      r,
		cancel:   cancel,
		start:    start,
		stop:     stop.First,
		meter:    con.NewMeter(what, start),
		log:      log,
		feed:     at.feed,
		timeout:  timeout,
		patience: stopMax,
	}
	if w.join != nil {
		watching.peers = func() int { return len(at.peer.Members()) }
	}
	out := watching.follow()
	out.fired, out.missed = t.end()
	if at.feed != nil {
		out.losses = at.losses
	}
	if out.err == nil && len(out.missed) > 0 {
		out.err = &console.Error{Code: console.ExitFailed, Text: "--chaos: the run ended before these could happen: " + strings.Join(out.missed, "; ")}
	}
	return show(con, a.Name, p.Input, asJSON, r.Stats(), out)
}

// opening says what a target that takes long is waiting for.
func (w *target) opening() string {
	if w.join != nil {
		return "joining " + w.join.Said
	}
	peers := 0
	for _, s := range w.sites {
		peers += s.Peers
	}
	return fmt.Sprintf("starting %s at %s", wording.Count(peers, "peer"), wording.Count(len(w.sites), "site"))
}
