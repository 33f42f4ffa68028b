package cuts

// shrunk is a graph whose nodes are sets of cities, each of which is left by edges of value 2.
type shrunk struct {
	cities int
	of     []int16   // by city: its node
	sets   [][]int16 // by node
	u, v   []int16   // the edges, between nodes
	x      []float64
	first  []int32 // by node: where its edges begin in around
	around []int32
}

// shrink makes each of these sets one node.
func (g *Solution) shrink(join joint) *shrunk {
	s := &shrunk{cities: g.Cities, of: make([]int16, g.Cities), sets: join.sets()}
	for k, set := range s.sets {
		for _, c := range set {
			s.of[c] = int16(k)
		}
	}
	at := make(map[[2]int16]int)
	for e := range g.U {
		a, b := s.of[g.U[e]], s.of[g.V[e]]
		if a == b {
			continue
		}
		pair := [2]int16{min(a, b), max(a, b)}
		k, ok := at[pair]
		if !ok {
			k = len(s.u)
			at[pair] = k
			s.u, s.v, s.x = append(s.u, pair[0]), append(s.v, pair[1]), append(s.x, 0)
		}
		s.x[k] += g.X[e]
	}
	s.index()
	return s
}

func (s *shrunk) index() {
	n := len(s.sets)
	s.first = make([]int32, n+1)
	for e := range s.u {
		s.first[s.u[e]+1]++
		s.first[s.v[e]+1]++
	}
	for k := range n {
		s.first[k+1] += s.first[k]
	}
	fill := append([]int32(nil), s.first...)
	s.around = make([]int32, 2*len(s.u))
	for e := range s.u {
		for _, k := range [2]int16{s.u[e], s.v[e]} {
			s.around[fill[k]] = int32(e)
			fill[k]++
		}
	}
}

func (s *shrunk) edges(node int16) []int32 { return s.around[s.first[node]:s.first[node+1]] }

func (s *shrunk) far(e int32, node int16) int16 { return s.u[e] ^ s.v[e] ^ node }

// citiesOf are the cities of some nodes.
func (s *shrunk) citiesOf(nodes ...int16) []int16 {
	var set []int16
	for _, k := range nodes {
		set = append(set, s.sets[k]...)
	}
	return set
}
