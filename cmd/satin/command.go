package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
)

// command runs one command line, without the program's name, and returns the exit code.
func command(args []string, con *console) int {
	root := commands(con)
	if len(args) > 0 && args[0] == completeWord {
		for _, word := range complete(root, args[1:]) {
			fmt.Fprintln(con.out, word)
		}
		return exitOK
	}
	if len(args) > 0 && args[0] == peerWord {
		return servePeer(con)
	}
	arranged, err := argv(root, args)
	if err == nil {
		root.Metadata = map[string]any{typedKey: typedFlags(arranged)}
		err = root.Run(append([]string{root.Name}, arranged...))
	}
	return con.report(err)
}

// commands is the tree of commands, their flags and their help.
func commands(con *console) *cli.App {
	cli.HelpPrinter = func(w io.Writer, text string, data any) {
		cli.HelpPrinterCustom(w, text, data, map[string]any{"describe": describe, "first": first})
	}
	root := &cli.App{
		Name:            "satin",
		Usage:           "divide-and-conquer on computers that come and go",
		Writer:          con.out,
		ErrWriter:       con.err,
		HideHelpCommand: true,
		HideVersion:     true,
		ExitErrHandler:  func(*cli.Context, error) {}, // report says what went wrong, once
		Action:          func(c *cli.Context) error { return cli.ShowAppHelp(c) },
		Commands: []*cli.Command{
			runCommand(con),
			cancelCommand(con),
			checkCommand(con),
			appsCommand(con),
			nodeCommand(con),
			leaveCommand(con),
			migrateCommand(con),
			kickCommand(con),
			statusCommand(con),
			peersCommand(con),
			benchCommand(con),
			keyCommand(con),
			versionCommand(con),
			completionCommand(con),
			helpCommand(),
		},
		CustomAppHelpTemplate: rootHelp,
	}
	for _, c := range root.Commands {
		finish(c)
	}
	return root
}

// typedKey is where the App keeps which flags stand on the command line.
const typedKey = "typed"

// typedFlags are the names of the flags on an arranged command line.
func typedFlags(arranged []string) map[string]bool {
	typed := map[string]bool{}
	for _, word := range arranged {
		if word == "--" {
			break
		}
		if name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "="); name != word {
			typed[name] = true
		}
	}
	return typed
}

// isTyped tells whether a flag stands on the command line: one that is only in the
// environment gives way to those.
func isTyped(c *cli.Context, name string) bool {
	typed, _ := c.App.Metadata[typedKey].(map[string]bool)
	return typed[name]
}

// finish gives a command what all commands have in common.
func finish(c *cli.Command) {
	c.HideHelpCommand = true
	c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return badFlag(c, err) }
	fromEnvironment(c.Flags)
	if c.CustomHelpTemplate == "" {
		c.CustomHelpTemplate = commandHelp
	}
	for _, sub := range c.Subcommands {
		finish(sub)
	}
}

// typedOnly is what stands for the environment of a flag that has none: one that names what an
// action acts on, and so must not be found lying about. SATIN_SITE, set for satin node, would
// let a whole site leave.
var typedOnly = []string{}

// isTypedOnly tells whether a flag counts on the command line only.
func isTypedOnly(f cli.Flag) bool {
	env := f.(cli.DocGenerationFlag).GetEnvVars()
	return env != nil && len(env) == 0
}

// fromEnvironment lets SATIN_NAME stand in for each flag --name that is not given,
// unless it must be typed.
func fromEnvironment(flags []cli.Flag) {
	for _, f := range flags {
		if isTypedOnly(f) {
			continue
		}
		env := []string{environmentName(f.Names()[0])}
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
		default:
			panic(fmt.Sprintf("satin: BUG: flag --%s is a %T, which has no environment variable", f.Names()[0], f))
		}
	}
}

func environmentName(flag string) string {
	return "SATIN_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// The messages of package flag and of cli for a value that cannot be read.
var (
	badValue       = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^:]+): `)
	badEnvironment = regexp.MustCompile(`^could not parse "(.*)" as .* value from environment variable "(.*)" for flag ([^:]+): `)
)

// badFlag says in our words that a flag's value is not what it takes.
func badFlag(c *cli.Command, err error) error {
	if m := badValue.FindStringSubmatch(err.Error()); m != nil {
		return usageError("--%s is %q: %s is expected", m[2], m[1], taken(c, m[2]))
	}
	if m := badEnvironment.FindStringSubmatch(err.Error()); m != nil {
		return usageError("%s is %q: %s is expected", m[2], m[1], taken(c, m[3]))
	}
	if rest, ok := strings.CutPrefix(err.Error(), "flag needs an argument: -"); ok {
		return usageError("--%s needs a value: %s", rest, taken(c, rest))
	}
	return usageError("%v", err)
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

// helpCommand is only for the list of commands: arrange turns help X into X --help.
func helpCommand() *cli.Command {
	return &cli.Command{Name: "help", Category: "5 KEYS", Usage: "this list, or help on a command: satin help run", ArgsUsage: "[COMMAND]"}
}

// report prints an error, if it is one, and returns the exit code that goes with it.
func (c *console) report(err error) int {
	if err == nil {
		return exitOK
	}
	code := exitFailed
	var e *exitError
	if errors.As(err, &e) {
		code = e.code
	}
	if text := words(err); text != "" {
		fmt.Fprintf(c.err, "satin: %s\n", text)
	}
	var p *satin.PanicError
	if errors.As(err, &p) { // a defect of an application: for whoever mends it
		fmt.Fprintf(c.err, "%s\n", bytes.TrimSpace(p.Stack))
	}
	return code
}

// words are an error in the command's words.
func words(err error) string {
	return strings.ReplaceAll(strings.TrimPrefix(err.Error(), "satin: "), "(Config.ResultMax)", "(--result-max)")
}
