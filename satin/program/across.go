package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// toldAcross prints the answer of a run for who is of another build, and cannot read it: as result
// does without flags of the application. It writes no file. Of a run that failed it may print
// something, too: --json has its error.
func (p *Program) toldAcross(ctx context.Context, peer *satin.Peer, r satin.RunStats, asJSON bool) (text string, exit int, err error) {
	a, input, err := p.rootOf(r)
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if what := recover(); what != nil { // the application's: the node goes on
			text, exit, err = "", 0, fmt.Errorf("the answer cannot be shown: %s panicked: %v", a.Name, what)
		}
	}()
	if !r.State.HasAnswer() {
		return "", 0, unanswered(r, a, input)
	}
	flags, err := a.noAnswerFlags()
	if err != nil {
		return "", 0, err
	}
	attached, end := context.WithCancel(ctx)
	defer end()
	run, err := a.Root.reopen(attached, peer, r, &Input{Flags: flags, Elsewhere: true, Called: input})
	if err != nil {
		return "", 0, err
	}
	defer run.Release()
	select {
	case <-run.Done():
	case <-ctx.Done():
		return "", 0, context.Cause(ctx)
	}
	took := tookOf(r)
	found, err := run.Answer()
	out := runEnd{
		answer: timed(found, took), complete: err == nil, seconds: took.Seconds(), err: err,
		losses: func(string) []local.Loss { return nil },
	}
	var printed bytes.Buffer
	con := &console.Console{Name: p.settled().Name, Out: &printed, Err: io.Discard, Terminal: -1}
	err = show(con, a.Name, input, asJSON, run.Stats(), out)
	var told *console.Error
	if errors.As(err, &told) && told.Text == "" { // the exit code tells the answer, too
		return printed.String(), told.Code, nil
	}
	return printed.String(), console.ExitOK, err
}

// bestOf is what the best so far of a run says of itself, for those who look at the run from
// outside; "": it says nothing.
func (p *Program) bestOf(peer *satin.Peer, r satin.RunStats) (text string) {
	a, input, err := p.rootOf(r)
	if err != nil {
		return ""
	}
	flags, err := a.noAnswerFlags()
	if err != nil {
		return ""
	}
	defer func() {
		if recover() != nil { // the application's: the node goes on
			text = ""
		}
	}()
	best, err := a.Root.best(peer, r.ID, &Input{Flags: flags, Elsewhere: true, Called: input})
	if err != nil || best == nil {
		return ""
	}
	if b, ok := best.(Briefer); ok {
		return b.Brief()
	}
	value, err := json.Marshal(best.JSON())
	if err != nil {
		return ""
	}
	return "best " + string(value)
}

// noAnswerFlags are the application's flags about answers, of which none stands on the command line
// nor in the environment, beside --json: with that no application writes a file that nobody has
// named, and this process is not where anybody wants one.
func (a *Application) noAnswerFlags() (*cli.Context, error) {
	set := flag.NewFlagSet(a.Name, flag.ContinueOnError)
	set.Bool("json", true, "")
	for _, f := range a.AnswerFlags {
		if err := edited(f, func(_ *string, env *[]string) { *env = nil }).Apply(set); err != nil {
			return nil, fmt.Errorf("flags of %s: %w", a.Name, err)
		}
	}
	return cli.NewContext(nil, set, nil), nil
}
