package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/gridsim/scenario"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// simCommand asks the simulator.
func simCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "sim", Category: "4 STUDY", ArgsUsage: "SCENARIO.yaml | NAME",
		Usage: "what a grid would do: its machines in virtual time, on a network of your own",
		Description: `Simulates a run on a grid that a file describes: sites and what lies between them, a workload, losses, leaves and
joins, and which of that is to be varied. Peers are the very machines that nodes run; only the network, clocks and jobs
are modelled. Of each variant several runs are simulated, and the table has their means, and how far these may be off in
19 of 20 scenarios. docs/simulating.md tells what can be in the file.

A name stands for an experiment that this program brings with it: --list tells which there are, --show prints its file.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "tell which experiments there are"},
			&cli.BoolFlag{Name: "show", Usage: "print the scenario, and simulate nothing"},
			&cli.IntFlag{Name: "repetitions", Usage: "`N` runs of each variant, instead of what the scenario says"},
			&cli.IntFlag{Name: "seed", Usage: "`N` of the first of them, instead of what the scenario says"},
			&cli.StringFlag{Name: "record", Usage: "also write what the grid did in the first run of the first variant to `FILE`, for report, trace and dash"},
			&cli.StringFlag{Name: "plot", Usage: "also draw what the scenario wants drawn, its efficiency if nothing else is said, as SVG into `FILE`"},
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON, with each run"},
			&cli.BoolFlag{Name: "csv", Usage: "print comma-separated values: a line for each variant, or, where the scenario has a series, for each interval of each run"},
		},
		Action: func(c *cli.Context) error {
			switch {
			case c.Bool("list") && c.NArg() == 0:
				return listScenarios(con)
			case c.NArg() != 1 || c.Bool("list"):
				return console.Usage("sim takes one scenario: a file, or one of %s", wording.List(scenario.Shipped()))
			case c.Bool("json") && c.Bool("csv"):
				return console.Usage("sim prints --json or --csv")
			}
			return simulate(con, c)
		},
	}
}

// scenarioText is the text of the scenario of that name, which is a file's where there is one.
func scenarioText(name string) ([]byte, error) {
	text, shipped := scenario.ShippedText(name)
	f, err := os.Open(name)
	switch {
	case err != nil && shipped:
		return text, nil
	case errors.Is(err, os.ErrNotExist) && filepath.Ext(name) == "":
		return nil, console.Usage("sim: there is no file %q, nor an experiment of that name; there are %s", name, wording.List(scenario.Shipped()))
	case err != nil:
		return nil, console.Usage("sim: %v", wording.Bare(err))
	}
	defer f.Close()
	if text, err = io.ReadAll(io.LimitReader(f, scenario.TextMax+1)); err != nil {
		return nil, console.Usage("sim: %v", wording.Bare(err))
	}
	return text, nil
}

// beside opens what a scenario names: where it says, seen from its own folder.
func beside(name string) scenario.Files {
	return func(file string) (io.ReadCloser, error) {
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(name), file)
		}
		return os.Open(file)
	}
}

// simulate simulates a scenario, and prints and draws what came out.
func simulate(con *console.Console, c *cli.Context) error {
	name := c.Args().First()
	text, err := scenarioText(name)
	if err != nil {
		return err
	}
	s, err := scenario.Read(text, beside(name))
	switch {
	case err != nil:
		return console.Usage("sim: %s: %v", name, err)
	case c.Bool("show"):
		_, err := con.Out.Write(text)
		return err
	}
	if c.IsSet("repetitions") {
		if s.Repetitions = c.Int("repetitions"); s.Repetitions < 1 || s.Repetitions > scenario.RepetitionsMax {
			return console.Usage("--repetitions is %d: 1 to %d is expected", s.Repetitions, scenario.RepetitionsMax)
		}
	}
	if c.IsSet("seed") {
		if c.Int("seed") < 0 {
			return console.Usage("--seed is %d: 0 or more is expected", c.Int("seed"))
		}
		s.Seed = uint64(c.Int("seed"))
	}
	var drawing *program.Output
	if to := c.String("plot"); to != "" {
		if drawing, err = program.OpenOutput("--plot", to); err != nil {
			return console.Usage("%v", err)
		}
	}
	r, err := played(con, c, s)
	switch {
	case err != nil:
		return err
	case drawing != nil:
		err = drawing.Write(func(w io.Writer) error { return r.WritePlot(w, program.FigureStyle) })
	}
	return errors.Join(err, printSimulated(con, c, r))
}

// played simulates all, and writes down what is to be written down, until somebody interrupts it.
func played(con *console.Console, c *cli.Context, s *scenario.Scenario) (r *scenario.Tabulation, err error) {
	stop := con.Catch(nil)
	defer stop.Release()
	err = stop.Unless("interrupted before all was simulated", func(ctx context.Context) error {
		if to := c.String("record"); to != "" {
			if err := recordScenario(ctx, s, to); err != nil {
				return err
			}
		}
		meter := con.NewMeter("sim "+c.Args().First(), time.Now())
		defer meter.Clear()
		var err error
		if r, err = s.Play(ctx, meter.Share); err != nil {
			return fmt.Errorf("sim: %w", err)
		}
		return nil
	})
	return r, err
}

// printSimulated prints what came out in the form that is asked for.
func printSimulated(con *console.Console, c *cli.Context, r *scenario.Tabulation) error {
	switch {
	case c.Bool("json"):
		return console.PrintJSON(con.Out, simDocument{console.Schema, program.ThisBuild(), r})
	case c.Bool("csv") && r.HasSeries():
		return r.WriteSeries(con.Out)
	case c.Bool("csv"):
		return r.WriteCSV(con.Out)
	}
	p := &console.Printer{W: con.Out}
	if r.About != "" {
		p.Line("%s\n", strings.TrimSpace(r.About))
	}
	r.Print(p.Line)
	if r.Look != "" {
		p.Line("\n%s", strings.TrimSpace(r.Look))
	}
	return p.Err
}

// recordScenario writes down what happens in the first run, into a file that must not be there yet.
func recordScenario(ctx context.Context, s *scenario.Scenario, name string) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return console.Usage("recording into %v", wording.Bare(err))
	}
	if err := errors.Join(s.Record(ctx, file), file.Close()); err != nil {
		os.Remove(name) // half of it tells nothing, and would be in the way
		return fmt.Errorf("recording into %s: %w", name, err)
	}
	return nil
}

type simDocument struct {
	Schema int           `json:"schema"`
	Build  program.Build `json:"build"`
	*scenario.Tabulation
}

func listScenarios(con *console.Console) error {
	p := &console.Printer{W: con.Out}
	wide := 0
	for _, name := range scenario.Shipped() {
		wide = max(wide, len(name))
	}
	for _, name := range scenario.Shipped() {
		p.Line("%-*s  %s", wide, name, scenario.AboutShipped(name))
	}
	return p.Err
}
