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
	in      []int32   // those
	bundles [][]int32 // by item.at: the items of the instance
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
		switch {
		case p == 0 || w > v.Capacity:
		case w == 0:
			g.profit += p
			g.in = append(g.in, int32(k))
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
		copies := 1
		for copies < len(order) && same(order[0], order[copies]) {
			copies++
		}
		for size := 1; copies > 0; size *= 2 {
			size = min(size, copies)
			copies -= size
			p, w := v.Profits[order[0]]*int64(size), v.Weights[order[0]]*int64(size)
			items = append(items, item{p, w, int32(len(g.bundles)), int32(size)})
			g.bundles = append(g.bundles, order[:size:size])
			order = order[size:]
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
	t := Packing{Items: slices.Clone(g.in)}
	for _, at := range chosen {
		t.Items = append(t.Items, g.bundles[at]...)
	}
	slices.Sort(t.Items)
	for _, k := range t.Items {
		t.Value += v.Profits[k]
		t.Weight += v.Weights[k]
	}
	return t
}
