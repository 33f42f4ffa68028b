package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// answerFlags are those of all applications, each once, for verbs that learn of the grid which
// application a run is of. Their help says what each flag is to whom.
func (p *Program) answerFlags() (all []cli.Flag) {
	if a := p.only(); a != nil {
		return a.AnswerFlags
	}
	at := map[string]int{}
	for _, a := range p.Applications {
		for _, f := range a.AnswerFlags {
			usage := a.Name + ": " + f.(cli.DocGenerationFlag).GetUsage()
			name := f.Names()[0]
			i, known := at[name]
			if known {
				all[i] = withUsage(all[i], all[i].(cli.DocGenerationFlag).GetUsage()+"; "+strings.ReplaceAll(usage, "`", ""))
				continue
			}
			at[name] = len(all)
			all = append(all, withUsage(f, usage))
		}
	}
	return all
}

// withUsage is a flag with another help.
func withUsage(f cli.Flag, usage string) cli.Flag {
	return edited(f, func(u *string, _ *[]string) { *u = usage })
}

// edited is a copy of a flag, with its help and its variables as edit leaves them.
func edited(f cli.Flag, edit func(usage *string, env *[]string)) cli.Flag {
	switch f := f.(type) {
	case *cli.BoolFlag:
		own := *f
		edit(&own.Usage, &own.EnvVars)
		return &own
	case *cli.IntFlag:
		own := *f
		edit(&own.Usage, &own.EnvVars)
		return &own
	case *cli.Int64Flag:
		own := *f
		edit(&own.Usage, &own.EnvVars)
		return &own
	case *cli.Float64Flag:
		own := *f
		edit(&own.Usage, &own.EnvVars)
		return &own
	case *cli.DurationFlag:
		own := *f
		edit(&own.Usage, &own.EnvVars)
		return &own
	case *cli.StringFlag:
		own := *f
		edit(&own.Usage, &own.EnvVars)
		return &own
	case *cli.StringSliceFlag:
		own := *f
		edit(&own.Usage, &own.EnvVars)
		return &own
	}
	return f // which is refused with the others
}

// isTyped tells whether a flag stands on the command line, by one of its names.
func isTyped(c *cli.Context, f cli.Flag) bool {
	return slices.ContainsFunc(f.Names(), func(name string) bool { return console.IsTyped(c, name) })
}

// checkAnswerFlags refuses flags of other applications than the run's.
func (p *Program) checkAnswerFlags(c *cli.Context, a *Application, r satin.RunStats) error {
	has := func(a *Application, f cli.Flag) bool {
		return slices.ContainsFunc(a.AnswerFlags, func(own cli.Flag) bool { return own.Names()[0] == f.Names()[0] })
	}
	for _, f := range p.answerFlags() {
		if has(a, f) || !isTyped(c, f) {
			continue
		}
		var owners []string
		for _, other := range p.Applications {
			if has(other, f) {
				owners = append(owners, other.Name)
			}
		}
		return console.Usage("run %s is of %s, whose answers have no flag %s; %s", r.ID.Short(), a.Name, wording.Dashed(f.Names()[0]), haveIt(owners))
	}
	return nil
}

// haveIt says who has something.
func haveIt(owners []string) string {
	if len(owners) == 1 {
		return owners[0] + " has"
	}
	return wording.List(owners) + " have"
}

// answerWords are the flags of a command line that are about an answer, as they are typed, each
// after a space.
func answerWords(a *Application, c *cli.Context) string {
	var words strings.Builder
	for _, f := range a.AnswerFlags {
		if !isTyped(c, f) {
			continue
		}
		names := f.Names()
		short := names[len(names)-1]
		words.WriteString(" " + wording.Dashed(short))
		if f.(cli.DocGenerationFlag).TakesValue() {
			fmt.Fprintf(&words, " %v", c.Value(short))
		}
	}
	return words.String()
}
