package satin

// Inside the package: facts are bounded by numbers that no program sees.

import (
	"testing"
	"time"

	"satingrid/satin/peer"
)

// Whoever tells without end is bounded: by count, by bytes, and in time.
func TestFactsAreBounded(t *testing.T) {
	var f facts
	for i := range 2 * factsKept {
		f.add([]byte{byte(i), byte(i >> 8), byte(i >> 16)}, elsewhereBy, "a/1")
		if f.add([]byte{byte(i), byte(i >> 8), byte(i >> 16)}, 3, "here") {
			t.Fatal("a fact is news twice")
		}
	}
	if len(f.kept) != factsKept || len(f.known) != factsKept {
		t.Errorf("%d facts and %d digests are kept", len(f.kept), len(f.known))
	}
	f = facts{}
	for i := range 3000 {
		f.add(append(make([]byte, peer.FactMax-2), byte(i), byte(i>>8)), elsewhereBy, "a/1")
	}
	if f.bytes > factBytesKept || f.bytes < factBytesKept-peer.FactMax {
		t.Errorf("%d bytes of facts are kept", f.bytes)
	}
	var seen uint64
	if n := len(f.since(&seen, 0)); n != len(f.kept) || seen != 3000 {
		t.Errorf("a worker that never asked is given %d facts, up to %d", n, seen)
	}
	allowed := 0
	for i := range 3 * tellsMax {
		if f.mayTell(time.Duration(i) * time.Microsecond) {
			allowed++
		}
	}
	if allowed != tellsMax || !f.mayTell(time.Second) {
		t.Errorf("%d facts may be told in a second", allowed)
	}
}
