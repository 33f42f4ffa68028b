package program

import (
	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// termsFlags are the flags of run that say what its run asks of the grid.
func termsFlags(verify string) []cli.Flag {
	return []cli.Flag{
		&cli.Float64Flag{Name: "verify", Usage: "with --sites or --join: execute `P`, a share from 0 to 1, of the jobs lent twice; " + verify, DefaultText: "0"},
		&cli.IntFlag{Name: "share", Usage: "with --join: this run's part of the workers beside others', each of which has 100 if nothing else is said: `N` from 1 to 10000",
			DefaultText: "100"},
		&cli.BoolFlag{Name: "keep", Usage: "with --join: let the run go on for an hour when this process dies, not for a minute"},
	}
}

// readTerms reads those flags.
func readTerms(c *cli.Context, care *local.Care) error {
	if care.Verify = c.Float64("verify"); !(care.Verify >= 0 && care.Verify <= 1) {
		return console.Usage("--verify is %v: a share from 0 to 1 is expected", care.Verify)
	}
	if care.Share = c.Int("share"); care.Share < 0 || care.Share > satin.ShareMax || care.Share == 0 && console.IsTyped(c, "share") {
		return console.Usage("--share is %d: a number from 1 to %d is expected", care.Share, satin.ShareMax)
	}
	care.Keep = c.Bool("keep")
	return nil
}
