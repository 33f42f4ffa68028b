package driver

import (
	"testing"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestLives: each life with a run counts, up to a bound, until there is a result of it; what is
// answered already does not.
func TestLives(t *testing.T) {
	l, place := Lives{}, steal.Key{1}
	for before, want := range map[uint8]uint8{0: 1, 4: 5, livesMost - 1: livesMost, livesMost: livesMost, 255: livesMost} {
		if n, counts := l.Begins(peer.Recorded{Place: place, Starts: before}); n != want || !counts {
			t.Errorf("after %d lives it is the %dth: %v", before, n, counts)
		}
	}
	l.Begins(peer.Recorded{Place: place, Starts: livesMost})
	for _, step := range []struct {
		results int
		count   uint8
		changed bool
	}{{0, livesMost, false}, {2, 0, true}, {1, 0, false}, {0, 0, false}} {
		if n, changed := l.Writes(place, step.results); n != step.count || changed != step.changed {
			t.Errorf("with %d results the record has %d: %v", step.results, n, changed)
		}
	}
	answered := peer.Recorded{Place: steal.Key{2}, Starts: 3}
	answered.Head.Answered = 1
	if n, counts := l.Begins(answered); n != 0 || counts || len(l) != 0 {
		t.Errorf("one that is answered counts: %d, %v, %v", n, counts, l)
	}
}
