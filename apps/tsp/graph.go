package tsp

// scale is how many units of a weight make one of the input's: multipliers and bounds are whole
// numbers of 1/scale, so that they are the same on every machine.
const (
	scaleBits = 10
	scale     = 1 << scaleBits
)

// What a node of the tree has decided about an edge.
const (
	free = iota
	in   // in every tour of this node
	out  // in none
)

// graph is the edges that a job's tours may use, ordered by their ends.
type graph struct {
	cities int
	u, v   []int16
	cost   []int64 // scaled
	first  []int32 // by city: where its edges start in around
	around []int32 // edges
}

// index lists the edges around each city.
func (g *graph) index() {
	n := g.cities
	g.first = append(g.first[:0], make([]int32, n+1)...)
	for e := range g.u {
		g.first[g.u[e]+1]++
		g.first[g.v[e]+1]++
	}
	for c := range n {
		g.first[c+1] += g.first[c]
	}
	g.around = append(g.around[:0], make([]int32, 2*len(g.u))...)
	fill := make([]int32, n)
	for e := range g.u {
		for _, c := range [2]int16{g.u[e], g.v[e]} {
			g.around[g.first[c]+fill[c]] = int32(e)
			fill[c]++
		}
	}
}

// of are the edges at a city.
func (g *graph) of(c int16) []int32 { return g.around[g.first[c]:g.first[c+1]] }

// far is the other end of edge e.
func (g *graph) far(e int32, c int16) int16 { return g.u[e] ^ g.v[e] ^ c }

// edge finds the edge between two cities, or -1.
func (g *graph) edge(a, b int16) int32 {
	for _, e := range g.of(a) {
		if g.far(e, a) == b {
			return e
		}
	}
	return -1
}
