package node

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/forecast"
	"satingrid/satin/program/across"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// watchEvery is how often --watch asks again.
const watchEvery = time.Second

// StatusCommand is the verb status: what the node that runs here does, or a whole grid.
func StatusCommand(con *console.Console) *cli.Command {
	flags := WhereFlags(con)
	// a ticket in the environment is this node's way in: in a container, whose probe asks it
	flags[0].(*cli.StringFlag).EnvVars = console.TypedOnly
	return &cli.Command{
		Name: "status", Category: "3 OBSERVE", Usage: "what the node that runs here does, or a whole grid",
		Description: `Shows what the node that runs here does. With --join it is the whole grid that the ticket leads to, whatever its build
is, as hosts of it tell: its sites, its runs, what was lost, and what is wrong. That takes a second, since rates are
what is done in one.`,
		Flags: append(flags,
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
			&cli.BoolFlag{Name: "watch", Usage: "again every second, until interrupted"}),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return console.Usage("status takes no argument, but there is %q", c.Args().First())
			}
			if console.IsTyped(c, "join") {
				w, err := WhereOf(con, c, "")
				if err != nil {
					return err
				}
				return w.showGrid(c)
			}
			for {
				err := showStatus(con, c)
				if err != nil || !c.Bool("watch") {
					return err
				}
				time.Sleep(watchEvery)
			}
		},
	}
}

// showStatus asks once, and shows the answer.
func showStatus(con *console.Console, c *cli.Context) error {
	var s admin.Status
	var err error
	console.WhileSlow(func() { s, err = admin.Ask(con.StateFolder(c.String("state"))) }, func() { con.Say("asking the node") })
	if err != nil {
		return adminError(err)
	}
	if c.Bool("json") {
		return console.PrintJSON(con.Out, statusDocument{
			console.Schema, s.Name, s.ID, s.Site, s.Grid, s.PID, s.Uptime, s.Addrs, peersOf(s).Peers, runRows(s),
		})
	}
	return con.Page(c.Bool("watch"), func(p *console.Printer) { printStatus(p, s) })
}

type statusDocument struct {
	Schema int           `json:"schema"`
	Name   string        `json:"name"`
	ID     string        `json:"id"`
	Site   string        `json:"site"`
	Grid   string        `json:"grid"`
	PID    int           `json:"pid"`
	Uptime float64       `json:"uptime_seconds"`
	Addrs  []string      `json:"addrs"`
	Peers  []across.Peer `json:"peers"`
	Runs   []runRow      `json:"runs"`
}

// runRow is a run as this node sees it. Progress is null until its master has told any.
type runRow struct {
	ID       string    `json:"id"`
	Key      string    `json:"key"`
	Task     string    `json:"task"`
	State    string    `json:"state"`
	Progress *float64  `json:"progress"`
	Left     []float64 `json:"left_seconds"`
	Share    int       `json:"share"`
	Jobs     int64     `json:"jobs"`
	Busy     float64   `json:"busy_seconds"`
}

func runRows(s admin.Status) []runRow {
	rows := []runRow{}
	for _, r := range s.Runs {
		row := runRow{
			ID: r.ID.String(), Key: r.Key.String(), Task: r.Task, State: string(r.State), Share: r.Share, Jobs: r.Jobs, Busy: console.Round(r.Busy),
		}
		if isTold(r) {
			row.Progress, row.Left = &r.Progress, leftOf(r)
		}
		rows = append(rows, row)
	}
	return rows
}

// isTold tells whether it is known how far a run is: its master has said so.
func isTold(r satin.RunStats) bool { return r.Progress > 0 || r.State == satin.RunAnswered }

// doneOf is how far a run is, as pages show it: "31 %", or "-".
func doneOf(r satin.RunStats) string {
	if !isTold(r) {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*r.Progress)
}

// guessed is a run's state, and how far it is as it guesses itself, where it has.
func guessed(r satin.RunStats) string {
	if r.Ends > 0 {
		return fmt.Sprintf("%s, alone: %d lives of this node have ended with it, and nothing was finished", r.State, r.Ends)
	}
	if r.State != satin.RunComputing || !isTold(r) {
		return string(r.State)
	}
	left := "time left unknown"
	if l, ok := forecast.Glance(r.Age, r.Progress); ok {
		left = l.String()
	}
	return fmt.Sprintf("%s, %s done as it guesses, %s", r.State, doneOf(r), left)
}

// leftOf are the least and the most seconds that a run will take yet, by its age and how far it is;
// nil: it is not known.
func leftOf(r satin.RunStats) []float64 {
	l, ok := forecast.Glance(r.Age, r.Progress)
	if !ok || r.State != satin.RunComputing {
		return nil
	}
	return []float64{console.Round(l.Least.Seconds()), console.Round(l.Most.Seconds())}
}

// rootOf is where a run's root is computed, while it is.
func rootOf(r satin.RunStats) string {
	switch {
	case r.State.HasAnswer():
		return ""
	case r.Here:
		return "; the root is here"
	}
	return "; the root is elsewhere"
}

func printStatus(p *console.Printer, s admin.Status) {
	sites, workers := map[string]bool{}, 0
	for _, m := range s.Members {
		sites[m.Site] = true
		workers += m.Workers
	}
	p.Line("%s of grid %s, up for %s, process %d", s.Name, s.Grid, console.Brief(s.Uptime), s.PID)
	p.Line("the grid has %s at %s with %s", wording.Count(len(s.Members), "peer"), wording.Count(len(sites), "site"), wording.Count(workers, "worker"))
	if len(s.Runs) == 0 {
		p.Line("nothing is computed")
	}
	for _, r := range s.Runs {
		p.Line("run %s, %s: %s, share %d%s; %d jobs and %s of work here",
			r.ID.Short(), r.Task, guessed(r), r.Share, rootOf(r), r.Jobs, console.Brief(r.Busy))
	}
}
