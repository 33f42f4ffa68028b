package program

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
	"satingrid/satin/program/runs"
	"satingrid/satin/program/wording"
)

// runCommand runs an application, which need not be named where it is the only one.
func (p *Program) runCommand(con *console.Console) *cli.Command {
	if a := p.only(); a != nil {
		c := p.runCommandOf(con, a)
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
		run.Subcommands = append(run.Subcommands, p.runCommandOf(con, a))
	}
	return run
}

// runCommandOf is the command that runs an application.
func (p *Program) runCommandOf(con *console.Console, a *Application) *cli.Command {
	return &cli.Command{
		Name:        a.Name,
		Usage:       a.Summary,
		ArgsUsage:   a.Input,
		Description: a.Details,
		Flags:       append(append(runFlags(), gridFlags(con, a)...), a.flags()...),
		Action:      func(c *cli.Context) error { return p.runOnce(con, a, c) },
	}
}

// runFlags are the flags that every application has.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "workers", Usage: "cores to use", DefaultText: "all"},
		&cli.Int64Flag{Name: "seed", Value: 1, Usage: "for applications that draw, and --chaos"},
		&cli.DurationFlag{Name: "timeout", Usage: "stop after `D`, reading included, with the best answer so far", DefaultText: "none"},
		&cli.BoolFlag{Name: "json", Usage: "print the answer as one line of JSON"},
		&cli.StringFlag{Name: "events", Usage: "write what happens to `FILE`, as JSON lines"},
	}
}

// whyNotVerified is why the jobs of an application that chooses are not executed twice and
// compared.
const whyNotVerified = "whose jobs read the best solution so far: two results of one may differ and both be right"

// checkWords says what is wrong with the arguments of run and submit.
func (p *Program) checkWords(verb string, a *Application, c *cli.Context) error {
	switch {
	case c.NArg() > 0 && a.Input == "":
		return console.Usage("%s takes no input, but there is %q", p.typed(verb, a), c.Args().First())
	case c.NArg() > 1 && !a.Many:
		return console.Usage("%s takes one input, but there are %d: %q is too many", p.typed(verb, a), c.NArg(), c.Args().Get(1))
	case c.NArg() == 1 && c.Args().First() == "":
		return console.Usage("%s: the input is an empty word; leave it away for the embedded example", p.typed(verb, a))
	}
	return nil
}

// checkTimeout says what is wrong with --timeout.
func checkTimeout(c *cli.Context) error {
	if d := c.Duration("timeout"); c.IsSet("timeout") && d <= 0 {
		return console.Usage("--timeout is %v: more than 0s is expected", d)
	}
	return nil
}

// prepared reads the input of a command line, and says so where that takes long. It may take no
// longer than most, unless that is 0: what reads then goes on until the process ends.
func prepared(con *console.Console, in *Input, most time.Duration, prepare func(*Input) (*Prepared, error)) (*Prepared, error) {
	what := "reading " + in.Name()
	if len(in.Words) == 0 {
		what = "preparing the embedded example"
	}
	var late <-chan time.Time
	if most > 0 {
		timer := time.NewTimer(most)
		defer timer.Stop()
		late = timer.C
	}
	read := make(chan func() (*Prepared, error), 1)
	go func() {
		ready, err := cautiously(in, prepare)
		read <- func() (*Prepared, error) { return ready, err }
	}()
	result := func() (*Prepared, error) {
		return nil, &console.Error{Code: console.ExitTimeout, Text: fmt.Sprintf("out of time after %s, while %s", console.Brief(most.Seconds()), what)}
	}
	console.WhileSlow(func() {
		select {
		case result = <-read:
		case <-late:
		}
	}, func() { con.Say("%s", what) })
	return result()
}

// cautiously is what prepare returns. Its error is a mistake on the command line, unless it panics.
func cautiously(in *Input, prepare func(*Input) (*Prepared, error)) (ready *Prepared, err error) {
	defer console.NoPanic(&err)
	if ready, err = prepare(in); err != nil {
		return nil, console.Usage("%v", err)
	}
	return ready, nil
}

// runOnce runs one application once.
func (p *Program) runOnce(con *console.Console, a *Application, c *cli.Context) error {
	if err := errors.Join(p.checkWords("run", a, c), checkTimeout(c)); err != nil {
		return err
	}
	switch workers := c.Int("workers"); {
	case c.IsSet("workers") && (workers < 1 || workers > node.WorkersMax):
		return console.Usage("--workers is %d: 1 to %d is expected", workers, node.WorkersMax)
	case c.Duration("grace") <= 0:
		return console.Usage("--grace is %v: more than 0s is expected", c.Duration("grace"))
	}
	d, err := directed(con, c)
	if err != nil {
		return err
	}
	limit, began := c.Duration("timeout"), time.Now()
	ready, err := prepared(con, &Input{Words: c.Args().Slice(), Flags: c, Elsewhere: !d.alone && d.sites == "", Watched: con.Terminal >= 0}, limit, a.Prepare)
	if err != nil {
		return err
	}
	read := time.Since(began)
	to, err := p.readTarget(con, c, d)
	if err != nil {
		return err
	}
	switch {
	case to.care.Verify > 0 && a.Chooses:
		con.Say("--verify does nothing for %s, %s", a.Name, whyNotVerified)
	case ready.series && to.terms.keep > 0:
		return console.Usage("--keep is for one run, and this command line asks for many, which end with this process")
	}
	log, err := openEvents(con, c.String("events"))
	if err != nil {
		return err
	}
	defer log.close()
	return to.run(con, a, ready, log, c.Bool("json"), limit, read)
}

// abandon ends what a second interrupt would otherwise leave to the kernel, or unfinished.
func (w *target) abandon() {
	DiscardUnfinished()
	if g := w.own.Load(); g != nil {
		g.Kill9()
	}
}

// run opens the target and runs what is prepared there.
func (w *target) run(con *console.Console, a *Application, p *Prepared, log *eventLines, asJSON bool, timeout, read time.Duration) error {
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
	if err := at.beginWatching(ctx, con, w, a); err != nil {
		return err
	}
	start := time.Now()
	r, err := p.Start(ctx, at.peer, w.terms.options(a.Name, p.Input)...)
	if err != nil {
		return errors.Join(err, at.endWatching())
	}
	t := w.begin(at, r, start, log)
	watching := &follower{
		run:      r,
		cancel:   cancel,
		start:    start,
		stop:     stop.First,
		meter:    con.NewMeter(nameOf(a, p.Input), start),
		log:      log,
		feed:     at.feed,
		easel:    at.easel,
		timeout:  timeout,
		read:     read,
		patience: stopMax,
	}
	if w.where != nil {
		watching.peers = func() int { return len(at.peer.Members()) }
		watching.leaves = w.leaves(a, p, r)
	}
	out := watching.follow()
	out.fired, out.missed = t.end()
	if at.feed != nil {
		out.losses = at.losses
	}
	at.tellEnd(con, a, p, r, out)
	if err := at.endWatching(); err != nil {
		con.Say("%v", err)
	}
	if out.err == nil && len(out.missed) > 0 {
		out.err = &console.Error{Code: console.ExitFailed, Text: "--chaos: the run ended before these could happen: " + strings.Join(out.missed, "; ")}
	}
	return show(con, a.Name, p.Input, asJSON, r.Stats(), out)
}

// nameOf is how a run is named while it goes on.
func nameOf(a *Application, input string) string {
	if input == Embedded {
		return a.Name
	}
	return a.Name + " " + input
}

// leaves is how a run on a grid of others is left to it; nil: it is a series of them.
func (w *target) leaves(a *Application, p *Prepared, r Running) *onGrid {
	h, ok := r.(shownRun)
	if !ok {
		return nil
	}
	return &onGrid{hold: h, where: w.where, keep: w.terms.keep, label: runs.Label(a.Name, p.Input)}
}

// opening says what a target that takes long is waiting for.
func (w *target) opening() string {
	if w.where != nil {
		return "joining " + w.where.Said()
	}
	peers := 0
	for _, s := range w.sites {
		peers += s.Peers
	}
	return fmt.Sprintf("starting %s at %s", wording.Count(peers, "peer"), wording.Count(len(w.sites), "site"))
}
