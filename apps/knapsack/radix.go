package knapsack

import (
	"cmp"
	"math/bits"
	"slices"
)

const (
	digitBits = 11 // of a pass: its counters fit the first cache
	passesMax = 2  // of digits; what they leave in disorder is put right by insertion
	movesMax  = 8  // for each sum, by insertion
)

// sort sorts sums by weight, which is from or more and less than to. Weights in an interval of half
// sums are spread so evenly that their highest 22 bits nearly order them.
func (f *spanner) sort(a []sum, from, to int64) {
	const few = 64
	if len(a) < few {
		insert(a, len(a)*len(a))
		return
	}
	width := bits.Len64(uint64(to - from - 1))
	shift := max(width-passesMax*digitBits, 0)
	if cap(f.other) < len(a) {
		f.other = make([]sum, len(a))
	}
	src, dst := a, f.other[:len(a)]
	for range passesMax {
		digit(src, dst, from, shift)
		src, dst = dst, src
		shift += digitBits
	}
	if !insert(a, movesMax*len(a)) {
		slices.SortFunc(a, func(x, y sum) int { return cmp.Compare(x.w, y.w) })
	}
}

// digit is one pass: it sorts src into dst by eleven bits, and keeps the order of what has the
// same.
func digit(src, dst []sum, from int64, shift int) {
	const digits = 1 << digitBits
	var at [digits]int32
	for _, x := range src {
		at[uint64(x.w-from)>>shift%digits]++
	}
	var n int32
	for d, c := range at {
		at[d] = n
		n += c
	}
	for _, x := range src {
		d := uint64(x.w-from) >> shift % digits
		dst[at[d]] = x
		at[d]++
	}
}

// insert sorts by insertion, and gives up after so many moves.
func insert(a []sum, moves int) bool {
	for i := 1; i < len(a); i++ {
		x := a[i]
		k := i
		for k > 0 && a[k-1].w > x.w {
			a[k] = a[k-1]
			k--
		}
		a[k] = x
		if moves -= i - k; moves < 0 {
			return false
		}
	}
	return true
}
