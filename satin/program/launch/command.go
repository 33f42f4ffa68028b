package launch

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/node"
	"satingrid/satin/program/wording"
	"satingrid/satin/ticket"
)

// nodesMax bounds --nodes, and what a file of hosts comes to: as many as a grid has members.
const nodesMax = 1024

// Command is the verb launch, with a command for each kind of place.
func Command(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "launch", Category: "2 GRID", Usage: "start, list and stop nodes where people have machines", ArgsUsage: "WHAT",
		Subcommands: []*cli.Command{
			localCommand(con), sshCommand(con), slurmCommand(con), kubernetesCommand(con), listCommand(con), stopCommand(con),
		},
	}
}

// flagsOf are the flags of a command that starts nodes, and those of its own.
func flagsOf(con *console.Console, join string, own ...cli.Flag) []cli.Flag {
	return append(own,
		&cli.StringFlag{Name: "site", Usage: "`NAME` of their site", DefaultText: "what --auto finds, or site"},
		&cli.StringFlag{Name: "join", Usage: join},
		stateFlag(con),
		&cli.BoolFlag{Name: "print", EnvVars: console.TypedOnly, Usage: "write the script that would do it, and do nothing"},
	)
}

func nodesFlag(usage string) cli.Flag {
	return &cli.IntFlag{Name: "nodes", Aliases: []string{"n"}, Value: 1, Usage: usage}
}

// byFolder is what --join says where nodes share a file system.
const byFolder = "`FOLDER` of tickets, or a ticket's file, by which they join; of many that begin one in a folder one founds the grid"

func localCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "local", Usage: "start nodes on this machine", ArgsUsage: "[-- NODE FLAGS]",
		Description: `Starts nodes of this executable on this machine, which outlive this command and its terminal. Each has a folder of its
own in that of the launch, below the state folder: its state, and its log. They join by a folder of tickets, which
is made if none is given, and divide the cores among them. What stands after -- are more flags of ` + con.Name + ` node.
Waits until they are in their grid. One that is not is ended, the others go on, and the exit code is 1.`,
		Flags: flagsOf(con, byFolder, nodesFlag("how many nodes")),
		Action: func(c *cli.Context) error {
			l, err := newLaunch(con, c, localWord)
			if err == nil {
				err = l.joinsBy(con, c)
			}
			if err != nil {
				return err
			}
			l.Machines = []Machine{{First: 1, Last: l.Nodes}}
			return start(con, c, l)
		},
	}
}

// executable is what the nodes are to be: this process's own.
var executable = os.Executable

// The kinds of places.
const (
	localWord      = "local"
	sshWord        = "ssh"
	slurmWord      = "slurm"
	kubernetesWord = "kubernetes"
)

// launcherOf is who starts, lists and stops the nodes of a launch.
func launcherOf(con *console.Console, l *Launch) (Launcher, error) {
	switch l.How {
	case localWord:
		return here(con), nil
	case sshWord:
		return bySSH(con), nil
	case slurmWord:
		return &bySlurm{con}, nil
	case kubernetesWord:
		return &byKubernetes{con}, nil
	}
	return nil, console.Usage("%s was launched by %s, which this build does not know: use the one that has launched it", l.Name, l.How)
}

// newLaunch is a launch as the flags have it that all kinds of places share.
func newLaunch(con *console.Console, c *cli.Context, how string) (*Launch, error) {
	l := &Launch{How: how, Nodes: c.Int("nodes"), Site: c.String("site"), Flags: c.Args().Slice()}
	if l.Nodes < 1 || l.Nodes > nodesMax {
		return nil, console.Usage("--nodes is %d: 1 to %d is expected", l.Nodes, nodesMax)
	}
	if err := local.CheckName(l.Site); l.Site != "" && err != nil {
		return nil, console.Usage("--site: %v", err)
	}
	if len(l.Flags) > 0 && !strings.HasPrefix(l.Flags[0], "-") {
		return nil, console.Usage("launch %s takes no argument, but there is %q; flags for the nodes stand after --", how, l.Flags[0])
	}
	for _, word := range l.Flags {
		if strings.ContainsAny(word, "\n\r\x00") {
			return nil, console.Usage("%q stands after --, where words of one line are expected", word)
		}
	}
	var err error
	if l.Program, err = executable(); err != nil {
		return nil, console.Usage("this executable, which the nodes are to be, is not found: %v", err)
	}
	return l, l.checkFlags()
}

// ownFlags are what launch itself gives nodes or sbatch, and how one has that otherwise.
var ownFlags = map[bool]map[string]string{
	false: {"state": "each node has a folder of its own", "join": "give it before --", "site": "give it before --", "auto": "nodes have it"},
	true: {
		"array": "-n says how many", "a": "-n says how many", "wrap": "launch has a script of its own", "parsable": "launch has it",
		"job-name": "launch finds its jobs by their name", "J": "launch finds its jobs by their name",
		"clusters": "launch on one of that cluster's machines", "M": "launch on one of that cluster's machines",
	},
}

// checkFlags refuses flags after -- that would undo what launch does.
func (l *Launch) checkFlags() error {
	for own, instead := range ownFlags[l.How == slurmWord] {
		if says(l.Flags, own) {
			return console.Usage("%s cannot stand after --: %s", wording.Dashed(own), instead)
		}
	}
	return nil
}

// joinsBy has nodes join by what --join names, the ticket in the environment, or the folder that
// launch makes.
func (l *Launch) joinsBy(con *console.Console, c *cli.Context) error {
	join := c.String("join")
	variable := node.TicketVariable(con)
	var err error
	switch {
	case join == "" && os.Getenv(variable) != "" && l.How == slurmWord:
		return console.Usage("%s leads to a grid, but tasks of Slurm join by a file: give --join FOLDER, or a ticket's file", variable)
	case join == "" && os.Getenv(variable) != "":
		t, err := ticket.Parse(os.Getenv(variable))
		if err == nil {
			l.ticket, err = t.Encode()
		}
		if err != nil {
			return console.Usage("%s: %v", variable, err)
		}
		return nil
	case join == "":
		l.own = true
		join = ownGrid(con.StateFolder(c.String("state")))
	case join == "-", strings.HasPrefix(join, "/ip4/"), strings.HasPrefix(join, "/ip6/"), strings.HasPrefix(join, "/dns"):
		return console.Usage("--join is %q: a folder of tickets or a ticket's file is expected, from which each node reads for itself", join)
	}
	if l.Join, err = filepath.Abs(join); err != nil {
		return console.Usage("--join: %v", err)
	}
	if strings.ContainsAny(l.Join, "\n\r") {
		return console.Usage("--join is %q: a path of one line is expected", l.Join)
	}
	if l.own {
		return nil
	}
	info, err := os.Stat(l.Join)
	switch {
	case err != nil:
		return console.Usage("--join %v; mkdir makes a folder of tickets", wording.Bare(err))
	case info.IsDir():
		_, err = ticket.OpenFolder(l.Join)
	default:
		_, err = ticket.Load(l.Join)
	}
	if err != nil {
		return console.Usage("--join: %s", strings.TrimPrefix(err.Error(), "ticket: "))
	}
	return nil
}

// makeGrid makes the folder of tickets that launch has.
func (l *Launch) makeGrid() error {
	if !l.own {
		return nil
	}
	err := os.MkdirAll(l.Join, 0o700)
	if err == nil {
		_, err = ticket.OpenFolder(l.Join)
	}
	if err != nil {
		return console.Usage("%s", strings.TrimPrefix(err.Error(), "ticket: "))
	}
	return nil
}

// making is that as a script does it.
func (l *Launch) making() string {
	if !l.own {
		return ""
	}
	return "(umask 077 && mkdir -p " + quoted(l.Join) + ")\n"
}
