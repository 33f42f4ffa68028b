// Pi throws darts at a square, and counts those in its circle: Monte Carlo.
//
//	pi run 1000000000 --seed 7
package main

import (
	"fmt"
	"io"
	"math"

	"satingrid/satin"
	"satingrid/satin/program"
)

// dartsJob is how many darts a job throws: some milliseconds of work.
const dartsJob = 1_000_000

// Throw is a job: so many times dartsJob darts. Jobs with equal fields draw equal numbers from
// s.Rand, so First, the number of the first of them, is in the fields; and the seed is in the
// root's, which all draws depend on, too. So the answer is the same however the jobs are shared.
type Throw struct {
	Seed        int64
	First, Jobs int
}

// Run throws one half, and lets another throw the other.
func (t Throw) Run(s *satin.Scope) (Hits, error) {
	if t.Jobs > 1 {
		half := t.Jobs / 2
		other := satin.Spawn(s, Throw{t.Seed, t.First + half, t.Jobs - half})
		// a job, too, and no plain call: that would draw from this job's source
		mine, err := satin.Spawn(s, Throw{t.Seed, t.First, half}).Wait(s)
		if err != nil {
			return Hits{}, err
		}
		hits, err := other.Wait(s)
		return Hits{mine.Darts + hits.Darts, mine.Inside + hits.Inside}, err
	}
	inside, draw := int64(0), s.Rand()
	for range dartsJob {
		x, y := draw.Float64(), draw.Float64()
		if x*x+y*y < 1 {
			inside++
		}
	}
	return Hits{dartsJob, inside}, nil
}

// Hits is the answer: how many of the darts were inside.
type Hits struct{ Darts, Inside int64 }

// pi is the estimate, and its standard error.
func (h Hits) pi() (estimate, deviation float64) {
	p := float64(h.Inside) / float64(h.Darts)
	return 4 * p, 4 * math.Sqrt(p*(1-p)/float64(h.Darts))
}

// Text prints the estimate.
func (h Hits) Text(w io.Writer) error {
	estimate, deviation := h.pi()
	_, err := fmt.Fprintf(w, "%.6f ± %.6f\n", estimate, deviation)
	return err
}

// JSON is the same for scripts.
func (h Hits) JSON() any {
	estimate, deviation := h.pi()
	return map[string]any{"pi": estimate, "deviation": deviation, "darts": h.Darts, "inside": h.Inside}
}

func parse(in *program.Input) (Throw, error) {
	darts, err := in.Number(100 * dartsJob)
	if err == nil && darts < 1 {
		err = fmt.Errorf("%d darts: 1 or more are expected", darts)
	}
	return Throw{Seed: in.Flags.Int64("seed"), Jobs: (darts + dartsJob - 1) / dartsJob}, err
}

func application() *program.Application {
	a := program.Of("pi", parse)
	a.Summary = "throw darts at a square, and count those in its circle"
	a.Input = "[DARTS]"
	a.Details = "DARTS is rounded up to a million, and by default a hundred million. Another --seed draws others."
	return a
}

func main() { program.Main(application()) }
