package tsp

// fixing is what a node knows about its edges, and what follows from it: a city has two edges, and
// no path of chosen edges closes before it has all cities.
type fixing struct {
	graph
	state   []uint8 // by edge
	degIn   []int16 // by city: edges in
	degFree []int16
	end     []int16 // by city that ends a path of edges in: the path's other end
	chosen  int     // edges in
	cost    int64   // of the edges in
	trail   []change
	queue   []int16 // cities to look at
}

// change is one decision, kept for its undoing.
type change struct {
	edge int32
	a, b int16 // for in: the ends of the path that it made
	to   uint8
}

// reset starts with all edges free.
func (f *fixing) reset() {
	n := f.cities
	f.state = append(f.state[:0], make([]uint8, len(f.u))...)
	f.degIn = append(f.degIn[:0], make([]int16, n)...)
	f.degFree = append(f.degFree[:0], make([]int16, n)...)
	f.end = append(f.end[:0], make([]int16, n)...)
	for c := range n {
		f.end[c] = int16(c)
		f.degFree[c] = int16(f.first[c+1] - f.first[c])
	}
	f.chosen, f.cost = 0, 0
	f.trail, f.queue = f.trail[:0], f.queue[:0]
}

// exclude puts a free edge out.
func (f *fixing) exclude(e int32) {
	f.state[e] = out
	u, v := f.u[e], f.v[e]
	f.degFree[u]--
	f.degFree[v]--
	f.trail = append(f.trail, change{edge: e, to: out})
	f.queue = append(f.queue, u, v)
}

// include puts a free edge in, and tells whether it may be.
func (f *fixing) include(e int32) bool {
	u, v := f.u[e], f.v[e]
	if f.degIn[u] == 2 || f.degIn[v] == 2 {
		return false
	}
	if f.end[u] == v && f.chosen+1 < f.cities {
		return false
	}
	a, b := f.end[u], f.end[v]
	f.trail = append(f.trail, change{edge: e, a: a, b: b, to: in})
	f.end[a], f.end[b] = b, a
	f.state[e] = in
	f.degIn[u]++
	f.degIn[v]++
	f.degFree[u]--
	f.degFree[v]--
	f.chosen++
	f.cost += f.graph.cost[e]
	f.queue = append(f.queue, u, v)
	if f.chosen < f.cities-1 {
		if closing := f.edge(a, b); closing >= 0 && f.state[closing] == free {
			f.exclude(closing)
		}
	}
	return true
}

// undo takes back the changes after the first mark ones.
func (f *fixing) undo(mark int) {
	for k := len(f.trail) - 1; k >= mark; k-- {
		c := f.trail[k]
		u, v := f.u[c.edge], f.v[c.edge]
		f.state[c.edge] = free
		f.degFree[u]++
		f.degFree[v]++
		if c.to == in {
			f.end[c.a], f.end[c.b] = u, v
			f.degIn[u]--
			f.degIn[v]--
			f.chosen--
			f.cost -= f.graph.cost[c.edge]
		}
	}
	f.trail = f.trail[:mark]
	f.queue = f.queue[:0]
}

// propagate draws the conclusions from what has changed; false says that no tour is left.
func (f *fixing) propagate() bool {
	for len(f.queue) > 0 {
		c := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		switch has, may := f.degIn[c], f.degFree[c]; {
		case has+may < 2:
			return false
		case may == 0:
		case has == 2:
			for _, e := range f.of(c) {
				if f.state[e] == free {
					f.exclude(e)
				}
			}
		case has+may == 2:
			for _, e := range f.of(c) {
				if f.state[e] == free && !f.include(e) {
					return false
				}
			}
		}
	}
	return true
}
