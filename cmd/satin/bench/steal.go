package bench

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/ticket"
)

// How steals are timed: jobs that a victim with one worker spins through while a thief
// takes one after another.
const (
	spinsMeasured = 8000 // a round
	spinFor       = 100 * time.Microsecond
	stealsLeast   = 500 // fewer say nothing about one in a hundred
)

// errFewSteals says that the thief had no part in the run.
var errFewSteals = errors.New("bench: too few jobs were stolen to tell how long a steal takes")

// pauses are what one worker had between two spins.
type pauses struct {
	last  time.Time
	times []time.Duration
}

// paused are the pauses of all workers of the run under way.
var paused struct {
	sync.Mutex // protects all
	all        []*pauses
}

func newPauses() *pauses {
	p := &pauses{}
	paused.Lock()
	defer paused.Unlock()
	paused.all = append(paused.all, p)
	return p
}

// spin is a job that computes for a moment.
type spin struct{ Number int }

func (x spin) Run(s *satin.Scope) (int, error) {
	p := satin.Local(s, newPauses)
	start := time.Now()
	if !p.last.IsZero() {
		p.times = append(p.times, start.Sub(p.last))
	}
	for time.Since(start) < spinFor {
	}
	p.last = time.Now()
	return x.Number, nil
}

// spinning is a root with many spins.
type spinning struct{ Spins int }

func (x spinning) Run(s *satin.Scope) (int, error) {
	return 0, satin.Each(s, x.Spins, func(i int) spin { return spin{i} }, func(int, int) {})
}

// stealWhileBusy is how long a thief waits for its next job from a victim whose only worker
// computes: 99 of 100 steals are faster. It is the whole of a steal as the thief's worker sees it:
// the result goes back, the request, the job, its start.
func stealWhileBusy(ctx context.Context) (time.Duration, error) {
	t, err := ticket.New("bench")
	if err != nil {
		return 0, err
	}
	c := satin.Config{
		App:     satin.App{Name: "spin", Tasks: []satin.TaskType{satin.Type[spinning](), satin.Type[spin]()}},
		Workers: 1, Ticket: t, Listen: []string{"/ip4/127.0.0.1/tcp/0"},
	}
	victim, err := satin.Open(ctx, c)
	if err != nil {
		return 0, err
	}
	defer victim.Close()
	c.Ticket.Addrs = victim.Addrs()
	thief, err := satin.Open(ctx, c)
	if err != nil {
		return 0, err
	}
	defer thief.Close()
	paused.all = nil
	if _, err := satin.Run(ctx, victim, spinning{spinsMeasured}); err != nil {
		return 0, err
	}
	return slowSteal(paused.all)
}

// slowSteal is the thief's 99th percentile: the thief is the worker that pauses longer, for the
// victim finds its next job at home.
func slowSteal(all []*pauses) (time.Duration, error) {
	var thief []time.Duration
	var longest time.Duration
	for _, p := range all {
		if len(p.times) < stealsLeast {
			continue
		}
		slices.Sort(p.times)
		if m := p.times[len(p.times)/2]; m > longest {
			longest, thief = m, p.times
		}
	}
	if len(all) < 2 || thief == nil {
		return 0, errFewSteals
	}
	return thief[len(thief)*99/100], nil
}
