package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"satingrid/apps/nqueens"
	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/figure"
	"satingrid/satin/program/local"
	"satingrid/satin/program/observe"
)

// Observing is how it is measured what observing costs.
type Observing struct {
	Processes
	Rounds   int                // 0: 20
	Queens   int                // of the run; 0: 15, some two seconds of two cores
	Looks    int                // at peers that have nothing else to do; 0: 20
	Every    time.Duration      // from look to look; 0: 1 s
	Progress func(done float64) // called between two measurements; nil: nobody is told
}

const (
	observedRounds = 20
	observedQueens = 15
	observedLooks  = 20
)

// ObservingCosts is what it costs a grid that somebody looks at it: two peers at two sites of this
// machine, and who looks is on it, too.
type ObservingCosts struct {
	Run     string  `json:"run"`
	Rounds  int     `json:"rounds"`
	Seconds float64 `json:"seconds"` // it took to measure
	Looks   int     `json:"looks"`   // that were taken of runs
	Every   float64 `json:"every"`   // seconds from look to look

	Alone    float64       `json:"alone_seconds"` // of a run: the median
	Observed float64       `json:"observed_seconds"`
	Time     figure.Figure `json:"time"` // of an observed run, in times of the one beside it

	// processor time of a peer that has nothing to do, in shares of a core: what looks add; nil
	// where the system does not tell
	Idle *figure.Figure `json:"idle"`
}

// What observing may cost: a hundredth of a run, and of a core.
const observedMost = 0.01

// Observe measures. Observed runs and others are beside each other, and which is first changes, so
// that a busy neighbour hits both alike.
func Observe(ctx context.Context, o Observing) (*ObservingCosts, error) {
	o.Rounds, o.Queens, o.Looks = cmp.Or(o.Rounds, observedRounds), cmp.Or(o.Queens, observedQueens), cmp.Or(o.Looks, observedLooks)
	if o.Every = cmp.Or(o.Every, time.Second); o.Rounds < figure.RoundsLeast {
		return nil, fmt.Errorf("bench: %d rounds are too few to say how certain they are: %d are expected", o.Rounds, figure.RoundsLeast)
	}
	start := time.Now()
	grid, err := local.Open(ctx, local.Options{
		App: o.App, Command: o.Command, Sites: []local.Site{{Name: "a", Peers: 1, Workers: 1}, {Name: "b", Peers: 1, Workers: 1}}, Stderr: os.Stderr,
	})
	if err != nil {
		return nil, err
	}
	defer grid.Close()
	t := grid.Ticket()
	w := &lookedAt{every: o.Every, by: &observe.Observer{Ask: across.Visitor{Ticket: t}.Ask, Addrs: t.Addrs, Loans: true}}
	c := &ObservingCosts{Run: fmt.Sprintf("nqueens %d", o.Queens), Rounds: o.Rounds, Every: o.Every.Seconds()}
	compute := func() error { _, err := satin.Run(ctx, grid.Client, nqueens.Queens{N: o.Queens}); return err }
	if err := compute(); err != nil { // so that both sites are warm
		return nil, err
	}
	var alone, seen, ratios []float64
	for round := range o.Rounds {
		var took [2]float64
		for turn := range 2 {
			observed := (turn + round) % 2
			if took[observed], err = w.run(ctx, observed == 1, compute); err != nil {
				return nil, err
			}
		}
		alone, seen = append(alone, took[0]), append(seen, took[1])
		ratios = append(ratios, took[1]/took[0])
		if o.Progress != nil {
			o.Progress(float64(round+1) / float64(o.Rounds+1))
		}
	}
	c.Looks = w.looks
	c.Alone, c.Observed = figure.Median(alone), figure.Median(seen)
	c.Time = figure.Of(ratios, figure.AtMost(1+observedMost))
	if c.Idle, err = w.idle(ctx, grid.Alive(), o.Looks); err != nil {
		return nil, err
	}
	c.Seconds = time.Since(start).Seconds()
	return c, nil
}

// lookedAt is a grid that somebody looks at now and then.
type lookedAt struct {
	by    *observe.Observer
	every time.Duration
	looks int
}

// run is how long something takes, while the grid is looked at or while it is not. A look that has
// begun is ended, after the time that is told.
func (w *lookedAt) run(ctx context.Context, observed bool, compute func() error) (seconds float64, err error) {
	over := make(chan struct{})
	var looking sync.WaitGroup
	var failed error
	if observed {
		looking.Go(func() { failed = w.look(ctx, over) })
	}
	seconds = timed(func() { err = compute() })
	close(over)
	looking.Wait()
	return seconds, errors.Join(err, failed)
}

// look looks until it is over.
func (w *lookedAt) look(ctx context.Context, over <-chan struct{}) error {
	ticker := time.NewTicker(w.every)
	defer ticker.Stop()
	for {
		if _, err := w.by.Look(ctx); err != nil {
			return err
		}
		w.looks++
		select {
		case <-ticker.C:
		case <-over:
			return nil
		}
	}
}

// idle is what looks cost peers that have nothing else to do: some moments in which they are looked
// at, each beside one in which they are not.
func (w *lookedAt) idle(ctx context.Context, peers []local.Peer, looks int) (*figure.Figure, error) {
	var shares []float64
	for range idleMoments {
		var spent [2]float64
		for observed := range spent {
			before, _, _ := costOfAll(peers)
			took, err := w.run(ctx, observed == 1, func() error {
				select {
				case <-time.After(w.every * time.Duration(looks) / idleMoments):
				case <-ctx.Done():
				}
				return ctx.Err()
			})
			if err != nil {
				return nil, err
			}
			after, _, ok := costOfAll(peers)
			if !ok {
				return nil, nil
			}
			spent[observed] = (after - before).Seconds() / took / float64(len(peers))
		}
		shares = append(shares, spent[1]-spent[0])
	}
	r := figure.Of(shares, figure.AtMost(observedMost))
	return &r, nil
}
