package knapsack

import (
	"slices"

	"satingrid/satin"
)

// ground is the instance as the search sees it. Copies of an item are tied up in bundles
// of 1, 2, 4 and so on, which make any number of them; profits and weights are divided by
// what divides them all.
type ground struct {
	*problem
	unit    int64     // what profits were divided by
	profit  int64     // of the items that are in anyhow, which weigh nothing
	in      []taken   // those
	bundles [][]taken // by item.at: the items of the instance
}

func groundOf(s *satin.Scope) *ground {
	v := satin.Root[Solve](s)
	return satin.Derive(s, func() *ground { return newGround(v) })
}

func newGround(v *Solve) *ground {
	g := &ground{}
	var order []int32
	for k, p := range v.Profits {
		w := v.Weights[k]
		switch n := v.most(k); {
		case p == 0 || n == 0:
		case w == 0:
			g.profit += p * int64(n)
			g.in = append(g.in, taken{int32(k), n})
		default:
			order = append(order, int32(k))
		}
	}
	same := func(a, b int32) bool { return v.Profits[a] == v.Profits[b] && v.Weights[a] == v.Weights[b] }
	slices.SortFunc(order, func(a, b int32) int {
		return denser(item{v.Profits[a], v.Weights[a], a, 1}, item{v.Profits[b], v.Weights[b], b, 1})
	})
	var items []item
	for len(order) > 0 {
		first := order[0]
		var alike []taken
		for len(order) > 0 && same(first, order[0]) {
			alike = append(alike, taken{order[0], v.most(int(order[0]))})
			order = order[1:]
		}
		for _, b := range tie(alike) {
			n := size(b)
			items = append(items, item{v.Profits[first] * int64(n), v.Weights[first] * int64(n), int32(len(g.bundles)), n})
			g.bundles = append(g.bundles, b)
		}
	}
	var weight int64
	for _, x := range items {
		g.unit, weight = gcd(g.unit, x.p), gcd(weight, x.w)
	}
	for k := range items {
		items[k].p /= g.unit
		items[k].w /= weight
	}
	g.problem = newProblem(items, v.Capacity/max(weight, 1))
	return g
}

// gcd is the greatest common divisor; gcd(0, b) is b.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// value is the whole profit of a profit in the ground's units.
func (g *ground) value(p int64) int64 { return g.profit + p*max(g.unit, 1) }

// scaled is the inverse of value.
func (g *ground) scaled(value int64) int64 { return (value - g.profit) / max(g.unit, 1) }

// packing is what a choice of items of the ground comes to.
func (g *ground) packing(v *Solve, chosen []int32) Packing {
	all := slices.Clone(g.in)
	for _, at := range chosen {
		all = append(all, g.bundles[at]...)
	}
	return v.packing(all)
}
