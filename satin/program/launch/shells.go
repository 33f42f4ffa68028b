package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
)

const (
	// machinesAtOnce are looked after at a time.
	machinesAtOnce = 16

	// askMax is how long a machine may take to execute a script, beside what that waits for.
	askMax = 30 * time.Second
)

// shells launches nodes by scripts, which a shell executes on each machine.
type shells struct {
	con *console.Console
	// where things are on the machines
	at func(l *Launch) paths
	// execute has a machine's shell execute a script
	execute func(ctx context.Context, m Machine, script string, in io.Reader) (string, error)
	// supply brings the executable there, after a line of a script has said that it is
	// missing; nil: it never is
	supply func(ctx context.Context, l *Launch, m Machine, line string) error
	// script is all that Start does, as one script
	script func(l *Launch) string
}

func (s *shells) Script(l *Launch) string { return s.script(l) }

func (s *shells) Start(ctx context.Context, l *Launch, tell func(Standing)) error {
	return eachMachine(l, tell, func(m Machine) []Standing {
		script := s.at(l).start(l, m)
		out, err := s.within(ctx, startMax+askMax, m, script, l.ticket)
		if is, lacks := found(out, missing); lacks && s.supply != nil {
			if err = s.supply(ctx, l, m, is); err == nil {
				out, err = s.within(ctx, startMax+askMax, m, script, l.ticket)
			}
		}
		return s.heard(m, m.numbers(), out, err)
	})
}

func (s *shells) List(ctx context.Context, l *Launch, tell func(Standing)) error {
	return eachMachine(l, tell, func(m Machine) []Standing {
		out, err := s.within(ctx, askMax, m, s.at(l).list(l, m), "")
		return s.heard(m, m.numbers(), out, err)
	})
}

func (s *shells) Stop(ctx context.Context, l *Launch, nodes []int, remove bool, tell func(Standing)) error {
	return eachMachine(l, tell, func(m Machine) []Standing {
		own := slices.DeleteFunc(m.numbers(), func(n int) bool { return !slices.Contains(nodes, n) })
		if len(own) == 0 {
			return nil
		}
		out, err := s.within(ctx, stopMax+askMax, m, s.at(l).stop(l, m, own, remove), "")
		return s.heard(m, own, out, err)
	})
}

// within has a machine execute a script that may take so long.
func (s *shells) within(ctx context.Context, most time.Duration, m Machine, script, in string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("no answer within %v", most))
	defer cancel()
	return s.execute(ctx, m, script, strings.NewReader(in))
}

// heard is how nodes of a machine stand by what its script has said, and how that has ended.
func (s *shells) heard(m Machine, nodes []int, out string, err error) []Standing {
	told := standings(m, out)
	var all []Standing
	for _, n := range nodes {
		if is, ok := told[n]; ok {
			all = append(all, is)
		}
	}
	if len(all) == len(nodes) {
		return all
	}
	silent := Standing{First: nodes[0], Last: nodes[len(nodes)-1], Where: m.String(), State: Failed, Said: "the script has not said how that went"}
	var e *unreached
	_, begun := found(out, string(Starting))
	switch {
	case errors.As(err, &e) && begun:
		silent.Said = "it broke off: " + e.why // some may run
	case errors.As(err, &e):
		silent.State, silent.Said = Unreached, e.why
	case err != nil:
		silent.Said = err.Error()
	}
	if len(all) == 0 {
		return []Standing{silent}
	}
	for _, n := range nodes {
		if _, ok := told[n]; !ok {
			silent.First, silent.Last = n, n
			all = append(all, silent)
		}
	}
	return all
}

// unreached is why a machine was not reached.
type unreached struct{ why string }

func (u *unreached) Error() string { return u.why }

// numbers are those of the nodes of a machine.
func (m Machine) numbers() []int {
	var nodes []int
	for n := m.First; n <= m.Last; n++ {
		nodes = append(nodes, n)
	}
	return nodes
}

// eachMachine asks all machines of a launch, some at a time, and tells what each has said.
func eachMachine(l *Launch, tell func(Standing), ask func(Machine) []Standing) error {
	var goroutines sync.WaitGroup
	var mu sync.Mutex // protects tell
	slots := make(chan struct{}, machinesAtOnce)
	for _, m := range l.Machines {
		slots <- struct{}{}
		goroutines.Go(func() {
			defer func() { <-slots }()
			heard := ask(m)
			mu.Lock()
			defer mu.Unlock()
			for _, s := range heard {
				tell(s)
			}
		})
	}
	goroutines.Wait()
	return nil
}

// withoutTicket leaves the variable out that holds a ticket.
func withoutTicket(con *console.Console) []string { return []string{node.TicketVariable(con) + "="} }

// here launches nodes on this machine.
func here(con *console.Console) *shells {
	at := func(l *Launch) paths { return paths{quoted(l.folder), quoted(l.Program)} }
	return &shells{
		con: con, at: at,
		execute: func(ctx context.Context, _ Machine, script string, in io.Reader) (string, error) {
			return execute(ctx, in, withoutTicket(con), "sh", "-c", script)
		},
		script: func(l *Launch) string {
			text := fmt.Sprintf("#!/bin/sh\n# Starts %s of %s on this machine. Each has a folder, with its log and its process id, below\n#   %s\n# SIGTERM lets it leave. Executed again, it starts those that have ended, with what they have stored.\n",
				nodesOf(l), con.Name, l.folder)
			if l.Join == "" {
				text += "# The ticket is to be on its standard input.\n"
			}
			return text + l.making() + at(l).start(l, l.Machines[0])
		},
	}
}
