package cuts

import "slices"

// Subtours finds sets of cities that less than 2 leaves, and others that are left by just 2,
// tight, by the algorithm of Stoer and Wagner (Journal of the ACM 44, 1997), once what Padberg and
// Rinaldi (Mathematical Programming 47, 1990) shrink is one node. If there are violated sets, one
// is found.
func (g *Solution) Subtours() (found, tight [][]int16) {
	s, found := g.contract()
	n := len(s.sets)
	if n < 2 {
		return found, nil
	}
	w := make([][]float64, n) // by node and node
	for k := range w {
		w[k] = make([]float64, n)
	}
	for e := range s.u {
		w[s.u[e]][s.v[e]] += s.x[e]
		w[s.v[e]][s.u[e]] += s.x[e]
	}
	nodes := make([]int16, n) // those that are left
	merged := make([][]int16, n)
	for k := range nodes {
		nodes[k], merged[k] = int16(k), s.sets[k]
	}
	for len(nodes) > 1 {
		before, last, value := phase(w, nodes)
		if value < 2-violated {
			found = append(found, smaller(slices.Clone(merged[last]), g.Cities))
		} else if value < 2+near {
			tight = append(tight, slices.Clone(merged[last]))
		}
		merged[before] = slices.Concat(merged[before], merged[last])
		for _, k := range nodes {
			w[before][k] += w[last][k]
			w[k][before] = w[before][k]
		}
		w[before][before] = 0
		for k, x := range nodes {
			if x == last {
				nodes = append(nodes[:k], nodes[k+1:]...)
				break
			}
		}
	}
	return found, tight
}

// contract makes nodes that an edge of 1 joins one, one of which is left by edges of 2: they are on
// one side of some least cut, unless one of them is a side, which is found.
func (g *Solution) contract() (s *shrunk, found [][]int16) {
	join := unions(g.Cities)
	s = g.shrink(join)
	for more := true; more; {
		leaving := make([]float64, len(s.sets)) // by node
		for e, x := range s.x {
			leaving[s.u[e]] += x
			leaving[s.v[e]] += x
		}
		for k, set := range s.sets {
			if leaving[k] < 2-violated && len(set) < g.Cities {
				found = append(found, smaller(slices.Clone(set), g.Cities))
			}
		}
		more = false
		done := make([]bool, len(s.sets))
		for e, x := range s.x {
			u, v := s.u[e], s.v[e]
			if x > 1-near && min(leaving[u], leaving[v]) < 2+near && !done[u] && !done[v] {
				done[u], done[v], more = true, true, true
				join.union(s.sets[u][0], s.sets[v][0])
			}
		}
		if more {
			s = g.shrink(join)
		}
	}
	return s, found
}

// phase orders the nodes, each the one that is tied most to those before it. It returns the
// last two, and the value of the edges of the last.
func phase(w [][]float64, nodes []int16) (before, last int16, value float64) {
	tied := make([]float64, len(w))
	done := make([]bool, len(w))
	last = nodes[0]
	for range nodes {
		next := int16(-1)
		for _, k := range nodes {
			if !done[k] && (next < 0 || tied[k] > tied[next]) {
				next = k
			}
		}
		before, last = last, next
		done[next] = true
		row := w[next]
		for _, k := range nodes {
			if !done[k] {
				tied[k] += row[k]
			}
		}
	}
	return before, last, tied[last]
}
