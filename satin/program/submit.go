package program

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/node"
	"satingrid/satin/program/runs"
)

const submitDetails = `Hands the run to the grid of --join, or of the node that runs here, prints its id and returns: once the grid has
accepted it, the run goes on without this process, and its answer is kept. `

// submitCommand hands a run to a grid.
func (p *Program) submitCommand(con *console.Console) *cli.Command {
	if a := p.only(); a != nil {
		c := p.submitCommandOf(con, a)
		c.Name, c.Category, c.Usage = "submit", "1 RUN", "hand a run to a grid, and return"
		return c
	}
	submit := &cli.Command{
		Name: "submit", Category: "1 RUN", Usage: "hand a run to a grid, and return", ArgsUsage: "APP [INPUT]",
	}
	for _, a := range p.Applications {
		submit.Subcommands = append(submit.Subcommands, p.submitCommandOf(con, a))
	}
	return submit
}

func (p *Program) submitCommandOf(con *console.Console, a *Application) *cli.Command {
	details := submitDetails + "jobs, watch and result come back to it."
	if len(a.AnswerFlags) > 0 {
		details += `
Flags about the answer's files say here what the run is to make; result writes them.`
	}
	flags := append([]cli.Flag{
		&cli.Int64Flag{Name: "seed", Value: 1, Usage: "for applications that draw"},
		&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
		node.ResultMaxFlag(),
	}, submitTerms(verifyWords(a))...)
	return &cli.Command{
		Name: a.Name, Usage: a.Summary, ArgsUsage: a.Input,
		Description: details + "\n\n" + a.Details,
		Flags:       append(append(flags, node.WhereFlags(con)...), a.flags()...),
		Action:      func(c *cli.Context) error { return p.submitOnce(con, a, c) },
	}
}

// submitOnce submits one run.
func (p *Program) submitOnce(con *console.Console, a *Application, c *cli.Context) error {
	if err := p.checkWords("submit", a, c); err != nil {
		return err
	}
	var care local.Care
	t, err := readTerms(c, &care)
	if err == nil {
		care.ResultMax, err = node.ReadResultMax(c)
	}
	if err != nil {
		return err
	}
	ready, err := prepared(con, &Input{Words: c.Args().Slice(), Flags: c, Elsewhere: true}, 0, a.prepareToSubmit)
	if err != nil {
		return err
	}
	where, err := node.WhereOf(con, c, "")
	if err != nil {
		return err
	}
	var run runs.One
	stop := con.Catch(nil)
	defer stop.Release()
	err = stop.Unless("interrupted before the grid had accepted the run", func(ctx context.Context) (err error) {
		console.WhileSlow(func() {
			run, err = p.handOver(ctx, con, where, care, a, ready, t)
		}, func() { con.Say("submitting to %s", where.Said()) })
		return err
	})
	if err != nil {
		return err
	}
	where.Note(run)
	if flags := answerWords(a, c); flags != "" {
		con.Say("the run makes what%s asks for, and %s%s writes it", flags, where.Back("result", run.ID), flags)
	}
	if c.Bool("json") {
		return console.PrintJSON(con.Out, submitDocument{console.Schema, run.ID, a.Name, ready.Input, where.Grid(), t.keep.Seconds()})
	}
	_, err = fmt.Fprintf(con.Out, "%.8s\n", run.ID)
	return err
}

// submitDocument is what submit --json prints.
type submitDocument struct {
	Schema int     `json:"schema"`
	ID     string  `json:"id"`
	App    string  `json:"app"`
	Input  string  `json:"input"`
	Grid   string  `json:"grid"`
	Keep   float64 `json:"keep_seconds"`
}

// handOver returns when the grid has accepted the run.
func (p *Program) handOver(ctx context.Context, con *console.Console, where *node.Where, care local.Care, a *Application, ready *Prepared, t terms) (run runs.One, err error) {
	peer, err := where.Client(ctx, satin.Config{App: p.App(), Log: con.Log(""), ResultMax: care.ResultMax, Verify: care.Verify})
	if err != nil {
		return run, err
	}
	defer peer.Close()
	r, err := ready.Start(ctx, peer, t.options(a.Name, ready.Input)...)
	if err != nil {
		return run, err
	}
	h := r.(shownRun)
	select {
	case <-h.Accepted():
	case <-h.Done():
		select {
		case <-h.Accepted(): // and its answer was there already
		default:
			_, err := h.Answer()
			return run, err
		}
	}
	run = runs.One{ID: h.id(), Label: runs.Label(a.Name, ready.Input), At: time.Now()}
	return run, h.Release()
}
