package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/wording"
)

// takesValue tells for every flag of every command whether a value follows it.
func takesValue(root *cli.App) map[string]bool {
	takes := map[string]bool{}
	eachCommand(root.Commands, nil, func(_ []string, c *cli.Command) {
		for _, f := range c.Flags {
			for _, name := range f.Names() {
				takes[name] = f.(cli.DocGenerationFlag).TakesValue()
			}
		}
	})
	return takes
}

// eachCommand visits all commands below these, with the names that lead to them.
func eachCommand(commands []*cli.Command, above []string, visit func(names []string, c *cli.Command)) {
	for _, c := range commands {
		at := append(slices.Clone(above), c.Name)
		visit(at, c)
		eachCommand(c.Subcommands, at, visit)
	}
}

// ownersOf are the commands that have this flag.
func ownersOf(root *cli.App, flag string) []string {
	var owners []string
	eachCommand(root.Commands, nil, func(at []string, c *cli.Command) {
		for _, f := range c.Flags {
			if slices.Contains(f.Names(), flag) {
				owners = append(owners, strings.Join(at, " "))
			}
		}
	})
	return owners
}

func names(commands []*cli.Command) []string {
	var out []string
	for _, c := range commands {
		out = append(out, c.Name)
	}
	return out
}

// checkFlags panics where a flag of one name takes a value in one command and none in another, so
// that what follows it could not be told, or where a command has two of one name.
func checkFlags(root *cli.App) {
	takes := takesValue(root)
	eachCommand(root.Commands, nil, func(at []string, c *cli.Command) {
		own := map[string]bool{}
		for _, f := range c.Flags {
			for _, name := range f.Names() {
				switch {
				case own[name]:
					panic(fmt.Sprintf("program: %s has two flags %s", strings.Join(at, " "), wording.Dashed(name)))
				case takes[name] != f.(cli.DocGenerationFlag).TakesValue():
					panic(fmt.Sprintf("program: %s of %s takes a value where that of another command takes none, or none where it takes one",
						wording.Dashed(name), strings.Join(at, " ")))
				}
				own[name] = true
			}
		}
	})
}
