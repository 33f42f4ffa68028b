package tsp

import (
	"math"

	"satingrid/apps/tsp/cuts"
	"satingrid/apps/tsp/lp"
)

// relaxed is a node's linear program: an edge is a column, from 0 to 1, a city a row, of which two
// edges are, and a cut another one.
type relaxed struct {
	fixing
	program lp.Simplex
	cuts    []cuts.Cut
	slack   []int   // by cut: for how many rounds it was not tight
	unit    float64 // lengths are in it
	inside  []int16 // by city
	columns []int32
	values  []float64

	pi      []int64 // by city: the potentials, in fine units
	mu      []int64 // by cut
	reduced []int64 // by edge
}

const (
	fineBits = 20
	fine     = 1 << fineBits
)

// whole is how near a value is to 0 or 1 that is called so.
const whole = 1e-6

// arm makes the program of the edges that are left and the cuts.
func (r *relaxed) arm(length int64, columns, slacks []bool) {
	n := r.cities
	for r.unit = 1; r.unit < float64(length)/float64(n); r.unit *= 2 {
	}
	rows := make([]lp.Row, n, n+len(r.cuts))
	for c := range rows {
		rows[c].Right = 2
	}
	for _, c := range r.cuts {
		rows = append(rows, lp.Row{Right: float64(c.Right()), Slack: true})
	}
	r.program.Reset(rows)
	for e := range r.u {
		u, v := r.u[e], r.v[e]
		cost := float64(r.graph.cost[e])/scale/r.unit + disturbance(u, v)
		r.program.Column(lp.Column{Cost: cost})
		r.program.Put(e, int(u), 1)
		r.program.Put(e, int(v), 1)
		r.bound(e)
	}
	r.slack = append(r.slack[:0], make([]int, len(r.cuts))...)
	for k, c := range r.cuts {
		r.crossing(c, func(e int32, sets int) { r.program.Put(int(e), n+k, float64(sets)) })
	}
	r.program.Begin(columns, slacks)
}

// disturbance is added to an edge's length, so that few are the same. It is too little to matter.
func disturbance(u, v int16) float64 {
	h := (uint32(u)<<16 | uint32(v)) * 2654435761
	h ^= h >> 15
	h *= 2246822519
	h ^= h >> 13
	return float64(float64(h%1024) * 3e-10)
}

// bound gives a column the bounds that its edge's state says.
func (r *relaxed) bound(e int) {
	switch r.state[e] {
	case in:
		r.program.Bound(e, 1, 1)
	case out:
		r.program.Bound(e, 0, 0)
	default:
		r.program.Bound(e, 0, 1)
	}
}

// crossing calls f with each edge that leaves sets of the cut, and how many.
func (r *relaxed) crossing(c cuts.Cut, f func(e int32, sets int)) {
	if len(r.inside) != r.cities {
		r.inside = make([]int16, r.cities)
	}
	bits := func(set []int16, bit int16) {
		for _, city := range set {
			r.inside[city] ^= bit
		}
	}
	// teeth have no city in common, so that a number says which one
	bits(c.Sets[0], 1)
	for k, set := range c.Sets[1:] {
		bits(set, int16(k+1)<<1)
	}
	for e := range r.u {
		a, b := r.inside[r.u[e]], r.inside[r.v[e]]
		if a == b {
			continue
		}
		sets := int((a ^ b) & 1)
		if a, b = a>>1, b>>1; a != b {
			if a > 0 {
				sets++
			}
			if b > 0 {
				sets++
			}
		}
		f(int32(e), sets)
	}
	for _, set := range c.Sets {
		for _, city := range set {
			r.inside[city] = 0
		}
	}
}

// cut adds a cut.
func (r *relaxed) cut(c cuts.Cut) {
	r.columns, r.values = r.columns[:0], r.values[:0]
	r.crossing(c, func(e int32, sets int) {
		r.columns, r.values = append(r.columns, e), append(r.values, float64(sets))
	})
	r.program.Add(lp.Row{Right: float64(c.Right()), Slack: true}, r.columns, r.values)
	r.cuts, r.slack = append(r.cuts, c), append(r.slack, 0)
}

// support is the graph of the solution.
func (r *relaxed) support() *cuts.Solution {
	g := &cuts.Solution{Cities: r.cities}
	for e := range r.u {
		if x := r.program.At(e); x > whole {
			g.U, g.V, g.X = append(g.U, r.u[e]), append(g.V, r.v[e]), append(g.X, x)
		}
	}
	return g
}

// prices rounds the duals to whole numbers, and returns the bound that they prove, in fine units,
// whatever the program has done.
func (r *relaxed) prices(from *lp.Simplex) (bound int64) {
	r.pi, r.mu = r.pi[:0], r.mu[:0]
	for c := range r.cities {
		p := r.round(from.Dual(c))
		r.pi = append(r.pi, p)
		bound += 2 * p
	}
	r.reduced = r.reduced[:0]
	for e := range r.u {
		r.reduced = append(r.reduced, r.graph.cost[e]<<(fineBits-scaleBits)-r.pi[r.u[e]]-r.pi[r.v[e]])
	}
	for k, c := range r.cuts {
		mu := max(r.round(from.Dual(r.cities+k)), 0)
		r.mu = append(r.mu, mu)
		if mu == 0 {
			continue
		}
		bound += int64(c.Right()) * mu
		r.crossing(c, func(e int32, sets int) { r.reduced[e] -= mu * int64(sets) })
	}
	for e, d := range r.reduced {
		if r.state[e] == in || r.state[e] == free && d < 0 {
			if bound += d; bound < -forever {
				return -forever
			}
		}
	}
	return bound
}

// round makes a dual a whole number.
func (r *relaxed) round(x float64) int64 {
	return int64(math.Round(min(max(float64(x*r.unit*fine), -priceMax), priceMax)))
}

// priceMax bounds prices, so that a bound fits in 64 bits.
const priceMax = 1 << 48

// looseMax is how many rounds a cut may be loose.
const looseMax = 3

// clean drops cuts that were loose for some rounds.
func (r *relaxed) clean() {
	n := r.cities
	drop := make([]bool, r.program.Rows())
	keep, any := 0, false
	for k := range r.cuts {
		if r.program.Loose(n + k) {
			r.slack[k]++
		} else {
			r.slack[k] = 0
		}
		if r.slack[k] > looseMax {
			drop[n+k] = true
			any = true
			continue
		}
		r.cuts[keep], r.slack[keep] = r.cuts[k], r.slack[k]
		keep++
	}
	if any {
		r.cuts, r.slack = r.cuts[:keep], r.slack[:keep]
		r.program.Drop(drop)
	}
}
