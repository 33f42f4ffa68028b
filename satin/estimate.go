package satin

import (
	"math"
)

// guess says how far a job is: its base, and the weighted shares of those of its descendants
// that others may have taken, as their thieves tell of them. So it holds while the fiber is
// parked and waits for them.
type guess struct {
	of    *shared
	base  float64
	terms []term
}

type term struct {
	job    *shared
	weight float64
}

const (
	// weightLeast is the weight below which a descendant does not matter to a guess.
	weightLeast = 1e-4

	// termsMax bounds a guess. The weights of what is beyond are small: there are so many of
	// them.
	termsMax = 1024
)

// estimate works out how far the jobs are that a fiber has taken, and keeps that. Each child that
// is known so far counts the same, and so do the children's children.
func (c *checkpoint) estimate(d *deque) {
	var all []guess
	var g *guess
	weight := 0.0 // of the job in slot k, in g
	for k := 0; k < d.top; k++ {
		j := d.slots[k]
		if j.head().word != running {
			continue
		}
		if f, ok := j.(*frame); ok {
			all = append(all, guess{of: f.of})
			g, weight = &all[len(all)-1], 1
		}
		if g == nil || weight < weightLeast {
			continue
		}
		next, known := k+1, 0
		for next < d.top && d.slots[next].head().word != running {
			next++
		}
		known = next - k - 1
		if next < d.top {
			if _, ok := d.slots[next].(*frame); !ok {
				known++ // the child that runs
			}
		}
		finished := 0
		if t := c.at(k); t != nil {
			finished = t.finished
		}
		if known += finished; known == 0 {
			weight = 0
			continue
		}
		weight /= float64(known)
		g.base += weight * float64(finished)
		for i := k + 1; i < next && weight >= weightLeast && len(g.terms) < termsMax; i++ {
			if sh := d.slots[i].head().sh; sh != nil {
				g.terms = append(g.terms, term{sh, weight})
			}
		}
	}
	c.mu.Lock()
	c.guesses = all
	c.mu.Unlock()
}

// appraise tells how far all jobs are that were taken here. A job that depends on one of another
// fiber catches up with it at the next tick.
func (p *pool) appraise() {
	for _, s := range p.fibers.all() {
		s.checkpoint.mu.Lock()
		guesses := s.checkpoint.guesses
		s.checkpoint.mu.Unlock()
		for _, g := range guesses {
			share := g.base
			for _, t := range g.terms {
				share += t.weight * math.Float64frombits(t.job.progress.Load())
			}
			g.of.progressed(share)
		}
	}
}

// progressed notes how far the job is, unless it has ended.
func (h *shared) progressed(share float64) {
	const most = 0.999 // only its end is all of it
	was := h.progress.Load()
	if math.Float64frombits(was) < 1 {
		h.progress.CompareAndSwap(was, math.Float64bits(min(share, most)))
	}
}
