package tsp

import (
	"cmp"
	"math"
	"slices"
)

// arc is a free edge where the search for the smallest 1-tree needs it.
type arc struct {
	w    int64 // cost and the multipliers of both ends
	edge int32
	u, v int16
}

// relaxation is the smallest 1-tree of a node: a spanning tree of the edges that are not out, with
// all that are in, and the second smallest edge of one of its leaves. Which leaf gives the largest
// bound is found anew each time; the bound of each holds.
type relaxation struct {
	fixing
	pi      []int64 // by city: the multipliers
	work    int64   // edges and cities looked at, by which jobs measure themselves
	arcs    []arc   // the free edges by weight
	taken   []bool  // by arc: in the spanning tree
	degree  []int16 // of the 1-tree
	leaf    int16   // whose second edge closes the 1-tree
	second  int32   // the arc of that edge
	base    []int16 // union-find over the paths of edges in
	join    []int16 // union-find of the spanning tree
	seconds []int32 // by city: the arc of a leaf's second edge
}

// refresh lists the free edges anew, in order.
func (r *relaxation) refresh() {
	r.arcs = r.arcs[:0]
	for e := range r.u {
		if r.state[e] == free {
			u, v := r.u[e], r.v[e]
			r.arcs = append(r.arcs, arc{r.graph.cost[e] + r.pi[u] + r.pi[v], int32(e), u, v})
		}
	}
	slices.SortFunc(r.arcs, compareArcs)
	r.rebase()
}

func compareArcs(a, b arc) int {
	if c := cmp.Compare(a.w, b.w); c != 0 {
		return c
	}
	return cmp.Compare(a.edge, b.edge)
}

// rebase joins what the edges in join.
func (r *relaxation) rebase() {
	n := r.cities
	r.base = r.base[:0]
	for c := range n {
		r.base = append(r.base, int16(c))
	}
	for _, c := range r.trail {
		if c.to == in {
			a, b := find(r.base, r.u[c.edge]), find(r.base, r.v[c.edge])
			r.base[a] = b
		}
	}
	for c := range n {
		r.base[c] = find(r.base, int16(c))
	}
}

func find(join []int16, c int16) int16 {
	for join[c] != c {
		join[c] = join[join[c]]
		c = join[c]
	}
	return c
}

// movesMax is how many places an edge may move on average before sorting is faster than inserting.
const movesMax = 16

// weigh adds steps to the multipliers' share of the weights and restores the order: nearly sorted
// already, so that inserting is fast.
func (r *relaxation) weigh(step []int64) {
	arcs := r.arcs
	moves := movesMax * len(arcs)
	for k := range arcs {
		a := arcs[k]
		a.w += step[a.u] + step[a.v]
		j := k
		for j > 0 && (arcs[j-1].w > a.w || arcs[j-1].w == a.w && arcs[j-1].edge > a.edge) {
			arcs[j] = arcs[j-1]
			j--
		}
		arcs[j] = a
		if moves -= k - j; moves < 0 {
			for k++; k < len(arcs); k++ {
				arcs[k].w += step[arcs[k].u] + step[arcs[k].v]
			}
			slices.SortFunc(arcs, compareArcs)
			return
		}
	}
}

// impossible is the bound of a node without a 1-tree.
const impossible = math.MaxInt64

// build makes the smallest 1-tree and returns its weight less twice the multipliers: a lower bound
// of all tours of the node.
func (r *relaxation) build() int64 {
	n := r.cities
	r.join = append(r.join[:0], r.base...)
	r.degree = append(r.degree[:0], r.degIn...)
	if cap(r.taken) < len(r.arcs) {
		r.taken = make([]bool, len(r.arcs)+len(r.arcs)/2)
	}
	r.taken = r.taken[:len(r.arcs)]
	clear(r.taken)
	r.work += int64(len(r.arcs) + n)
	need := n - 1 - r.chosen
	cost := r.fixing.cost
	join, degree := r.join, r.degree
	for k := range r.arcs {
		if need == 0 {
			break
		}
		x := &r.arcs[k]
		a, b := find(join, x.u), find(join, x.v)
		if a == b {
			continue
		}
		join[a] = b
		degree[x.u]++
		degree[x.v]++
		r.taken[k] = true
		cost += r.graph.cost[x.edge]
		need--
	}
	if need > 0 {
		return impossible
	}
	if !r.close() {
		return impossible
	}
	x := &r.arcs[r.second]
	degree[x.u]++
	degree[x.v]++
	cost += r.graph.cost[x.edge]
	for c, p := range r.pi {
		cost += p * int64(degree[c]-2)
	}
	return cost
}

// close finds the leaf with the largest second edge.
func (r *relaxation) close() bool {
	n := r.cities
	r.seconds = r.seconds[:0]
	leaves := 0
	for c := range n {
		if r.degree[c] == 1 {
			r.seconds = append(r.seconds, -1)
			leaves++
		} else {
			r.seconds = append(r.seconds, 0)
		}
	}
	last := int32(-1)
	for k := range r.arcs {
		if r.taken[k] {
			continue
		}
		x := &r.arcs[k]
		for _, c := range [2]int16{x.u, x.v} {
			if r.seconds[c] < 0 {
				r.seconds[c] = int32(k)
				r.leaf, last = c, int32(k)
				leaves--
			}
		}
		if leaves == 0 {
			break
		}
	}
	r.second = last
	if leaves > 0 {
		r.leaf = int16(slices.IndexFunc(r.seconds, func(k int32) bool { return k < 0 }))
		return false
	}
	return last >= 0
}

// excess is the sum of squares of the degrees less two: zero for a tour.
func (r *relaxation) excess() int64 {
	var sum int64
	for _, d := range r.degree {
		sum += int64(d-2) * int64(d-2)
	}
	return sum
}

// tour lists the cities of a 1-tree that is a tour.
func (r *relaxation) tour() []int16 {
	next := make([][2]int16, r.cities)
	filled := make([]int8, r.cities)
	join := func(u, v int16) {
		next[u][filled[u]], next[v][filled[v]] = v, u
		filled[u]++
		filled[v]++
	}
	for _, c := range r.trail {
		if c.to == in {
			join(r.u[c.edge], r.v[c.edge])
		}
	}
	if r.chosen < r.cities {
		for k, x := range r.arcs {
			if r.taken[k] || int32(k) == r.second {
				join(x.u, x.v)
			}
		}
	}
	tour := make([]int16, 0, r.cities)
	before, c := next[0][0], int16(0)
	for range r.cities {
		tour = append(tour, c)
		to := next[c][0]
		if to == before {
			to = next[c][1]
		}
		before, c = c, to
	}
	return tour
}
