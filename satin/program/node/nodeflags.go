package node

import (
	"bufio"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

// Command is the verb node: a peer that serves app until it is told to leave.
func Command(con *console.Console, app satin.App, display Display) *cli.Command {
	return &cli.Command{
		Name:     "node",
		Category: "2 GRID",
		Usage:    "be a peer until told to leave",
		Description: `Joins the grid that --join leads to, or the one that the state folder belongs to; where there is neither
it founds a grid. Serves every application of this binary. Prints its name, its addresses and the command
that joins it from another machine. At the first SIGTERM, SIGINT or SIGHUP (which nohup keeps from it), or when the terminal
of its stderr is gone, it leaves: it finishes or hands over what it has, for as long as --grace allows, and ends
with exit code 0, or 1 if it could not hand over everything. A second signal, a second later or more, ends it at
once.

A grid is of one build. With --next a node of another build, which that grid refuses, founds the grid of its own
build beside it, with the same name and secret, or joins the one that is there: runs that are on end where they
are, and new ones go to the grid of the build that submits them. With --until-idle the nodes of the old build
leave when that has no run on any more.`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "site", Usage: "`NAME` of the site: peers that are near each other have the same", DefaultText: "as at the last start, or site"},
			&cli.StringFlag{Name: "join", Usage: "a `TICKET`: its file, a folder of tickets, - for standard input, a peer's address, or a name that has those of all, as /dns4/NAME/tcp/4001; without it the ticket itself that " + TicketVariable(con) + " holds, if it is set"},
			&cli.StringFlag{Name: "listen", Usage: "`ADDRESS` such as /ip4/0.0.0.0/tcp/4001", DefaultText: "every interface, port 4001 or another"},
			&cli.IntFlag{Name: "workers", Usage: "cores to use", DefaultText: "all"},
			&cli.BoolFlag{Name: "auto", Usage: "find out where this is: under Slurm the cores, the site and the time limit, in a cloud the zone and the notice that the instance is taken back"},
			GraceFlag(),
			&cli.BoolFlag{Name: "next", Usage: "where the grid is of another build, found or join the one of this build, as its successor"},
			&cli.BoolFlag{Name: "until-idle", Usage: "leave when the grid has had no run on for " + idleFor.String()},
			&cli.DurationFlag{Name: "lifetime", Usage: "leave so early that all is over after `D`, as a cluster job must", DefaultText: "none"},
			StateFlag(con),
			&cli.StringFlag{Name: "store", Value: "1GiB", Usage: "`SIZE` that the state folder may take for what is finished of runs, with which they go on when all nodes were gone; 0 stores nothing"},
			&cli.StringFlag{Name: "metrics", Usage: "`HOST:PORT` where Prometheus may ask, such as localhost:9464: /metrics, and /healthz and /readyz beside it", DefaultText: "none"},
			&cli.StringFlag{Name: "allow", Usage: "let in only the peer ids in `FILE`, one a line", DefaultText: "whoever has the secret"},
			&cli.StringFlag{Name: "relay", Value: "auto", Usage: "`MODE`: auto passes connections on for peers behind NAT if others can dial this one, " +
				"and is reached through others if they cannot; on passes on in any case; off does neither"},
		}, CareFlags("what a lost peer had is then done again from the start")...),
		Action: func(c *cli.Context) error { return runNode(con.Patiently(), app, display, c) },
	}
}

// Port is where a node listens if nothing else is said, and nobody else does.
const Port = p2p.Port

// WorkersMax bounds --workers: a mistyped number must not start a million of them.
const WorkersMax = 4096

// relayModes are what --relay may say.
var relayModes = map[string]satin.Relay{"auto": satin.RelayAuto, "on": satin.RelayOn, "off": satin.RelayOff}

// StateFlag is --state of a node and of what is about it.
func StateFlag(con *console.Console) cli.Flag {
	return &cli.StringFlag{Name: "state", Usage: "`FOLDER` of the peer's identity and grid", DefaultText: "$XDG_STATE_HOME/" + con.Name}
}

// GraceFlag is --grace: how long a leave may take, 20 s where it is not given.
func GraceFlag() cli.Flag {
	return &cli.DurationFlag{Name: "grace", Value: graceDefault, Usage: "`D` that a peer may take to leave when it is told to"}
}

// checkTimes says what is wrong with --grace and --lifetime.
func checkTimes(c *cli.Context) error {
	grace, lifetime := c.Duration("grace"), c.Duration("lifetime")
	switch {
	case grace <= 0:
		return console.Usage("--grace is %v: more than 0s is expected", grace)
	case c.IsSet("lifetime") && lifetime <= grace:
		return console.Usage("--lifetime is %v: more than the %v of --grace is expected, which are part of it", lifetime, grace)
	}
	return nil
}

// config is what the flags say, but for the ticket.
func (n *nodeState) config(c *cli.Context) (satin.Config, error) {
	var none satin.Config
	workers := c.Int("workers")
	if err := local.CheckName(n.site); c.IsSet("site") && err != nil {
		return none, console.Usage("--site: %v", err)
	}
	if c.IsSet("workers") && (workers < 1 || workers > WorkersMax) {
		return none, console.Usage("--workers is %d: 1 to %d is expected", workers, WorkersMax)
	}
	care, err := ReadCare(c)
	if err != nil {
		return none, err
	}
	allow, err := readAllowed(n.con, c.String("allow"))
	if err != nil {
		return none, err
	}
	relay, known := relayModes[c.String("relay")]
	if !known {
		return none, console.Usage("--relay is %q: auto, on or off is expected", c.String("relay"))
	}
	stored, err := storeSize(c.String("store"))
	if err != nil {
		return none, err
	}
	config := satin.Config{
		App: n.app, Site: n.site, Workers: workers, State: n.folder, Store: stored, Allow: allow, Relay: relay, Log: n.con.Log(""),
		Events: func(e satin.Event) {
			n.roster.event(e)
			n.chronicle.Event(e)
			sayMember(n.con, e)
		},
		Visit: n.visit,
	}
	care.Apply(&config)
	if listen := c.String("listen"); listen != "" {
		config.Listen = strings.Split(listen, ",")
	}
	return config, nil
}

// readAllowed reads a file of peer ids, one a line, with comments; nil where none is given.
func readAllowed(con *console.Console, name string) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, console.Usage("--allow %v", wording.Bare(err))
	}
	defer f.Close()
	ids := []string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if strings.ContainsAny(text, " \t/") || len(text) < 40 || len(text) > 64 {
			return nil, console.Usage("%s:%d: %q is no peer id: one as %s key show prints is expected", name, n, text, con.Name)
		}
		ids = append(ids, text)
	}
	if err := lines.Err(); err != nil {
		return nil, console.Usage("--allow %s: %v", name, err)
	}
	return ids, nil
}
