package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
	"satingrid/satin/program/wording"
)

// completeWord is the hidden command that the shells' scripts call: with the words typed
// so far, the last one unfinished, it prints what may stand there. Where it prints nothing
// the shell offers files.
const completeWord = "__complete"

// The scripts of urfave/cli are not used: in bash its script has the shell evaluate the words that
// stand on the line, command substitutions included, and in fish it lists commands and flags once,
// without the inputs of applications. Nor does it complete words in the order that argv allows.
//
// These scripts are small because complete does the work. NAME is the program's; behind an
// underscore, in the name of a shell's function, it has no dash.
const (
	bashScript = `# bash completion for NAME: source <(NAME completion bash)
_NAME() {
	local cur="${COMP_WORDS[COMP_CWORD]}"
	mapfile -t COMPREPLY < <(compgen -W "$(NAME __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "$cur")
}
complete -o default -F _NAME NAME
`
	zshScript = `#compdef NAME
# zsh completion for NAME: source <(NAME completion zsh)
_NAME() {
	local -a found
	found=(${(f)"$(NAME __complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	if (( ${#found} )); then compadd -a found; else _files; fi
}
compdef _NAME NAME
`
	fishScript = `# fish completion for NAME: NAME completion fish | source
function __NAME_complete
	set -l words (commandline -opc)
	NAME __complete $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c NAME -a '(__NAME_complete)'
`
)

func completionCommand(con *console.Console) *cli.Command {
	function := strings.NewReplacer("-", "_", ".", "_").Replace(con.Name)
	named := strings.NewReplacer("__NAME", "__"+function, "_NAME", "_"+function, "NAME", con.Name).Replace
	command := &cli.Command{
		Name:      "completion",
		Category:  "5 KEYS",
		Usage:     "a script that completes commands, applications and flags in your shell",
		ArgsUsage: "SHELL",
	}
	for _, shell := range []struct{ name, script, use string }{
		{"bash", bashScript, "source <(NAME completion bash)"},
		{"zsh", zshScript, "source <(NAME completion zsh)"},
		{"fish", fishScript, "NAME completion fish | source"},
	} {
		command.Subcommands = append(command.Subcommands, &cli.Command{
			Name:  shell.name,
			Usage: named(shell.use),
			Action: func(*cli.Context) error {
				_, err := fmt.Fprint(con.Out, named(shell.script))
				return err
			},
		})
	}
	return command
}

// complete tells what the last of the words may become.
func (p *Program) complete(con *console.Console, root *cli.App, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	l := split(root, before)
	if n := len(l.flags); n > 0 && l.flags[n-1].bare {
		return nil // a flag's value
	}
	if l.commands > 0 && l.arguments[0] == "help" {
		l.arguments, l.commands = l.arguments[1:], l.commands-1
	}
	level, flags, at := root.Commands, []cli.Flag(nil), []string(nil)
	for _, name := range l.arguments {
		i := slices.IndexFunc(level, func(c *cli.Command) bool { return c.Name == name })
		if i < 0 {
			break
		}
		level, flags, at = level[i].Subcommands, level[i].Flags, append(at, name)
	}
	if strings.HasPrefix(last, "-") {
		return matching(last, flagWords(flags))
	}
	switch {
	case len(level) > 0 && len(at) == len(l.arguments):
		return matching(last, names(level))
	case len(at) == 1 && at[0] == "apps" && len(l.arguments) == 1:
		return matching(last, p.names())
	case len(at) > 0 && (at[0] == "run" || at[0] == "submit") && len(l.arguments) == len(at):
		return matching(last, p.named(at[len(at)-1]).Inputs)
	case len(at) == 1 && slices.Contains(aboutRuns, at[0]) && len(l.arguments) == 1:
		return matching(last, runs.SubmittedIn(con.StateFolder("")).Words())
	}
	return nil
}

// aboutRuns are the verbs whose first argument is a RUN.
var aboutRuns = []string{"watch", "result", "cancel", "share", "logs"}

func flagWords(flags []cli.Flag) []string {
	words := []string{"--help"}
	for _, f := range flags {
		words = append(words, wording.Dashed(f.Names()[0]))
	}
	return words
}

func matching(prefix string, words []string) []string {
	var out []string
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			out = append(out, w)
		}
	}
	return out
}
