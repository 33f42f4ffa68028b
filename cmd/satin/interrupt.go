package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"satingrid/cmd/satin/local"
)

// interrupts hands on the first signal that asks to stop, and ends the process at the second.
type interrupts struct {
	first chan os.Signal
	all   chan os.Signal
	done  chan struct{}
}

// catchInterrupts begins to catch signals, and release ends it. Its goroutine ends with release.
func catchInterrupts(con *console) *interrupts {
	in := &interrupts{first: make(chan os.Signal, 1), all: make(chan os.Signal, 2), done: make(chan struct{})}
	signal.Notify(in.all, os.Interrupt, syscall.SIGTERM)
	go func() {
		for told := false; ; told = true {
			select {
			case sig := <-in.all:
				if told {
					discardUnfinished()
					endOwnGrid()
					fmt.Fprintln(con.err, "satin: stopped at once")
					os.Exit(signalCode(sig))
				}
				in.first <- sig
			case <-in.done:
				return
			}
		}
	}()
	return in
}

// beforeStart is what an interrupt says that came while a place to compute was being opened.
const beforeStart = "interrupted before the start"

// unless does something that a signal ends, by ending its context. Then the error says so, with the signal's exit code.
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

// leaveSignal is told when somebody tells a peer of --sites to leave. An interrupt is left to its parent, whom the
// terminal interrupts too.
func leaveSignal() <-chan os.Signal {
	signal.Ignore(os.Interrupt)
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
