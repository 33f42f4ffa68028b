package check_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
)

// prism is two triangles, whose edges have the length 1, and three edges of length 0 between them;
// all others have 3. Its shortest tour has 4, but without combs no more than 3 is to be proved.
var prism = &tsplib.Problem{Name: "prism", Cities: 6, Metric: tsplib.Explicit, Layout: tsplib.UpperRow, Numbers: []int{
	1, 1, 0, 3, 3,
	1, 3, 0, 3,
	3, 3, 0,
	1, 1,
	1,
}}

// unit is a length in the units of prices.
const unit = 1 << 20

// priced is a certificate of one node: a cut of these sets, whose price and that of each city close
// it.
func priced(length uint64, city int64, cut uint64, sets ...[]int) []byte {
	data := binary.AppendUvarint([]byte(header), 6)
	data = append(binary.AppendUvarint(data, length), 5, 6)
	data = binary.AppendUvarint(data, uint64(len(sets)))
	for _, set := range sets {
		data = binary.AppendUvarint(data, uint64(len(set)))
		before := -1
		for _, c := range set {
			data = binary.AppendUvarint(data, uint64(c-before-1))
			before = c
		}
	}
	data = append(data, 8)
	for range 6 {
		data = binary.AppendVarint(data, city)
	}
	return binary.AppendUvarint(append(data, 1, 0), cut)
}

var comb = [][]int{{0, 1, 2}, {0, 3}, {1, 4}, {2, 5}}

// TestComb proves the length of the prism's shortest tour, and no more.
func TestComb(t *testing.T) {
	if r, err := verify(prism, priced(4, -unit/2, unit, comb...)); err != nil || r != (check.Report{Length: 4, Leaves: 1, Records: 3}) {
		t.Errorf("%+v, %v", r, err)
	}
	// what it lacks of a whole length does not matter, but no more
	if _, err := verify(prism, priced(4, -unit/2, unit/20*19, comb...)); err != nil {
		t.Error(err)
	}
	for want, data := range map[string][]byte{
		"the bound of a leaf is 4194304/1048576, more than 4": priced(5, -unit/2, unit, comb...),
		"the bound of a leaf is 3145728/1048576, more than 3": priced(4, unit/2, 0, comb...),
	} {
		if _, err := verify(prism, data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestCutsAreLookedAt refuses cuts that some tour does not satisfy, and numbers that are too large.
func TestCutsAreLookedAt(t *testing.T) {
	for want, sets := range map[string][][]int{
		"a cut has 0 sets":         {},
		"a cut has 2 sets":         comb[:2],
		"a cut has 3 sets":         comb[:3],
		"a cut has 5 sets":         {{0, 1, 2}, {0, 3}, {1, 4}, {2, 5}, {2, 5}},
		"a set has 0 cities":       {{}},
		"a set has 6 cities":       {{0, 1, 2, 3, 4, 5}},
		"a gap of 6":               {{0, 7}},
		"a set has city 7, 0 to 5": {{3, 7}},
		"two teeth of a comb have": {{0, 1, 2}, {0, 3}, {1, 4}, {2, 4}},
		"tooth 1 of a comb is not": {{0, 1, 2}, {0, 1}, {2, 4}, {3, 5}},
		"tooth 3 of a comb is not": {{0, 1}, {0, 3}, {1, 4}, {2, 5}},
	} {
		if _, err := verify(prism, priced(4, -unit/2, unit, sets...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", sets, err, want)
		}
	}
	for want, data := range map[string][]byte{
		"cut 1 of 1 has the price":     priced(4, 0, 1<<49, comb...),
		"potential 1 is":               priced(4, 1<<49, 0, comb...),
		"1 cuts have prices, there ar": []byte(header + "\x06\x04\x05\x08\x00\x00\x00\x00\x00\x00\x01\x00\x00"),
		"cut 2 of 1 has the price":     append(priced(4, 0, 0, comb...)[:len(priced(4, 0, 0, comb...))-2], 1, 0),
	} {
		if _, err := verify(prism, data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// prices that are as large as they may be prove nothing
	for _, city := range []int64{-1 << 48, 1 << 48} {
		if r, err := verify(prism, priced(5, city, 1<<48, comb...)); err == nil {
			t.Errorf("%d: %+v", city, r)
		}
	}
}
