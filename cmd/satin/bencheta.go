package main

import (
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
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
	return measured(con, c, "bench eta", func(done func(float64)) (*bench.EtaReport, error) {
		options.Progress = done
		return bench.Forecasts(c.Context, options)
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
	mark := func(what, value, sign, most string, reached bool) {
		p.Line("%-56s %8s %s %-6s %s", what, value, sign, most, wording.Mark(reached))
	}
	percent := func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
	times := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	mark("truths inside the interval", percent(r.Inside.Value), "≥", percent(r.Inside.Most), r.InsideReached())
	mark("samples that say nothing, after a tenth of the time", percent(r.Unknown.Value), "≤", percent(r.Unknown.Most), r.Unknown.Reached())
	mark("upper over lower end at a quarter, median", times(r.WidthQuarter.Value), "≤", times(r.WidthQuarter.Most), r.WidthReached(r.WidthQuarter))
	mark("upper over lower end at half, median", times(r.WidthHalf.Value), "≤", times(r.WidthHalf.Most), r.WidthReached(r.WidthHalf))
	return p.Err
}

// known is a figure, or "-" where there is none.
func known(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *x)
}
