package knapsack

import "slices"

// taken is that so many copies of an item of the instance are.
type taken struct{ item, copies int32 }

// tie ties copies of items up in bundles of 1, 2, 4 and so on, which make any number of them. All
// those items are alike.
func tie(alike []taken) (bundles [][]taken) {
	left := int32(0)
	for _, x := range alike {
		left += x.copies
	}
	alike = slices.Clone(alike)
	for size := int32(1); left > 0; size *= 2 {
		size = min(size, left)
		left -= size
		var b []taken
		for need := size; need > 0; {
			x := &alike[0]
			n := min(need, x.copies)
			b = append(b, taken{x.item, n})
			need -= n
			if x.copies -= n; x.copies == 0 {
				alike = alike[1:]
			}
		}
		bundles = append(bundles, b)
	}
	return bundles
}

// size is how many copies a bundle has.
func size(bundle []taken) (n int32) {
	for _, x := range bundle {
		n += x.copies
	}
	return n
}

// packing is what copies of items come to, which it puts in order.
func (v *Solve) packing(all []taken) Packing {
	slices.SortFunc(all, func(a, b taken) int { return int(a.item - b.item) })
	var t Packing
	for _, x := range all {
		t.Value += v.Profits[x.item] * int64(x.copies)
		t.Weight += v.Weights[x.item] * int64(x.copies)
		if n := len(t.Items); n > 0 && t.Items[n-1] == x.item {
			t.Copies[n-1] += x.copies
			continue
		}
		t.Items, t.Copies = append(t.Items, x.item), append(t.Copies, x.copies)
	}
	if v.Counts == nil {
		t.Copies = nil
	}
	return t
}

// most is how often an item may be packed, as far as it fits.
func (v *Solve) most(item int) int32 {
	n := int64(1)
	if v.Counts != nil {
		n = v.Counts[item]
	}
	if w := v.Weights[item]; w > 0 {
		n = min(n, v.Capacity/w)
	}
	for _, c := range v.Further {
		if w := c.Weights[item]; w > 0 {
			n = min(n, c.Capacity/w)
		}
	}
	return int32(n)
}
