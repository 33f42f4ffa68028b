package cuts

import (
	"cmp"
	"slices"
)

// combs looks for combs whose teeth are edges of the shrunk graph, by handles that may be good.
// These are what edges of values near neither 0 nor 1 join, as Padberg and Hong (Mathematical
// Programming Study 12, 1980) and Grötschel and Holland (Mathematical Programming 51, 1991) do.
// Others are the sides of a tree of least cuts: one of them is that of a most violated blossom, as
// Letchford, Reinelt and Theis (SIAM Journal on Discrete Mathematics 22, 2008) show.
func (s *shrunk) combs() []Cut {
	var cuts []Cut
	for _, width := range [...]float64{near, 0.05, 0.1, 0.2, 0.3} {
		join := unions(len(s.sets))
		for e := range s.u {
			if s.x[e] > width && s.x[e] < 1-width {
				join.union(s.u[e], s.v[e])
			}
		}
		for _, set := range join.sets() {
			cuts = s.handle(cuts, set)
		}
	}
	for _, set := range s.leastCuts() {
		cuts = s.handle(cuts, set)
	}
	return cuts
}

// handle appends the comb with this handle if there is one that is violated: its teeth are edges
// that leave it.
func (s *shrunk) handle(cuts []Cut, nodes []int16) []Cut {
	if len(nodes) < 2 || len(nodes) > len(s.sets)-2 {
		return cuts
	}
	inside := make([]bool, len(s.sets))
	for _, k := range nodes {
		inside[k] = true
	}
	teeth, ok := s.teeth(inside, nodes)
	if !ok {
		return cuts
	}
	if teeth = s.apart(inside, teeth); len(teeth) < 3 {
		return cuts
	}
	var handle []int16
	for k, in := range inside {
		if in {
			handle = append(handle, s.sets[k]...)
		}
	}
	cut := Cut{[][]int16{smaller(handle, s.cities)}}
	for _, e := range teeth {
		tooth := s.citiesOf(s.u[e], s.v[e])
		slices.Sort(tooth)
		cut.Sets = append(cut.Sets, tooth)
	}
	slices.SortFunc(cut.Sets[1:], func(a, b []int16) int { return cmp.Compare(a[0], b[0]) })
	return append(cuts, cut)
}

// teeth are the edges that leave a handle with a value above a half. Where their number is even,
// the edge for which that costs least is on the other side. It tells whether they violate.
func (s *shrunk) teeth(inside []bool, nodes []int16) (teeth []int32, violates bool) {
	rest, best, turned := 0.0, int32(-1), 2.0
	for _, k := range nodes {
		for _, e := range s.edges(k) {
			if inside[s.far(e, k)] {
				continue
			}
			x := s.x[e]
			if x > 0.5 {
				teeth = append(teeth, e)
			}
			rest += min(x, 1-x)
			if cost := max(x, 1-x) - min(x, 1-x); cost < turned {
				best, turned = e, cost
			}
		}
	}
	if len(teeth)%2 == 0 {
		if best < 0 {
			return nil, false
		}
		rest += turned
		if k := slices.Index(teeth, best); k >= 0 {
			teeth = slices.Delete(teeth, k, k+1)
		} else {
			teeth = append(teeth, best)
		}
	}
	return teeth, rest <= 1-violated
}

// apart leaves teeth without a node in common: of two that have one, both are left out, and the
// node changes its side, which violates no less.
func (s *shrunk) apart(inside []bool, teeth []int32) []int32 {
	at := make(map[int16]int32) // by node: the tooth that has it, and one more
	gone := make(map[int32]bool)
	for again := true; again; {
		again = false
		clear(at)
		for _, e := range teeth {
			if gone[e] {
				continue
			}
			for _, k := range [2]int16{s.u[e], s.v[e]} {
				if other := at[k]; other > 0 && !gone[other-1] && !gone[e] {
					gone[e], gone[other-1] = true, true
					inside[k] = !inside[k]
					again = true
				}
				at[k] = e + 1
			}
		}
	}
	return slices.DeleteFunc(teeth, func(e int32) bool { return gone[e] })
}

// Blossoms finds combs whose teeth are edges.
func (g *Solution) Blossoms() []Cut { return g.shrink(unions(g.Cities)).combs() }

// Combs finds combs in the graph in which these sets, each left by edges of value 2, are nodes,
// for as far as they do not cross each other.
func (g *Solution) Combs(tight [][]int16) []Cut {
	var cuts []Cut
	slices.SortStableFunc(tight, func(a, b []int16) int { return cmp.Compare(len(a), len(b)) })
	whole := make([]bool, len(tight))
	for k, set := range tight {
		whole[k] = !g.fractional(set)
	}
	for _, most := range [...]int{4, 10, g.Cities / 2} {
		join := unions(g.Cities)
		count := 0
		for k, set := range tight {
			if len(set) <= most && !whole[k] && fits(join, set) {
				for _, c := range set[1:] {
					join.union(set[0], c)
				}
				count++
			}
		}
		if count > 0 {
			cuts = append(cuts, g.shrink(join).combs()...)
		}
	}
	return cuts
}

// fits tells whether a set is made of whole sets of those that are joined.
func fits(join joint, set []int16) bool {
	inside := make([]bool, len(join))
	for _, c := range set {
		inside[join.find(c)] = true
	}
	size := 0
	for c := range join {
		if inside[join.find(int16(c))] {
			size++
		}
	}
	return size == len(set)
}

// fractional tells whether a set has an edge inside that is neither in nor out.
func (g *Solution) fractional(set []int16) bool {
	inside := make([]bool, g.Cities)
	for _, c := range set {
		inside[c] = true
	}
	for e := range g.U {
		if g.X[e] < 1-near && inside[g.U[e]] && inside[g.V[e]] {
			return true
		}
	}
	return false
}
