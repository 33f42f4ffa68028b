package program

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// Help as text/template for urfave/cli. The categories bear a digit, by which they are
// sorted, and lose it here. What is in brackets is the program's: see templates.
const (
	rootHelp = `{{.Name}} - {{.Usage}}
{{range .VisibleCategories}}
{{slice .Name 2}}{{range .VisibleCommands}}
  {{printf "%-12s" .Name}} {{.Usage}}{{end}}
{{end}}
{{.Name}} help COMMAND tells more. A good start: {{.Name}} [first]
`
	commandHelp = `{{.HelpName}}{{if .ArgsUsage}} {{.ArgsUsage}}{{end}} - {{.Usage}}
{{if .Description}}
{{.Description}}
{{end}}{{if .VisibleFlags}}
Flags may stand anywhere; [variable] in the environment stands in for --name.
{{range .VisibleFlags}}
  {{describe .}}{{end}}
{{end}}`
	groupHelp = `{{.HelpName}}{{if .ArgsUsage}} {{.ArgsUsage}}{{end}} - {{.Usage}}
{{range .VisibleCommands}}
  {{printf "%-12s" .Name}} {{.Usage}}{{end}}

[program] help {{.Name}} NAME tells more.
`
)

// helpFlag is --help. The library's own is one value that each parsed command line changes, so that
// two of one process, side by side, race.
type helpFlag struct{ *cli.BoolFlag }

// Apply adds the flag to those of one command line.
func (f helpFlag) Apply(set *flag.FlagSet) error {
	own := *f.BoolFlag
	return own.Apply(set)
}

// The library's printer of help is one of the process, so it knows no program.
func init() {
	cli.HelpPrinter = func(w io.Writer, text string, data any) {
		cli.HelpPrinterCustom(w, text, data, map[string]any{"describe": describe})
	}
	cli.HelpFlag = helpFlag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help", DisableDefaultText: true}}
}

// templates puts a program's words into a template of help.
func (p *Program) templates(con *console.Console) *strings.Replacer {
	constant := func(s string) string { return "{{" + strconv.Quote(s) + "}}" }
	return strings.NewReplacer("[first]", constant(p.first()), "[program]", constant(con.Name), "[variable]", constant(con.Variable("name")))
}

// first is the run to begin with.
func (p *Program) first() string { return p.typed("run", p.Applications[0]) }

// describe is one flag's line of help.
func describe(f cli.Flag) string {
	doc := f.(cli.DocGenerationFlag)
	var left []string
	for _, name := range f.Names() {
		left = append(left, wording.Dashed(name))
	}
	text, value := doc.GetUsage(), doc.GetDefaultText()
	placeholder := ""
	if doc.TakesValue() {
		placeholder = " " + placeholderOf(&text)
	}
	if doc.TakesValue() && value != "" && value != `""` {
		text += " (" + strings.Trim(value, `"`) + ")"
	}
	if console.IsTypedOnly(f) {
		text += "; not from the environment"
	}
	return fmt.Sprintf("%-22s %s", strings.Join(left, ", ")+placeholder, text)
}

// placeholderOf is the word in backquotes in a flag's help, which names its value, and
// takes the quotes away.
func placeholderOf(text *string) string {
	before, rest, ok := strings.Cut(*text, "`")
	word, after, closed := strings.Cut(rest, "`")
	if !ok || !closed {
		return "N"
	}
	*text = before + word + after
	return word
}
