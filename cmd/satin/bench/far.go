package bench

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin"
	"satingrid/satin/program/figure"
	"satingrid/satin/program/local"
)

// Far is how it is measured what it costs that two workers are in two processes, and these far from
// each other.
type Far struct {
	Processes
	Rounds   int                // 0: 6
	Trees    []FarTree          // nil: FarTrees
	Progress func(done float64) // called between two measurements; nil: nobody is told
}

// FarTree is a tree that is counted, and the most that its count may take at each of FarDelays, in
// times of what two workers of one process take.
type FarTree struct {
	tree.Named
	Most [3]float64
}

// FarDelays are how far the two processes are from each other, one way; 0 is one site.
var FarDelays = [3]time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond}

// FarTrees are a wide tree, in which any job has much below it, and a thin one, in which hardly any
// has.
var FarTrees = []FarTree{FarTreeOf("T1L", 1.05, 1.05, 1.10), FarTreeOf("T3L", 1.05, 1.15, 1.30)}

// FarTreeOf is a tree of the benchmark by its name.
func FarTreeOf(name string, most ...float64) FarTree {
	named, _ := tree.ByName(name)
	return FarTree{named, [3]float64(most)}
}

// FarCosts is what was measured.
type FarCosts struct {
	Rounds  int      `json:"rounds"`
	Seconds float64  `json:"seconds"` // it took to measure
	Rows    []FarRow `json:"rows"`
}

// FarRow is a tree at a distance: medians of the rounds.
type FarRow struct {
	Run   string        `json:"run"`
	Delay float64       `json:"delay_seconds"` // one way; 0: one site
	One   float64       `json:"one_process_seconds"`
	Two   float64       `json:"two_processes_seconds"`
	Ratio figure.Figure `json:"ratio"` // two processes to one with two workers
}

// MeasureFar measures. Each round counts each tree once by two workers of one process, and once at
// each distance, so that a busy neighbour hits all alike.
func MeasureFar(ctx context.Context, o Far) (*FarCosts, error) {
	o.Rounds = cmp.Or(o.Rounds, figure.RoundsLeast)
	if o.Trees == nil {
		o.Trees = FarTrees
	}
	start := time.Now()
	alone, err := satin.Open(ctx, satin.Config{App: o.App, Alone: true, Workers: 2})
	if err != nil {
		return nil, err
	}
	defer alone.Close()
	peers := []*satin.Peer{alone}
	for _, delay := range FarDelays {
		grid, err := o.grid(ctx, delay)
		if err != nil {
			return nil, err
		}
		defer grid.Close()
		peers = append(peers, grid.Client)
	}
	took := make([][][]float64, len(o.Trees)) // of each tree, of each of the peers
	for k := range took {
		took[k] = make([][]float64, len(peers))
	}
	for round := range o.Rounds {
		for k, t := range o.Trees {
			if err := t.round(ctx, peers, took[k]); err != nil {
				return nil, err
			}
			if o.Progress != nil {
				o.Progress(float64(round*len(o.Trees)+k+1) / float64(o.Rounds*len(o.Trees)))
			}
		}
	}
	c := &FarCosts{Rounds: o.Rounds}
	for k, t := range o.Trees {
		c.Rows = append(c.Rows, t.rows(took[k])...)
	}
	c.Seconds = time.Since(start).Seconds()
	return c, nil
}

// grid starts two processes so far from each other.
func (o *Far) grid(ctx context.Context, delay time.Duration) (*local.Grid, error) {
	g := local.Options{App: o.App, Command: o.Command, Stderr: os.Stderr, Sites: []local.Site{{Name: "a", Peers: 2, Workers: 1}}}
	if delay > 0 {
		g.Sites = []local.Site{{Name: "a", Peers: 1, Workers: 1}, {Name: "b", Peers: 1, Workers: 1}}
		g.Wan, g.Far = true, local.Distance{Delay: delay}
	}
	return local.Open(ctx, g)
}

// round counts the tree once on each of the peers, and adds what that took.
func (t *FarTree) round(ctx context.Context, peers []*satin.Peer, took [][]float64) error {
	task, err := uts.New(t.Params)
	if err != nil {
		return err
	}
	for n, p := range peers {
		seconds := timed(func() { _, err = satin.Run(ctx, p, task) })
		if err != nil {
			return fmt.Errorf("bench: uts %s: %w", t.Name, err)
		}
		took[n] = append(took[n], seconds)
	}
	return nil
}

// rows sums up what the rounds have taken: on the first of the peers, and at each distance.
func (t *FarTree) rows(took [][]float64) (rows []FarRow) {
	for n, delay := range FarDelays {
		ratios := make([]float64, 0, len(took[0]))
		for round, one := range took[0] {
			ratios = append(ratios, took[n+1][round]/one)
		}
		rows = append(rows, FarRow{
			Run: "uts " + t.Name, Delay: delay.Seconds(), One: figure.Median(took[0]), Two: figure.Median(took[n+1]),
			Ratio: figure.Of(ratios, figure.AtMost(t.Most[n])),
		})
	}
	return rows
}
