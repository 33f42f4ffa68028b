package satin

import (
	"math"
	"slices"
	"strings"
	"time"

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
	Key      steal.Key
	Task     string  // the root task's name
	Here     bool    // the root executes here …
	Progress float64 // … and is done to this extent
	Jobs     int64   // started here
	Busy     float64 // worker seconds spent here
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
			r := RunStats{
				Key: g.instance.Run, Task: l.app.taskName(g.plane.root.job),
				Jobs: g.plane.jobs.Load(), Busy: time.Duration(g.plane.busy.Load()).Seconds(),
			}
			if l.reigns(g) {
				r.Here, r.Progress = true, math.Float64frombits(g.root.progress.Load())
			}
			list = append(list, r)
		}
	})
	slices.SortFunc(list, func(a, b RunStats) int { return strings.Compare(a.Key.String(), b.Key.String()) })
	return list
}

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
