package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// copiesDefault is how often peers send copies of what they have finished.
const copiesDefault = 10 * time.Second

// resultLeast and resultMost bound --result-max: a result of less would not travel anyway, and more
// than a gigabyte would not fit beside the work.
const (
	resultLeast = 64 << 10
	resultMost  = 1 << 30
)

// careFlags are the flags of run and node that say what is done against losses, with what else
// there is to say about --ft off.
func careFlags(off string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "copies", Value: copiesDefault.String(), Usage: "copy finished parts to another site every `D`, more often where peers die often; or off"},
		&cli.StringFlag{Name: "ft", Value: "on", Usage: "`off`: keep, copy and look for nothing, for measuring; " + off},
		&cli.StringFlag{Name: "result-max", Value: "64MiB", Usage: "`SIZE` of the largest result of a job"},
	}
}

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

// readCare reads those flags.
func readCare(c *cli.Context) (local.Care, error) {
	var care local.Care
	switch text := c.String("copies"); text {
	case "off":
		care.CopyEvery = -1
	default:
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return care, console.Usage("--copies is %q: a duration such as 10s, or off, is expected", text)
		}
		care.CopyEvery = d
	}
	switch text := c.String("ft"); text {
	case "on":
	case "off":
		care.NoFT = true
	default:
		return care, console.Usage("--ft is %q: on or off is expected", text)
	}
	bytes, err := parseSize(c.String("result-max"))
	if err != nil || bytes < resultLeast || bytes > resultMost {
		return care, console.Usage("--result-max is %q: a size from 64KiB to 1GiB is expected, such as 64MiB", c.String("result-max"))
	}
	care.ResultMax = bytes
	return care, nil
}

// sizeUnits are units of memory.
var sizeUnits = []struct {
	name  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}

// parseSize reads a number of bytes such as 64MiB.
func parseSize(text string) (int, error) {
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n >= 0 && n*u.bytes <= 1<<53) {
			break
		}
		return int(n * u.bytes), nil
	}
	return 0, fmt.Errorf("%q is no size", text)
}
