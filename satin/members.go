package satin

import (
	"errors"
	"fmt"
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

// Members are the peers present on the grid, by name: this one too, unless it is a client. A peer that computes
// alone has none.
func (p *Peer) Members() []Member {
	if p.loop == nil {
		return nil
	}
	var list []Member
	p.loop.ask(func(l *loop) {
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
func (p *Peer) Runs() []RunStats {
	if p.loop == nil {
		return nil
	}
	var list []RunStats
	p.loop.ask(func(l *loop) {
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

// CancelRun withdraws a run of the grid, whoever has submitted it: its submitters are told, and their Wait says so. On a client it withdraws
// the client's own submissions of the run. The error says that no such run is on.
func (p *Peer) CancelRun(id steal.Key) error {
	found := false
	if p.loop != nil {
		p.loop.ask(func(l *loop) { found = l.cancelRun(id) })
	}
	if !found {
		return fmt.Errorf("satin: no run %s is on", id.Short())
	}
	return nil
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

// ID is the peer's id on the grid, under which it can be barred or allowed; "" when it computes alone.
func (p *Peer) ID() string {
	if p.loop == nil {
		return ""
	}
	return string(p.loop.self)
}

// ask lets the loop answer a question, and returns when it has, or has ended.
func (l *loop) ask(question func(*loop)) {
	done := make(chan struct{})
	l.post(func() {
		defer close(done)
		question(l)
	})
	select {
	case <-done:
	case <-l.ctx.Done():
		l.crew.Wait() // or the answer might be written while it is read
	}
}
