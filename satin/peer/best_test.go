package peer

import (
	"bytes"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestVouchesForNoUnknownBest: who asks for a best that this peer does not hold gets what it has, and not the word that it is as good.
func TestVouchesForNoUnknownBest(t *testing.T) {
	s := newStage(t, "b/2")
	held := bytes.Repeat([]byte("x"), bestAlong)
	s.p.Offered(0, 1, held)
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

// TestMasterDoesNotVouchForItself: one that learns from another that it was a run's master knows no more of it than a record says. The run may have ended
// so long ago that the tombstones are gone, while that other one was stopped.
func TestMasterDoesNotVouchForItself(t *testing.T) {
	s := newStage(t, "b/2")
	first := steal.Submission{Submitter: "client", Nonce: 7}
	self := s.p.Self()
	h := Head{
		Run: steal.Instance{Run: steal.KeyOf([]byte("old")), First: first}, Task: "t", RootDigest: steal.KeyOf([]byte("old")), RootBytes: 3,
		Epoch: membership.Epoch{Number: 1, Master: self.Incarnation}, Master: self.ID, Submissions: []steal.Submission{first},
	}
	effects := append(s.from(time.Second, "b/2", Record{Head: h, Root: []byte("old")}), s.pass(time.Second, 2*time.Second)...)
	if e, ok := find[Execute](effects); ok {
		t.Errorf("a zombie run is started: %+v", e)
	}
	if _, asked := sent[Wanted](effects); len(asked) == 0 {
		t.Error("the submitter is not asked")
	}
}
