package gridsim

import (
	"time"

	"satingrid/steal"
)

// Sized is a workload whose jobs and values are so many bytes longer. That of a [Search] has to
// stay as it is: its bests are values of a known form.
type Sized struct {
	Workload
	JobBytes   int
	ValueBytes int
}

// longer is so many bytes longer, and shares nothing.
func longer(b []byte, by int) []byte { return append(b[:len(b):len(b)], make([]byte, by)...) }

// Root is the workload's.
func (s *Sized) Root() []byte { return longer(s.Workload.Root(), s.JobBytes) }

// Expand makes longer jobs and values. Those below read what they know of, at the beginning.
func (s *Sized) Expand(args, best []byte) Step {
	step := s.Workload.Expand(args, best)
	for n, c := range step.Children {
		step.Children[n] = longer(c, s.JobBytes)
	}
	if step.Value != nil {
		step.Value = longer(step.Value, s.ValueBytes)
	}
	return step
}

// Combine makes a longer value.
func (s *Sized) Combine(args []byte, results [][]byte) []byte {
	return longer(s.Workload.Combine(args, results), s.ValueBytes)
}

// Right compares with the workload computed alone.
func (s *Sized) Right(answer steal.Result) error { return same(answer, alone(s, s.Root())) }

// Measure counts the jobs that one worker executes that is alone, of one that prunes those that it
// does not come to, and what they cost. Span is what those cost that wait for one another. Of more
// jobs than most it says that there are more.
func Measure(w Workload, most int) (jobs int, work, span time.Duration) {
	var best []byte
	var down func(args []byte) time.Duration
	down = func(args []byte) (span time.Duration) {
		if jobs++; jobs > most {
			return 0
		}
		step := w.Expand(args, best)
		if step.Offer != nil && (best == nil || w.Better("", step.Offer, best)) {
			best = step.Offer
		}
		for n := len(step.Children) - 1; n >= 0; n-- { // a worker begins the newest
			span = max(span, down(step.Children[n]))
		}
		cost := w.Cost(args)
		work += cost
		return cost + span
	}
	span = down(w.Root())
	return jobs, work, span
}
