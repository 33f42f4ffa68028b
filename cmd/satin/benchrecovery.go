package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

// recoveryWord is the argument of bench that asks what a recovery costs.
const recoveryWord = "recovery"

// benchRecovery measures what it costs to lose half of the machine, to let it go and to replace it.
func benchRecovery(con *console.Console, c *cli.Context) error {
	run, period := c.Args().Tail(), c.Duration("period")
	if c.Bool("quick") && !c.IsSet("period") {
		period = time.Second // or the run would be over before there is a copy
	}
	switch {
	case len(run) > 2:
		return console.Usage("bench recovery takes an application and its input, but there is %q too", run[2])
	case c.Int("rounds") < 1:
		return console.Usage("--rounds is %d: 1 or more is expected", c.Int("rounds"))
	case period <= 0:
		return console.Usage("--period is %v: more than 0s is expected", period)
	case len(run) == 0:
		run = bench.RecoveryRun(c.Bool("quick"))
	}
	if cores, err := local.Cores(); err != nil || len(cores) < 2 {
		return fmt.Errorf("bench recovery needs two cores to pin the sites to: %d are there (%v)", len(cores), err)
	}
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bench: this program cannot find itself to run: %w", err)
	}
	meter := con.NewMeter("bench recovery", time.Now())
	meter.Announce()
	report, err := bench.Recover(c.Context, bench.RecoveryOptions{
		Program: executable, Run: run, Rounds: c.Int("rounds"), Copies: period, Progress: meter.Share,
	})
	meter.Clear()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return console.PrintJSON(con.Out, recoveryDocument{console.Schema, program.ThisBuild(), report})
	}
	return printRecovery(con.Out, report)
}

type recoveryDocument struct {
	Schema int           `json:"schema"`
	Build  program.Build `json:"build"`
	*bench.Recovery
}

func printRecovery(w io.Writer, r *bench.Recovery) error {
	p := &console.Printer{W: w}
	p.Line("satin run %s --sites a:2,b:2 --pin, copies every %s; medians of %s in %s",
		r.Run, console.Brief(r.Copies), wording.Count(r.Rounds, "round"), console.Brief(r.Seconds))
	p.Line("")
	p.Line("%-24s %10s %10s %18s %10s %10s %9s", "", "total", "ideal", "ratio, to reach", "redone", "saved", "reused")
	for _, row := range r.Rows {
		ratio := ""
		if row.Most > 0 {
			ratio = fmt.Sprintf("%.3f ≤ %.3f %s", row.Ratio, row.Most, mark(row.Ratio <= row.Most))
		}
		p.Line("%-24s %8.2f s %8.2f s %18s %8.2f s %8.2f s %9.0f", row.Name, row.Total, row.Ideal, ratio, row.Redone, row.Saved, row.Reused)
	}
	p.Line("")
	p.Line(`It happens when the run guesses that it is half done. Ideal: the time until then, and what is left by the cores that
are left; for the undisturbed run, what it takes with --ft off. Redone: worker seconds in jobs that were done again.
Saved: what the results that were used again had cost.`)
	return p.Err
}
