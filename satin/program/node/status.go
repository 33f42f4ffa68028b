package node

import (
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// watchEvery is how often --watch asks again.
const watchEvery = time.Second

func PeersCommand(con *console.Console) *cli.Command {
	c := askCommand(con, &question{
		name: "peers", usage: "who is on the grid of the node that runs here",
		some: func(s *admin.Status, words []string) error {
			var some []satin.Member
			for _, word := range words {
				m, err := findMember(s.Members, word)
				if err != nil {
					return err
				}
				some = append(some, m)
			}
			s.Members = some
			return nil
		},
		text: printPeers,
		document: func(s admin.Status) any {
			return struct {
				Schema int         `json:"schema"`
				Peers  []memberRow `json:"peers"`
			}{console.Schema, memberRows(s)}
		},
	})
	c.ArgsUsage, c.Description = "[PEER…]", "Shows all peers, or those that are named, by name or id."
	return c
}

func StatusCommand(con *console.Console) *cli.Command {
	return askCommand(con, &question{
		name: "status", usage: "what the node that runs here does, and its grid",
		text: printStatus,
		document: func(s admin.Status) any {
			return statusDocument{console.Schema, s.Name, s.ID, s.Site, s.Grid, s.PID, s.Uptime, s.Addrs, memberRows(s), runRows(s)}
		},
	})
}

// question is what a command asks the node that runs, and how it shows the answer.
type question struct {
	name  string
	usage string
	// takes what the arguments name; nil: there are none
	some     func(s *admin.Status, words []string) error
	text     func(*console.Printer, admin.Status)
	document func(admin.Status) any
}

// askCommand is a command that asks the node that runs.
func askCommand(con *console.Console, q *question) *cli.Command {
	return &cli.Command{
		Name: q.name, Category: "3 OBSERVE", Usage: q.usage,
		Flags: []cli.Flag{
			StateFlag(con),
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
			&cli.BoolFlag{Name: "watch", Usage: "again every second, until interrupted"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 && q.some == nil {
				return console.Usage("%s takes no argument, but there is %q", q.name, c.Args().First())
			}
			for {
				err := q.ask(con, c)
				if err != nil || !c.Bool("watch") {
					return err
				}
				time.Sleep(watchEvery)
			}
		},
	}
}

// ask asks once, and shows the answer.
func (q *question) ask(con *console.Console, c *cli.Context) error {
	var s admin.Status
	var err error
	console.WhileSlow(func() { s, err = admin.Ask(con.StateFolder(c.String("state"))) }, func() { con.Say("asking the node") })
	if err == nil && c.NArg() > 0 {
		err = q.some(&s, c.Args().Slice())
	}
	if err != nil {
		return adminError(err)
	}
	if c.Bool("json") {
		return console.PrintJSON(con.Out, q.document(s))
	}
	return con.Page(c.Bool("watch"), func(p *console.Printer) { q.text(p, s) })
}

type statusDocument struct {
	Schema int         `json:"schema"`
	Name   string      `json:"name"`
	ID     string      `json:"id"`
	Site   string      `json:"site"`
	Grid   string      `json:"grid"`
	PID    int         `json:"pid"`
	Uptime float64     `json:"uptime_seconds"`
	Addrs  []string    `json:"addrs"`
	Peers  []memberRow `json:"peers"`
	Runs   []runRow    `json:"runs"`
}

type memberRow struct {
	Name    string   `json:"name"`
	ID      string   `json:"id"`
	Site    string   `json:"site"`
	State   string   `json:"state"`
	Workers int      `json:"workers"`
	Addrs   []string `json:"addrs"`
	// what version says of that peer's: the grid lets in no other
	Build string `json:"build,omitempty"`
}

// runRow is a run as this node sees it. Progress is null until it can be told.
type runRow struct {
	ID       string   `json:"id"`
	Key      string   `json:"key"`
	Task     string   `json:"task"`
	Progress *float64 `json:"progress"`
	Jobs     int64    `json:"jobs"`
	Busy     float64  `json:"busy_seconds"`
}

func memberRows(s admin.Status) []memberRow {
	rows := []memberRow{}
	for _, m := range s.Members {
		rows = append(rows, memberRow{m.Name, m.ID, m.Site, m.State, m.Workers, append([]string{}, m.Addrs...), s.Build})
	}
	return rows
}

func runRows(s admin.Status) []runRow {
	rows := []runRow{}
	for _, r := range s.Runs {
		rows = append(rows, runRow{ID: r.ID.String(), Key: r.Key.String(), Task: r.Task, Jobs: r.Jobs, Busy: console.Round(r.Busy)})
	}
	return rows
}

func printPeers(p *console.Printer, s admin.Status) {
	p.Line("%-20s %-12s %-10s %7s  %-12s  %s", "PEER", "SITE", "STATE", "WORKERS", "BUILD", "ID")
	for _, m := range s.Members {
		p.Line("%-20s %-12s %-10s %7d  %-12.12s  %s", m.Name, m.Site, m.State, m.Workers, s.Build, m.ID)
	}
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
		where := "the root is elsewhere"
		if r.Here {
			where = "the root is here"
		}
		p.Line("run %s, %s: %s; %d jobs and %s of work here", r.ID.Short(), r.Task, where, r.Jobs, console.Brief(r.Busy))
	}
}
