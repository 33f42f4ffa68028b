package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin/forecast/trial"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/figure"
)

// etaWord is the argument of bench that asks how well runs foretell.
const etaWord = "eta"

// benchEta measures how well runs foretell how long they will take.
func benchEta(con *console.Console, c *cli.Context) error {
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bench eta: this program cannot find itself to run the applications: %w", err)
	}
	options := bench.EtaOptions{Program: executable, Runs: bench.Foretold}
	if c.Bool("quick") {
		options.Runs = bench.ForetoldQuick
	}
	return measured(con, c, "bench eta", func(ctx context.Context, done func(float64)) (*bench.EtaReport, error) {
		options.Progress = done
		return bench.Forecasts(ctx, options)
	}, func(build program.Build, r *bench.EtaReport) any { return etaDocument{console.Schema, build, r} }, printEta)
}

type etaDocument struct {
	Schema int           `json:"schema"`
	Build  program.Build `json:"build"`
	*bench.EtaReport
}

func printEta(w io.Writer, r *bench.EtaReport) error {
	p := &console.Printer{W: w}
	p.Line("%-36s %8s %20s %20s", "", "", "eta over truth at", "upper over lower at")
	p.Line("%-36s %8s %6s %6s %6s %6s %6s %6s %7s %8s", "run", "took", "25 %", "50 %", "75 %", "25 %", "50 %", "75 %", "inside", "unknown")
	for _, row := range r.Rows {
		inside := "-"
		if row.Unknown < 1 {
			inside = fmt.Sprintf("%.0f %%", 100*row.Inside)
		}
		p.Line("%-36.36s %8s %6s %6s %6s %6s %6s %6s %7s %6.0f %%", row.Run, console.Brief(row.Seconds),
			known(row.Ratio[0]), known(row.Ratio[1]), known(row.Ratio[2]),
			known(row.Width[0]), known(row.Width[1]), known(row.Width[2]), inside, 100*row.Unknown)
	}
	p.Line("")
	printFigures(p, "all runs, in time", &r.Findings)
	printFigures(p, "the same in worker seconds", &r.Work)
	p.Line("")
	p.Line("Inside and unknown: after a tenth of the work. A round is a run.\n%s", figure.Legend)
	return p.Err
}

// printFigures prints what came of all runs.
func printFigures(p *console.Printer, title string, r *trial.Findings) {
	percent := func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
	times := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	figure.Print(p.Line, title, "", "", []figure.Tabled{
		{What: "truths inside the interval, mean", Figure: r.Inside, Unit: percent},
		{What: "samples that say nothing, mean", Figure: r.Unknown, Unit: percent},
		{What: "upper over lower end at a quarter, median", Figure: r.WidthQuarter, Unit: times},
		{What: "upper over lower end at half, median", Figure: r.WidthHalf, Unit: times},
	})
}

// known is a figure, or "-" where there is none.
func known(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *x)
}
