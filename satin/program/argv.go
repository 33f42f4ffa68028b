package program

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// argv puts the words of a command line in the order that urfave/cli understands: commands,
// flags, "--", arguments. cli stops reading flags at the first argument and would take the rest for
// arguments without a word. Everything that does not exist is refused here, wherever it stands,
// with the nearest thing that does.
func argv(con *console.Console, root *cli.App, args []string) ([]string, error) {
	words := split(root, args)
	if words.commands > 0 && words.arguments[0] == "help" {
		words.arguments, words.commands = words.arguments[1:], words.commands-1
		words.help = true
	}
	path, err := resolve(con, root, &words)
	if err != nil {
		return nil, err
	}
	if words.help && len(path.names) > 0 {
		return append(path.names, "--help"), nil
	}
	if words.help {
		return nil, nil // which prints the help too
	}
	if words.version && len(path.names) == 0 {
		return []string{"version"}, nil
	}
	if err := path.check(words.flags); err != nil {
		return nil, err
	}
	out := path.names
	for _, f := range words.flags {
		out = append(out, f.words...)
	}
	if len(path.names) > 0 { // without a command there is nothing that takes arguments
		out = append(append(out, "--"), words.arguments...)
	}
	return out, nil
}

// commandLine is a command line taken apart.
type commandLine struct {
	flags     []flagGiven
	arguments []string // all that is no flag, commands among them
	// how many of the arguments stand before "--": only those can be commands
	commands int
	help     bool
	version  bool
}

// flagGiven is one flag as it was given: its name without dashes and its words, of which the
// second is its value.
type flagGiven struct {
	name  string
	words []string
	bare  bool // it takes a value and has none
}

// split takes a command line apart. Which flags take a value does not depend on the
// command: a test sees to it.
func split(root *cli.App, args []string) commandLine {
	takes := takesValue(root)
	var l commandLine
	for i := 0; i < len(args); i++ {
		word := args[i]
		if word == "--" {
			l.commands = len(l.arguments)
			l.arguments = append(l.arguments, args[i+1:]...)
			return l
		}
		if len(word) < 2 || word[0] != '-' {
			l.arguments = append(l.arguments, word)
			continue
		}
		name, _, hasValue := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
		switch {
		case name == "help" || name == "h":
			l.help = true
		case name == "version":
			l.version = true
		case !takes[name] || hasValue:
			l.flags = append(l.flags, flagGiven{name: name, words: []string{word}})
		case i+1 == len(args):
			l.flags = append(l.flags, flagGiven{name: name, words: []string{word}, bare: true})
		default:
			l.flags = append(l.flags, flagGiven{name: name, words: args[i : i+2]})
			i++
		}
	}
	l.commands = len(l.arguments)
	return l
}

// path is a command that was found, with the names that lead to it.
type path struct {
	con   *console.Console
	names []string
	flags []cli.Flag
	root  *cli.App
}

// resolve finds the command among the arguments, and takes its names from them.
func resolve(con *console.Console, root *cli.App, l *commandLine) (path, error) {
	p := path{con: con, root: root}
	level := root.Commands
	for len(level) > 0 && l.commands > 0 {
		name := l.arguments[0]
		i := slices.IndexFunc(level, func(c *cli.Command) bool { return c.Name == name })
		if i < 0 {
			return p, p.unknown(name, level)
		}
		l.arguments, l.commands = l.arguments[1:], l.commands-1
		p.names = append(p.names, name)
		p.flags = level[i].Flags
		level = level[i].Subcommands
	}
	if len(p.names) == 0 && len(l.arguments) > 0 {
		return p, console.Usage("%q stands after --, where no command can be; see %s help", l.arguments[0], con.Name)
	}
	if len(level) > 0 && len(p.names) > 0 && !l.help {
		return p, console.Usage("%s what? Choose one of %s", strings.Join(p.names, " "), wording.List(names(level)))
	}
	return p, nil
}

// unknown is the error for a command, application or shell that is not there.
func (p path) unknown(name string, level []*cli.Command) error {
	kind := "command"
	if len(p.names) > 0 {
		kind = map[string]string{"run": "application", "submit": "application", "check": "checker", "completion": "shell", "key": "thing that key does", "launch": "kind of launch"}[p.names[0]]
	}
	if best, ok := wording.Nearest(name, names(level)); ok {
		return console.Usage("there is no %s %q; did you mean %s?", kind, name, best)
	}
	return console.Usage("there is no %s %q; there are %s", kind, name, wording.List(names(level)))
}

// check refuses flags that the command does not have.
func (p path) check(flags []flagGiven) error {
	var known []string
	for _, f := range p.flags {
		known = append(known, f.Names()...)
	}
	for _, g := range flags {
		switch {
		case slices.Contains(known, g.name) && !g.bare:
		case slices.Contains(known, g.name):
			return console.Usage("%s needs a value", g.words[0])
		default:
			return p.unknownFlag(g.words[0], g.name, known)
		}
	}
	return nil
}

func (p path) unknownFlag(word, name string, known []string) error {
	word, _, _ = strings.Cut(word, "=")
	owner := p.con.Name
	if len(p.names) > 0 {
		owner = strings.Join(p.names, " ")
	}
	if owners := ownersOf(p.root, name); len(p.names) > 0 && len(owners) > 0 {
		return console.Usage("%s has no flag %s; %s", owner, word, haveIt(owners))
	}
	if best, ok := wording.Nearest(name, known); ok {
		return console.Usage("%s has no flag %s; did you mean %s?", owner, word, wording.Dashed(best))
	}
	return console.Usage("%s has no flag %s; see %s help %s", owner, word, p.con.Name, strings.Join(p.names, " "))
}
