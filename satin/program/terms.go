package program

import (
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/runs"
	"satingrid/satin/program/wording"
)

// submitKeep is how long the answer of what submit has submitted is kept, where nothing else is
// said: whoever submits in the evening fetches it the next day.
const submitKeep = 24 * time.Hour

// terms are what a run asks of a grid that others use, too.
type terms struct {
	share int           // of the workers; 0: as much as other runs
	keep  time.Duration // that it goes on without who has submitted it, and its answer is kept
	fresh bool          // nothing is used of what is stored of the same root
}

func verifyFlag(when, verify string) cli.Flag {
	return &cli.Float64Flag{Name: "verify", Usage: when + "execute `P`, a share from 0 to 1, of the jobs lent twice; " + verify, DefaultText: "0"}
}

func shareFlag(when string) cli.Flag {
	return &cli.IntFlag{Name: "share", Usage: when + "this run's part of the workers beside others', each of which has 100 if nothing else is said: `N` from 1 to 10000",
		DefaultText: "100"}
}

func freshFlag(when string) cli.Flag {
	return &cli.BoolFlag{Name: "fresh", Usage: when + "compute from the start, whatever is stored of the same run, given up before, and beside one that is on, unless that was begun so, too"}
}

// runTerms are the flags of run that say what its run asks of the grid.
func runTerms(verify string) []cli.Flag {
	return []cli.Flag{
		verifyFlag("with --sites or --join: ", verify),
		shareFlag("with --join: "),
		&cli.DurationFlag{Name: "keep", Usage: "with --join: the run goes on without this process, and its answer is kept for `D`; an interrupt leaves it to the grid", DefaultText: "0s"},
		freshFlag("with --join: "),
	}
}

// submitTerms are those of submit.
func submitTerms(verify string) []cli.Flag {
	return []cli.Flag{
		verifyFlag("", verify),
		shareFlag(""),
		&cli.DurationFlag{Name: "keep", Value: submitKeep, Usage: "its answer is kept for `D`, while the grid has no more than 64 runs"},
		freshFlag(""),
	}
}

// readTerms reads those flags.
func readTerms(c *cli.Context, care *local.Care) (t terms, err error) {
	if care.Verify = c.Float64("verify"); !(care.Verify >= 0 && care.Verify <= 1) {
		return t, console.Usage("--verify is %v: a share from 0 to 1 is expected", care.Verify)
	}
	if t.share = c.Int("share"); t.share < 0 || t.share > satin.ShareMax || t.share == 0 && console.IsTyped(c, "share") {
		return t, console.Usage("--share is %d: a number from 1 to %d is expected", t.share, satin.ShareMax)
	}
	t.fresh = c.Bool("fresh")
	if t.keep = c.Duration("keep"); c.IsSet("keep") && (t.keep < time.Second || t.keep > satin.KeepMax) {
		return t, console.Usage("--keep is %s: 1s to %s is expected", wording.Duration(t.keep), wording.Duration(satin.KeepMax))
	}
	return t, nil
}

// options are what a submission says of them, and of what it is.
func (t terms) options(app, input string) []satin.Option {
	as := []satin.Option{satin.Label(runs.Label(app, input)), satin.Keep(t.keep)}
	if t.share > 0 {
		as = append(as, satin.Share(t.share))
	}
	if t.fresh {
		as = append(as, satin.Fresh())
	}
	return as
}
