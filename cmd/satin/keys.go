package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"satingrid/satin/p2p"
	"satingrid/satin/p2p/ticket"
	"satingrid/satin/program/admin"
)

func keyCommand(con *console) *cli.Command {
	none := func(c *cli.Context) error {
		if c.NArg() > 0 {
			return usageError("%s takes no argument, but there is %q", c.Command.HelpName, c.Args().First())
		}
		return nil
	}
	return &cli.Command{
		Name: "key", Category: "5 KEYS", Usage: "the grid's secret, this peer's identity, a join ticket",
		ArgsUsage: "WHAT", CustomHelpTemplate: groupHelp,
		Subcommands: []*cli.Command{
			{
				Name: "new", Usage: "make a grid: a new secret in the state folder", Before: none,
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "grid", Usage: "the grid's `NAME`", DefaultText: "drawn"},
					stateFlag(),
				},
				Action: func(c *cli.Context) error { return newKey(con, c.String("grid"), stateFolder(c.String("state"))) },
			},
			{
				Name: "show", Usage: "this peer's id and grid, not the secret", Before: none,
				Flags: []cli.Flag{
					stateFlag(),
					&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
				},
				Action: func(c *cli.Context) error { return showKey(con, stateFolder(c.String("state")), c.Bool("json")) },
			},
			{
				Name: "invite", Usage: "write a ticket that lets others join the node that runs here", Before: none,
				Flags: []cli.Flag{
					// SATIN_TICKET is a ticket itself, and would be the name of
					// a file here.
					&cli.StringFlag{Name: "ticket", EnvVars: typedOnly, Usage: "`FILE` to write, or - for standard output", DefaultText: "GRID.ticket"},
					stateFlag(),
				},
				Action: func(c *cli.Context) error { return invite(con, c.String("ticket"), stateFolder(c.String("state"))) },
			},
		},
	}
}

func newKey(con *console, name, folder string) error {
	if old, ok, err := ticket.Grid(folder); err != nil || ok {
		if err == nil {
			err = fmt.Errorf("%s belongs to grid %q already: give another folder with --state, or remove %s to leave that grid",
				folder, old.Grid, filepath.Join(folder, ticket.GridFile))
		}
		return usageError("%v", err)
	}
	t, err := ticket.New(name)
	if err != nil {
		return usageError("--grid: %v", err)
	}
	if err := ticket.SetGrid(folder, t); err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.out, "grid %s, its secret is in %s\n", t.Grid, filepath.Join(folder, ticket.GridFile))
	return err
}

func showKey(con *console, folder string, asJSON bool) error {
	id, err := p2p.PeerID(folder)
	if errors.Is(err, p2p.ErrIdentity) {
		return usageError("%v", bareP2P(err))
	}
	if err != nil {
		return err
	}
	t, _, err := ticket.Grid(folder)
	if err != nil {
		return usageError("%v", err)
	}
	if asJSON {
		return printJSON(con.out, struct {
			Schema int    `json:"schema"`
			ID     string `json:"id"`
			Grid   string `json:"grid"` // "" where the folder belongs to none
			State  string `json:"state"`
		}{schema, id, t.Grid, folder})
	}
	grid := "of no grid yet"
	if t.Grid != "" {
		grid = "of grid " + t.Grid
	}
	_, err = fmt.Fprintf(con.out, "%s\n%s, in %s\n", id, grid, folder)
	return err
}

// invite writes a ticket with the addresses of the node that runs.
func invite(con *console, name, folder string) error {
	t, ok, err := ticket.Grid(folder)
	if err != nil {
		return usageError("%v", err)
	}
	if !ok {
		return usageError("%s belongs to no grid yet: start satin node, or make a grid with satin key new", folder)
	}
	status, err := admin.Ask(folder)
	if errors.Is(err, admin.ErrNoNode) {
		return &exitError{exitRefused, "a ticket has the addresses of a node, and " + err.Error()}
	}
	if err != nil {
		return err
	}
	if t, err = t.Invite(slices.Concat(status.Addrs, status.Others)...); err != nil {
		return err
	}
	if name == "-" {
		word, err := t.Encode()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(con.out, word)
		return err
	}
	if name == "" {
		name = t.Grid + ticketEnding
	}
	if err := ticket.Save(name, t); err != nil {
		return usageError("--ticket: %v", err)
	}
	_, err = fmt.Fprintf(con.out, "wrote %s, which lets whoever has it in; on another machine:\n  satin node --site SITE --join %s\n", name, filepath.Base(name))
	return err
}
