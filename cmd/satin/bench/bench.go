// Package bench measures what a spawn costs on this machine, beside sequential Go and a goroutine a
// task, and what the way between peers costs, beside plain TCP.
//
// [Run] takes all programs that are compared through the same minute, one after the other and again
// and again, so that a busy neighbour hits all sides alike; a figure is the median of what the
// rounds gave, with its interval, and what the project holds itself to. A [Row] is one program.
//
// A sequential program is a process of its own, as its author would start it, and it allocates
// nothing that it need not. Two workers are compared with two such processes, because a machine
// rarely gives two programs twice what it gives one; two goroutines would share a garbage
// collector, and be slower than two programs.
package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/figure"
)

// shareMost is all that there is to have.
const shareMost = 1

// Options are what a bench is run with.
type Options struct {
	Rounds   int                // 0: 9
	Programs []Computation      // nil: All()
	Progress func(done float64) // called between two measurements; nil: nobody is told

	Alone []string // a command that calls Serve with these programs

	// Processes, when not nil, are how peers are started, and the wire is measured too.
	Processes *Processes
}

const (
	roundsDefault    = 9
	roundsGoroutines = 3 // slow ones, of which only the magnitude matters
)

// Computation is one computation in its three forms. Each returns its answer, which must be the
// same.
type Computation struct {
	Name       string
	App        satin.App
	Satin      func(ctx context.Context, p *satin.Peer) (any, error)
	Sequential func() any
	Spawns     func() int64 // of the Satin form
	Ratio      float64      // the most that one worker may take, in times of Sequential
	// the least that two workers must give, as a share of two sequential processes
	Share float64

	// Goroutines is the form with a goroutine a task, of a size that fits in memory, and
	// GoroutinesSequential the same without. It returns how many goroutines it started.
	Goroutines           func() int64
	GoroutinesSequential func() any
}

// Row is what was measured of a program: medians of the rounds.
type Row struct {
	Name       string  `json:"name"`
	Sequential float64 `json:"sequential_seconds"`
	// that the sequential program makes in all, beside some of its process
	SequentialAllocs float64       `json:"sequential_allocations"`
	One              float64       `json:"one_worker_seconds"`
	Ratio            figure.Figure `json:"ratio"`    // one worker to sequential
	Task             float64       `json:"task_ns"`  // all that was done, by spawns
	Spawn            float64       `json:"spawn_ns"` // what a spawn and its wait add
	Allocs           float64       `json:"spawn_allocations"`
	// what a goroutine instead of a spawn adds, on one core
	Goroutine float64 `json:"goroutine_ns"`

	Two     float64 `json:"two_workers_seconds"` // 0 where there are no two cores
	Speedup float64 `json:"speedup"`             // two workers over one
	// two sequential processes over one: what the machine gives
	SideBySide float64 `json:"side_by_side"`
	// Speedup to SideBySide; nil where there are no two cores
	Share *figure.Figure `json:"share"`
}

// Report is all that was measured.
type Report struct {
	Cores      int        `json:"cores"`
	GOMAXPROCS int        `json:"gomaxprocs"` // while the jobs ran
	Rounds     int        `json:"rounds"`
	Seconds    float64    `json:"seconds"`
	Rows       []Row      `json:"rows"`
	Wire       *WireCosts `json:"wire"` // nil: not measured
}

// Run measures. It is wrong to do anything else on the machine meanwhile.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Rounds == 0 {
		o.Rounds = roundsDefault
	}
	if o.Programs == nil {
		o.Programs = All()
	}
	start := time.Now()
	report := &Report{Cores: runtime.NumCPU(), Rounds: o.Rounds}
	alone, err := startSoloists(ctx, o.Alone)
	if err != nil {
		return nil, err
	}
	defer alone.close()
	sets := make([]*set, len(o.Programs))
	for i, p := range o.Programs {
		s, err := open(ctx, p)
		if err != nil {
			return nil, err
		}
		defer s.close()
		sets[i] = s
	}
	report.GOMAXPROCS = runtime.GOMAXPROCS(0)
	for round := range o.Rounds {
		for i, s := range sets {
			if err := s.round(ctx, alone); err != nil {
				return nil, err
			}
			o.progress(float64(round*len(sets)+i+1) / float64(o.Rounds*len(sets)))
		}
	}
	for _, s := range sets {
		report.Rows = append(report.Rows, s.row())
	}
	if o.Processes != nil {
		if report.Wire, err = measureWire(ctx, *o.Processes, o.Rounds); err != nil {
			return nil, err
		}
		o.Processes = nil
		o.progress(1)
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// sharePrograms is how much of the time the programs take where the wire is measured after them.
const sharePrograms = 0.8

// progress tells how far the programs are.
func (o *Options) progress(done float64) {
	if o.Processes != nil {
		done *= sharePrograms
	}
	if o.Progress != nil {
		o.Progress(done)
	}
}

// set is one program's peers and the rounds measured so far.
type set struct {
	Computation
	one, two *satin.Peer // two is nil where there are no two cores
	spawns   float64
	rounds   []round
	adds     []float64 // seconds that a goroutine instead of a spawn adds
}

// round is one measurement of each form, in seconds.
type round struct {
	sequential, one, two float64
	sideBySide           float64 // two sequential processes, in times of one
	allocs               float64 // a spawn
	sequentialAllocs     float64 // all
}

func open(ctx context.Context, p Computation) (*set, error) {
	s := &set{Computation: p, spawns: float64(p.Spawns())}
	var err error
	if s.one, err = satin.Open(ctx, satin.Config{App: p.App, Alone: true, Workers: 1}); err != nil {
		return nil, err
	}
	if runtime.NumCPU() < 2 {
		return s, nil
	}
	if s.two, err = satin.Open(ctx, satin.Config{App: p.App, Alone: true, Workers: 2}); err != nil {
		s.one.Close()
		return nil, err
	}
	return s, nil
}

func (s *set) close() {
	s.one.Close()
	if s.two != nil {
		s.two.Close()
	}
}

// round measures each form once, sequential and parallel by turns.
func (s *set) round(ctx context.Context, alone *soloists) error {
	ran, err := alone.run(s.Name, 1)
	if err != nil {
		return err
	}
	r := round{sequential: ran[0].Seconds, sequentialAllocs: float64(ran[0].Mallocs)}
	before := mallocs()
	r.one = timed(func() { err = s.run(ctx, s.one, ran[0].Answer) })
	r.allocs = float64(mallocs()-before) / s.spawns
	if err == nil && s.two != nil {
		var both []ranAlone
		if both, err = alone.run(s.Name, 2); err != nil {
			return err
		}
		r.sideBySide = r.sequential/both[0].Seconds + r.sequential/both[1].Seconds
		r.two = timed(func() { err = s.run(ctx, s.two, ran[0].Answer) })
	}
	if err != nil {
		return err
	}
	s.rounds = append(s.rounds, r)
	if len(s.adds) < roundsGoroutines {
		s.adds = append(s.adds, s.goroutine())
	}
	return nil
}

func (s *set) run(ctx context.Context, p *satin.Peer, want string) error {
	got, err := s.Satin(ctx, p)
	if err != nil {
		return err
	}
	if fmt.Sprint(got) != want {
		return fmt.Errorf("bench: %s gave %v, alone it gives %v", s.Name, got, want)
	}
	return nil
}

// goroutine is what a goroutine a task adds to a task, on one core.
func (s *set) goroutine() float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var started int64
	alone := timed(func() { s.GoroutinesSequential() })
	all := timed(func() { started = s.Goroutines() })
	return (all - alone) / float64(started)
}

// row is what the rounds say. Ratios are taken within a round, where both sides
// met the same machine.
func (s *set) row() Row {
	all := func(f func(r round) float64) []float64 {
		var v []float64
		for _, r := range s.rounds {
			v = append(v, f(r))
		}
		return v
	}
	of := func(f func(r round) float64) float64 { return figure.Median(all(f)) }
	row := Row{
		Name:             s.Name,
		Sequential:       of(func(r round) float64 { return r.sequential }),
		SequentialAllocs: of(func(r round) float64 { return r.sequentialAllocs }),
		One:              of(func(r round) float64 { return r.one }),
		Ratio:            figure.Of(all(func(r round) float64 { return r.one / r.sequential }), figure.AtMost(s.Computation.Ratio)),
		Task:             of(func(r round) float64 { return r.one / s.spawns * 1e9 }),
		Spawn:            of(func(r round) float64 { return (r.one - r.sequential) / s.spawns * 1e9 }),
		Allocs:           of(func(r round) float64 { return r.allocs }),
		Goroutine:        figure.Median(s.adds) * 1e9,
	}
	if s.two != nil {
		row.Two = of(func(r round) float64 { return r.two })
		row.Speedup = of(func(r round) float64 { return r.one / r.two })
		row.SideBySide = of(func(r round) float64 { return r.sideBySide })
		share := figure.Of(all(func(r round) float64 { return r.one / r.two / r.sideBySide }), figure.AtLeast(s.Computation.Share).Best(shareMost))
		row.Share = &share
	}
	return row
}

// timed is how many seconds f takes, starting with a clean heap.
func timed(f func()) float64 {
	runtime.GC()
	start := time.Now()
	f()
	return time.Since(start).Seconds()
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
