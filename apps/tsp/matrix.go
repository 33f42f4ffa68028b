package tsp

import (
	"slices"

	"satingrid/satin"
)

// matrix is the problem as it is searched, made once a peer: the lengths of all edges between its
// nodes as a square, and which edges all tours have, and which none.
//
// The nodes of a symmetric problem are its cities. A city c of an asymmetric one is two, c where a
// tour arrives and half+c where it leaves, and its tours have the edge between both, of length 0.
// The way from c to d is the edge of half+c and d; there is no other edge. That is the
// transformation of Jonker and Volgenant (Operations Research Letters 2, 1983), with edges that are
// fixed and left out instead of very short and very long.
type matrix struct {
	n     int // nodes
	half  int // cities of an asymmetric problem; 0: it is symmetric
	w     []int32
	about *Distances // where there are too many for a square
	fixed [][2]int16 // edges that each tour has
	mates [][]int16  // by node: the other ends of its fixed edges; nil: there are none
}

func newMatrix(d *Distances, fixed [][2]int) *matrix {
	m := &matrix{n: d.Cities}
	if d.directed() {
		m.half, m.n = d.Cities, 2*d.Cities
		for c := range m.half {
			fixed = append(fixed, [2]int{c, m.half + c})
		}
	}
	if d.Points != nil {
		m.about = d
	} else {
		m.square(d)
	}
	for _, e := range fixed {
		m.fix(int16(min(e[0], e[1])), int16(max(e[0], e[1])))
	}
	return m
}

func (m *matrix) square(d *Distances) {
	m.w = make([]int32, m.n*m.n)
	for i := range m.n {
		for j := range i {
			if m.joins(int16(j), int16(i)) && i-j != m.half {
				way := int32(d.Between(i%d.Cities, j%d.Cities))
				m.w[i*m.n+j], m.w[j*m.n+i] = way, way
			}
		}
	}
}

func (m *matrix) fix(a, b int16) {
	if m.mates == nil {
		m.mates = make([][]int16, m.n)
	}
	m.fixed = append(m.fixed, [2]int16{a, b})
	m.mates[a], m.mates[b] = append(m.mates[a], b), append(m.mates[b], a)
}

func (m *matrix) at(a, b int16) int32 {
	if m.w == nil {
		return int32(m.about.Between(int(a), int(b)))
	}
	return m.w[int(a)*m.n+int(b)]
}

// row is the lengths of all edges of a node; it may be in spare, of n.
func (m *matrix) row(a int16, spare []int32) []int32 {
	if m.w == nil {
		for b := range spare {
			spare[b] = m.at(a, int16(b))
		}
		return spare
	}
	return m.w[int(a)*m.n:][:m.n]
}

// joins tells whether there is an edge between two nodes.
func (m *matrix) joins(a, b int16) bool {
	return m.half == 0 || (int(a) < m.half) != (int(b) < m.half)
}

// fixes tells whether all tours have the edge between two nodes.
func (m *matrix) fixes(a, b int16) bool { return m.mates != nil && slices.Contains(m.mates[a], b) }

// inner tells whether a node is inside a path of fixed edges.
func (m *matrix) inner(c int16) bool { return m.mates != nil && len(m.mates[c]) == 2 }

// usable tells whether a tour may have the edge between two nodes.
func (m *matrix) usable(a, b int16) bool {
	return m.joins(a, b) && (!m.inner(a) && !m.inner(b) || m.fixes(a, b))
}

// pairs are all edges that a tour may have.
func (m *matrix) pairs() [][2]int16 {
	var pairs [][2]int16
	for u := range int16(m.n) {
		for v := u + 1; v < int16(m.n); v++ {
			if m.usable(u, v) {
				pairs = append(pairs, [2]int16{u, v})
			}
		}
	}
	return pairs
}

// length is the length of a closed tour of all nodes.
func (m *matrix) length(tour []int16) int64 {
	sum, from := int64(0), tour[len(tour)-1]
	for _, c := range tour {
		sum += int64(m.at(from, c))
		from = c
	}
	return sum
}

// nodes are the nodes of a tour of cities, in its order.
func (m *matrix) nodes(cities []int) []int16 {
	tour := make([]int16, 0, m.n)
	for _, c := range cities {
		tour = append(tour, int16(c))
		if m.half > 0 {
			tour = append(tour, int16(m.half+c))
		}
	}
	return tour
}

// cities are those of a tour of all nodes. Each tour is written in one way: it begins with city 0,
// and a symmetric one goes on towards the smaller of its neighbours.
func (m *matrix) cities(tour []int16) []int {
	n := len(tour)
	at := slices.Index(tour, 0)
	before, after := tour[(at+n-1)%n], tour[(at+1)%n]
	step := 1
	if m.half == 0 && before < after || m.half > 0 && int(after) != m.half {
		step = n - 1
	}
	var cities []int
	for range n {
		if c := int(tour[at]); m.half == 0 || c < m.half {
			cities = append(cities, c)
		}
		at = (at + step) % n
	}
	return cities
}

// matrixOf is the matrix of the run.
func matrixOf(s *satin.Scope) *matrix {
	root := satin.Root[Solve](s)
	return satin.Derive(s, func() *matrix { return newMatrix(&root.Distances, root.Fixed) })
}
