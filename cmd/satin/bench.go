package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// roundsQuick is enough to see a factor, too little to see a percent.
const roundsQuick = 2

// benchCommands is what this binary measures and others do not: bench without a word after it.
func benchCommands(con *console.Console, app satin.App) []*cli.Command {
	return []*cli.Command{{
		Name:     "bench",
		Category: "4 STUDY", ArgsUsage: observeWord + " | " + etaWord,
		Usage: "what spawn, steal and recovery cost here, beside sequential Go, a goroutine a task and TCP",
		Description: "Runs " + bench.Names + ` with spawns, as sequential Go and with a goroutine a task, by turns, and
prints medians beside the values that this project holds itself to; then what the way between two peers costs.
Takes about a minute, in which the machine should have nothing else to do.

bench observe runs nqueens on two peers of this machine, by turns looked at as record and dash do, and not, and says what
that costs: ok, short, or undecided, where another measurement may say otherwise. It takes some two minutes.

bench eta runs all applications and compares how long they said that they would take yet with how long they took.
Takes some minutes, with --quick one.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "quick", Usage: "a fifth of the time, and less certain"},
		},
		Action: func(c *cli.Context) error {
			switch what := c.Args().First(); {
			case c.NArg() == 1 && what == observeWord:
				return benchObserve(con, app, c)
			case c.NArg() == 1 && what == etaWord:
				return benchEta(con, c)
			case c.NArg() > 0:
				return console.Usage("bench takes recovery, observe, eta or no argument, but there is %q", what)
			}
			return benchSpawns(con, app, c)
		},
	}}
}

// measured measures, and prints what came out, for people or as one line of JSON.
func measured[R any](con *console.Console, c *cli.Context, what string, measure func(done func(share float64)) (R, error),
	document func(build program.Build, r R) any, forPeople func(io.Writer, R) error) error {
	meter := con.NewMeter(what, time.Now())
	meter.Announce()
	r, err := measure(meter.Share)
	meter.Clear()
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return console.PrintJSON(con.Out, document(program.ThisBuild(), r))
	}
	return forPeople(con.Out, r)
}

// benchSpawns measures what spawns cost, and the way between two peers.
func benchSpawns(con *console.Console, app satin.App, c *cli.Context) error {
	peer, err := program.Peer()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	options := bench.Options{Processes: &bench.Processes{App: app, Command: peer}}
	if c.Bool("quick") {
		options.Rounds = roundsQuick
	}
	return measured(con, c, "bench", func(done func(float64)) (*bench.Report, error) {
		options.Progress = done
		return bench.Run(c.Context, options)
	}, func(build program.Build, r *bench.Report) any { return benchDocument{console.Schema, build, r} }, printReport)
}

type benchDocument struct {
	Schema int           `json:"schema"`
	Build  program.Build `json:"build"`
	*bench.Report
}

func printReport(w io.Writer, r *bench.Report) error {
	p := &console.Printer{W: w}
	p.Line("%d cores, GOMAXPROCS %d, %s %s/%s; medians of %d rounds in %.0f s",
		r.Cores, r.GOMAXPROCS, runtime.Version(), runtime.GOOS, runtime.GOARCH, r.Rounds, r.Seconds)
	p.Line("")
	p.Line("%-12s %12s %12s %17s %12s %12s %12s %13s",
		"1 worker", "sequential", "satin", "ratio, to reach", "a task", "a spawn", "allocations", "a goroutine")
	for _, row := range r.Rows {
		p.Line("%-12s %9.1f ms %9.1f ms %7.2f %s %4.2f %s %9.1f ns %9.1f ns %12.3f %10.0f ns", row.Name, 1000*row.Sequential, 1000*row.One,
			row.Ratio, "≤", row.RatioMost, wording.Mark(row.Ratio <= row.RatioMost), row.Task, row.Spawn, row.Allocs, row.Goroutine)
	}
	p.Line("")
	if r.Cores < 2 {
		p.Line("2 workers: not measured, there is one core")
	} else {
		printTwo(p, r)
	}
	if r.Wire != nil {
		p.Line("")
		printWire(p, r.Wire)
	}
	p.Line("")
	p.Line(`Ratio: one worker's time to that of the same Go without spawns. A task: one worker's
time by the number of spawns. A spawn: what it adds, with its wait. A goroutine: what one a task adds, on one
core. Share: what a second worker gives, to what the machine gives two sequential programs side by side.`)
	return p.Err
}

func printTwo(p *console.Printer, r *bench.Report) {
	p.Line("%-12s %12s %12s %17s %24s", "2 workers", "satin", "speed-up", "share, to reach", "two sequential programs")
	for _, row := range r.Rows {
		p.Line("%-12s %9.1f ms %12.2f %7.2f %s %4.2f %s %24.2f", row.Name, 1000*row.Two, row.Speedup,
			row.Share, "≥", row.ShareLeast, wording.Mark(row.Share >= row.ShareLeast), row.SideBySide)
	}
}

// printWire prints what the way between peers costs.
func printWire(p *console.Printer, w *bench.WireCosts) {
	line := func(what, value string, f bench.Figure, most string) {
		p.Line("%-56s %18s %s %-7s %s", what, value, "≤", most, wording.Mark(f.Reached()))
	}
	p.Line("%-56s %18s %s", "wire", "", "to reach")
	ratio := func(what string, t bench.Trip) {
		line(fmt.Sprintf("%s: %.0f µs, plain TCP %.0f µs", what, 1e6*t.Satin, 1e6*t.TCP), fmt.Sprintf("%.2f", t.Value), t.Figure, fmt.Sprint(t.Most))
	}
	ratio("round trip, median", w.Trip)
	ratio("p99 while 1 MiB flows", w.Busy)
	line("p99 of a steal while the victim computes", fmt.Sprintf("%.0f µs", 1e6*w.Steal.Value), w.Steal, "1 ms")
	line("Open to first stolen job", fmt.Sprintf("%.0f ms", 1e3*w.First.Value), w.First, "100 ms")
	line("two processes / two workers of one, "+bench.ProcessesRun, fmt.Sprintf("%.2f", w.Processes.Value), w.Processes, fmt.Sprint(w.Processes.Most))
	if w.IdleCPU == nil {
		p.Line("what an idle peer costs is not measured: this system does not tell")
		return
	}
	line("idle peer, of a core", fmt.Sprintf("%.1f %%", w.IdleCPU.Value), *w.IdleCPU, "1 %")
	line("idle peer, memory", fmt.Sprintf("%.0f MB", w.IdleRSS.Value/1e6), *w.IdleRSS, "45 MB")
}
