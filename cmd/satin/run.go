package main

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
)

// workersMax bounds --workers: a mistyped number must not start a million of them.
const workersMax = 4096

func runCommand(con *console) *cli.Command {
	run := &cli.Command{
		Name:               "run",
		Category:           "1 RUN",
		Usage:              "run an application on this machine",
		ArgsUsage:          "APP [INPUT]",
		CustomHelpTemplate: groupHelp,
	}
	for _, a := range applications() {
		run.Subcommands = append(run.Subcommands, &cli.Command{
			Name:        a.name,
			Usage:       a.summary,
			ArgsUsage:   a.input,
			Description: a.details,
			Flags:       append(runFlags(), a.flags...),
			Action:      func(c *cli.Context) error { return run1(con, a, c) },
		})
	}
	return run
}

// runFlags are the flags that every application has.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "workers", Usage: "cores to use", DefaultText: "all"},
		&cli.Int64Flag{Name: "seed", Value: 1, Usage: "for applications that draw"},
		&cli.DurationFlag{Name: "timeout", Usage: "stop after `D`, with the best answer so far", DefaultText: "none"},
		&cli.BoolFlag{Name: "json", Usage: "print the answer as one line of JSON"},
		&cli.StringFlag{Name: "events", Usage: "write what happens to `FILE`, as JSON lines"},
	}
}

// run1 runs one application once.
func run1(con *console, a *application, c *cli.Context) error {
	workers, timeout := c.Int("workers"), c.Duration("timeout")
	switch {
	case c.NArg() > 1:
		return usageError("run %s takes one input, but there are %d: %q is too many", a.name, c.NArg(), c.Args().Get(1))
	case c.NArg() == 1 && c.Args().First() == "":
		return usageError("run %s: the input is an empty word; leave it away for the embedded example", a.name)
	case c.IsSet("workers") && (workers < 1 || workers > workersMax):
		return usageError("--workers is %d: 1 to %d is expected", workers, workersMax)
	case c.IsSet("timeout") && timeout <= 0:
		return usageError("--timeout is %v: more than 0s is expected", timeout)
	}
	var p *prepared
	var err error
	whileSlow(func() { p, err = a.prepare(c, c.Args().First()) }, func() {
		what := "reading " + c.Args().First()
		if c.NArg() == 0 {
			what = "preparing the embedded example"
		}
		fmt.Fprintf(con.err, "satin: %s\n", what)
	})
	if err != nil {
		return usageError("%v", err)
	}
	log, err := openEvents(con, c.String("events"))
	if err != nil {
		return err
	}
	defer log.close()

	stop := catchInterrupts(con)
	defer stop.release()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	peer, err := satin.Open(ctx, satin.Config{App: a.app, Alone: true, Workers: workers})
	if err != nil {
		return err
	}
	defer peer.Close()
	start := time.Now()
	r, err := p.start(ctx, peer)
	if err != nil {
		return err
	}
	w := &watch{
		run:      r,
		cancel:   cancel,
		start:    start,
		stop:     stop.first,
		meter:    newMeter(con, a.name, p.input, start),
		log:      log,
		timeout:  timeout,
		patience: stopMax,
	}
	out := w.follow()
	return show(con, a.name, p.input, c.Bool("json"), r.Stats(), out)
}

// whileSlow does something, and says so as soon as it takes long enough to be wondered at.
func whileSlow(do, say func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		timer := time.NewTimer(quiet)
		defer timer.Stop()
		select {
		case <-done:
			return
		case <-timer.C:
		}
		select {
		case <-done: // both had come to pass when this goroutine got its turn
		default:
			say()
		}
	}()
	do()
	close(done)
	<-ended
}
