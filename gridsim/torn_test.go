package gridsim

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/orphan"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestCacheIsLostWithThePower: of each file there is what it was after one of the last batches, and
// all that is older than a cache is; of what a sound disk has nothing goes.
func TestCacheIsLostWithThePower(t *testing.T) {
	old, young := steal.Key{1}, steal.Key{2}
	seen := map[int]int{}
	for seed := range uint64(64) {
		d := newSoundDisk(rand.New(rand.NewPCG(seed, 1)))
		if seed%2 == 0 {
			d.cached = newCache()
		}
		write := func(place steal.Key, results int, now time.Duration) {
			for n := range results {
				d.save(peer.Save{Place: place, Record: &peer.Record{}, Results: []orphan.Part{{Key: steal.Key{byte(n)}}}}, []byte{byte(n)}, now)
			}
		}
		write(old, 3, time.Second)
		write(young, 5, 10*time.Second)
		torn := d.tears(11 * time.Second)
		if len(d.runs[old].results) != 3 {
			t.Errorf("seed %d: a file that is safe has %d results", seed, len(d.runs[old].results))
		}
		x := d.runs[young]
		lost := 5 - len(x.results)
		if int(x.head[0]) != 4-lost || torn != min(lost, 1) || d.cached == nil && lost > 0 {
			t.Errorf("seed %d: %d results went, and the record is that of batch %d; %d files are torn", seed, lost, x.head[0], torn)
		}
		seen[lost]++
	}
	for lost := range cacheMost + 1 {
		if seen[lost] == 0 {
			t.Errorf("never were %d batches lost: %v", lost, seen)
		}
	}
}

// TestCacheIsLostAsAFile: what was forgotten may be there again, and a file that is new may not.
func TestCacheIsLostAsAFile(t *testing.T) {
	forgotten, made := steal.Key{1}, steal.Key{2}
	again, gone := 0, 0
	for seed := range uint64(64) {
		d := newSoundDisk(rand.New(rand.NewPCG(seed, 1)))
		d.save(peer.Save{Place: forgotten, Record: &peer.Record{}}, []byte{1}, time.Second)
		d.cached = newCache()
		d.forget(peer.Forget{Place: forgotten, All: true}, 10*time.Second)
		d.save(peer.Save{Place: made, Record: &peer.Record{}}, []byte{2}, 10*time.Second)
		d.tears(11 * time.Second)
		if d.runs[forgotten] != nil {
			again++
		}
		if d.runs[made] == nil {
			gone++
		}
	}
	if again == 0 || again == 64 || gone == 0 || gone == 64 {
		t.Errorf("of 64 files that were forgotten %d are there, of 64 that are new %d are not", again, gone)
	}
}
