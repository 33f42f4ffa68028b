package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
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
