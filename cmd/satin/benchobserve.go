package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
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
		o.Rounds, o.Looks = bench.RoundsLeast, looksQuick
	}
	return measured(con, c, "bench observe", func(done func(float64)) (*bench.ObservingCosts, error) {
		o.Progress = done
		return bench.Observe(c.Context, o)
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
	p.Line("%-24s %10s %10s %8s %17s %9s", "", "alone", "observed", "", "from, to", "to reach")
	p.Line("%-24s %8.2f s %8.2f s %8.3f %8.3f %8.3f %9s %s", "a run, its ratio", o.Alone, o.Observed,
		o.Time.Value, o.Time.Low, o.Time.High, fmt.Sprintf("≤ %.2f", o.Time.Most), o.Time.Verdict())
	if o.Idle == nil {
		p.Line("what an idle peer pays for it is not measured: this system does not tell")
	} else {
		i := o.Idle
		p.Line("%-46s %6.1f %% %6.1f %% %6.1f %% %7s %s", "an idle peer, of a core", 100*i.Value, 100*i.Low, 100*i.High,
			fmt.Sprintf("≤ %.0f %%", 100*i.Most), i.Verdict())
	}
	p.Line("")
	p.Line(`Ratio: what an observed run takes, in times of the one beside it; the median of the rounds. From, to: where it is
in 95 of 100 measurements. Who looks is on the same machine, and takes its part of it.`)
	return p.Err
}
