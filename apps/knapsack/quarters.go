package knapsack

// sum is what some items come to.
type sum struct{ w, p int64 }

// sums are sums by weight, none dominated by another: profits increase too.
type sums []sum

// quarters are the sums of four parts of a node's items. The sums of two parts together, half of
// the items, are gone through by intervals of their weight without having them all at once
// (Schroeppel and Shamir, SIAM Journal on Computing 10, 1981; here an interval is sorted instead of
// merged from a heap).
type quarters struct {
	part [4]sums
	of   [4][]int32 // by part: its items, by position in the problem
}

// divide makes the sums of a problem's items.
func (f *quarters) divide(q *problem) {
	for k := range f.part {
		f.part[k] = append(f.part[k][:0], sum{})
		f.of[k] = f.of[k][:0]
	}
	var next sums
	for k, j := range heaviest(q) {
		f.of[k%4] = append(f.of[k%4], j)
		grown := f.part[k%4].with(q.items[j], q.room, next[:0])
		f.part[k%4], next = grown, f.part[k%4]
	}
}

// with appends to out the sums with and without an item.
func (a sums) with(x item, room int64, out sums) sums {
	top := int64(-1)
	for i, k := 0, 0; i < len(a) || k < len(a); {
		var s sum
		if k >= len(a) || i < len(a) && a[i].w < a[k].w+x.w {
			s = a[i]
			i++
		} else {
			s = sum{a[k].w + x.w, a[k].p + x.p}
			k++
		}
		if s.w > room {
			break
		}
		if n := len(out); s.p > top {
			if n > 0 && out[n-1].w == s.w {
				out[n-1] = s
			} else {
				out = append(out, s)
			}
			top = s.p
		}
	}
	return out
}

// below is how many pairs of a and b weigh less than limit, and the most profitable of those;
// without any its profit is -1.
func below(a, b sums, limit int64) (pairs int64, top sum) {
	top = sum{0, -1}
	k := len(b)
	for _, x := range a {
		for k > 0 && x.w+b[k-1].w >= limit {
			k--
		}
		if k == 0 {
			break
		}
		pairs += int64(k)
		if p := x.p + b[k-1].p; p > top.p {
			top = sum{x.w + b[k-1].w, p}
		}
	}
	return pairs, top
}

// gather appends to out the pairs of a and b that weigh at least lo and less than hi.
func gather(a, b sums, lo, hi int64, out []sum) []sum {
	i, k := len(b), len(b)
	for _, x := range a {
		for i > 0 && x.w+b[i-1].w >= lo {
			i--
		}
		for k > 0 && x.w+b[k-1].w >= hi {
			k--
		}
		for _, y := range b[i:k] {
			out = append(out, sum{x.w + y.w, x.p + y.p})
		}
	}
	return out
}

// choice finds items of two parts that come to want, by position in the problem.
func (f *quarters) choice(q *problem, first int, want sum) []int32 {
	a, b := f.part[first], f.part[first+1]
	k := len(b) - 1
	for _, x := range a {
		for k >= 0 && x.w+b[k].w > want.w {
			k--
		}
		if k >= 0 && (sum{x.w + b[k].w, x.p + b[k].p}) == want {
			return append(single(q, f.of[first], x), single(q, f.of[first+1], b[k])...)
		}
	}
	panic("knapsack: BUG: a sum that has no items")
}

// single finds which of some items come to want: their sums are made again, and kept for each step.
func single(q *problem, of []int32, want sum) []int32 {
	steps := []sums{{sum{}}}
	for _, j := range of {
		steps = append(steps, steps[len(steps)-1].with(q.items[j], q.room, nil))
	}
	var out []int32
	for k := len(of) - 1; k >= 0; k-- {
		if steps[k].has(want) {
			continue
		}
		x := q.items[of[k]]
		want = sum{want.w - x.w, want.p - x.p}
		out = append(out, of[k])
	}
	if want != (sum{}) {
		panic("knapsack: BUG: a sum of a part that has no items")
	}
	return out
}

func (a sums) has(s sum) bool {
	lo, hi := 0, len(a)
	for lo < hi {
		if mid := (lo + hi) / 2; a[mid].w < s.w {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(a) && a[lo] == s
}
