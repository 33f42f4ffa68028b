// Package cuts finds inequalities that all tours satisfy and a solution of a linear program does
// not: subtours, by cuts of the graph of its edges, and combs, which are blossoms of that graph or
// of one in which sets of cities are one.
package cuts

import "slices"

// Cut is such an inequality: the edges that leave its sets, each counted for each set that it
// leaves, are no fewer than Right. One set is a subtour. More are a comb: a handle, and then an odd
// number of teeth, which have no city in common and are inside and outside of the handle.
type Cut struct{ Sets [][]int16 }

// Right is the least number of edges.
func (c Cut) Right() int {
	if len(c.Sets) == 1 {
		return 2
	}
	return 3*(len(c.Sets)-1) + 1
}

// Solution is that of a linear program, as a graph: its edges with a value above 0.
type Solution struct {
	Cities int
	U, V   []int16
	X      []float64
}

const (
	violated = 1e-3 // by how much, at least, for a cut to be of use
	near     = 1e-6 // to a whole number
)

// Connected are the sets of cities without edges between them, where there are several.
func (g *Solution) Connected() [][]int16 {
	join := unions(g.Cities)
	for e := range g.U {
		join.union(g.U[e], g.V[e])
	}
	sets := join.sets()
	if len(sets) == 1 {
		return nil
	}
	return sets
}

// Value is by how much a cut is violated.
func (g *Solution) Value(c Cut) float64 {
	miss := float64(c.Right())
	inside := make([]bool, g.Cities)
	for _, set := range c.Sets {
		for _, city := range set {
			inside[city] = true
		}
		for e := range g.U {
			if inside[g.U[e]] != inside[g.V[e]] {
				miss -= g.X[e]
			}
		}
		for _, city := range set {
			inside[city] = false
		}
	}
	return miss
}

// joint is a union-find.
type joint []int16

func unions(n int) joint {
	j := make(joint, n)
	for c := range j {
		j[c] = int16(c)
	}
	return j
}

func (j joint) find(c int16) int16 {
	for j[c] != c {
		j[c] = j[j[c]]
		c = j[c]
	}
	return c
}

func (j joint) union(a, b int16) bool {
	a, b = j.find(a), j.find(b)
	if a == b {
		return false
	}
	j[max(a, b)] = min(a, b)
	return true
}

// sets are what is joined, in the order of the first of each.
func (j joint) sets() [][]int16 {
	at := make([]int, len(j))
	var sets [][]int16
	for c := range j {
		r := j.find(int16(c))
		if int(r) == c {
			at[c] = len(sets)
			sets = append(sets, nil)
		}
		sets[at[r]] = append(sets[at[r]], int16(c))
	}
	return sets
}

// smaller is the set, or the cities outside of it, if they are fewer.
func smaller(set []int16, n int) []int16 {
	if 2*len(set) < n || 2*len(set) == n && slices.Contains(set, 0) {
		slices.Sort(set)
		return set
	}
	inside := make([]bool, n)
	for _, c := range set {
		inside[c] = true
	}
	var rest []int16
	for c := range int16(n) {
		if !inside[c] {
			rest = append(rest, c)
		}
	}
	return rest
}
