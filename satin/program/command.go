package program

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/launch"
	"satingrid/satin/program/node"
	"satingrid/satin/program/wording"
)

// Run runs one command line, without the program's name, and returns the exit code.
func (p *Program) Run(args []string, con *console.Console) int {
	p = p.settled()
	con.Name = p.Name
	root := p.commands(con)
	checkFlags(root)
	if len(args) > 0 && args[0] == completeWord {
		for _, word := range p.complete(con, root, args[1:]) {
			fmt.Fprintln(con.Out, word)
		}
		return console.ExitOK
	}
	if len(args) > 0 && args[0] == peerWord {
		return p.servePeer(con)
	}
	return con.Report(execute(con, root, args))
}

// execute executes one command line. A panic of the program's own functions is an error: they read
// input, and print answers.
func execute(con *console.Console, root *cli.App, args []string) (err error) {
	defer console.NoPanic(&err)
	words, err := argv(con, root, args)
	if err != nil {
		return err
	}
	console.NoteTyped(root, words)
	return root.Run(append([]string{root.Name}, words...))
}

// commands is the tree of commands, their flags and their help.
func (p *Program) commands(con *console.Console) *cli.App {
	help := p.templates(con)
	root := &cli.App{
		Name:                  con.Name,
		Usage:                 p.Summary,
		Writer:                con.Out,
		ErrWriter:             con.Err,
		HideHelpCommand:       true,
		HideVersion:           true,
		ExitErrHandler:        func(*cli.Context, error) {}, // Run reports it, once
		Action:                func(c *cli.Context) error { return cli.ShowAppHelp(c) },
		Commands:              p.verbs(con),
		CustomAppHelpTemplate: help.Replace(rootHelp),
	}
	for _, c := range root.Commands {
		finish(con, c, help)
	}
	return root
}

// verbs are the commands in the order in which they are listed.
func (p *Program) verbs(con *console.Console) []*cli.Command {
	app := p.App()
	verbs := []*cli.Command{
		p.runCommand(con), p.submitCommand(con), p.watchCommand(con), p.resultCommand(con), node.CancelCommand(con, app), node.ShareCommand(con, app),
	}
	if check := p.checkCommand(con); check != nil {
		verbs = append(verbs, check)
	}
	if p.only() == nil {
		verbs = append(verbs, p.appsCommand(con))
	}
	verbs = append(verbs, p.nodeCommand(con, app), node.LeaveCommand(con), node.MigrateCommand(con), node.KickCommand(con), launch.Command(con),
		node.StatusCommand(con), node.TopCommand(con), node.DashCommand(con), node.RecordCommand(con), reportCommand(con), traceCommand(con), node.PeersCommand(con), node.JobsCommand(con, app, p.appOf), node.LogsCommand(con, app, p.bestOf), node.StoreCommand(con, app, p.appOf))
	var own []*cli.Command
	if p.Commands != nil {
		own = p.Commands(con, app)
	}
	var bench *cli.Command
	if i := slices.IndexFunc(own, func(c *cli.Command) bool { return c.Name == "bench" }); i >= 0 {
		bench = own[i]
		own = slices.Delete(own, i, i+1)
	}
	verbs = append(append(verbs, p.benchCommand(con, bench)), own...)
	return append(verbs, node.KeyCommand(con), versionCommand(con), completionCommand(con), helpCommand(con))
}

// nodeCommand is the verb node, with the flags that applications give it.
func (p *Program) nodeCommand(con *console.Console, app satin.App) *cli.Command {
	c := node.Command(con, app, node.Display{AppOf: p.appOf, Result: p.toldAcross, Best: p.bestOf})
	serve := c.Action
	for _, a := range p.Applications {
		c.Flags = append(c.Flags, a.NodeFlags...)
	}
	c.Action = func(c *cli.Context) error {
		for _, a := range p.Applications {
			if a.Serve == nil {
				continue
			}
			if err := a.Serve(c); err != nil {
				return console.Usage("%v", err)
			}
		}
		return serve(c)
	}
	return c
}

// finish gives a command what all commands have in common.
func finish(con *console.Console, c *cli.Command, help *strings.Replacer) {
	c.HideHelpCommand = true
	c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return badFlag(c, err) }
	fromEnvironment(con, c.Flags)
	if has := func(name string) bool { return hasFlag(c, name) }; c.Action != nil && has("state") && !has("sites") {
		// what may also run alone has its folder looked at when it joins a grid
		c.Action = onOwnState(con, c.Action)
	}
	c.CustomHelpTemplate = help.Replace(commandHelp)
	if len(c.Subcommands) > 0 {
		c.CustomHelpTemplate = help.Replace(groupHelp)
	}
	for _, sub := range c.Subcommands {
		finish(con, sub, help)
	}
}

// hasFlag tells whether a command has a flag.
func hasFlag(c *cli.Command, name string) bool {
	return slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}

// onOwnState refuses a state folder in which others may write before a command does anything: it
// would go where they want, or tell them what it knows.
func onOwnState(con *console.Console, action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := node.OwnState(con.StateFolder(c.String("state"))); err != nil {
			return err
		}
		return action(c)
	}
}

// fromEnvironment lets NAME_FLAG stand in for each flag --name that is not given,
// unless it must be typed.
func fromEnvironment(con *console.Console, flags []cli.Flag) {
	for _, f := range flags {
		if console.IsTypedOnly(f) {
			continue
		}
		env := []string{con.Variable(f.Names()[0])}
		switch f := f.(type) {
		case *cli.BoolFlag:
			f.EnvVars = env
		case *cli.IntFlag:
			f.EnvVars = env
		case *cli.Int64Flag:
			f.EnvVars = env
		case *cli.Float64Flag:
			f.EnvVars = env
		case *cli.DurationFlag:
			f.EnvVars = env
		case *cli.StringFlag:
			f.EnvVars = env
		case *cli.StringSliceFlag:
			f.EnvVars = env
		default:
			panic(fmt.Sprintf("program: flag --%s is a %T: one for a bool, int, int64, float64, duration, string or strings is expected", f.Names()[0], f))
		}
	}
}

// The messages of package flag and of cli for a value that cannot be read.
var (
	badValue       = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^:]+): `)
	badEnvironment = regexp.MustCompile(`^could not parse "(.*)" as .* value from environment variable "(.*)" for flag ([^:]+): `)
)

// badFlag says in our words that a flag's value is not what it takes.
func badFlag(c *cli.Command, err error) error {
	if m := badValue.FindStringSubmatch(err.Error()); m != nil {
		return console.Usage("%s is %q: %s is expected", wording.Dashed(m[2]), m[1], taken(c, m[2]))
	}
	if m := badEnvironment.FindStringSubmatch(err.Error()); m != nil {
		return console.Usage("%s is %q: %s is expected", m[2], m[1], taken(c, m[3]))
	}
	if rest, ok := strings.CutPrefix(err.Error(), "flag needs an argument: -"); ok {
		return console.Usage("%s needs a value: %s", wording.Dashed(rest), taken(c, rest))
	}
	return console.Usage("%v", err)
}

// taken says what kind of value a flag takes.
func taken(c *cli.Command, name string) string {
	for _, f := range c.Flags {
		for _, n := range f.Names() {
			if n != name {
				continue
			}
			switch f.(type) {
			case *cli.BoolFlag:
				return "true or false"
			case *cli.IntFlag, *cli.Int64Flag:
				return "a whole number"
			case *cli.Float64Flag:
				return "a number"
			case *cli.DurationFlag:
				return "a duration such as 30s or 5m"
			}
		}
	}
	return "a value"
}

// helpCommand is only for the list of commands: argv turns help X into X --help.
func helpCommand(con *console.Console) *cli.Command {
	return &cli.Command{Name: "help", Category: "5 KEYS", Usage: "this list, or help on a command: " + con.Name + " help run", ArgsUsage: "[COMMAND]"}
}
