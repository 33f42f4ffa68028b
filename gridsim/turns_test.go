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

// lower is a run of the tree's jobs that begins at one far down, with some hundred leaves below.
type lower struct {
	*Tree
	root []byte
}

func lowerOf(t *Tree, seed uint64) lower {
	for ; ; seed++ {
		root := encode(mix(seed), uint64(t.Depth-5))
		if leaves := word(alone(t, root).Bytes, 0); leaves > 200 && leaves < 500 {
			return lower{t, root}
		}
	}
}

func (l lower) Root() []byte                    { return l.root }
func (l lower) Right(answer steal.Result) error { return same(answer, alone(l.Tree, l.root)) }

// TestAShortRunIsNotStarved: a run that is submitted while a long one is on, which nobody cuts,
// ends within three times what it takes alone for each of the two, and the longest job of the other
// and a second more.
func TestAShortRunIsNotStarved(t *testing.T) {
	for seed := range uint64(6) {
		share := uint16(peer.ShareDefault) << (seed % 3) >> (seed / 3) // ½ to 4
		peers := 1 + int(seed)
		took := func(long bool) (took, longest time.Duration) {
			tree := &Tree{Seed: 5, Depth: 9, Width: 6, Leaf: 20 * time.Millisecond}
			o := quiet(tree, 20*time.Millisecond, steal.CRS, peers, peers)
			o.Seed = seed
			w := newWorld(o)
			w.who.asker = w.populate()
			if long {
				w.after(o.begin(), func() { w.submit(w.who.asker) })
			}
			short := lowerOf(tree, 1000*seed)
			begin := o.begin() + 2*time.Second
			w.after(begin, func() {
				w.work = short
				w.submitUnder(w.who.asker, peer.Terms{Share: share, ResultMax: 1 << 20})
			})
			over := time.Duration(0)
			w.hear = func(d peer.Deliver) {
				if err := short.Right(d.Result); err != nil {
					t.Error(err)
				}
				over = w.now
			}
			w.play(begin+5*time.Minute, func() bool { return over > 0 })
			if w.err != nil || over == 0 {
				t.Fatalf("seed %d, beside a long run: %v: it ended at %v: %v", seed, long, over, w.err)
			}
			return over - begin, w.longest
		}
		alone, _ := took(false)
		beside, longest := took(true)
		most := 3*alone*2 + longest + time.Second
		t.Logf("%d peers, share %d: alone %v, beside a long run %v, %v at most", 2*peers, share, alone, beside, most)
		if beside > most {
			t.Errorf("seed %d: a run that takes %v alone took %v beside a long one, %v at most it may", seed, alone, beside, most)
		}
	}
}
