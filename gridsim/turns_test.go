package gridsim

import (
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestAYoungRunReachesEveryPeer: peers that are busy with one run work for another, near and far,
// within a second from when it was submitted and the longest job of the old one, which is not cut;
// and then each peer divides its worker by the shares.
func TestAYoungRunReachesEveryPeer(t *testing.T) {
	for seed := range uint64(6) {
		share := uint16(peer.ShareDefault) << (seed % 3)
		peers := 2 + int(seed)
		o := quiet(&Tree{Seed: 5, Depth: 9, Width: 6, Leaf: 20 * time.Millisecond}, 20*time.Millisecond, steal.CRS, peers, peers)
		o.Seed = seed
		w := newWorld(o)
		w.who.asker = w.populate()
		w.after(o.begin(), func() { w.submit(w.who.asker) })
		begin := o.begin() + 2*time.Second
		w.after(begin, func() { w.submitUnder(w.who.asker, peer.Terms{Share: share, ResultMax: 1 << 20}) })
		had := func(h *host, n int) time.Duration {
			if len(h.plane.runs) <= n {
				return 0
			}
			return h.plane.runs[n].had
		}
		w.play(begin, func() bool { return false })
		w.play(begin+time.Second+w.longest, func() bool { return false })
		old, young := map[*host]time.Duration{}, map[*host]time.Duration{}
		for _, h := range w.who.members() {
			if had(h, 0) == 0 || had(h, 1) == 0 {
				t.Errorf("seed %d, share %d: a second after it was submitted the young run has had %v of %s, the old one %v", seed, share, had(h, 1), h.id, had(h, 0))
			}
			old[h], young[h] = had(h, 0), had(h, 1)
		}
		w.play(begin+5*time.Second, func() bool { return false })
		for h := range old {
			one, other := had(h, 0)-old[h], had(h, 1)-young[h]
			if want := float64(share) / peer.ShareDefault; float64(other) < want/2*float64(one) || float64(other) > 2*want*float64(one) {
				t.Errorf("seed %d, share %d: of %s the young run had %v and the old one %v", seed, share, h.id, other, one)
			}
		}
		if w.err != nil {
			t.Error(w.err)
		}
	}
}
