package program

import (
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"satingrid/satin/atomicfile"
	"satingrid/satin/program/console"
	"satingrid/satin/program/recording"
	"satingrid/satin/program/wording"
)

// reportCommand tells what is in a recording.
func reportCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "report", Category: "3 OBSERVE", Usage: "what happened while record wrote it down", ArgsUsage: "FILE",
		Description: `Sums up a recording: where the workers' time went, by site and run, who came and was lost, what was wrong and for how
long. -o makes a page of HTML of it that needs nothing else.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write a page to `FILE.html` instead"},
			&cli.BoolFlag{Name: "json", Usage: "print it as one line of JSON"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || c.Args().First() == "" {
				return console.Usage("report takes one FILE, and there are %d", c.NArg())
			}
			r, err := reportOf(c.Args().First())
			if err != nil {
				return console.Usage("report: %v", wording.Bare(err))
			}
			switch name := c.String("o"); {
			case c.Bool("json"):
				return console.PrintJSON(con.Out, r)
			case name == "":
				return con.Page(false, r.Print)
			default:
				if err := writePage(name, r.Page); err != nil {
					return &console.Error{Code: console.ExitFailed, Text: fmt.Sprintf("%v", wording.Bare(err))}
				}
				con.Say("wrote %s", name)
				return nil
			}
		},
	}
}

// reportOf sums up the recording in a file.
func reportOf(name string) (*recording.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := recording.Open(f)
	var told *recording.Report
	if err == nil {
		told, err = recording.Tell(r)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return told, nil
}

// writePage writes a file, whole or not at all.
func writePage(name string, write func(io.Writer) error) error {
	f, err := atomicfile.Create(name, 0o644)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return f.Replace()
}
