package console

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// typedKey is where the App keeps which flags stand on the command line.
const typedKey = "typed"

// NoteTyped notes which flags stand on a command line, whose words are in the order of urfave/cli.
func NoteTyped(app *cli.App, words []string) {
	typed := map[string]bool{}
	for _, word := range words {
		if word == "--" {
			break
		}
		if name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "="); name != word {
			typed[name] = true
		}
	}
	app.Metadata = map[string]any{typedKey: typed}
}

// IsTyped tells whether a flag stands on the command line: one that is only in the
// environment gives way to those.
func IsTyped(c *cli.Context, name string) bool {
	typed, _ := c.App.Metadata[typedKey].(map[string]bool)
	return typed[name]
}

// TypedOnly is what stands for the environment of a flag that has none: one that names what an
// action acts on, and so must not be found lying about. NAME_SITE, set for NAME node, would
// let a whole site leave.
var TypedOnly = []string{}

// IsTypedOnly tells whether a flag counts on the command line only.
func IsTypedOnly(f cli.Flag) bool {
	env := f.(cli.DocGenerationFlag).GetEnvVars()
	return env != nil && len(env) == 0
}
