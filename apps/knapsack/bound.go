package knapsack

import (
	"math/bits"

	"satingrid/apps/knapsack/instance"
)

// share is how much profit room can get from items of profit p and weight w > 0, rounded down, but
// no more than totalMax. All of it is at least 0.
func share(room, p, w int64) int64 {
	hi, lo := bits.Mul64(uint64(room), uint64(p))
	if hi >= uint64(w) {
		return totalMax
	}
	q, _ := bits.Div64(hi, lo, uint64(w))
	return int64(min(q, totalMax))
}

// atLeast tells whether a·b ≥ c·d. All are at least 0.
func atLeast(a, b, c, d int64) bool {
	h1, l1 := bits.Mul64(uint64(a), uint64(b))
	h2, l2 := bits.Mul64(uint64(c), uint64(d))
	return h1 > h2 || h1 == h2 && l1 >= l2
}

// denser compares two items by profit per weight; the denser comes first. Equally dense ones are
// ordered by weight, the heavier first, and then by number.
func denser(a, b item) int {
	h1, l1 := bits.Mul64(uint64(a.p), uint64(b.w))
	h2, l2 := bits.Mul64(uint64(b.p), uint64(a.w))
	switch {
	case h1 != h2:
		return order(h2, h1)
	case l1 != l2:
		return order(l2, l1)
	case a.w != b.w:
		return order(uint64(b.w), uint64(a.w))
	}
	return order(uint64(a.at), uint64(b.at))
}

func order(a, b uint64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

// shareUp is room·p/w rounded up, and no more than totalMax.
func shareUp(room, p, w int64) int64 {
	q := share(room, p, w)
	if !atLeast(q, w, room, p) && q < totalMax {
		q++
	}
	return q
}

const totalMax = instance.TotalMax
