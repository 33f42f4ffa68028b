package satin

import (
	"context"
	"errors"
	"slices"
	"strings"

	"satingrid/membership"
	"satingrid/steal"
)

// Member is one peer of the grid, as this one sees it.
type Member struct {
	ID      string
	Name    string
	Site    string
	State   string // here, suspected, leaving, left, dead
	Workers int
	Addrs   []string
}

// RunStats is one run of the grid, as this peer sees it.
type RunStats struct {
	ID       steal.Key // of this run; CancelRun takes it
	Key      steal.Key // of what it computes: another run of the same has the same
	Task     string    // the root task's name
	Mine     bool      // it was submitted here
	Here     bool      // the root executes here …
	Progress float64   // … and is done to this extent, as Submission.Progress guesses
	Jobs     int64     // started here
	Busy     float64   // worker seconds spent here
}

// Members are the peers present on the grid, by name: this one too, unless it is a client.
func (l *loop) Members() []Member {
	var list []Member
	l.ask(func() {
		all := l.machine.Members()
		if !l.conf.Client {
			all = append(all, l.machine.Self())
		}
		for _, m := range all {
			list = append(list, memberOf(m))
		}
	})
	slices.SortFunc(list, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func memberOf(m membership.Member) Member {
	return Member{string(m.ID), m.Name, string(m.Site), m.State.String(), int(m.Workers), m.Addrs}
}

// Runs are the runs that the grid computes now, by key.
func (l *loop) Runs() []RunStats {
	var list []RunStats
	l.ask(func() {
		for _, g := range l.runs {
			counts := g.at.Counts()
			r := RunStats{
				ID: g.instance.ID(), Key: g.instance.Run, Task: g.at.Task(),
				Jobs: counts.Jobs, Busy: counts.Busy.Seconds(),
			}
			for nonce := range l.subs {
				if no, ok := l.machine.RunOf(nonce); ok && no == g.no {
					r.Mine = true
				}
			}
			if l.reigns(g) {
				r.Here, r.Progress = true, g.at.Progress()
			}
			list = append(list, r)
		}
	})
	slices.SortFunc(list, func(a, b RunStats) int { return strings.Compare(a.Key.String(), b.Key.String()) })
	return list
}

// CancelRun withdraws a run of the grid, whoever has submitted it, and tells whether it was on. A
// client withdraws its own submissions of it.
func (l *loop) CancelRun(id steal.Key) (found bool) {
	l.ask(func() { found = l.cancelRun(id) })
	return found
}

// cancelRun withdraws a run, and tells whether it was on.
func (l *loop) cancelRun(id steal.Key) (found bool) {
	for no, g := range l.runs {
		if g.instance.ID() != id {
			continue
		}
		if !l.conf.Client {
			l.do(l.machine.CancelRun(l.now(), no))
			return true
		}
		for nonce, sub := range l.subs {
			if its, ok := l.machine.RunOf(nonce); ok && its == no {
				l.cancelSub(sub, errCancelled)
				found = true
			}
		}
	}
	return found
}

var errCancelled = errors.New("satin: the run was cancelled")

// ID is the peer's id on the grid.
func (l *loop) ID() string { return string(l.self) }

// Site is the name of the peers near this one.
func (l *loop) Site() string { return l.conf.Site }

// Addrs are the addresses at which others may join through this peer.
func (l *loop) Addrs() []string { return l.carrier.Addrs() }

// Done is closed when the loop has ended, or is about to: Err says why.
func (l *loop) Done() <-chan struct{} { return l.ctx.Done() }

// Err says why the loop has ended, once Done is closed.
func (l *loop) Err() error { return context.Cause(l.ctx) }

// ask lets the loop answer a question, and returns when it has, or has ended.
func (l *loop) ask(question func()) {
	done := make(chan struct{})
	l.post(func() {
		defer close(done)
		question()
	})
	select {
	case <-done:
	case <-l.ctx.Done():
		l.crew.Wait() // or the answer might be written while it is read
	}
}
