package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/recording"
	"satingrid/satin/program/wording"
)

// traceCommand makes a timeline of a recording.
func traceCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "trace", Category: "3 OBSERVE", Usage: "a timeline of each loan that a recording has, for Perfetto", ArgsUsage: "FILE",
		Description: `Writes FILE.json of the recording FILE, unless -o names another, to be opened with ` + "`https://ui.perfetto.dev`" + `, which keeps it
on your machine, or another viewer of trace events: a track for each worker, a slice for each job that it had from another peer, an
arrow from where that was stolen.`,
		Flags: []cli.Flag{&cli.StringFlag{Name: "o", Usage: "write it to `FILE.json`"}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || c.Args().First() == "" {
				return console.Usage("trace takes one FILE, and there are %d", c.NArg())
			}
			return trace(con, c.Args().First(), c.String("o"))
		},
	}
}

// trace writes what a recording has of single loans.
func trace(con *console.Console, name, to string) error {
	if to == "" {
		to = strings.TrimSuffix(name, filepath.Ext(name)) + ".json"
	}
	f, err := os.Open(name)
	if err != nil {
		return console.Usage("trace: %v", wording.Bare(err))
	}
	defer f.Close()
	out, err := OpenOutput("-o", to)
	if err != nil {
		return console.Usage("trace: %v", err)
	}
	if isSame(f, out.Name) {
		return console.Usage("trace: -o %s is the recording itself", out.Name)
	}
	r, err := recording.Open(f)
	var t *recording.Trace
	if err == nil {
		t, err = recording.TraceOf(r)
	}
	switch {
	case err != nil:
		return console.Usage("trace: %s: %v", name, err)
	case t.Loans == 0:
		return &console.Error{Code: console.ExitFailed, Text: "trace: there is no loan in " + name}
	}
	if err := out.Write(t.Write); err != nil {
		return &console.Error{Code: console.ExitFailed, Text: "trace: " + wording.Bare(err).Error()}
	}
	return con.Page(false, func(p *console.Printer) {
		p.Line("%s: %s of %s%s", to, wording.Count(t.Loans, "loan"), wording.Count(t.Peers, "peer"), missed(t))
	})
}

// missed is what a trace has not, in words.
func missed(t *recording.Trace) (text string) {
	if t.Missed > 0 {
		text = fmt.Sprintf("; %d more ended unseen", t.Missed)
	}
	if t.Until > 0 {
		text += fmt.Sprintf("; from %s on there was no room for them", console.Brief(t.Until))
	}
	return text
}
