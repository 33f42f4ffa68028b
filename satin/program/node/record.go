package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
	"satingrid/satin/program/wording"
)

// everyMin is the least time from look to look: what hosts tell is good for half a second.
const everyMin = 500 * time.Millisecond

// RecordCommand writes down what a grid does.
func RecordCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "record", Category: "3 OBSERVE", Usage: "write down what a whole grid does, for report", ArgsUsage: "FILE",
		Description: `Writes what the grid of the node that runs here does, or of the one that --join leads to, into FILE, which must not be
there yet, until it is interrupted. While no host answers it looks on, and says so. ` + "`report FILE`" + ` tells it.`,
		Flags: append(WhereFlags(con),
			&cli.DurationFlag{Name: "every", Value: time.Second, Usage: "look so often; of a long recording later looks are fewer"},
			&cli.DurationFlag{Name: "for", Usage: "stop after `D`", DefaultText: "until interrupted"},
		),
		Action: func(c *cli.Context) error {
			switch {
			case c.NArg() != 1 || c.Args().First() == "":
				return console.Usage("record takes one FILE, and there are %d", c.NArg())
			case c.Duration("every") < everyMin:
				return console.Usage("--every is %v: at least %v is expected", c.Duration("every"), everyMin)
			case c.IsSet("for") && c.Duration("for") <= 0:
				return console.Usage("--for is %v: more than 0s is expected", c.Duration("for"))
			}
			w, err := WhereOf(con, c, "")
			if err != nil {
				return err
			}
			stop := con.Catch(nil)
			defer stop.Release()
			return w.record(stop, c.Args().First(), c.Duration("every"), c.Duration("for"))
		},
	}
}

// record records until it is told to stop, which is what ends it well. Who cannot be asked at first
// is not recorded.
func (w *Where) record(stop *console.Interrupts, name string, every, lasts time.Duration) (err error) {
	var o *outlook
	err = stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		console.WhileSlow(func() { o, err = w.outlook(ctx) }, func() { w.con.Say("asking %s", w.Said()) })
		return err
	})
	if err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return console.Usage("record: %v", wording.Bare(err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	if lasts > 0 {
		ctx, cancel = context.WithTimeout(ctx, lasts)
	}
	defer cancel()
	go func() {
		select {
		case <-stop.First:
			cancel()
		case <-ctx.Done():
		}
	}()
	t := &tape{con: w.con, look: o.look, began: time.Now()}
	t.to = recording.NewRecorder(file, t.began, every)
	err = errors.Join(t.run(ctx), file.Close())
	if err != nil {
		return &console.Error{Code: console.ExitFailed, Text: fmt.Sprintf("recording into %s: %v", name, wording.Bare(err))}
	}
	if t.looks == 0 {
		os.Remove(name)
		return &console.Error{Code: console.ExitFailed, Text: fmt.Sprintf("nothing was seen: %s is not there", name)}
	}
	w.con.Say("recorded %s of grid %s in %s: %s %s tells it", console.Brief(time.Since(t.began).Seconds()), t.grid, name, w.con.Name, "report "+name)
	return nil
}

// tape is a recording under way.
type tape struct {
	con   *console.Console
	look  func(context.Context) (observe.Sample, error)
	to    *recording.Recorder
	began time.Time
	looks int
	grid  string
	mute  bool // nobody has answered the last time
}

// run records until the context ends.
func (t *tape) run(ctx context.Context) error {
	for {
		s, err := t.look(ctx)
		at := time.Since(t.began)
		switch {
		case ctx.Err() != nil:
			return t.to.Close(at)
		case err != nil && !t.mute:
			t.con.Say("nobody answers: looking on")
		case err == nil:
			if t.mute {
				t.con.Say("the grid answers again")
			}
			t.looks, t.grid = t.looks+1, s.Grid
			if err := t.to.Add(recording.Look{At: at, Sample: s}); err != nil {
				return err
			}
		}
		t.mute = err != nil
		if pause(ctx, t.to.Every()) != nil {
			return t.to.Close(time.Since(t.began))
		}
	}
}
