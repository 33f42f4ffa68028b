package node

import (
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
	"satingrid/satin/program/wording"
)

// closedWords say when check and prune can be done.
const closedWords = "The node must have ended: it has the files open. "

// StoreCommand looks after what a node has on disk of runs. appOf tells which application a task is
// the root of.
func StoreCommand(con *console.Console, app satin.App, appOf func(task string) string) *cli.Command {
	verb := func(name, usage, details string, do func(state string, asJSON bool) error) *cli.Command {
		return &cli.Command{
			Name: name, Usage: usage, Description: details,
			Flags: []cli.Flag{StateFlag(con), &cli.BoolFlag{Name: "json", Usage: "print one line of JSON"}},
			Action: func(c *cli.Context) error {
				if c.NArg() > 0 {
					return console.Usage("store %s takes no argument, but there is %q", name, c.Args().First())
				}
				return storeError(do(con.StateFolder(c.String("state")), c.Bool("json")))
			},
		}
	}
	return &cli.Command{
		Name: "store", Category: "3 OBSERVE", Usage: "what a node has on disk of runs, whether it runs or not", ArgsUsage: "WHAT",
		Subcommands: []*cli.Command{
			verb("list", "the runs of which something is there",
				"Lists them by the keys that jobs --json tells, those of other builds too. A node may be running.",
				func(state string, asJSON bool) error { return listStore(con, app, state, asJSON, appOf) }),
			verb("size", "how much that is",
				"Tells how many runs and bytes there are. A node may be running.",
				func(state string, asJSON bool) error { return sizeStore(con, app, state, asJSON) }),
			verb("check", "read all of it, and drop what is damaged",
				closedWords+"What is damaged\nis computed again where it is needed, whether this is done or not. The exit code is 1 when something was.",
				func(state string, asJSON bool) error { return checkStore(con, state, asJSON) }),
			verb("prune", "delete what is of no use any more",
				closedWords+"Deletes\nwhat has expired, what others have replaced, and a damaged file that was put aside.",
				func(state string, asJSON bool) error { return pruneStore(con, state, asJSON) }),
		},
	}
}

// storeError is an error of a store with the exit code that belongs to it.
func storeError(err error) error {
	if errors.Is(err, satin.ErrStoreBusy) {
		return console.Refused("the node of that state folder runs, and has its files open: let it leave first")
	}
	return err
}

// storedRow is a run as store list --json prints it.
type storedRow struct {
	Key     string    `json:"key"`
	App     string    `json:"app"`
	Input   string    `json:"input"`
	Task    string    `json:"task"`
	State   string    `json:"state"`
	Who     string    `json:"who"`
	Root    bool      `json:"root"`
	Best    bool      `json:"best"`
	Results int       `json:"results"`
	Bytes   int64     `json:"bytes"`
	Written time.Time `json:"written"`
	Until   time.Time `json:"until"`
	Own     bool      `json:"own"` // of this build; no other uses it
}

func storedRowOf(r satin.StoredRun, appOf func(string) string) storedRow {
	row := storedRow{
		Key: r.Key.String(), Task: r.Task, State: "on", Who: r.By, Root: r.Root, Best: r.Best, Results: r.Results, Bytes: r.Bytes,
		Written: r.Written.UTC(), Until: r.Until.UTC(), Own: r.Own,
	}
	switch {
	case r.Answered:
		row.State = "answered"
	case r.Task == "":
		row.State = "given up"
	}
	row.App, row.Input = runs.Called(satin.RunStats{Task: r.Task, Label: r.Label}, appOf)
	return row
}

func listStore(con *console.Console, app satin.App, state string, asJSON bool, appOf func(string) string) error {
	all, err := satin.StoredRuns(state, app)
	if err != nil {
		return err
	}
	rows := []storedRow{}
	for _, r := range all {
		rows = append(rows, storedRowOf(r, appOf))
	}
	if asJSON {
		return console.PrintJSON(con.Out, struct {
			Schema int         `json:"schema"`
			State  string      `json:"state"`
			Runs   []storedRow `json:"runs"`
		}{console.Schema, state, rows})
	}
	return con.Page(false, func(p *console.Printer) { storedPage(p, rows, state, time.Now()) })
}

// storedPage is a page of 79 columns.
func storedPage(p *console.Printer, rows []storedRow, state string, now time.Time) {
	if len(rows) == 0 {
		p.Line("nothing is stored in %s", state)
		return
	}
	p.Line("%-8s %-9s %-9s %-12s %7s %9s %9s %s", "KEY", "STATE", "APP", "INPUT", "RESULTS", "SIZE", "WRITTEN", "BUILD")
	for _, r := range rows {
		build := "other"
		if r.Own {
			build = "this"
		}
		p.Line("%.8s %-9s %-9s %-12s %7d %9s %9s %s", r.Key, r.State, runs.Cut(r.App, 9), runs.Cut(r.Input, 12), r.Results, sizeOf(r.Bytes),
			console.Brief(max(0, now.Sub(r.Written)).Seconds()), build)
	}
}

func sizeStore(con *console.Console, app satin.App, state string, asJSON bool) error {
	all, err := satin.StoredRuns(state, app)
	if err != nil {
		return err
	}
	bytes, others := int64(0), 0
	for _, r := range all {
		bytes += r.Bytes
		others += count(!r.Own)
	}
	if asJSON {
		return console.PrintJSON(con.Out, struct {
			Schema int   `json:"schema"`
			Runs   int   `json:"runs"`
			Others int   `json:"others"`
			Bytes  int64 `json:"bytes"`
		}{console.Schema, len(all) - others, others, bytes})
	}
	_, err = fmt.Fprintf(con.Out, "%s of this build and %d of others, %s\n", wording.Count(len(all)-others, "run"), others, sizeOf(bytes))
	return err
}

func checkStore(con *console.Console, state string, asJSON bool) error {
	found, err := satin.CheckStore(state)
	if err != nil {
		return err
	}
	if asJSON {
		err = console.PrintJSON(con.Out, struct {
			Schema  int   `json:"schema"`
			Runs    int   `json:"runs"`
			Values  int   `json:"values"`
			Bytes   int64 `json:"bytes"`
			Damaged int   `json:"damaged"`
		}{console.Schema, found.Runs, found.Values, found.Bytes, found.Damaged})
	} else {
		_, err = fmt.Fprintf(con.Out, "%s, %s, %s: right\n", wording.Count(found.Runs, "run"), wording.Count(found.Values, "value"), sizeOf(found.Bytes))
	}
	if err == nil && found.Damaged > 0 {
		err = fmt.Errorf("damaged, and dropped: %s; look after the disk of %s", wording.Count(found.Damaged, "thing"), state)
	}
	return err
}

func pruneStore(con *console.Console, state string, asJSON bool) error {
	freed, err := satin.PruneStore(state)
	if err != nil {
		return err
	}
	if asJSON {
		return console.PrintJSON(con.Out, struct {
			Schema int   `json:"schema"`
			Freed  int64 `json:"freed_bytes"`
		}{console.Schema, freed})
	}
	_, err = fmt.Fprintf(con.Out, "%s of disk are free again\n", sizeOf(freed))
	return err
}

// sizeOf is a number of bytes as people say it.
func sizeOf(bytes int64) string {
	switch n := float64(bytes); {
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", n/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", n/(1<<20))
	default:
		return fmt.Sprintf("%.1f GiB", n/(1<<30))
	}
}
