package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/figure"
)

// observeWord is the argument of bench that asks what observing costs.
const observeWord = "observe"

// looksQuick is some seconds.
const looksQuick = 12

// benchObserve measures what it costs a grid that somebody looks at it.
func benchObserve(con *console.Console, app satin.App, c *cli.Context) error {
	peer, err := program.Peer()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	o := bench.Observing{Processes: bench.Processes{App: app, Command: peer}}
	if c.Bool("quick") {
		o.Rounds, o.Looks = figure.RoundsLeast, looksQuick
	}
	return measured(con, c, "bench observe", func(ctx context.Context, done func(float64)) (*bench.ObservingCosts, error) {
		o.Progress = done
		return bench.Observe(ctx, o)
	}, func(build program.Build, r *bench.ObservingCosts) any {
		return observeDocument{console.Schema, build, r}
	}, printObserving)
}

type observeDocument struct {
	Schema int           `json:"schema"`
	Build  program.Build `json:"build"`
	*bench.ObservingCosts
}

func printObserving(w io.Writer, o *bench.ObservingCosts) error {
	p := &console.Printer{W: w}
	p.Line("%s on two peers of this machine, looked at every %s from here; %d rounds and %d looks in %s",
		o.Run, console.Brief(o.Every), o.Rounds, o.Looks, console.Brief(o.Seconds))
	p.Line("")
	rows := []figure.Tabled{{
		What: "a run", Beside: fmt.Sprintf("%.2f s", o.Alone), Measured: fmt.Sprintf("%.2f s", o.Observed), Figure: o.Time,
		Unit: func(x float64) string { return fmt.Sprintf("%.3f", x) },
	}}
	if o.Idle != nil {
		rows = append(rows, figure.Tabled{What: "what looks add to an idle peer, of a core", Figure: *o.Idle, Unit: func(x float64) string { return inPercent(100 * x) }})
	}
	figure.Print(p.Line, "observed, in times of the one beside it", "alone", "observed", rows)
	if o.Idle == nil {
		p.Line("what an idle peer pays for it is not measured: this system does not tell")
	}
	p.Line("")
	p.Line("Who looks is on the same machine, and takes its part of it.\n%s", figure.Legend)
	return p.Err
}
