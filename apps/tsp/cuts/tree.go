package cuts

// leastCuts are the sides of a tree of least cuts by the algorithm of Gusfield (SIAM Journal on
// Computing 19, 1990), where an edge weighs how far its value is from a whole number. Each is of
// nodes that edges of some weight join.
func (s *shrunk) leastCuts() [][]int16 {
	join := unions(len(s.sets))
	for e := range s.u {
		if s.weight(int32(e)) > near {
			join.union(s.u[e], s.v[e])
		}
	}
	var sides [][]int16
	f := &flow{s: s, push: make([]float64, len(s.u)), from: make([]int32, len(s.sets))}
	for _, part := range join.sets() {
		if len(part) < 3 {
			continue
		}
		sides = append(sides, part)
		to := make(map[int16]int16, len(part))
		for _, k := range part {
			to[k] = part[0]
		}
		for i, k := range part[1:] {
			side := f.cut(k, to[k])
			for _, o := range part[i+2:] {
				if to[o] == to[k] && f.from[o] != unseen {
					to[o] = k
				}
			}
			sides = append(sides, side)
		}
	}
	return sides
}

// weight is how far the value of an edge is from 0 or 1.
func (s *shrunk) weight(e int32) float64 { return max(min(s.x[e], 1-s.x[e]), 0) }

// flow is a flow in the graph; each edge may be used in either direction.
type flow struct {
	s     *shrunk
	push  []float64 // by edge: from u to v
	from  []int32   // by node: the edge that a search came by
	queue []int16
}

const unseen = -1

// cut is the side of the source of a least cut.
func (f *flow) cut(source, sink int16) []int16 {
	clear(f.push)
	for f.search(source, sink) {
		least := 2.0
		for k := sink; k != source; {
			e := f.from[k]
			least = min(least, f.room(e, f.s.far(e, k)))
			k = f.s.far(e, k)
		}
		for k := sink; k != source; {
			e := f.from[k]
			if f.s.v[e] == k {
				f.push[e] += least
			} else {
				f.push[e] -= least
			}
			k = f.s.far(e, k)
		}
	}
	return append([]int16(nil), f.queue...)
}

// room is what an edge can still take, away from a node.
func (f *flow) room(e int32, node int16) float64 {
	if f.s.u[e] == node {
		return f.s.weight(e) - f.push[e]
	}
	return f.s.weight(e) + f.push[e]
}

// search looks for a way to the sink; without one the queue has all nodes that can be reached.
func (f *flow) search(source, sink int16) bool {
	for k := range f.from {
		f.from[k] = unseen
	}
	f.from[source] = int32(len(f.push))
	f.queue = append(f.queue[:0], source)
	for at := 0; at < len(f.queue); at++ {
		k := f.queue[at]
		for _, e := range f.s.edges(k) {
			if o := f.s.far(e, k); f.from[o] == unseen && f.room(e, k) > near {
				f.from[o] = e
				if o == sink {
					return true
				}
				f.queue = append(f.queue, o)
			}
		}
	}
	return false
}
