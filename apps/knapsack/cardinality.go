package knapsack

import (
	"slices"
	"sort"
)

// cardinality bounds the profit by how many items a solution can have, and how many it must have to
// be worth more than z (Martello and Toth, Upper bounds and algorithms for hard 0-1 knapsack
// problems, Operations Research 45, 1997). They are added to the profits with a multiplier; where
// profits are weights plus a constant the constant is the best one, and closes most of the gap.
// What is returned is at least z.
func (q *problem) cardinality(z int64) int64 {
	return max(z, min(q.multiply(q.most(), -1), q.multiply(q.least(z), 1)))
}

// most is how many items of the instance fit.
func (q *problem) most() int64 {
	order := slices.Clone(q.items)
	slices.SortFunc(order, func(a, b item) int {
		return denser(item{int64(a.count), a.w, a.at, 1}, item{int64(b.count), b.w, b.at, 1})
	})
	room, n := q.room, int64(0)
	for _, x := range order {
		if x.w > room {
			return n + room/(x.w/int64(x.count))
		}
		room -= x.w
		n += int64(x.count)
	}
	return n
}

// least is how many items of the instance are needed for more than z.
func (q *problem) least(z int64) int64 {
	order := slices.Clone(q.items)
	slices.SortFunc(order, func(a, b item) int {
		return denser(item{a.p, int64(a.count), a.at, 1}, item{b.p, int64(b.count), b.at, 1})
	})
	sum, n := int64(0), int64(0)
	for _, x := range order {
		if sum+x.p > z {
			each := x.p / int64(x.count)
			return n + (z-sum)/each + 1
		}
		sum += x.p
		n += int64(x.count)
	}
	return n + 1
}

// multiply is the least of the bounds for multipliers m from 0 on, of the count added with sign to
// the profits, and sign times limit taken off again. The bound is convex in m, and its slope is
// known from how many items are in.
func (q *problem) multiply(limit int64, sign int64) int64 {
	var most, count int64
	for _, x := range q.items {
		most = max(most, x.p/int64(x.count))
		count += int64(x.count)
	}
	// All sums stay within totalMax.
	most = min(most, (totalMax-q.p[len(q.items)])/(count+1))
	best := q.p[len(q.items)]
	// The slope turns up where the relaxed choice keeps the limit.
	sort.Search(int(most)+1, func(m int) bool {
		bound, count, cut := q.relaxed(sign*int64(m), limit)
		best = min(best, bound)
		return sign*(count-limit) > 0 || count == limit && (sign > 0 || !cut)
	})
	return best
}

// relaxed is Dantzig's bound when m is added to each item's profit, less m·limit. It also returns
// how many items it packs whole, and whether one is cut.
func (q *problem) relaxed(m, limit int64) (bound, count int64, cut bool) {
	items := make([]item, 0, len(q.items))
	for _, x := range q.items {
		if x.p += m * int64(x.count); x.p > 0 {
			items = append(items, x)
		}
	}
	slices.SortFunc(items, denser)
	r := newProblem(items, q.room)
	for _, x := range items[:r.middle] {
		count += int64(x.count)
	}
	if left := q.room - r.w[r.middle]; r.middle < len(items) {
		x := items[r.middle]
		each := x.w / int64(x.count)
		count += left / each
		cut = left%each > 0
	}
	return r.fraction(q.room) - m*limit, count, cut
}
