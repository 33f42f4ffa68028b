package node

import (
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

// resultLeast and resultMost bound --result-max: a result of less would not travel anyway, and more
// than a gigabyte would not fit beside the work.
const (
	resultLeast = 64 << 10
	resultMost  = 1 << 30
)

// CareFlags are the flags of run and node that say what is done against losses, with what else
// there is to say about --ft off.
func CareFlags(off string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "copies", Value: local.CopiesDefault.String(), Usage: "copy finished parts to another site every `D`, more often where peers die often; or off, and then nothing is stored of them either"},
		&cli.StringFlag{Name: "ft", Value: "on", Usage: "`off`: keep, copy and look for nothing, for measuring; " + off},
		ResultMaxFlag(),
	}
}

// ResultMaxFlag bounds the results of a run's jobs.
func ResultMaxFlag() cli.Flag {
	return &cli.StringFlag{Name: "result-max", Value: "64MiB", Usage: "`SIZE` of the largest result of a job"}
}

// ReadResultMax reads it, in bytes.
func ReadResultMax(c *cli.Context) (int, error) {
	bytes, err := wording.ParseSize(c.String("result-max"))
	if err != nil || bytes < resultLeast || bytes > resultMost {
		return 0, console.Usage("--result-max is %q: a size from 64KiB to 1GiB is expected, such as 64MiB", c.String("result-max"))
	}
	return bytes, nil
}

// ReadCare reads those flags.
func ReadCare(c *cli.Context) (local.Care, error) {
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
	var err error
	care.ResultMax, err = ReadResultMax(c)
	return care, err
}

// storeLeast bounds --store: less than a few copies is no store.
const storeLeast = 1 << 20

// storeSize reads --store, as satin.Config has it.
func storeSize(text string) (int64, error) {
	if text == "0" {
		return -1, nil
	}
	bytes, err := wording.ParseSize(text)
	if err != nil || bytes < storeLeast {
		return 0, console.Usage("--store is %q: a size from 1MiB such as 1GiB, or 0, is expected", text)
	}
	return int64(bytes), nil
}
