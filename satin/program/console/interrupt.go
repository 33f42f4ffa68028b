package console

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	// sameSignal is how long after the first signal another is the same one: launchers signal a
	// process and its group, too, and a terminal that closes sends what its shell sends once
	// more.
	sameSignal = time.Second

	// lostEvery is how often it is looked whether the terminal is still there.
	lostEvery = 300 * time.Millisecond
)

// Interrupts hand on the first signal that asks to stop, and end the process at the second. A
// terminal that is gone is a signal, too: nobody is there any more who could give another.
type Interrupts struct {
	First <-chan os.Signal
	first chan os.Signal
	all   chan os.Signal
	done  chan struct{}

	abandon func()
}

// Catch begins to catch signals, and Release ends it. Its goroutine ends with Release. Before the
// process ends at once, abandon is called, unless it is nil.
func (c *Console) Catch(abandon func()) *Interrupts {
	first := make(chan os.Signal, 1)
	in := &Interrupts{First: first, first: first, all: make(chan os.Signal, 2), done: make(chan struct{}), abandon: abandon}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	// as nohup wants it: this process is to outlive its terminal
	stays := signal.Ignored(syscall.SIGHUP)
	if !stays {
		signals = append(signals, syscall.SIGHUP)
	}
	signal.Notify(in.all, signals...)
	go in.hear(c, !stays && c.lost != nil)
	return in
}

// hear takes signals until Release, and looks after the terminal until the first.
func (in *Interrupts) hear(con *Console, watches bool) {
	look := time.NewTicker(lostEvery)
	defer look.Stop()
	var told time.Time
	for {
		select {
		case sig := <-in.all:
			switch {
			case told.IsZero():
				told = time.Now()
				in.first <- sig
			case time.Since(told) >= sameSignal:
				if in.abandon != nil {
					in.abandon()
				}
				con.Say("stopped at once")
				os.Exit(SignalCode(sig))
			}
		case <-look.C:
			if watches && told.IsZero() && con.lost() {
				told = time.Now()
				in.first <- syscall.SIGHUP
			}
		case <-in.done:
			return
		}
	}
}

// BeforeStart is what an interrupt says that came while a place to compute was being opened.
const BeforeStart = "interrupted before the start"

// Unless does something that a signal ends, by ending its context. Then the error says so, with
// the signal's exit code. Where it is done all the same there is no error, and First has the signal
// still: what was opened has to be closed.
func (in *Interrupts) Unless(interrupted string, do func(context.Context) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- withoutPanic(ctx, do) }()
	select {
	case err := <-done:
		return err
	case sig := <-in.first:
		cancel()
		switch err := <-done; {
		case stackOf(err) != nil:
			return err // it is no end that the signal made
		case err != nil:
			return &Error{SignalCode(sig), interrupted}
		}
		in.first <- sig
		return nil
	}
}

// withoutPanic does something, of which a panic is an error.
func withoutPanic(ctx context.Context, do func(context.Context) error) (err error) {
	defer NoPanic(&err)
	return do(ctx)
}

// Release ends the catching.
func (in *Interrupts) Release() {
	signal.Stop(in.all)
	close(in.done)
}

// SignalCode is the exit code of a run that a signal ended, as shells have it.
func SignalCode(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return ExitSignal + int(n)
	}
	return ExitFailed
}
