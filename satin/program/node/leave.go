package node

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// graceDefault is how long a peer may take to leave in order. Preemptible machines give 25 s
// and more of warning.
const graceDefault = 20 * time.Second

func deadlineFlag() cli.Flag {
	return &cli.DurationFlag{Name: "deadline", Value: graceDefault, Usage: "`D` for each peer to finish and to hand over what it has"}
}

// LeaveCommand is the verb leave: this node, named ones or those of a site leave in order.
func LeaveCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "leave", Category: "2 GRID", Usage: "let peers leave gracefully", ArgsUsage: "[PEER…]",
		Description: `Tells the node that runs here to let peers of its grid leave: those named, by name or id, those of a site,
itself. Each hands over what it has finished and goes; after the deadline it goes anyway, and the others do
again what it still had. With --wait the exit code is 1 when one of them did not leave in order; when the node that
runs here leaves, its process has ended then, and another may start in its folder. With --until-idle they go on
until no run is on, and whoever is last stays as long as it keeps answers; the node that runs here sees to it, and
forgets it when it ends before.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "site", EnvVars: console.TypedOnly, Usage: "all peers of the site `NAME`"},
			&cli.BoolFlag{Name: "self", EnvVars: console.TypedOnly, Usage: "the node that runs here"},
			deadlineFlag(),
			&cli.BoolFlag{Name: "wait", Usage: "return when they have left, not when they are leaving"},
			&cli.BoolFlag{Name: "until-idle", EnvVars: console.TypedOnly, Usage: "when the grid has had no run on for " + idleFor.String()},
			StateFlag(con),
		},
		Action: func(c *cli.Context) error {
			r := admin.Request{
				Do: admin.Leave, Peers: c.Args().Slice(), Site: c.String("site"), Self: c.Bool("self"),
				Deadline: c.Duration("deadline"), Wait: c.Bool("wait"), UntilIdle: c.Bool("until-idle"),
			}
			switch {
			case len(r.Peers) == 0 && r.Site == "" && !r.Self:
				return console.Usage("leave who? Name peers, or give --site NAME or --self")
			case r.Deadline <= 0:
				return console.Usage("--deadline is %v: more than 0s is expected", r.Deadline)
			}
			return tell(con, c, r)
		},
	}
}

// MigrateCommand is the verb migrate: the nodes of a site leave, once somebody is at another.
func MigrateCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "migrate", Category: "2 GRID", Usage: "move the computation from one site to another",
		Description: `Tells the node that runs here to let all peers of a site leave, with heirs at another. Nobody stops: those of the
other site compute on meanwhile. As long as nobody is there, it waits for somebody to join, and says so. When
all are gone from there again before the others have left, those stay. Returns when they have left.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", EnvVars: console.TypedOnly, Usage: "the `SITE` that is given up"},
			&cli.StringFlag{Name: "to", EnvVars: console.TypedOnly, Usage: "the `SITE` that takes over"},
			deadlineFlag(),
			StateFlag(con),
		},
		Action: func(c *cli.Context) error {
			r := admin.Request{Do: admin.Migrate, Site: c.String("from"), To: c.String("to"), Deadline: c.Duration("deadline"), Wait: true}
			switch {
			case c.NArg() > 0:
				return console.Usage("migrate takes no argument, but there is %q", c.Args().First())
			case r.Site == "" || r.To == "":
				return console.Usage("migrate needs two sites: --from A --to B")
			case r.Site == r.To:
				return console.Usage("--from and --to are both %s: two sites are expected", r.To)
			case r.Deadline <= 0:
				return console.Usage("--deadline is %v: more than 0s is expected", r.Deadline)
			}
			for _, site := range []string{r.Site, r.To} {
				if err := local.CheckName(site); err != nil {
					return console.Usage("%v", err)
				}
			}
			return tell(con, c, r)
		},
	}
}

// KickCommand is the verb kick: a peer is held dead and kept out, or let in again.
func KickCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "kick", Category: "2 GRID", Usage: "declare a peer dead, and bar it until allowed again", ArgsUsage: "PEER",
		Description: `Tells the node that runs here, and through it its grid, that a peer, by name or id, is dead and not to be let in
again. It bars the peer's id: whoever has the grid's secret comes back under a new one, unless the nodes were
started with --allow.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "undo", EnvVars: console.TypedOnly, Usage: "let it in again"},
			StateFlag(con),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return console.Usage("kick takes one peer, by name or id, but there are %d", c.NArg())
			}
			return tell(con, c, admin.Request{Do: admin.Kick, Peers: c.Args().Slice(), Undo: c.Bool("undo")})
		},
	}
}

// tell tells the node that runs to do something, and prints what it says about it.
func tell(con *console.Console, c *cli.Context, r admin.Request) error {
	stop := con.Catch(nil)
	defer stop.Release()
	var heard atomic.Bool
	said := func(line string) {
		heard.Store(true)
		fmt.Fprintln(con.Out, line)
	}
	return stop.Unless("interrupted; who has been told to leave leaves all the same", func(ctx context.Context) (err error) {
		console.WhileSlow(func() { err = adminError(admin.Tell(ctx, con.StateFolder(c.String("state")), r, said)) }, func() {
			if !heard.Load() {
				con.Say("%s", awaited(r))
			}
		})
		return err
	})
}

// awaited says what a command waits for that has not heard anything yet.
func awaited(r admin.Request) string {
	switch {
	case r.UntilIdle:
		return "waiting until no run is on"
	case r.Do == admin.Kick:
		return "the node has been told, and has not answered yet"
	case r.Wait:
		return fmt.Sprintf("waiting until they have left, each within %v", r.Deadline)
	}
	return "waiting until they are seen to leave"
}

// adminError is an error of package admin with the exit code that belongs to it.
func adminError(err error) error {
	var failure *admin.Failure
	switch {
	case errors.Is(err, admin.ErrNoNode), errors.Is(err, admin.ErrNotYours):
		return console.Refused("%v", err)
	case errors.As(err, &failure):
		return &console.Error{Code: failure.Code, Text: failure.Text}
	}
	return err
}
