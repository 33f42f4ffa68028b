package launch

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// stateOf is the state folder as scripts have it, which are elsewhere.
func stateOf(con *console.Console, c *cli.Context) (string, error) {
	state, err := filepath.Abs(con.StateFolder(c.String("state")))
	if err != nil {
		return "", console.Usage("--state: %v", err)
	}
	if strings.ContainsAny(state, "\n\r") {
		return "", console.Usage("--state is %q: a path of one line is expected", state)
	}
	return state, nil
}

func stateFlag(con *console.Console) cli.Flag {
	return &cli.StringFlag{Name: "state", Usage: "`FOLDER` below which launches are kept", DefaultText: "$XDG_STATE_HOME/" + con.Name}
}

func listCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "how the nodes that were launched stand", ArgsUsage: "[NAME…]",
		Description: `Prints a line for each node of the launches named, or of all: its name, its machine, how it stands, and what it has said
last. Nodes of ssh, Slurm and Kubernetes are asked for where they are. Slurm also tells for how long it has them yet.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
			stateFlag(con),
		},
		Action: func(c *cli.Context) error { return list(con, c) },
	}
}

// listed is a node, or all of a machine, in JSON.
type listedNode struct {
	Name  string    `json:"name"`
	How   string    `json:"how"`
	Where string    `json:"where"`
	State Condition `json:"state"`
	Said  string    `json:"said"`
	Left  *float64  `json:"left_seconds"` // until its machine ends it; nil: that is not known
	Began time.Time `json:"began"`
}

func list(con *console.Console, c *cli.Context) error {
	meant, unread, err := meantBy(con, c, true)
	if err != nil {
		return err
	}
	nodes := []listedNode{}
	var lines []string
	err = each(con, meant, "asking how they stand", func(ctx context.Context, by Launcher, m *chosen) error {
		var all []Standing
		err := by.List(ctx, m.launch, func(s Standing) {
			if slices.ContainsFunc(m.nodes, func(n int) bool { return s.First <= n && n <= s.Last }) {
				all = append(all, s)
			}
		})
		slices.SortFunc(all, func(a, b Standing) int { return a.First - b.First })
		for _, s := range all {
			lines = append(lines, line(m.launch, s))
			nodes = append(nodes, listedNode{m.launch.nameOf(s), m.launch.How, s.Where, s.State, s.Said, s.left(), m.launch.Began})
		}
		return err
	})
	err = also(err, unread)
	if c.Bool("json") {
		return also(err, console.PrintJSON(con.Out, struct {
			Schema int          `json:"schema"`
			Nodes  []listedNode `json:"nodes"`
		}{console.Schema, nodes}))
	}
	for _, text := range lines {
		fmt.Fprintln(con.Out, text)
	}
	if err == nil && len(lines) == 0 {
		con.Say("nothing is launched; %s help launch says how", con.Name)
	}
	return err
}

func stopCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "stop", Usage: "let nodes that were launched leave", ArgsUsage: "[NAME…]",
		Description: `Tells the nodes of the launches named, such as local-k3f9x, or single ones, such as local-k3f9x/2, to leave, and waits
until they have: each hands over what it has. Told again, one that is still leaving ends at once. The exit
code is 1 when one is left, or its machine is not reached. Their folders stay, with the runs that are stored there.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", EnvVars: console.TypedOnly, Usage: "all that was launched with this state folder"},
			&cli.BoolFlag{Name: "remove", EnvVars: console.TypedOnly, Usage: "take their folders away, with what is stored there"},
			stateFlag(con),
		},
		Action: func(c *cli.Context) error { return stop(con, c) },
	}
}

func stop(con *console.Console, c *cli.Context) error {
	meant, unread, err := meantBy(con, c, c.Bool("all"))
	if err != nil {
		return err
	}
	remove := c.Bool("remove")
	var stays, away, folders []string
	err = each(con, meant, "waiting until they have left", func(ctx context.Context, by Launcher, m *chosen) error {
		left, ended := len(m.launch.all()), map[int]bool{}
		err := by.Stop(ctx, m.launch, m.nodes, remove, func(s Standing) {
			fmt.Fprintln(con.Out, line(m.launch, s))
			switch s.State {
			case Ended:
				ended[s.First] = true
			case Unreached:
				away = append(away, m.launch.nameOf(s))
			default:
				stays = append(stays, m.launch.nameOf(s))
			}
		})
		switch {
		case err == nil && len(ended) == left:
			if !remove && m.launch.How != kubernetesWord {
				folders = append(folders, m.launch.Name)
			}
			return m.launch.forget()
		case remove && len(ended) > 0 && m.launch.Machines != nil:
			m.launch.Gone = slices.AppendSeq(m.launch.Gone, maps.Keys(ended))
			slices.Sort(m.launch.Gone)
			err = also(err, m.launch.save())
		}
		return err
	})
	if len(folders) > 0 {
		con.Say("the folders of %s stay, with the runs that are stored there", wording.List(folders))
	}
	if len(stays) > 0 {
		err = also(err, fmt.Errorf("%s may still run; the same command again ends what is still leaving at once", wording.List(stays)))
	}
	if len(away) > 0 {
		err = also(err, fmt.Errorf("%s: not reached; if the machine is gone for good, remove the folder of the launch below %s", wording.List(away),
			filepath.Dir(meant[0].launch.folder)))
	}
	return also(err, unread)
}

// chosen are nodes of a launch that a command line means.
type chosen struct {
	launch *Launch
	nodes  []int
}

// meantBy are the nodes that the arguments mean, or all, and why launches cannot be read.
func meantBy(con *console.Console, c *cli.Context, all bool) (meant []*chosen, unread, err error) {
	state, err := stateOf(con, c)
	if err != nil {
		return nil, nil, err
	}
	launches, unread := launched(state)
	var names []string
	for _, l := range launches {
		names = append(names, l.Name)
	}
	there := "there is nothing"
	if len(names) > 0 {
		there = "there is " + wording.List(names)
	}
	if c.NArg() == 0 {
		if !all {
			return nil, unread, console.Usage("stop what? Name launches or nodes, or give --all; %s", there)
		}
		for _, l := range launches {
			meant = append(meant, &chosen{l, l.all()})
		}
	}
	for _, word := range c.Args().Slice() {
		name, number, one := strings.Cut(word, "/")
		i := slices.Index(names, name)
		if i < 0 {
			return nil, unread, console.Usage("%q is not launched with state folder %s; %s", word, state, there)
		}
		l := launches[i]
		nodes := l.all()
		if one {
			n, err := strconv.Atoi(number)
			if err != nil || !slices.Contains(nodes, n) {
				return nil, unread, console.Usage("%q is no node of %s: a number from 1 to %d is expected after the stroke, of one that is not gone", word, name, l.Nodes)
			}
			nodes = []int{n}
		}
		j := slices.IndexFunc(meant, func(m *chosen) bool { return m.launch == l })
		if j < 0 {
			meant = append(meant, &chosen{l, nil})
			j = len(meant) - 1
		}
		meant[j].nodes = append(meant[j].nodes, nodes...)
		slices.Sort(meant[j].nodes)
		meant[j].nodes = slices.Compact(meant[j].nodes)
	}
	return meant, unread, nil
}

// each does something with the nodes of each launch, and says what when that takes long.
func each(con *console.Console, meant []*chosen, what string, do func(context.Context, Launcher, *chosen) error) error {
	stop := con.Catch(nil)
	defer stop.Release()
	return stop.Unless("interrupted", func(ctx context.Context) (err error) {
		console.WhileSlow(func() {
			for _, m := range meant {
				by, e := launcherOf(con, m.launch)
				if e == nil {
					e = do(ctx, by, m)
				}
				if e != nil {
					err = also(err, fmt.Errorf("%s: %w", m.launch.Name, e))
				}
				if ctx.Err() != nil {
					err = ctx.Err()
					return
				}
			}
		}, func() { con.Say("%s", what) })
		return err
	})
}
