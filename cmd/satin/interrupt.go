package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"satingrid/satin/program"
	"satingrid/satin/program/local"
)

const (
	// sameSignal is how long after the first signal another is the same one: launchers signal a
	// process and its group, too, and a terminal that closes sends what its shell sends once
	// more.
	sameSignal = time.Second

	// lostEvery is how often it is looked whether the terminal is still there.
	lostEvery = 300 * time.Millisecond
)

// interrupts hands on the first signal that asks to stop, and ends the process at the second. A
// terminal that is gone is a signal, too: nobody is there any more who could give another.
type interrupts struct {
	first chan os.Signal
	all   chan os.Signal
	done  chan struct{}
}

// catchInterrupts begins to catch signals, and release ends it. Its goroutine ends with release.
func catchInterrupts(con *console) *interrupts {
	in := &interrupts{first: make(chan os.Signal, 1), all: make(chan os.Signal, 2), done: make(chan struct{})}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	// as nohup wants it: this process is to outlive its terminal
	stays := signal.Ignored(syscall.SIGHUP)
	if !stays {
		signals = append(signals, syscall.SIGHUP)
	}
	signal.Notify(in.all, signals...)
	go in.hear(con, !stays && con.lost != nil)
	return in
}

// hear takes signals until release, and looks after the terminal until the first.
func (in *interrupts) hear(con *console, watches bool) {
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
				program.DiscardUnfinished()
				endOwnGrid()
				fmt.Fprintln(con.err, "satin: stopped at once")
				os.Exit(signalCode(sig))
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

// beforeStart is what an interrupt says that came while a place to compute was being opened.
const beforeStart = "interrupted before the start"

// unless does something that a signal ends, by ending its context. Then the error says so, with
// the signal's exit code.
func (in *interrupts) unless(interrupted string, do func(context.Context) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- do(ctx) }()
	select {
	case err := <-done:
		return err
	case sig := <-in.first:
		cancel()
		<-done
		return &exitError{signalCode(sig), interrupted}
	}
}

// ownGrid is the grid of processes that this one has started, for endOwnGrid.
var ownGrid atomic.Pointer[local.Grid]

// endOwnGrid ends the processes that a second interrupt would otherwise leave to the kernel.
func endOwnGrid() {
	if g := ownGrid.Load(); g != nil {
		g.Kill9()
	}
}

// leaveSignal is told when somebody tells a peer of --sites to leave. An interrupt, and a terminal
// that hangs up, are left to its parent, whom they reach too.
func leaveSignal() <-chan os.Signal {
	signal.Ignore(os.Interrupt, syscall.SIGHUP)
	leave := make(chan os.Signal, 1)
	signal.Notify(leave, syscall.SIGTERM)
	return leave
}

func (in *interrupts) release() {
	signal.Stop(in.all)
	close(in.done)
}

// signalCode is the exit code of a run that a signal ended, as shells have it.
func signalCode(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return exitSignal + int(n)
	}
	return exitFailed
}
