package knapsack

import "sort"

// item is a bundle of equal items that is packed whole or not at all; at is its
// position in the ground.
type item struct {
	p, w  int64
	at    int32
	count int32 // of items of the instance
}

// problem is a knapsack of its own: items that may be chosen, densest first, and the room for them.
type problem struct {
	items []item
	room  int64
	p, w  []int64 // p[k] and w[k] are the sums of the first k items
	// the break item: the first that does not fit behind all denser ones, or len(items)
	middle int
}

// newProblem makes a problem of items that are densest first, and have weights above 0.
func newProblem(items []item, room int64) *problem {
	n := len(items)
	q := &problem{items: items, room: room, p: make([]int64, n+1), w: make([]int64, n+1)}
	for k, x := range items {
		q.p[k+1], q.w[k+1] = q.p[k]+x.p, q.w[k]+x.w
	}
	q.middle = q.fill(room)
	return q
}

// fill is how many of the densest items fit into room.
func (q *problem) fill(room int64) int {
	return sort.Search(len(q.items), func(k int) bool { return q.w[k+1] > room })
}

// fraction is Dantzig's bound on the profit in this room: the last item may be cut
// (Operations Research 5, 1957).
func (q *problem) fraction(room int64) int64 {
	k := q.fill(room)
	if k == len(q.items) {
		return q.p[k]
	}
	return q.p[k] + share(room-q.w[k], q.items[k].p, q.items[k].w)
}

// bound is the bound of Martello and Toth (EJOR 1, 1977): the break item is in or out, and what is
// cut then is its denser or its less dense neighbour. It is no weaker than Dantzig's.
func (q *problem) bound() int64 {
	k := q.middle
	if k == len(q.items) {
		return q.p[k]
	}
	left := q.room - q.w[k]
	out := q.p[k]
	if k+1 < len(q.items) {
		out += share(left, q.items[k+1].p, q.items[k+1].w)
	}
	in := q.p[k] + q.items[k].p
	if k > 0 {
		x := q.items[k-1]
		// Rounded down: the profit lost is rounded up.
		in -= shareUp(q.items[k].w-left, x.p, x.w)
	} else if q.items[k].w > left {
		in = 0
	}
	return min(max(out, in), q.fraction(q.room))
}

// without bounds the profit when item j, one of the denser ones, is left out; with when item j,
// none of them, is packed.
func (q *problem) without(j int) int64 {
	x := q.items[j]
	return q.fraction(q.room+x.w) - x.p
}

func (q *problem) with(j int) int64 {
	x := q.items[j]
	if x.w > q.room {
		return -1
	}
	return q.fraction(q.room-x.w) + x.p
}

// greedy is a good choice that is found at once: the densest items and what else fits,
// or one item changed.
func (q *problem) greedy() (value int64, chosen []int32) {
	n, b := len(q.items), q.middle
	value, left := q.p[b], q.room-q.w[b]
	var first []int32
	for k := b; k < n; k++ {
		if x := q.items[k]; x.w <= left {
			left -= x.w
			value += x.p
			first = append(first, int32(k))
		}
	}
	drop, add := -1, first
	left = q.room - q.w[b]
	if b < n {
		for k := range b { // the break item instead of a denser one
			if x := q.items[k]; q.items[b].w-x.w <= left && q.p[b]-x.p+q.items[b].p > value {
				value, drop, add = q.p[b]-x.p+q.items[b].p, k, []int32{int32(b)}
			}
		}
	}
	if b > 0 {
		last := q.items[b-1]
		for k := b; k < n; k++ { // another instead of the last of the densest
			if x := q.items[k]; x.w-last.w <= left && q.p[b]-last.p+x.p > value {
				value, drop, add = q.p[b]-last.p+x.p, b-1, []int32{int32(k)}
			}
		}
	}
	for k := range b {
		if k != drop {
			chosen = append(chosen, int32(k))
		}
	}
	return value, append(chosen, add...)
}

// reduced is a problem after items were decided that no better solution has otherwise.
type reduced struct {
	*problem
	profit int64   // of the items in
	in     []int32 // by item.at
}

// reduce decides each item whose other decision bounds the profit by limit or less. It returns
// false if nothing better than limit is left.
func (q *problem) reduce(limit int64) (reduced, bool) {
	r := reduced{}
	if q.bound() <= limit {
		return r, false
	}
	room := q.room
	var free []item
	for j, x := range q.items {
		if j < q.middle {
			if q.without(j) <= limit {
				r.profit += x.p
				r.in = append(r.in, x.at)
				room -= x.w
				continue
			}
		} else if q.with(j) <= limit {
			continue
		}
		free = append(free, x)
	}
	r.problem = newProblem(free, room)
	return r, r.problem.bound()+r.profit > limit
}
