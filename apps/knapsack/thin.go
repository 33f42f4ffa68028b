package knapsack

// thin keeps the states with the highest bounds, and of those whose bounds tie some from
// everywhere: what is left finds good choices, but proves nothing any more.
func (c *core) thin(width int) {
	g := c.gate()
	c.bounds = c.bounds[:0]
	if cap(c.spare) < len(c.now) {
		c.spare = make([]int64, 2*len(c.now))
	}
	for k := range c.now {
		c.bounds = append(c.bounds, g.bound(&c.now[k]))
	}
	least := nth(append(c.spare[:0], c.bounds...), len(c.bounds)-width)
	above, equal := 0, 0
	for _, b := range c.bounds {
		if b > least {
			above++
		} else if b == least {
			equal++
		}
	}
	want := width - above
	n, seen := 0, 0
	for k, b := range c.bounds {
		keep := b > least
		if b == least {
			keep = seen*want/equal != (seen+1)*want/equal
			seen++
		}
		if keep {
			c.now[n] = c.now[k]
			n++
		}
	}
	c.now = c.now[:n]
}

// bound is what a state may still come to, by the item that open looks at.
func (g *gate) bound(x *state) int64 {
	switch {
	case x.w <= g.room && !g.noIn:
		return x.p + share(g.room-x.w, g.tp, g.tw)
	case x.w > g.room && !g.noOut:
		return x.p - shareUp(x.w-g.room, g.sp, g.sw)
	}
	return 0
}

// nth is the value that would be at position n if a were sorted (Hoare's quickselect). It
// changes the order of a.
func nth(a []int64, n int) int64 {
	lo, hi := 0, len(a)-1
	for lo < hi {
		x, y, z := a[lo], a[lo+(hi-lo)/2], a[hi]
		pivot := max(min(x, y), min(max(x, y), z))
		i, k := lo, hi
		for i <= k {
			for a[i] < pivot {
				i++
			}
			for a[k] > pivot {
				k--
			}
			if i <= k {
				a[i], a[k] = a[k], a[i]
				i++
				k--
			}
		}
		switch {
		case n <= k:
			hi = k
		case n >= i:
			lo = i
		default:
			return a[n]
		}
	}
	return a[n]
}
