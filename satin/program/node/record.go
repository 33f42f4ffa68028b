package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
	"satingrid/satin/program/wording"
	"satingrid/satin/ticket"
)

// everyMin is how long what hosts tell is good for.
const everyMin = 500 * time.Millisecond

// RecordCommand writes down what a grid does.
func RecordCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "record", Category: "3 OBSERVE", Usage: "write down what a whole grid does, for report", ArgsUsage: "FILE",
		Description: `Writes what the grid of the node that runs here does, or of the one that --join leads to, into FILE, which must not be
there yet, until it is interrupted. While no host answers it looks on, and says so. ` + "`report FILE`" + ` tells it.`,
		Flags: append(WhereFlags(con),
			&cli.DurationFlag{Name: "every", Value: RecordDefaults.Every, Usage: "look so often; of a long recording later looks are fewer"},
			&cli.StringFlag{Name: "loans", Value: fmt.Sprintf("%dMiB", RecordDefaults.Loans>>20), Usage: "`SIZE` that single loans may take, for trace; 0 records none"},
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
			loans, err := loansSize(c.String("loans"))
			if err != nil {
				return err
			}
			w, err := WhereOf(con, c, "")
			if err != nil {
				return err
			}
			stop := con.Catch(nil)
			defer stop.Release()
			return w.record(stop, c.Args().First(), RecordTerms{c.Duration("every"), loans}, c.Duration("for"))
		},
	}
}

// loansSize reads --loans.
func loansSize(text string) (int64, error) {
	if text == "0" {
		return 0, nil
	}
	bytes, err := wording.ParseSize(text)
	if err != nil {
		return 0, console.Usage("--loans is %q: a size such as 64MiB, or 0, is expected", text)
	}
	return int64(bytes), nil
}

// record records until it is told to stop, which is what ends it well. Who cannot be asked at first
// is not recorded.
func (w *Where) record(stop *console.Interrupts, name string, terms RecordTerms, lasts time.Duration) error {
	var r *Recording
	err := stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		console.WhileSlow(func() { r, err = w.Record(ctx, name, terms) }, func() { w.con.Say("asking %s", w.Said()) })
		return err
	})
	if err != nil {
		return err
	}
	var over <-chan time.Time
	if lasts > 0 {
		over = time.After(lasts)
	}
	select {
	case <-stop.First:
	case <-over:
	case <-r.done:
	}
	if err := r.Stop(); err != nil {
		return err
	}
	w.con.Say("recorded %s of grid %s: %s report %s tells it", console.Brief(r.at().Seconds()), r.grid, w.con.Name, name)
	return nil
}

// lastMax is how long hosts have to answer when they are asked for the last time.
const lastMax = 2 * time.Second

// Recording is a recording under way. Its goroutine ends with Stop, or when it fails.
type Recording struct {
	con    *console.Console
	name   string
	look   func(ctx context.Context, loans bool) (observe.Sample, error)
	to     *recording.Recorder
	began  time.Time
	looks  int
	grid   string
	silent bool // nobody has answered the last time
	finale *recording.Finale
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended, by err
	err    error
}

// RecordTerms are how often a recording looks, and how much of it single loans may take.
type RecordTerms struct {
	Every time.Duration
	Loans int64 // bytes; 0: there are none
}

// RecordDefaults are those where nothing is said.
var RecordDefaults = RecordTerms{Every: time.Second, Loans: recording.LoansBytes}

// Record begins to record the grids that this leads to, into a file that must not be there yet.
func (w *Where) Record(ctx context.Context, name string, terms RecordTerms) (*Recording, error) {
	o, err := w.outlook(ctx)
	if err != nil {
		return nil, err
	}
	return begin(w.con, name, terms, func(ctx context.Context, loans bool) (observe.Sample, error) {
		o.loans = loans
		return o.look(ctx)
	})
}

// RecordOwn begins to record a grid that this process has made, of peers that have a [Informant].
func RecordOwn(con *console.Console, t ticket.Ticket, name string, terms RecordTerms) (*Recording, error) {
	o := &observe.Observer{Ask: across.Visitor{Ticket: t}.Ask, Addrs: t.Addrs}
	return begin(con, name, terms, func(ctx context.Context, loans bool) (observe.Sample, error) {
		o.Loans = loans
		return o.Look(ctx)
	})
}

func begin(
	con *console.Console, name string, terms RecordTerms, look func(context.Context, bool) (observe.Sample, error),
) (*Recording, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, console.Usage("recording into %v", wording.Bare(err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Recording{con: con, name: name, look: look, began: time.Now(), cancel: cancel, done: make(chan struct{})}
	r.to = recording.NewRecorder(file, r.began, terms.Every)
	r.to.LoansMax(terms.Loans)
	go func() {
		defer close(r.done)
		r.err = errors.Join(r.run(ctx), file.Close())
	}()
	return r, nil
}

// End says how the run ended that is recorded, which is written when the recording is stopped.
func (r *Recording) End(f recording.Finale) { r.finale = &f }

// At is when something was, in seconds of the recording.
func (r *Recording) At(when time.Time) float64 {
	return console.Round(max(when.Round(0).Sub(r.began.Round(0)), 0).Seconds())
}

// Stop looks once more, and ends the recording. The error says that the file is not whole, or that
// there is none since nobody has answered.
func (r *Recording) Stop() error {
	r.cancel()
	<-r.done
	switch {
	case r.err != nil:
		return &console.Error{Code: console.ExitFailed, Text: fmt.Sprintf("recording into %s: %v", r.name, wording.Bare(r.err))}
	case r.looks == 0:
		os.Remove(r.name)
		return &console.Error{Code: console.ExitFailed, Text: "recording: nothing was seen, and there is no " + r.name}
	}
	return nil
}

// run records until the context ends.
func (r *Recording) run(ctx context.Context) error {
	for {
		s, err := r.look(ctx, r.to.WantsLoans())
		switch {
		case ctx.Err() != nil:
		case err != nil:
			if !r.silent {
				r.con.Say("recording: nobody answers; looking on")
			}
			r.silent = true
		default:
			if r.silent {
				r.con.Say("recording: the grid answers again")
			}
			if err := r.add(s); err != nil {
				return err
			}
		}
		if ctx.Err() != nil || pause(ctx, r.to.Every()) != nil {
			return r.last()
		}
	}
}

// last looks once more, and ends the recording.
func (r *Recording) last() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastMax)
	defer cancel()
	s, err := r.look(ctx, r.to.WantsLoans())
	if err == nil {
		err = r.add(s)
	} else {
		err = nil // the grid may be gone, which is why this ends
	}
	if r.finale != nil {
		err = errors.Join(err, r.to.End(r.at(), *r.finale))
	}
	return errors.Join(err, r.to.Close(r.at()))
}

func (r *Recording) add(s observe.Sample) error {
	l := recording.Look{At: r.at(), Silent: r.silent, Sample: s}
	r.silent = false
	r.looks, r.grid = r.looks+1, s.Grid
	return r.to.Add(l)
}

// at is how long it goes on, by the clock on the wall: the other one stands still while a machine
// sleeps.
func (r *Recording) at() time.Duration { return max(time.Now().Round(0).Sub(r.began.Round(0)), 0) }
