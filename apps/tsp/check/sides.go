package check

// side is what a node knows about an edge.
type side uint8

const (
	open side = iota
	in
	out
)

// sides is a node: the side of each edge, and what follows from two edges at each city
// and one single round.
type sides struct {
	n      int
	of     []side // by u*n+v and v*n+u
	ins    []int  // by city
	opens  []int
	chosen int
	length int64 // of the edges in
	cost   []int64
	trail  [][2]int
	todo   []int // cities to look at
	dead   bool  // no tour is left
}

func newSides(n int, cost []int64) *sides {
	s := &sides{n: n, cost: cost, of: make([]side, n*n), ins: make([]int, n), opens: make([]int, n)}
	for c := range n {
		s.opens[c] = n - 1
		s.of[c*n+c] = out
	}
	return s
}

func (s *sides) set(u, v int, to side) { s.of[u*s.n+v], s.of[v*s.n+u] = to, to }

// put puts an edge on a side. The node is dead if it is on the other already, or may not be there.
func (s *sides) put(u, v int, to side) {
	switch s.of[u*s.n+v] {
	case to:
		return
	case open:
	default:
		s.dead = true
		return
	}
	if to == in && (s.ins[u] == 2 || s.ins[v] == 2) {
		s.dead = true
		return
	}
	var from, end int
	if to == in {
		from, end = s.walk(u), s.walk(v)
		if from == v && s.chosen+1 < s.n {
			s.dead = true
			return
		}
	}
	s.set(u, v, to)
	s.trail = append(s.trail, [2]int{u, v})
	s.todo = append(s.todo, u, v)
	s.opens[u]--
	s.opens[v]--
	if to == in {
		s.ins[u]++
		s.ins[v]++
		s.chosen++
		s.length += s.cost[u*s.n+v]
		if s.chosen < s.n-1 && s.of[from*s.n+end] == open {
			s.put(from, end, out)
		}
	}
}

// walk goes along the edges in from one end of a path to the other.
func (s *sides) walk(c int) int {
	before := -1
	for {
		next := -1
		if s.ins[c] > 0 {
			for d := range s.n {
				if s.of[c*s.n+d] == in && d != before {
					next = d
					break
				}
			}
		}
		if next < 0 {
			return c
		}
		before, c = c, next
	}
}

// conclude draws the conclusions from the cities whose edges have changed.
func (s *sides) conclude() {
	for len(s.todo) > 0 && !s.dead {
		c := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		to := open
		switch {
		case s.ins[c]+s.opens[c] < 2:
			s.dead = true
		case s.opens[c] == 0:
		case s.ins[c] == 2:
			to = out
		case s.ins[c]+s.opens[c] == 2:
			to = in
		}
		for d := 0; d < s.n && to != open && !s.dead; d++ {
			if s.of[c*s.n+d] == open {
				s.put(c, d, to)
			}
		}
	}
	s.todo = s.todo[:0]
}

// undo goes back to where the trail was so long, and nothing was dead.
func (s *sides) undo(mark int) {
	for _, e := range s.trail[mark:] {
		u, v := e[0], e[1]
		if s.of[u*s.n+v] == in {
			s.ins[u]--
			s.ins[v]--
			s.chosen--
			s.length -= s.cost[u*s.n+v]
		}
		s.set(u, v, open)
		s.opens[u]++
		s.opens[v]++
	}
	s.trail = s.trail[:mark]
	s.todo = s.todo[:0]
	s.dead = false
}
