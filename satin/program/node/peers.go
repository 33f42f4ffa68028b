package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

// PeersCommand shows who is on a grid.
func PeersCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "peers", Category: "3 OBSERVE", Usage: "who is on a grid", ArgsUsage: "[PEER…]",
		Description: `Shows all peers of the grid of the node that runs here, or those that are named, by name or id. With --join it is
those of the grid that the ticket leads to, whatever its build is, and of those of other builds that are known there,
with the load of their machines and what each computes; - stands for what a peer does not tell.`,
		Flags: append(WhereFlags(con),
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
			&cli.BoolFlag{Name: "watch", Usage: "again every second, until interrupted"}),
		Action: func(c *cli.Context) error {
			w, err := WhereOf(con, c, "")
			if err != nil {
				return err
			}
			stop := con.Catch(nil)
			defer stop.Release()
			return stop.Unless("interrupted", func(ctx context.Context) error {
				for {
					if err := w.showPeers(ctx, c); err != nil || !c.Bool("watch") {
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

func (w *Where) showPeers(ctx context.Context, c *cli.Context) error {
	var all []peerListed
	var missing, err error
	console.WhileSlow(func() { all, missing, err = w.peers(ctx) }, func() { w.con.Say("asking %s", w.Said()) })
	if err == nil && c.NArg() > 0 {
		all, err = namedPeers(all, c.Args().Slice())
	}
	if err != nil {
		return adminError(err)
	}
	if c.Bool("json") {
		err = console.PrintJSON(w.con.Out, peersDocument{console.Schema, all})
	} else {
		err = w.con.Page(c.Bool("watch"), func(p *console.Printer) { peersPage(p, all) })
	}
	if err == nil {
		err = missing
	}
	return err
}

// peersDocument is what peers --json prints.
type peersDocument struct {
	Schema int          `json:"schema"`
	Peers  []peerListed `json:"peers"`
}

// peerListed is a peer, with what it does where that was asked.
type peerListed struct {
	across.Peer
	*peerDoes
}

type peerDoes struct {
	Answers bool              `json:"answers"`
	Load    *float64          `json:"load"`
	Memory  int64             `json:"memory_bytes"`
	Runs    []across.RunShare `json:"runs_here"`
}

// peersPage has two columns more where it was asked what peers do.
func peersPage(p *console.Printer, all []peerListed) {
	does := func(peerListed) string { return "" }
	title := ""
	if len(all) > 0 && all[0].peerDoes != nil {
		title = fmt.Sprintf("%6s  %-18s ", "LOAD", "DOES")
		does = func(r peerListed) string {
			load := "-"
			if r.Load != nil {
				load = fmt.Sprintf("%.2f", *r.Load)
			}
			return fmt.Sprintf("%6s  %-18s ", load, observe.Cut(observe.Does(across.Doing{Runs: r.Runs}), 18))
		}
	}
	p.Line("%-20s %-12s %-10s %s%7s  %-12s  %s", "PEER", "SITE", "STATE", title, "WORKERS", "BUILD", "ID")
	for _, m := range all {
		p.Line("%-20s %-12s %-10s %s%7d  %-12.12s  %s", m.Name, m.Site, m.State, does(m), m.Workers, m.Build, m.ID)
	}
}

// peers are those of the grid, and with a ticket those of grids of other builds, too. What is
// missing of these is an error in the end.
func (w *Where) peers(ctx context.Context) (all []peerListed, missing, err error) {
	all = []peerListed{}
	if w.by == nil {
		s, err := admin.Ask(w.state)
		for _, p := range peersOf(s).Peers {
			all = append(all, peerListed{Peer: p})
		}
		return all, nil, err
	}
	o, err := w.outlook(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := o.look(ctx)
	if err != nil {
		return nil, nil, err
	}
	does := map[string]across.Doing{}
	for _, d := range s.Peers {
		does[d.ID] = d
	}
	for _, p := range s.Members {
		d := does[p.ID]
		all = append(all, peerListed{p, &peerDoes{d.Answers, d.Load, d.Memory, append([]across.RunShare{}, d.Runs...)}})
	}
	if len(s.Missing) > 0 {
		missing = console.Refused("%s: %s", w.by.Said, strings.Join(s.Missing, "; "))
	}
	return all, missing, nil
}

// notVisited is the error of a host that could not be visited, or has refused.
func notVisited(con *console.Console, err error, by *Invitation) error {
	var refused *across.Denial
	if errors.As(err, &refused) {
		return &console.Error{Code: refused.Code, Text: refused.Text}
	}
	return JoinError(con, err, by)
}

// peersOf are the members that a node tells of.
func peersOf(s admin.Status) *across.Peers {
	all := &across.Peers{Peers: []across.Peer{}}
	for _, m := range s.Members {
		all.Peers = append(all.Peers, across.Peer{
			Name: m.Name, ID: m.ID, Site: m.Site, State: m.State, Workers: m.Workers, Addrs: append([]string{}, m.Addrs...), Build: s.Build,
		})
	}
	return all
}

// namedPeers are those that words mean.
func namedPeers(all []peerListed, words []string) (some []peerListed, err error) {
	var members []satin.Member
	for _, p := range all {
		members = append(members, satin.Member{Name: p.Name, ID: p.ID})
	}
	for _, word := range words {
		m, err := findMember(members, word)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(p peerListed) bool { return p.ID == m.ID })
		some = append(some, all[i])
	}
	return some, nil
}
