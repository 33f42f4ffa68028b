package node

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"satingrid/satin/p2p"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// KeyCommand is the verb key: a new grid, tickets to it, and who this node is.
func KeyCommand(con *console.Console) *cli.Command {
	none := func(c *cli.Context) error {
		if c.NArg() > 0 {
			return console.Usage("%s takes no argument, but there is %q", c.Command.HelpName, c.Args().First())
		}
		return nil
	}
	return &cli.Command{
		Name: "key", Category: "5 KEYS", Usage: "the grid's secret, this peer's identity, a join ticket",
		ArgsUsage: "WHAT",
		Subcommands: []*cli.Command{
			{
				Name: "new", Usage: "make a grid: a new secret in the state folder", Before: none,
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "grid", Usage: "the grid's `NAME`", DefaultText: "drawn"},
					StateFlag(con),
				},
				Action: func(c *cli.Context) error { return newKey(con, c.String("grid"), con.StateFolder(c.String("state"))) },
			},
			{
				Name: "show", Usage: "this peer's id and grid, not the secret", Before: none,
				Flags: []cli.Flag{
					StateFlag(con),
					&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
				},
				Action: func(c *cli.Context) error { return showKey(con, con.StateFolder(c.String("state")), c.Bool("json")) },
			},
			{
				Name: "invite", Usage: "write a ticket that lets others join the node that runs here", Before: none,
				Flags: []cli.Flag{
					// NAME_TICKET is a ticket itself, and would be the name of
					// a file here.
					&cli.StringFlag{Name: "ticket", EnvVars: console.TypedOnly, Usage: "`FILE` to write, or - for standard output", DefaultText: "GRID.ticket"},
					StateFlag(con),
				},
				Action: func(c *cli.Context) error { return invite(con, c.String("ticket"), con.StateFolder(c.String("state"))) },
			},
		},
	}
}

func newKey(con *console.Console, name, folder string) error {
	if old, ok, err := ticket.Grid(folder); err != nil || ok {
		if err == nil {
			err = fmt.Errorf("%s belongs to grid %q already: give another folder with --state, or remove %s to leave that grid",
				folder, old.Grid, filepath.Join(folder, ticket.GridFile))
		}
		return console.Usage("%v", err)
	}
	t, err := ticket.New(name)
	if err != nil {
		return console.Usage("--grid: %v", err)
	}
	if err := ticket.SetGrid(folder, t); err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.Out, "grid %s, its secret is in %s\n", t.Grid, filepath.Join(folder, ticket.GridFile))
	return err
}

func showKey(con *console.Console, folder string, asJSON bool) error {
	id, err := p2p.PeerID(folder)
	if errors.Is(err, p2p.ErrIdentity) {
		return console.Usage("%v", bareP2P(err))
	}
	if err != nil {
		return err
	}
	t, _, err := ticket.Grid(folder)
	if err != nil {
		return console.Usage("%v", err)
	}
	if asJSON {
		return console.PrintJSON(con.Out, struct {
			Schema int    `json:"schema"`
			ID     string `json:"id"`
			Grid   string `json:"grid"` // "" where the folder belongs to none
			State  string `json:"state"`
		}{console.Schema, id, t.Grid, folder})
	}
	grid := "of no grid yet"
	if t.Grid != "" {
		grid = "of grid " + t.Grid
	}
	_, err = fmt.Fprintf(con.Out, "%s\n%s, in %s\n", id, grid, folder)
	return err
}

// invite writes a ticket with the addresses of the node that runs.
func invite(con *console.Console, name, folder string) error {
	t, ok, err := ticket.Grid(folder)
	if err != nil {
		return console.Usage("%v", err)
	}
	if !ok {
		return console.Usage("%s belongs to no grid yet: start %s node, or make a grid with %s key new", folder, con.Name, con.Name)
	}
	status, err := admin.Ask(folder)
	if errors.Is(err, admin.ErrNoNode) {
		return console.Refused("a ticket has the addresses of a node, and %v", err)
	}
	if err != nil {
		return adminError(err)
	}
	if t, err = t.Invite(slices.Concat(status.Addrs, status.Others)...); err != nil {
		return err
	}
	if name == "-" {
		word, err := t.Encode()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(con.Out, word)
		return err
	}
	if name == "" {
		name = t.Grid + ticketEnding
	}
	if err := ticket.Save(name, t); err != nil {
		return console.Usage("--ticket: %v", err)
	}
	_, err = fmt.Fprintf(con.Out, "wrote %s, which lets whoever has it in; on another machine:\n  %s node --site SITE --join %s\n", name, con.Name, filepath.Base(name))
	return err
}
