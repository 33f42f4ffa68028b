package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/wording"
)

// watchEvery is how often --watch asks again.
const watchEvery = time.Second

func peersCommand(con *console) *cli.Command {
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
			}{schema, memberRows(s)}
		},
	})
	c.ArgsUsage, c.Description = "[PEER…]", "Shows all peers, or those that are named, by name or id."
	return c
}

func statusCommand(con *console) *cli.Command {
	return askCommand(con, &question{
		name: "status", usage: "what the node that runs here does, and its grid",
		text: printStatus,
		document: func(s admin.Status) any {
			return statusDocument{schema, s.Name, s.ID, s.Site, s.Grid, s.PID, s.Uptime, s.Addrs, memberRows(s), runRows(s)}
		},
	})
}

// question is what a command asks the node that runs, and how it shows the answer.
type question struct {
	name  string
	usage string
	// takes what the arguments name; nil: there are none
	some     func(s *admin.Status, words []string) error
	text     func(*printer, admin.Status)
	document func(admin.Status) any
}

// askCommand is a command that asks the node that runs.
func askCommand(con *console, q *question) *cli.Command {
	return &cli.Command{
		Name: q.name, Category: "3 OBSERVE", Usage: q.usage,
		Flags: []cli.Flag{
			stateFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
			&cli.BoolFlag{Name: "watch", Usage: "again every second, until interrupted"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 && q.some == nil {
				return usageError("%s takes no argument, but there is %q", q.name, c.Args().First())
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
func (q *question) ask(con *console, c *cli.Context) error {
	var s admin.Status
	var err error
	whileSlow(func() { s, err = admin.Ask(stateFolder(c.String("state"))) }, func() { fmt.Fprintln(con.err, "satin: asking the node") })
	if err == nil && c.NArg() > 0 {
		err = q.some(&s, c.Args().Slice())
	}
	if err != nil {
		return adminError(err)
	}
	if c.Bool("json") {
		return printJSON(con.out, q.document(s))
	}
	return con.page(c.Bool("watch"), func(p *printer) { q.text(p, s) })
}

// page prints a text at once; one that is printed again and again takes the place of the one
// before, on a terminal, and else has an empty line after it.
func (c *console) page(again bool, text func(*printer)) error {
	var b bytes.Buffer
	p := &printer{w: &b}
	if again && c.screen {
		b.WriteString("\x1b[H\x1b[2J")
	}
	text(p)
	if again && !c.screen {
		p.line("")
	}
	_, err := c.out.Write(b.Bytes())
	return err
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
		rows = append(rows, runRow{ID: r.ID.String(), Key: r.Key.String(), Task: r.Task, Jobs: r.Jobs, Busy: round(r.Busy)})
	}
	return rows
}

func printPeers(p *printer, s admin.Status) {
	p.line("%-20s %-12s %-10s %7s  %-12s  %s", "PEER", "SITE", "STATE", "WORKERS", "BUILD", "ID")
	for _, m := range s.Members {
		p.line("%-20s %-12s %-10s %7d  %-12.12s  %s", m.Name, m.Site, m.State, m.Workers, s.Build, m.ID)
	}
}

func printStatus(p *printer, s admin.Status) {
	sites, workers := map[string]bool{}, 0
	for _, m := range s.Members {
		sites[m.Site] = true
		workers += m.Workers
	}
	p.line("%s of grid %s, up for %s, process %d", s.Name, s.Grid, brief(s.Uptime), s.PID)
	p.line("the grid has %s at %s with %s", wording.Count(len(s.Members), "peer"), wording.Count(len(sites), "site"), wording.Count(workers, "worker"))
	if len(s.Runs) == 0 {
		p.line("nothing is computed")
	}
	for _, r := range s.Runs {
		where := "the root is elsewhere"
		if r.Here {
			where = "the root is here"
		}
		p.line("run %s, %s: %s; %d jobs and %s of work here", r.ID.Short(), r.Task, where, r.Jobs, brief(r.Busy))
	}
}
