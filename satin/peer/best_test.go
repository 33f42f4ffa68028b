package peer

import (
	"bytes"
	"testing"

	"satingrid/steal"
)

// TestVouchesForNoUnknownBest: who asks for a best that this peer does not hold gets what it has, and not the word that it is as good.
func TestVouchesForNoUnknownBest(t *testing.T) {
	s := newStage(t, "b/2")
	held := bytes.Repeat([]byte("x"), bestAlong)
	s.p.Offered(0, 1, steal.StampOf(held))
	for name, c := range map[string]struct{ asked, vouched steal.Key }{
		"held":    {steal.KeyOf(held), steal.KeyOf(held)},
		"unknown": {steal.KeyOf([]byte("better")), steal.Key{}},
	} {
		_, all := sent[BestIs](s.from(0, "b/2", WantBest{Run: s.run, Digest: c.asked}))
		if len(all) != 1 || all[0].For != c.vouched || all[0].Best.Digest != steal.KeyOf(held) {
			t.Errorf("%s: asked for %x, sent %d with For %x, want %x", name, c.asked, len(all), all[0].For, c.vouched)
		}
	}
}
