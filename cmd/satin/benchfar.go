package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/figure"
)

// farWord is the argument of bench that asks what distance costs.
const farWord = "far"

// benchFar measures what it costs that workers are far from each other.
func benchFar(con *console.Console, app satin.App, c *cli.Context) error {
	peer, err := program.Peer()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	o := bench.Far{Processes: bench.Processes{App: app, Command: peer}}
	if c.Bool("quick") {
		o.Rounds = roundsQuick
	}
	return measured(con, c, "bench far", func(ctx context.Context, done func(float64)) (*bench.FarCosts, error) {
		o.Progress = done
		return bench.MeasureFar(ctx, o)
	}, func(build program.Build, r *bench.FarCosts) any {
		return farDocument{console.Schema, build, r}
	}, printFar)
}

type farDocument struct {
	Schema int           `json:"schema"`
	Build  program.Build `json:"build"`
	*bench.FarCosts
}

func printFar(w io.Writer, r *bench.FarCosts) error {
	p := &console.Printer{W: w}
	p.Line("two processes on this machine, one worker each; %d rounds in %s", r.Rounds, console.Brief(r.Seconds))
	p.Line("")
	var rows []figure.Tabled
	for _, row := range r.Rows {
		what := row.Run + ", in one site"
		if row.Delay > 0 {
			what = fmt.Sprintf("%s, %v apart", row.Run, time.Duration(row.Delay*float64(time.Second)).Round(time.Millisecond))
		}
		rows = append(rows, figure.Tabled{
			What: what, Beside: fmt.Sprintf("%.2f s", row.One), Measured: fmt.Sprintf("%.2f s", row.Two), Figure: row.Ratio,
		})
	}
	figure.Print(p.Line, "two processes, to two workers of one", "one process", "two", rows)
	p.Line("")
	p.Line("T1L is wide: any job has much below it. T3L is thin: hardly any has.\n%s", figure.Legend)
	return p.Err
}
