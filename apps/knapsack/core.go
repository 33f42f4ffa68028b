package knapsack

import (
	"math"
	"math/bits"
)

// core solves a problem by dynamic programming over lists of states, from the break item outwards
// (Pisinger, A minimal algorithm for the 0-1 knapsack problem, Operations Research 45, 1997).
// States that have no less weight and no more profit than another are dropped, and those whose
// bound is not above the best value known.
type core struct {
	q         *problem
	z         int64 // states must get above
	now, next []state
	s, t      int     // the next items to be taken out, and put in
	steps     []int32 // the items decided, in order
	trail     trail
	work      int64   // states looked at
	growth    float64 // of the list, had it not been thinned, as a power of two
	peak      float64 // the largest growth
	spread    int64   // the largest difference of two states' weights

	width   int     // states that are kept
	thinned bool    // whether some were not
	bounds  []int64 // of thin
	spare   []int64

	best      state // the best state found, if found
	bestSteps int   // how many items were decided when it was
	found     bool
}

// run solves the problem, as far as it is about values above z, and tells whether it has. It gives
// up when workMax states were looked at. Of more than width states it keeps the most promising, and
// has not solved the problem then unless what it has found is worth ceiling, a bound on all
// choices. again is asked now and then for a z that may have grown, and whether to go on.
func (c *core) run(q *problem, z, ceiling int64, width int, workMax int64, again func() (z int64, ok bool)) bool {
	b := q.middle
	c.q, c.z, c.found, c.work = q, z, false, 0
	c.growth, c.peak, c.spread = 0, 0, 0
	c.steps = c.steps[:0]
	c.trail.reset()
	c.s, c.t = b-1, b
	c.width, c.thinned = width, false
	c.now = append(c.now[:0], state{w: q.w[b], p: q.p[b]})
	c.meet(&c.now[0])
	for len(c.now) > 0 && c.z < ceiling && (c.s >= 0 || c.t < len(q.items)) {
		c.turn()
		if len(c.steps)%askEvery == 0 {
			z, ok := again()
			if c.z = max(c.z, z); !ok {
				return false
			}
		}
		if c.work > workMax {
			return false
		}
	}
	return !c.thinned || c.z >= ceiling
}

// askEvery is how many steps go between questions for a better value.
const askEvery = 4

// turn decides the next item on each side, unless its bound tells that it does not change.
func (c *core) turn() {
	if j := c.t; j < len(c.q.items) {
		c.t++
		if x := c.q.items[j]; c.q.with(j) > c.z {
			c.step(j, x.w, x.p)
		}
	}
	if j := c.s; j >= 0 {
		c.s--
		if x := c.q.items[j]; c.q.without(j) > c.z {
			c.step(j, -x.w, -x.p)
		}
	}
}

// grown takes note of how the list has grown by a step.
func (c *core) grown(before int) {
	if n := len(c.now); n > 0 {
		c.growth += math.Log2(float64(n) / float64(before))
		c.peak = max(c.peak, c.growth)
		c.spread = max(c.spread, c.now[n-1].w-c.now[0].w)
	}
}

// size guesses how many states, as a power of two, an untouched list would have had: as it grew,
// but no more than there are weights between its ends. Long lists have more dominated states than
// thinned ones, so it guesses high.
func (c *core) size() int { return min(int(c.peak), bits.Len64(uint64(c.spread))) }

// meet takes note of a state that fits and is better than all before.
func (c *core) meet(x *state) {
	if x.w <= c.q.room && x.p > c.z {
		c.z, c.best, c.bestSteps, c.found = x.p, *x, len(c.steps), true
	}
}

// step decides an item: each state stays, or changes by the item.
func (c *core) step(j int, w, p int64) {
	c.steps = append(c.steps, int32(j))
	a := c.now
	c.work += int64(2 * len(a))
	need := 2 * len(a)
	if cap(c.next) < need {
		c.next = make([]state, need+need/4)
	}
	out := c.next[:need]
	g := c.gate()
	n := 0
	top := int64(-1) << 62
	i, k := 0, 0
	for i < len(a) || k < len(a) {
		var x state
		if k >= len(a) || i < len(a) && (a[i].w < a[k].w+w || a[i].w == a[k].w+w && a[i].p >= a[k].p+p) {
			x = a[i]
			x.bits <<= 1
			i++
		} else {
			x = a[k]
			x.w += w
			x.p += p
			x.bits = x.bits<<1 | 1
			k++
		}
		if x.p <= top {
			continue
		}
		top = x.p
		if x.w <= g.room && x.p > c.z {
			c.meet(&x)
		}
		if g.open(&x, c.z) {
			out[n] = x
			n++
		}
	}
	c.now, c.next = out[:n], a
	c.grown(len(a))
	if len(c.now) > 2*c.width { // so that it is not thinned at each step
		c.thin(c.width)
		c.thinned = true
	}
	c.trail.done(c.now)
}

// gate is what decides whether a state may become better than the best: with room left, by the next
// item to be put in, and with too much weight, by the next to be taken out.
type gate struct {
	room           int64
	tp, tw, sp, sw int64
	noIn, noOut    bool
}

func (c *core) gate() gate {
	g := gate{room: c.q.room, noIn: c.t >= len(c.q.items), noOut: c.s < 0}
	if !g.noIn {
		g.tp, g.tw = c.q.items[c.t].p, c.q.items[c.t].w
	}
	if !g.noOut {
		g.sp, g.sw = c.q.items[c.s].p, c.q.items[c.s].w
	}
	return g
}

func (g *gate) open(x *state, z int64) bool {
	if x.w <= g.room {
		// p + floor((room-w)·tp/tw) > z, where p ≤ z
		return !g.noIn && atLeast(g.room-x.w, g.tp, z+1-x.p, g.tw)
	}
	d := x.p - z - 1
	return d >= 0 && !g.noOut && atLeast(d, g.sw, x.w-g.room, g.sp)
}

// chosen is the best state's choice, by position in the problem.
func (c *core) chosen() []int32 {
	in := make([]bool, len(c.q.items))
	for k := range c.q.middle {
		in[k] = true
	}
	c.trail.changes(c.best.bits, c.best.from, c.bestSteps, func(step int) {
		in[c.steps[step]] = !in[c.steps[step]]
	})
	var out []int32
	for k, yes := range in {
		if yes {
			out = append(out, int32(k))
		}
	}
	return out
}
