package peer

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/orphan"
	"satingrid/steal"
)

// TestFoundIsWhatWasThereBefore: also when it is written once more; what is written now is not.
func TestFoundIsWhatWasThereBefore(t *testing.T) {
	var d diskOf
	d.add(storedKey{key: steal.Key{1}, cost: 1000, found: true}, storedKey{key: steal.Key{2}, cost: 500, found: true})
	d.has(&saving{Save: Save{Results: []orphan.Part{{Key: steal.Key{1}}, {Key: steal.Key{3}}}}})
	for key, want := range []bool{false, true, true, false, false} {
		if d.found(steal.Key{byte(key)}) != want {
			t.Errorf("%d was there: %v", key, !want)
		}
	}
}

// TestOnDiskAgainstAMap: what is added in batches, in any order and twice, is found, each as it was
// first known; what is gone is not.
func TestOnDiskAgainstAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d, twin := &diskOf{}, map[steal.Key]storedKey{}
	for range 200 {
		var more []storedKey
		for range rng.IntN(20) {
			x := storedKey{key: steal.Key{byte(rng.IntN(200))}, cost: rng.Uint32(), found: rng.IntN(2) == 0}
			more = append(more, x)
			if _, known := twin[x.key]; !known {
				twin[x.key] = x
			}
		}
		d.add(more...)
		b := &saving{}
		for range rng.IntN(4) {
			b.Gone = append(b.Gone, steal.Key{byte(rng.IntN(200))})
		}
		slices.SortFunc(b.Gone, compareKeys)
		d.has(b)
		for _, k := range b.Gone {
			delete(twin, k)
		}
		if len(d.results) != len(twin) || !slices.IsSortedFunc(d.results, func(a, b storedKey) int { return bytes.Compare(a.key[:], b.key[:]) }) {
			t.Fatalf("%d are known, want %d", len(d.results), len(twin))
		}
		for n := range 200 {
			k := steal.Key{byte(n)}
			at, known := d.find(k)
			if want, is := twin[k]; known != is || known && d.results[at] != want {
				t.Fatalf("key %d is known: %v", n, known)
			}
		}
	}
}
