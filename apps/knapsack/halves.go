package knapsack

import (
	"cmp"
	"math/bits"
	"slices"
)

// halves solves a problem by two lists: of the sums of the heaviest items and of those of the
// lightest. They meet in the middle (Horowitz and Sahni, Journal of the ACM 21, 1974); which list
// gets the next item is decided by which is shorter.
type halves struct {
	q     *problem
	z     int64
	heavy half
	light half
	work  int64

	found bool
	pair  [2]state // one of heavy and one of light
}

// half is a list of states, by weight, none dominated by another.
type half struct {
	now, next []state
	trail     trail
	items     []int32 // by step: its item
	in        []bool  // by item: whether it is one of them
}

func (h *half) reset(items int) {
	h.in = make([]bool, items)
	h.now = append(h.now[:0], state{})
	h.trail.reset()
	h.items = h.items[:0]
}

// run solves the problem, as far as it is about values above z, and tells whether it has. It gives
// up when a list has, or as it grows will have, more than statesMax states, when workMax states
// were looked at, and when again says so.
func (h *halves) run(q *problem, z int64, statesMax int, workMax int64, again func() (z int64, ok bool)) bool {
	h.q, h.z, h.found, h.work = q, z, false, 0
	h.heavy.reset(len(q.items))
	h.light.reset(len(q.items))
	order := heaviest(q)
	for len(order) > 0 {
		side, j := &h.heavy, order[0]
		if len(h.light.now) < len(h.heavy.now) {
			side, j = &h.light, order[len(order)-1]
			order = order[:len(order)-1]
		} else {
			order = order[1:]
		}
		h.grow(side, j)
		better, ok := again()
		h.z = max(h.z, better)
		if !ok || len(side.now) > statesMax || h.work > workMax || h.hopeless(len(order), statesMax) {
			return false
		}
	}
	h.join()
	return true
}

// heaviest are the items by position, the heaviest first.
func heaviest(q *problem) []int32 {
	order := make([]int32, len(q.items))
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := q.items[a], q.items[b]
		return cmp.Or(cmp.Compare(y.w, x.w), cmp.Compare(y.p, x.p), cmp.Compare(a, b))
	})
	return order
}

// hopeless foresees that the lists become too long: they have doubled with nearly each item so far.
func (h *halves) hopeless(left, statesMax int) bool {
	const (
		early = 10 // doublings, after which it shows
		// lists that fit but grow like this take longer than half sums by intervals
		foresight = 3
	)
	steps := len(h.heavy.items) + len(h.light.items)
	size := bits.Len(uint(len(h.heavy.now))) + bits.Len(uint(len(h.light.now))) - 2
	return size > 2*early && size*10 > steps*9 && (size+left)/2 > bits.Len(uint(statesMax))-foresight
}

// grow lets a list have item j.
func (h *halves) grow(side *half, j int32) {
	side.in[j] = true
	x := h.q.items[j]
	a := side.now
	h.work += 2 * int64(len(a))
	if need := 2 * len(a); cap(side.next) < need {
		side.next = make([]state, need+need/4)
	}
	out := side.next[:2*len(a)]
	n := 0
	top := int64(-1)
	for i, k := 0, 0; i < len(a) || k < len(a); {
		var s state
		if k >= len(a) || i < len(a) && (a[i].w < a[k].w+x.w || a[i].w == a[k].w+x.w && a[i].p >= a[k].p+x.p) {
			s = a[i]
			s.bits <<= 1
			i++
		} else {
			s = state{a[k].w + x.w, a[k].p + x.p, a[k].bits<<1 | 1, a[k].from}
			k++
		}
		if s.w > h.q.room {
			break
		}
		if s.p <= top {
			continue
		}
		top = s.p
		out[n] = s
		n++
	}
	out = out[:n]
	out = h.prune(side, out)
	side.now, side.next = out, a
	side.items = append(side.items, j)
	side.trail.done(side.now)
}

// prune drops states that cannot become better than the best with fractions of all items that
// are not in their list.
func (h *halves) prune(side *half, list []state) []state {
	var items []item
	for k, x := range h.q.items {
		if !side.in[k] {
			items = append(items, x)
		}
	}
	r := newProblem(items, h.q.room)
	k, n := len(items), 0
	for _, s := range list {
		room := h.q.room - s.w
		for k > 0 && r.w[k] > room {
			k--
		}
		bound := s.p + r.p[k]
		if k < len(items) {
			bound += share(room-r.w[k], items[k].p, items[k].w)
		}
		if bound > h.z {
			list[n] = s
			n++
		}
	}
	return list[:n]
}

// join finds the best pair that fits.
func (h *halves) join() {
	b := h.light.now
	k := len(b) - 1
	for _, a := range h.heavy.now {
		for k >= 0 && a.w+b[k].w > h.q.room {
			k--
		}
		if k < 0 {
			return
		}
		if a.p+b[k].p > h.z {
			h.z, h.found, h.pair = a.p+b[k].p, true, [2]state{a, b[k]}
		}
	}
}

// chosen is the best pair's choice, by position in the problem.
func (h *halves) chosen() []int32 {
	var out []int32
	for k, side := range []*half{&h.heavy, &h.light} {
		bits, from := side.trail.last(h.pair[k])
		side.trail.changes(bits, from, side.trail.steps, func(step int) {
			out = append(out, side.items[step])
		})
	}
	return out
}
