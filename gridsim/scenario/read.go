package scenario

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"satingrid/satin/program/wording"
)

// Scenario is what is asked.
type Scenario struct {
	About       string // in one sentence
	Look        string // what to look at in the table
	Seed        uint64 // of the first repetition; the others have those that follow
	Repetitions int
	plots       []string // measures that are to be drawn
	variants    []variant
	grids       []*setting
}

// repetitionsDefault is the least of which an interval can be told.
const repetitionsDefault = 6

// Read reads a scenario, and by files, which may be nil, what it names. Its error is a Mistake.
func Read(text []byte, files Files) (*Scenario, error) {
	top, m := parse(text)
	if m != nil {
		return nil, m
	}
	var first *Mistake
	f := &fields{node: top, first: &first}
	s := &Scenario{
		About: f.text("about", ""), Look: f.text("look", ""),
		Seed: uint64(f.whole("seed", 1, 0, 1<<31)), Repetitions: f.whole("repetitions", repetitionsDefault, 1, RepetitionsMax),
	}
	s.readPlots(f)
	var wrong *Mistake
	if s.variants, wrong = vary(top); first == nil {
		first = wrong
	}
	traces := newLibrary(files)
	for _, v := range s.variants {
		if first != nil {
			return nil, first
		}
		g, m := read(v.top, traces)
		s.grids, first = append(s.grids, g), m
	}
	if first != nil {
		return nil, first
	}
	return s, nil
}

// readPlots reads what is to be drawn.
func (s *Scenario) readPlots(f *fields) {
	var known []string
	for _, m := range measures {
		known = append(known, m.name)
	}
	for _, x := range facets {
		known = append(known, ofSeries+x.name)
	}
	if s.plots = f.words("plot"); len(s.plots) == 0 {
		s.plots = drawnElse
	}
	for _, name := range s.plots {
		if !slices.Contains(known, name) {
			f.wrong(f.get("plot"), "plot", "%q: some of %s are expected", name, wording.List(known))
		}
	}
}

// Play simulates all variants, each as often as it is to be, on all cores. done hears how much of
// that is done. The same scenario comes to the same result.
func (s *Scenario) Play(ctx context.Context, done func(share float64)) (*Tabulation, error) {
	r := &Tabulation{About: s.About, Look: s.Look, Seed: s.Seed, Repetitions: s.Repetitions, Plots: s.plots}
	for _, v := range s.variants {
		r.Rows = append(r.Rows, Summed{Case: v.name, Set: v.fields, Runs: make([]Played, s.Repetitions)})
	}
	var mu sync.Mutex // protects played, and lets done hear one after another
	played := 0
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(runtime.GOMAXPROCS(0))
	for n, g := range s.grids {
		for k := range s.Repetitions {
			all.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				out, err := g.play(ctx, s.Seed+uint64(k), nil)
				switch {
				case ctx.Err() != nil:
					return ctx.Err()
				case err != nil:
					return fmt.Errorf("%s: a checker of the simulator finds: %w", r.Rows[n].Name(), err)
				}
				r.Rows[n].Runs[k] = out
				mu.Lock()
				defer mu.Unlock()
				played++
				done(float64(played) / float64(len(s.grids)*s.Repetitions))
				return nil
			})
		}
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	for n := range r.Rows {
		r.Rows[n].sum()
	}
	return r, nil
}

// title is what a variant is called: its case, and the fields that a sweep has set.
func (v *variant) title() string {
	var words []string
	if v.name != "" {
		words = append(words, v.name)
	}
	for _, set := range v.fields {
		words = append(words, set.Field+" "+set.Value)
	}
	if len(words) == 0 {
		return "as it is"
	}
	return strings.Join(words, ", ")
}

// Name is what the variant is called.
func (r *Summed) Name() string { return (&variant{name: r.Case, fields: r.Set}).title() }
