package node

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// PeersCommand shows who is on a grid.
func PeersCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "peers", Category: "3 OBSERVE", Usage: "who is on a grid", ArgsUsage: "[PEER…]",
		Description: `Shows all peers of the grid of the node that runs here, or those that are named, by name or id. With --join it is
those of the grid that the ticket leads to, whatever its build is, and of those of other builds that are known there.`,
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
	var all *across.Peers
	var err error
	console.WhileSlow(func() { all, err = w.peers(ctx) }, func() { w.con.Say("asking %s", w.Said()) })
	if err == nil && c.NArg() > 0 {
		all, err = namedPeers(all, c.Args().Slice())
	}
	if err != nil {
		return adminError(err)
	}
	if c.Bool("json") {
		return console.PrintJSON(w.con.Out, across.Response{Schema: across.Schema, Peers: all})
	}
	return w.con.Page(c.Bool("watch"), func(p *console.Printer) {
		p.Line("%-20s %-12s %-10s %7s  %-12s  %s", "PEER", "SITE", "STATE", "WORKERS", "BUILD", "ID")
		for _, m := range all.Peers {
			p.Line("%-20s %-12s %-10s %7d  %-12.12s  %s", m.Name, m.Site, m.State, m.Workers, m.Build, m.ID)
		}
	})
}

// peers are those of the grid, and with a ticket those of grids of other builds, too.
func (w *Where) peers(ctx context.Context) (*across.Peers, error) {
	if w.by == nil {
		s, err := admin.Ask(w.state)
		return peersOf(s), err
	}
	v, err := w.byVisit(ctx, w.by, w.by.leads(w.state))
	if err != nil {
		return nil, notVisited(w.con, err, w.by)
	}
	ctx, cancel := context.WithTimeout(ctx, elsewhereMax)
	defer cancel()
	all := &across.Peers{Peers: []across.Peer{}}
	for _, g := range v.grids {
		a, err := v.visitor.Ask(ctx, across.Question{Ask: across.AskPeers}, g.Addrs...)
		if err == nil && a.Peers == nil {
			err = errors.New("its answer names no peers")
		}
		if err != nil {
			return nil, notVisited(w.con, err, w.by)
		}
		all.Peers = append(all.Peers, a.Peers.Peers...)
	}
	return all, nil
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
func namedPeers(all *across.Peers, words []string) (*across.Peers, error) {
	var members []satin.Member
	for _, p := range all.Peers {
		members = append(members, satin.Member{Name: p.Name, ID: p.ID})
	}
	some := &across.Peers{}
	for _, word := range words {
		m, err := findMember(members, word)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all.Peers, func(p across.Peer) bool { return p.ID == m.ID })
		some.Peers = append(some.Peers, all.Peers[i])
	}
	return some, nil
}
