package check

import "math"

const (
	never = math.MaxInt64 / 8 // more than any bound
	one   = 1024              // units of a length
)

// tree is a smallest 1-tree of a node, and what another decision about an edge would cost.
type tree struct {
	pi     []int64
	leaf   int
	at     []int // cities but leaf, in the order in which they joined
	parent []int
	depth  []int
	key    []int64
	heavy  [][]int64 // by city and city: the heaviest open edge of the tree between them
	spare  []int64   // by city: the lightest open edge that replaces the one to its parent
	ends   [3]int    // the leaf's two neighbours in the 1-tree, and the next one; -1: none
}

func newTree(n int) *tree {
	t := &tree{parent: make([]int, n), depth: make([]int, n), key: make([]int64, n), spare: make([]int64, n), heavy: make([][]int64, n)}
	for c := range t.heavy {
		t.heavy[c] = make([]int64, n)
	}
	return t
}

// weight of an edge; edges in are lighter than all others where a tree is chosen.
func (t *tree) weight(s *sides, u, v int) int64 { return s.cost[u*s.n+v]*one + t.pi[u] + t.pi[v] }

// grow makes the 1-tree by Prim's algorithm and returns its bound; ok is false where there is none.
func (t *tree) grow(s *sides, pi []int64, leaf int) (bound int64, ok bool) {
	t.pi, t.leaf, t.at = pi, leaf, t.at[:0]
	n := s.n
	const absent = -2
	joined := make([]bool, n)
	for c := range n {
		t.parent[c], t.key[c] = absent, never
	}
	start := 0
	if leaf == 0 {
		start = 1
	}
	t.parent[start] = -1
	for c := start; c >= 0; {
		joined[c] = true
		t.at = append(t.at, c)
		t.depth[c] = 0
		if p := t.parent[c]; p >= 0 {
			t.depth[c] = t.depth[p] + 1
			bound += t.weight(s, c, p)
		}
		next := -1
		for d := range n {
			if joined[d] || d == leaf {
				continue
			}
			k := int64(never)
			switch s.of[c*n+d] {
			case in:
				k = -never
			case open:
				k = t.weight(s, c, d)
			}
			if k < t.key[d] {
				t.key[d], t.parent[d] = k, c
			}
			if t.parent[d] != absent && (next < 0 || t.key[d] < t.key[next]) {
				next = d
			}
		}
		c = next
	}
	if len(t.at) < n-1 || !t.hang(s) {
		return 0, false
	}
	for c := range n {
		bound -= 2 * pi[c]
	}
	return bound + t.weight(s, leaf, t.ends[0]) + t.weight(s, leaf, t.ends[1]), true
}

// hang chooses the leaf's edges: those in, and then the lightest.
func (t *tree) hang(s *sides) bool {
	t.ends = [3]int{-1, -1, -1}
	rank := func(c int) int64 {
		if s.of[t.leaf*s.n+c] == in {
			return -never
		}
		return t.weight(s, t.leaf, c)
	}
	for c := range s.n {
		if s.of[t.leaf*s.n+c] == out {
			continue
		}
		for k, e := range t.ends {
			if e < 0 || rank(c) < rank(e) {
				copy(t.ends[k+1:], t.ends[k:2])
				t.ends[k] = c
				break
			}
		}
	}
	return t.ends[1] >= 0
}

// measure finds the heaviest and the lightest edges that others would replace, or be replaced by.
func (t *tree) measure(s *sides) {
	for k, c := range t.at {
		p := t.parent[c]
		t.spare[c] = never
		link := int64(-never)
		if p >= 0 && s.of[c*s.n+p] == open {
			link = t.weight(s, c, p)
		}
		for _, d := range t.at[:k] {
			h := link
			if d != p {
				h = max(h, t.heavy[p][d])
			}
			t.heavy[c][d], t.heavy[d][c] = h, h
		}
	}
	for k, c := range t.at {
		for _, d := range t.at[:k] {
			if s.of[c*s.n+d] != open || t.parent[c] == d || t.parent[d] == c {
				continue
			}
			w := t.weight(s, c, d)
			for a, b := c, d; a != b; {
				if t.depth[a] < t.depth[b] {
					a, b = b, a
				}
				t.spare[a] = min(t.spare[a], w)
				a = t.parent[a]
			}
		}
	}
}

// reduce puts the open edges in and out whose other side has a bound above the cutoff.
func (t *tree) reduce(s *sides, bound, cutoff int64) {
	t.measure(s)
	room := cutoff - bound
	var puts [][3]int
	for k, c := range t.at {
		for _, d := range t.at[:k] {
			if s.of[c*s.n+d] != open {
				continue
			}
			w := t.weight(s, c, d)
			switch {
			case t.parent[c] == d && t.spare[c]-w > room, t.parent[d] == c && t.spare[d]-w > room:
				puts = append(puts, [3]int{c, d, int(in)})
			case t.parent[c] != d && t.parent[d] != c && w-t.heavy[c][d] > room:
				puts = append(puts, [3]int{c, d, int(out)})
			}
		}
	}
	puts = append(puts, t.reduceLeaf(s, room)...)
	for _, p := range puts {
		if s.dead {
			return
		}
		s.put(p[0], p[1], side(p[2]))
	}
	s.conclude()
}

// reduceLeaf does so for the edges of the leaf: the heavier of its two that is open
// is the one replaced.
func (t *tree) reduceLeaf(s *sides, room int64) (puts [][3]int) {
	x, n := t.leaf, s.n
	third := int64(never)
	if t.ends[2] >= 0 {
		third = t.weight(s, x, t.ends[2])
	}
	replaced := int64(-never) // both are in
	if s.of[x*n+t.ends[1]] == open {
		replaced = t.weight(s, x, t.ends[1])
	}
	for c := range n {
		if s.of[x*n+c] != open {
			continue
		}
		w := t.weight(s, x, c)
		switch {
		case (c == t.ends[0] || c == t.ends[1]) && third-w > room:
			puts = append(puts, [3]int{x, c, int(in)})
		case c != t.ends[0] && c != t.ends[1] && w-replaced > room:
			puts = append(puts, [3]int{x, c, int(out)})
		}
	}
	return puts
}
