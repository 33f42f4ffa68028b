package tsp

// manyNearest is how many edges of a city are handed out, beside those of the tree.
const manyNearest = 5

// wanted is asked after so many cities, some milliseconds.
const wantedEach = 64

// whole is the bound that the multipliers give with all edges that a tour may have: the smallest
// 1-tree by Prim's algorithm (Bell System Technical Journal 36, 1957), which needs no list of them.
// It returns the edges of that tree, and of each city some that are nearest under the multipliers.
// It takes time proportional to the square of the number of cities; when it is not wanted to its
// end, there is no bound, and no edges.
func (s *search) whole(m *matrix) (bound int64, edges [][2]int16) {
	n := m.n
	t := prim{spare: make([]int32, n), key: make([]int64, n), from: make([]int16, n), near: make([][]near, n)}
	for c := range t.key {
		t.key[c], t.from[c] = forever, -1
		bound -= 2 * s.pi[c]
	}
	degree := make([]int16, n)
	join := func(a, b int16) {
		bound += int64(m.at(a, b))*scale + s.pi[a] + s.pi[b]
		degree[a]++
		degree[b]++
		edges = append(edges, pair(a, b))
	}
	for k, c := 0, int16(0); c >= 0; k++ {
		if k%wantedEach == 0 && !s.wanted() {
			return -forever, nil
		}
		if f := t.from[c]; f >= 0 {
			join(f, c)
		}
		c = t.visit(m, s.pi, c)
	}
	best, leaf := int64(-forever), near{}
	for c, list := range t.near {
		for k, x := range list {
			if degree[c] == 1 && k < 2 && !t.joined(int16(c), x.city) {
				if w := x.w + s.pi[c]; w > best {
					best, leaf = w, near{city: int16(c), w: int64(x.city)}
				}
				break
			}
		}
		for _, x := range list {
			edges = append(edges, pair(int16(c), x.city))
		}
	}
	join(leaf.city, int16(leaf.w))
	return bound, ordered(edges)
}

// prim is a tree half grown.
type prim struct {
	spare []int32
	key   []int64  // by city that is not in the tree: the weight of the lightest edge to it
	from  []int16  // and that edge's other end; of a city in the tree, its parent
	near  [][]near // by city in the tree: the lightest edges
}

// near is a city and the weight of the edge to it, but for the multiplier of the other end.
type near struct {
	city int16
	w    int64
}

func (t *prim) joined(a, b int16) bool { return t.from[a] == b || t.from[b] == a }

// visit takes a city into the tree, and returns the next one, or -1.
func (t *prim) visit(m *matrix, pi []int64, c int16) (next int16) {
	row, list := m.row(c, t.spare), make([]near, 0, manyNearest+1)
	plain := m.half == 0 && m.mates == nil
	next = -1
	for d := range int16(m.n) {
		if d == c || !plain && !m.usable(c, d) {
			if t.near[d] == nil && d != c && (next < 0 || t.key[d] < t.key[next]) {
				next = d
			}
			continue
		}
		w := int64(row[d])*scale + pi[d]
		if len(list) < manyNearest || w < list[manyNearest-1].w {
			at := len(list)
			for list = append(list, near{}); at > 0 && w < list[at-1].w; at-- {
				list[at] = list[at-1]
			}
			list[at] = near{d, w}
			list = list[:min(len(list), manyNearest)]
		}
		if t.near[d] != nil {
			continue
		}
		if !plain && m.fixes(c, d) {
			w = -forever
		}
		if w += pi[c]; w < t.key[d] {
			t.key[d], t.from[d] = w, c
		}
		if next < 0 || t.key[d] < t.key[next] {
			next = d
		}
	}
	t.near[c] = list
	return next
}
