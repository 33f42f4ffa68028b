package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/figure"
	"satingrid/satin/program/local"
	"satingrid/satin/program/recovery"
	"satingrid/satin/program/wording"
)

// recoveryWord is the argument of bench that asks what a recovery costs.
const recoveryWord = "recovery"

// benchCommand measures what losses cost; own is what this binary measures besides, or nil.
func (p *Program) benchCommand(con *console.Console, own *cli.Command) *cli.Command {
	c := own
	if c == nil {
		c = &cli.Command{
			Name: "bench", Category: "4 STUDY", Usage: "what it costs a run to lose half of its cores",
			Action: func(c *cli.Context) error {
				return console.Usage("bench takes the word recovery, and what is to run: %s help bench", con.Name)
			},
		}
	}
	input := "APP [INPUT]"
	if a := p.only(); a != nil {
		input = a.Input
	}
	words := strings.TrimSpace(recoveryWord + " " + input)
	switch {
	case own == nil:
		c.ArgsUsage = words
	case own.ArgsUsage == "":
		c.ArgsUsage = "[" + words + "]"
	default:
		c.ArgsUsage = "[" + own.ArgsUsage + " | " + words + "]"
	}
	c.Description = strings.TrimSpace(c.Description + `

bench recovery runs that on two sites of one core each, undisturbed, and so that at half time one site is lost,
leaves or is replaced, and compares the times with the best that could be. A round is seven runs. Each should compute
for about a minute, and the machine should have nothing else to do. Six rounds or more decide what is ok and what is
short; one shows about how much it is.`)
	c.Flags = append(c.Flags,
		&cli.IntFlag{Name: "rounds", Value: 1, Usage: "of bench recovery; six decide"},
		&cli.DurationFlag{Name: "period", Value: local.CopiesDefault, Usage: "`D` between the copies of bench recovery"},
		&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"})
	other := c.Action
	c.Action = func(c *cli.Context) error {
		if c.Args().First() == recoveryWord {
			return p.benchRecovery(con, c)
		}
		return other(c)
	}
	return c
}

// benchRecovery measures what it costs to lose half of the machine, to let it go and to replace it.
func (p *Program) benchRecovery(con *console.Console, c *cli.Context) error {
	run, period := c.Args().Tail(), c.Duration("period")
	switch {
	case p.only() == nil && len(run) == 0:
		return console.Usage("bench recovery needs an application and its input, such as computes for a minute")
	case c.Int("rounds") < 1:
		return console.Usage("--rounds is %d: 1 or more is expected", c.Int("rounds"))
	case period <= 0:
		return console.Usage("--period is %v: more than 0s is expected", period)
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
	stop := con.Catch(nil)
	defer stop.Release()
	var report *recovery.Report
	err = stop.Unless("interrupted before all was measured", func(ctx context.Context) (err error) {
		report, err = recovery.Measure(ctx, recovery.Options{
			Program: executable, Name: con.Name, Run: run, Rounds: c.Int("rounds"), Copies: period, Progress: meter.Share,
		})
		return err
	})
	meter.Clear()
	var refused *recovery.RunError
	if errors.As(err, &refused) && refused.Code == console.ExitUsage {
		return console.Usage("%s", strings.TrimPrefix(refused.Said, con.Name+": "))
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return console.PrintJSON(con.Out, recoveryDocument{console.Schema, ThisBuild(), report})
	}
	return printRecovery(con, report)
}

type recoveryDocument struct {
	Schema int   `json:"schema"`
	Build  Build `json:"build"`
	*recovery.Report
}

func printRecovery(con *console.Console, r *recovery.Report) error {
	p := &console.Printer{W: con.Out}
	p.Line("%s run %s --sites a:2,b:2 --pin, copies every %s; medians of %s in %s; two cores are %.2f of one",
		con.Name, r.Run, console.Brief(r.Copies), wording.Count(r.Rounds, "round"), console.Brief(r.Seconds), r.Cores)
	p.Line("")
	seconds := func(x float64) string { return fmt.Sprintf("%.2f s", x) }
	var rows []figure.Tabled
	for _, row := range r.Rows {
		if row.Ratio != nil {
			rows = append(rows, figure.Tabled{
				What: row.Name, Beside: seconds(row.Ideal), Measured: seconds(row.Total), Figure: *row.Ratio,
				Unit: func(x float64) string { return fmt.Sprintf("%.3f", x) },
			})
		}
	}
	figure.Print(p.Line, "a run, in times of its ideal", "ideal", "total", rows)
	p.Line("")
	p.Line("%-46s %12s %12s %12s %9s", "what was done again, or not", "total", "redone", "saved", "reused")
	for _, row := range r.Rows {
		p.Line("%-46s %12s %12s %12s %9.0f", row.Name, seconds(row.Total), seconds(row.Redone), seconds(row.Saved), row.Reused)
	}
	p.Line("")
	p.Line(`It happens when the run guesses that it is half done. Ideal: the time until then, and what is left at the speed of
the cores that are left, as the same run had it that round; for the undisturbed run, what it takes with --ft off.
Redone: worker seconds in jobs that were done again. Saved: what the results that were used again had cost.
%s`, figure.Legend)
	return p.Err
}
