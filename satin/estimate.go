package satin

import (
	"math"
	"slices"
	"time"
)

// guess is what is known of a job that a fiber has taken: itself, the child of it that runs, and so
// on up the stack. It holds while the fiber is parked and waits for some of them.
//
// How much of a job is done is the part of its cost that was spent. What has ended has a cost. What
// nobody has begun is held to cost what its siblings do, after Knuth (1975), who did so along one
// path, and the weighted backtrack estimator of Kilby, Slaney, Thiébaux and Walsh (2006), which has
// all paths that were walked count; here they count as much as they have cost. That siblings differ
// in order, as those of Fibonacci numbers do, is learned from those that have ended, wherever in
// the tree; and so is by how much they differ, which says how sure all that is.
type guess struct {
	of     *shared
	levels []unfinished // from the job itself up
}

// unfinished is a running job, as a tick saw it.
type unfinished struct {
	spent  float64 // by the job itself and its finished children
	costs  costs
	trend  *trend
	direct bool   // the next level is its child
	waits  int    // its other children, in the order in which they are waited for …
	terms  []term // … and those of them that others may have
}

// term is a child that others may have taken.
type term struct {
	job   *shared
	place int // among those that wait
}

// guessedMax bounds the running jobs of a fiber that it is made of, the oldest ones.
const guessedMax = 64

// termsMax bounds a guess, to some hundred KiB. What is beyond counts as not begun: there are so
// many of them.
const termsMax = 1 << 15

// estimate notes what is known of the jobs that a fiber has taken: of the oldest ones on its stack,
// which ticks mark.
func (c *checkpoint) estimate(d *deque, now time.Duration) {
	var all []guess
	terms := 0
	for n, t := range c.tracked {
		if !t.marked || n == guessedMax {
			break
		}
		if f, ok := d.slots[t.slot].(*frame); ok {
			all, terms = append(all, guess{of: f.of}), 0
		}
		if len(all) == 0 {
			continue
		}
		l := unfinished{spent: (now - t.markedAt).Seconds(), costs: t.costs, trend: t.trend}
		end := d.top
		if n+1 < len(c.tracked) {
			end = c.tracked[n+1].slot
			if _, ok := d.slots[end].(*frame); !ok {
				if l.direct = c.tracked[n+1].marked && n+1 < guessedMax; l.direct {
					l.spent -= (now - c.tracked[n+1].markedAt).Seconds()
				} else {
					l.waits++ // as if nobody had begun it
				}
			}
		}
		l.waits += end - 1 - t.slot
		for k := t.slot + 1; k < end; k++ { // the oldest first: those others take
			if sh := d.slots[k].head().sh; sh != nil && terms < termsMax {
				l.terms = append(l.terms, term{sh, l.waits - (k - t.slot)})
				terms++
			}
		}
		slices.Reverse(l.terms)
		g := &all[len(all)-1]
		g.levels = append(g.levels, l)
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
			a := g.appraise()
			g.of.appraised.Store(&a)
			if g.hasMore() {
				g.of.progressed(a.share())
			}
		}
	}
}

// appraise goes down the stack.
func (g *guess) appraise() (a appraisal) {
	for n := len(g.levels) - 1; n >= 0; n-- {
		l := &g.levels[n]
		var child *appraisal
		if l.direct && n+1 < len(g.levels) {
			below := a
			child = &below
		}
		a = l.appraise(child)
	}
	return a
}

// hasMore tells whether children of the job are known that have not ended. Of one that has none,
// or none any more, nobody knows how far it is: it may spawn others, or do much itself.
func (g *guess) hasMore() bool {
	return len(g.levels) > 0 && (g.levels[0].direct || g.levels[0].waits > 0)
}

// siblings are what is known of some children of one job: their costs, in units of what the latest
// of them costs by the trend.
type siblings struct {
	growth         float64
	latest         int // place of the latest here that is known
	far            int // how many after it growth goes on
	sum, variance  float64
	units, squares float64
}

// ends are the places, counted from the latest, beyond which growth has no effect any more.
func (t *siblings) ends() (first, last int) {
	first, last = -math.MaxInt32, t.far
	switch {
	case t.growth > 0:
		return -int(logBack / t.growth), min(last, int(logMost/t.growth))
	case t.growth < 0:
		return -int(logMost / -t.growth), min(last, int(logBack/-t.growth))
	}
	return first, last
}

// unit is how many times the latest known child one costs.
func (t *siblings) unit(place int) float64 {
	first, last := t.ends()
	return math.Exp(t.growth * float64(min(max(place-t.latest, first), last)))
}

// sumOf is the sum of units from one place to another, to some power.
func (t *siblings) sumOf(power float64, first, last int) float64 {
	first, last = first-t.latest, last-t.latest
	from, to := t.ends()
	growth := power * t.growth
	sum := geometric(growth, max(first, from), min(last, to))
	if first < from {
		sum += float64(min(last, from-1)-first+1) * math.Exp(growth*float64(from))
	}
	if last > to {
		sum += float64(last-max(first, to+1)+1) * math.Exp(growth*float64(to))
	}
	return sum
}

// sizeBias is by how much less than one that runs a sibling is held to cost that waits, for each by
// which the variance of the logarithms of their costs is more: at any time a large one is more
// likely to run than a small one.
const sizeBias = 0.2

// add adds a child, the less the less sure is what it costs.
func (t *siblings) add(place int, a appraisal, spread float64) {
	u, all := t.unit(place), a.spent+a.left
	variance := a.left * a.left * a.variance // of what it costs
	w, bias := 1.0, 1.0
	if a.left > 0 {
		w, bias = spread/(spread+variance/(all*all)), math.Exp(-sizeBias*spread)
	}
	t.units += w * u
	t.squares += w * w * u * u
	t.sum += w * all * bias
	t.variance += w * w * variance
}

// appraise appraises the job, given its child that runs; nil: none does, or nothing is known of it.
func (l *unfinished) appraise(child *appraisal) appraisal {
	if child == nil && l.waits == 0 && l.costs.n == 0 {
		return appraisal{l.spent, l.spent, spreadUnknown, true} // what is old lives long
	}
	growth, spread, slip := l.trend.growth()
	t := siblings{growth: growth, latest: l.costs.n - 1, far: growthNear}
	first := l.costs.n // place of the first that waits
	if child != nil {
		t.latest = first
		first++
	}
	known := l.known()
	out := appraisal{spent: max(l.spent, l.costs.sum)}
	t.units, t.squares, t.sum = t.sumOf(1, 0, l.costs.n-1), t.sumOf(2, 0, l.costs.n-1), l.costs.sum
	units, waiting := t.sumOf(1, first, first+l.waits-1), l.waits-len(known)
	var going []knownChild // those that have not ended
	for _, k := range known {
		k.place += first
		units -= t.unit(k.place)
		if k.left > 0 || k.blind {
			going = append(going, k)
			continue
		}
		t.add(k.place, k.appraisal, spread)
		out.spent += k.spent
	}
	if child != nil {
		going = append(going, knownChild{l.costs.n, *child})
	}
	doubt, ended := 0.0, t
	for _, k := range going {
		a := k.appraisal
		if ended.sum > 0 {
			mean := ended.sum / ended.units * ended.unit(k.place)
			off := slip * float64(min(k.place-l.costs.n+1, growthNear))
			a = a.among(mean, spread*(1+ended.squares/(ended.units*ended.units)), off*off)
		}
		t.add(k.place, a, spread)
		out.spent += a.spent
		out.left += a.left
		doubt = math.Hypot(doubt, a.left*math.Sqrt(a.variance))
	}
	if waiting > 0 {
		far, left, deviation := l.wait(&t, spread, first, units, waiting)
		out.spent += far
		out.left += left
		doubt += deviation // it depends on the others
	}
	if out.left > 0 {
		out.variance = doubt * doubt / (out.left * out.left)
	}
	out.blind = out.left == 0 && (waiting > 0 || child != nil && child.blind)
	return out
}

// wait is what those children have spent and have left that nobody here has begun, by what the
// others cost, and the deviation of that.
func (l *unfinished) wait(t *siblings, spread float64, first int, units float64, waiting int) (spent, left, deviation float64) {
	base, variance := 0.0, spreadUnknown
	if t.sum > 0 {
		base, variance = t.sum/t.units, spread*t.squares/(t.units*t.units)+t.variance/(t.sum*t.sum)
	}
	if l.costs.n == 0 {
		// the one that runs may have begun a moment ago: a job does no more itself than
		// each of its children has to
		base = max(base, l.spent)
	}
	all := base * max(units, 0)
	spent = l.begun(t, first) * base
	return spent, max(all-spent, 0), all * math.Sqrt(variance+spread/float64(waiting))
}

// knownChild is a child that others have, of which is known what it costs.
type knownChild struct {
	place int
	appraisal
}

// known are these, in the order in which they are waited for.
func (l *unfinished) known() (all []knownChild) {
	for _, x := range l.terms {
		if a, ok := x.job.appraisal(); ok {
			all = append(all, knownChild{x.place, a})
		}
	}
	return all
}

// begun is what those have spent that other processes have, which tell how far they are and not
// what that has cost: in units of a child.
func (l *unfinished) begun(t *siblings, first int) (units float64) {
	for _, x := range l.terms {
		if _, ok := x.job.appraisal(); !ok {
			units += t.unit(first+x.place) * math.Float64frombits(x.job.progress.Load())
		}
	}
	return units
}

// appraisal is what a job costs that somebody here has taken, or that has ended.
func (h *shared) appraisal() (a appraisal, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.state {
	case done:
		return appraisal{spent: h.part.cost.Seconds()}, true
	case taken:
		if a := h.appraised.Load(); a != nil {
			return *a, true
		}
	}
	return appraisal{}, false
}

// progressed notes how far the job is, unless it has ended.
func (h *shared) progressed(share float64) {
	const most = 0.999 // only its end is all of it
	was := h.progress.Load()
	if math.Float64frombits(was) < 1 {
		h.progress.CompareAndSwap(was, math.Float64bits(min(share, most)))
	}
}
