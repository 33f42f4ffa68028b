package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/figure"
)

// roundsQuick is enough to see a factor, too little to see a percent.
const roundsQuick = 2

// benchCommands is what this binary measures and others do not: bench without a word after it.
func benchCommands(con *console.Console, app satin.App) []*cli.Command {
	return []*cli.Command{{
		Name:     "bench",
		Category: "4 STUDY", ArgsUsage: observeWord + " | " + etaWord + " | " + farWord,
		Usage: "what spawn, steal and recovery cost here, beside sequential Go, a goroutine a task and TCP",
		Description: "Runs " + bench.Names + ` with spawns, as sequential Go and with a goroutine a task, by turns, and
prints medians beside the values that this project holds itself to; then what the way between two peers costs. Each
figure is ok, short, or undecided, where another measurement may say otherwise.
Takes some minutes, in which the machine should have nothing else to do.

bench observe runs nqueens on two peers of this machine, by turns looked at as record and dash do, and not, and says what
that costs. It takes some minutes.

bench eta runs all applications and compares how long they said that they would take yet with how long they took.
Takes some minutes, with --quick one.

bench far counts two trees on two processes, in one site and far from each other, and compares that with two workers of
one process. It takes some minutes.

bench --profile FILE runs all applications for a minute, and writes where the time went: what go build -pgo FILE takes,
and any go build of a command in whose folder it lies as default.pgo.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "profile", Usage: "write what the applications compute to `FILE`, for go build -pgo"},
			&cli.BoolFlag{Name: "quick", Usage: "a fifth of the time, and nothing is decided"},
		},
		Action: func(c *cli.Context) error {
			switch what := c.Args().First(); {
			case c.IsSet("profile") && c.NArg() == 0:
				return benchProfile(con, c)
			case c.IsSet("profile"):
				return console.Usage("bench --profile takes no argument, but there is %q", what)
			case c.NArg() == 1 && what == aloneWord:
				return bench.Serve(os.Stdin, con.Out, bench.All())
			case c.NArg() == 1 && what == observeWord:
				return benchObserve(con, app, c)
			case c.NArg() == 1 && what == etaWord:
				return benchEta(con, c)
			case c.NArg() == 1 && what == farWord:
				return benchFar(con, app, c)
			case c.NArg() > 0:
				return console.Usage("bench takes recovery, observe, eta, far or no argument, but there is %q", what)
			}
			return benchSpawns(con, app, c)
		},
	}}
}

// measured measures, and prints what came out, for people or as one line of JSON.
func measured[R any](con *console.Console, c *cli.Context, what string, measure func(ctx context.Context, done func(share float64)) (R, error),
	document func(build program.Build, r R) any, forPeople func(io.Writer, R) error) error {
	stop := con.Catch(nil)
	defer stop.Release()
	meter := con.NewMeter(what, time.Now())
	meter.Announce()
	var r R
	err := stop.Unless("interrupted before all was measured", func(ctx context.Context) (err error) {
		r, err = measure(ctx, meter.Share)
		return err
	})
	meter.Clear()
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return console.PrintJSON(con.Out, document(program.ThisBuild(), r))
	}
	return forPeople(con.Out, r)
}

// aloneWord is the argument of bench of the processes that it starts for sequential programs.
const aloneWord = "__alone"

// benchSpawns measures what spawns cost, and the way between two peers.
func benchSpawns(con *console.Console, app satin.App, c *cli.Context) error {
	peer, err := program.Peer()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	options := bench.Options{Alone: []string{peer[0], "bench", aloneWord}, Processes: &bench.Processes{App: app, Command: peer}}
	if c.Bool("quick") {
		options.Rounds = roundsQuick
	}
	return measured(con, c, "bench", func(ctx context.Context, done func(float64)) (*bench.Report, error) {
		options.Progress = done
		return bench.Run(ctx, options)
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
	var one, two []figure.Tabled
	for _, row := range r.Rows {
		one = append(one, figure.Tabled{What: row.Name, Beside: inMilliseconds(row.Sequential), Measured: inMilliseconds(row.One), Figure: row.Ratio})
		if row.Share != nil {
			two = append(two, figure.Tabled{What: row.Name, Beside: fmt.Sprintf("%.2f", row.SideBySide), Measured: fmt.Sprintf("%.2f", row.Speedup), Figure: *row.Share})
		}
	}
	figure.Print(p.Line, "one worker: its time to that without spawns", "sequential", "satin", one)
	p.Line("")
	if r.Cores < 2 {
		p.Line("two workers: not measured, there is one core")
	} else {
		figure.Print(p.Line, "two workers: their share of two processes", "processes", "satin", two)
	}
	if r.Wire != nil {
		p.Line("")
		printWire(p, r.Wire)
	}
	p.Line("")
	p.Line("%-46s %12s %12s %14s %14s %16s", "what a spawn costs", "a task", "a spawn", "allocations", "a goroutine", "sequential alloc")
	for _, row := range r.Rows {
		p.Line("%-46s %9.1f ns %9.1f ns %14.3f %11.0f ns %16.0f", row.Name, row.Task, row.Spawn, row.Allocs, row.Goroutine, row.SequentialAllocs)
	}
	p.Line("")
	p.Line(`Sequential: the same Go without spawns, in a process of its own. Share: how many times faster two workers are than
one, to what two such processes bring side by side; 1.00 is all there is. A task: one worker's time by the number of
spawns. A spawn: what it adds, with its wait. A goroutine: what one a task adds, on one core. Allocations: of a spawn;
sequential alloc: all that the sequential program makes.
%s`, figure.Legend)
	return p.Err
}

func inMilliseconds(seconds float64) string { return fmt.Sprintf("%.1f ms", 1e3*seconds) }

func inMicroseconds(seconds float64) string { return fmt.Sprintf("%.0f µs", 1e6*seconds) }

func inPercent(x float64) string { return fmt.Sprintf("%.1f %%", x) }

// printWire prints what the way between peers costs.
func printWire(p *console.Printer, w *bench.WireCosts) {
	trip := func(what string, t bench.Trip) figure.Tabled {
		return figure.Tabled{What: what, Beside: inMicroseconds(t.TCP), Measured: inMicroseconds(t.Satin), Figure: t.Figure}
	}
	rows := []figure.Tabled{
		trip("a round trip, to plain TCP's: the median", w.Trip),
		trip("the same while 1 MiB flows: p99", w.Busy),
		{
			What: "two processes, to two workers of one: " + bench.ProcessesRun, Beside: inMilliseconds(w.OneProcess),
			Measured: inMilliseconds(w.TwoProcesses), Figure: w.Processes,
		},
		{What: "a steal while the victim computes: p99", Figure: w.Steal, Unit: inMicroseconds},
		{What: "from Open to the first stolen job", Figure: w.First, Unit: inMilliseconds},
	}
	if w.IdleCPU != nil {
		rows = append(rows,
			figure.Tabled{What: "an idle peer, of a core", Figure: *w.IdleCPU, Unit: inPercent},
			figure.Tabled{What: "an idle peer, memory", Figure: *w.IdleRSS, Unit: func(x float64) string { return fmt.Sprintf("%.1f MB", x/1e6) }})
	}
	figure.Print(p.Line, "wire", "beside", "satin", rows)
	if w.IdleCPU == nil {
		p.Line("what an idle peer costs is not measured: this system does not tell")
	}
}
