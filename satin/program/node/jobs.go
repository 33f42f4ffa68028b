package node

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
)

// JobsCommand lists the runs of a grid. appOf tells which application a task is the root of.
func JobsCommand(con *console.Console, app satin.App, appOf func(task string) string) *cli.Command {
	return &cli.Command{
		Name: "jobs", Category: "3 OBSERVE", Usage: "the runs of a grid",
		Description: `Lists all runs of the grid of the node that runs here, or of the one that --join leads to: those that it computes,
and those whose answers it keeps. DONE is the run's own guess, and may be far off.`,
		Flags: append(WhereFlags(con),
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
			&cli.BoolFlag{Name: "watch", Usage: "again every second, until interrupted"}),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return console.Usage("jobs takes no argument, but there is %q", c.Args().First())
			}
			w, err := WhereOf(con, c, "")
			if err != nil {
				return err
			}
			return w.during(app, func(ctx context.Context, g reached) error {
				for {
					all, err := g.list(ctx)
					if err != nil {
						return err
					}
					if err := printJobs(con, c, all, appOf); err != nil || !c.Bool("watch") {
						return err
					}
					if err := pause(ctx, watchEvery); err != nil {
						return err
					}
				}
			})
		},
	}
}

// during reaches the grid for as long as something is done there, which a signal ends.
func (w *Where) during(app satin.App, do func(context.Context, reached) error) error {
	stop := w.con.Catch(nil)
	defer stop.Release()
	return stop.Unless("interrupted", func(ctx context.Context) error {
		g, err := w.reach(ctx, app)
		if err != nil {
			return err
		}
		defer g.close()
		return do(ctx, g)
	})
}

// printJobs prints a list. What is missing of it is an error in the end, unless it is printed again
// and again: then the page says so.
func printJobs(con *console.Console, c *cli.Context, all jobList, appOf func(string) string) error {
	watch := c.Bool("watch")
	var err error
	if c.Bool("json") {
		err = console.PrintJSON(con.Out, across.Response{Schema: across.Schema, Jobs: jobsOf(all, appOf)})
	} else {
		err = con.Page(watch, func(p *console.Printer) {
			jobsPage(p, all, appOf)
			if watch && all.missing != nil {
				p.Line("%v", all.missing)
			}
		})
	}
	if err == nil && !watch {
		err = all.missing
	}
	return err
}

// jobsOf are the runs of a list as --json prints them, and as hosts of other builds are told.
func jobsOf(all jobList, appOf func(string) string) *across.Jobs {
	jobs := &across.Jobs{Grid: all.grid, Runs: []across.RunLine{}}
	if all.missing != nil {
		jobs.Missing = all.missing.Error()
	}
	for i, r := range all.runs {
		job := across.RunLine{
			ID: r.ID.String(), Key: r.Key.String(), Task: r.Task, State: string(r.State), Who: r.By, Age: console.Round(r.Age.Seconds()),
			Progress: r.Progress, Share: r.Share, Master: r.Master, Waits: r.Waits,
			Keep: r.Keep.Seconds(), Kept: console.Round(r.Kept.Seconds()), Build: all.buildOf(i), Ends: r.Ends,
		}
		job.Left = leftOf(r)
		job.App, job.Input = runs.Called(r, appOf)
		if !r.At.IsZero() {
			at := r.At.UTC()
			job.When = &at
		}
		jobs.Runs = append(jobs.Runs, job)
	}
	return jobs
}

// runOf is a run that a host of any build tells of; its label stands for what its application makes
// of its task.
func runOf(j across.RunLine) (r satin.RunStats, err error) {
	if err := parseKey(r.ID[:], j.ID); err != nil {
		return r, err
	}
	if err := parseKey(r.Key[:], j.Key); err != nil {
		return r, err
	}
	r.Task, r.State, r.By, r.Master = j.Task, satin.RunState(j.State), j.Who, j.Master
	r.Label = strings.TrimSpace(j.App + " " + j.Input)
	r.Share, r.Waits, r.Ends, r.Progress = j.Share, j.Waits, j.Ends, min(max(j.Progress, 0), 1)
	r.Age, r.Keep, r.Kept = seconds(j.Age), seconds(j.Keep), seconds(j.Kept)
	if j.When != nil {
		r.At = *j.When
	}
	return r, nil
}

func parseKey(key []byte, text string) error {
	got, err := hex.DecodeString(text)
	if err != nil || len(got) != len(key) {
		return fmt.Errorf("%q is no run's id or key", text)
	}
	copy(key, got)
	return nil
}

// seconds is a time that another host tells.
func seconds(s float64) time.Duration {
	const most = 100 * 365 * 24 * 60 * 60
	return time.Duration(min(max(s, 0), most) * float64(time.Second))
}

// jobsPage is a page of 79 columns. The grid lets in one build, so that it is said once; where runs
// of several grids are listed, a line says of which build those are that follow.
func jobsPage(p *console.Printer, all jobList, appOf func(string) string) {
	if len(all.runs) == 0 {
		p.Line("grid %s, build %.8s: no run is on, and no answer is kept", all.grid, all.build)
		return
	}
	p.Line("grid %s, build %.8s", all.grid, all.buildOf(0))
	p.Line("%-8s %-9s %-9s %-16s %-12s %8s %5s %5s", "RUN", "STATE", "APP", "INPUT", "WHO", "AGE", "DONE", "SHARE")
	for i, r := range all.runs {
		if i > 0 && all.buildOf(i) != all.buildOf(i-1) {
			p.Line("build %.8s", all.buildOf(i))
		}
		app, input := runs.Called(r, appOf)
		p.Line("%-8s %-9s %-9s %-16s %-12s %8s %5s %5d", r.ID.Short(), r.State, runs.Cut(app, 9), runs.Cut(input, 16), runs.Cut(r.By, 12),
			console.Brief(r.Age.Seconds()), doneOf(r), r.Share)
	}
	for _, r := range all.runs {
		if r.Ends > 0 {
			p.Line("%s waits while there is one node, which it seems to have ended %d times", r.ID.Short(), r.Ends)
		}
	}
}
