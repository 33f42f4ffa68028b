package tsp

import "math/bits"

// search is what a worker needs to explore a part of the tree. It is set up afresh for each job.
type search struct {
	marginals
	cutoff int64   // a bound above it closes a node: no tour of it is shorter than the best
	step   []int64 // by city: of the multiplier
	last   []int16 // by city: the degree less two, one step ago
	best   []int64 // by city: the multipliers of the best bound of this ascent
	mean   []int64 // by city: a mean of the degrees less two, times meanOne

	proof   *proof
	limit   func() int64       // the best tour's length
	found   func(tour []int16) // has found a tour that is shorter than the limit
	bounded func(bound int64)  // has raised the bound of the root; nil: nobody wants to know
	aborted func() bool        // tells that what comes out will not be used; nil: it will
}

// wanted tells whether the steps of the root, which may take minutes, are worth going on with.
func (s *search) wanted() bool { return s.aborted == nil || !s.aborted() }

// raised tells the bound of the root.
func (s *search) raised(bound int64) {
	if s.bounded != nil {
		s.bounded(bound)
	}
}

// multiplierMax bounds multipliers, so that a weight and everything made of it fits in 64 bits.
const multiplierMax = 1 << 40

// shift moves a multiplier, and notes the step.
func (s *search) shift(c int, to int64) {
	to = min(max(to, -multiplierMax), multiplierMax)
	s.step[c] = to - s.pi[c]
	s.pi[c] = to
}

// back returns to the multipliers of the best bound.
func (s *search) back() int64 {
	s.move(s.best)
	return s.build()
}

// move goes to these multipliers.
func (s *search) move(pi []int64) {
	for c, p := range pi {
		s.shift(c, p)
	}
	s.weigh(s.step)
}

// begin starts an ascent.
func (s *search) begin() {
	s.best = append(s.best[:0], s.pi...)
	s.step = append(s.step[:0], s.pi...) // for its length
}

const (
	firstShare = 32 // of 64: the share of the gap that the first steps are to close
	staleMax   = 3  // steps without a better bound until they become shorter
)

// ascend improves the multipliers by some steps of Held and Karp with Volgenant and Jonker's
// memory of two directions. The best are in pi when it returns their bound, and their 1-tree
// is built. It stops when the node is closed. The share of the gap that steps are to close is
// in 64ths, and shrinks.
func (s *search) ascend(steps int, share int64) int64 {
	best := s.build()
	if best > s.cutoff {
		return best
	}
	s.begin()
	s.last = s.last[:0]
	for _, d := range s.degree {
		s.last = append(s.last, d-2)
	}
	bound, stale := best, 0
	for k := 0; k < steps && s.wanted(); k++ {
		norm := s.excess()
		if norm == 0 {
			break
		}
		t := (s.cutoff + scale - bound) / 64 * share / norm
		if t <= 0 {
			break
		}
		for c, d := range s.degree {
			s.shift(c, s.pi[c]+t*int64(7*(d-2)+3*s.last[c])/10)
			s.last[c] = d - 2
		}
		s.weigh(s.step)
		bound = s.build()
		if bound > s.cutoff {
			return bound
		}
		if bound > best {
			best, stale = bound, 0
			copy(s.best, s.pi)
		} else if stale++; stale == staleMax {
			share, stale = share*3/4, 0
		}
	}
	if bound != best {
		bound = s.back()
	}
	return bound
}

const (
	meanOne    = 1 << 16
	shareOne   = 1 << 20
	redsMax    = 10   // steps without a better bound until they become shorter
	weightOne  = 1024 // of a 1-tree in the mean
	weightMax  = 100
	weightMin  = 10
	reviewEach = 100 // steps
)

// climb improves the multipliers from afar, by the volume algorithm of Barahona and Anbil: steps
// lead from the best point along a mean of the degrees of all 1-trees so far. Where cities stand in
// clusters, the degrees within them swing and cancel out, and what remains moves whole clusters at
// once; a plain subgradient gets stuck there.
func (s *search) climb(steps int) int64 {
	best := s.build()
	if best > s.cutoff {
		return best
	}
	s.begin()
	s.mean = s.mean[:0]
	for _, d := range s.degree {
		s.mean = append(s.mean, int64(d-2)*meanOne)
	}
	share, heaviest, reds, review := int64(shareOne/2), int64(weightMax), 0, best
	for k := 0; k < steps && s.wanted(); k++ {
		if k%reviewEach == reviewEach-1 {
			if best-review < (s.cutoff+scale-best)/100 {
				heaviest = max(heaviest/2, weightMin)
			}
			review = best
		}
		if !s.follow(((s.cutoff + scale - best) >> 10) * share >> 10) {
			break
		}
		bound := s.build()
		if bound > s.cutoff {
			return bound
		}
		along := s.blend(heaviest)
		if bound > best {
			best, reds = bound, 0
			copy(s.best, s.pi)
			if along >= 0 {
				share = min(share*11/10, 2*shareOne)
			}
		} else if reds++; reds == redsMax {
			share, reds = max(share*2/3, 8), 0
		}
	}
	return s.back()
}

// follow goes from the best multipliers along the mean, towards a gain of so much. It returns false
// when the mean is that of tours, and leads nowhere.
func (s *search) follow(gain int64) bool {
	var norm int64
	for _, m := range s.mean {
		norm += m * m >> 16
	}
	if norm == 0 || gain <= 0 {
		return false
	}
	for c, m := range s.mean {
		s.shift(c, s.best[c]+scaled(gain, m, norm))
	}
	s.weigh(s.step)
	return true
}

// blend adds the 1-tree to the mean, with the weight that makes the mean smallest. It returns the
// product of both before: negative where the steps are too long.
func (s *search) blend(heaviest int64) int64 {
	var along, across, apart int64
	for c, m := range s.mean {
		d := int64(s.degree[c]-2) * meanOne
		along += d * m >> 16
		across += (m - d) * m >> 16
		apart += (m - d) * (m - d) >> 16
	}
	weight := heaviest
	if apart > 0 {
		weight = min(max(across*weightOne/apart, heaviest/10), heaviest)
	}
	for c, m := range s.mean {
		s.mean[c] += weight * (int64(s.degree[c]-2)*meanOne - m) / weightOne
	}
	return along
}

// scaled is a*b/c without overflow on the way; a and c are positive.
func scaled(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(max(b, -b)))
	q := uint64(multiplierMax)
	if hi < uint64(c) {
		q, _ = bits.Div64(hi, lo, uint64(c))
		q = min(q, multiplierMax)
	}
	if b < 0 {
		return -int64(q)
	}
	return int64(q)
}

// lower takes over the best tour's length.
func (s *search) lower() { s.cutoff = (s.limit() - 1) * scale }

// complete tells whether the edges in are a tour, which closes the node.
func (s *search) complete() bool {
	if s.chosen < s.cities {
		return false
	}
	if s.fixing.cost <= s.cutoff {
		s.report()
	}
	s.proof.dead()
	return true
}

// report hands over the tour that the 1-tree is.
func (s *search) report() {
	s.found(s.tour())
	s.lower()
}
