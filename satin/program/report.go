package program

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/recording"
	"satingrid/satin/program/wording"
)

// reportCommand tells what is in a recording.
func reportCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "report", Category: "3 OBSERVE", Usage: "what happened while record wrote it down", ArgsUsage: "FILE",
		Description: `Sums up a recording: where the workers' time went, by site and run, who came and was lost, what was wrong and for how
long. -o makes a page of HTML of it that needs nothing else; --at shows the grid as it was at a moment.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write a page to `FILE.html` instead"},
			&cli.DurationFlag{Name: "at", Usage: "print what status --join showed, `D` after the beginning"},
			&cli.BoolFlag{Name: "json", Usage: "print it as one line of JSON"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || c.Args().First() == "" {
				return console.Usage("report takes one FILE, and there are %d", c.NArg())
			}
			if c.String("o") != "" && (c.IsSet("at") || c.Bool("json")) {
				return console.Usage("report: -o writes a page of all of it, and --at and --json print")
			}
			if c.Duration("at") < 0 {
				return console.Usage("--at is %v: 0s or more is expected", c.Duration("at"))
			}
			return report(con, c)
		},
	}
}

// atMost is how long before a moment what is shown of it may have been seen without a word.
const atMost = 10 * time.Second

// report tells what is in a recording in the form that is asked for.
func report(con *console.Console, c *cli.Context) error {
	name := c.Args().First()
	var page *Output
	if to := c.String("o"); to != "" {
		var err error
		if page, err = OpenOutput("-o", to); err != nil {
			return console.Usage("report: %v", err)
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return console.Usage("report: %v", wording.Bare(err))
	}
	defer f.Close()
	if page != nil && isSame(f, page.Name) {
		return console.Usage("report: -o %s is the recording itself", page.Name)
	}
	r, err := recording.Open(f)
	if err != nil {
		return console.Usage("report: %s: %v", name, err)
	}
	if c.IsSet("at") {
		v, when, err := r.ViewAt(c.Duration("at"))
		if errors.Is(err, io.EOF) {
			err = errors.New("it has no look")
		}
		if late := c.Duration("at") - when; err == nil && late > atMost {
			con.Say("this was seen %v after the beginning, and nothing later until then", when.Round(time.Second))
		}
		return told(con, c, v, v.Print, name, err)
	}
	all, err := recording.Tell(r)
	if page != nil && err == nil {
		if err := page.Write(all.Page); err != nil {
			return &console.Error{Code: console.ExitFailed, Text: "report: " + wording.Bare(err).Error()}
		}
		return nil
	}
	return told(con, c, all, all.Print, name, err)
}

// told prints what was read of a recording, unless it could not be read.
func told(con *console.Console, c *cli.Context, is any, print func(*console.Printer), name string, err error) error {
	switch {
	case err != nil:
		return console.Usage("report: %s: %v", name, err)
	case c.Bool("json"):
		return console.PrintJSON(con.Out, is)
	}
	return con.Page(false, print)
}

// isSame tells whether a file has that name, too.
func isSame(f *os.File, name string) bool {
	is, err := f.Stat()
	other, failure := os.Stat(name)
	return err == nil && failure == nil && os.SameFile(is, other)
}
