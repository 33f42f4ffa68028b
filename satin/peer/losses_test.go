package peer

import (
	"testing"
	"time"

	"satingrid/membership"
)

// TestLossesCost: what is reused is put down to the latest loss, whenever that is; what is put back
// only while the loss is worked on; a root that starts again always. Each run has its own costs.
func TestLossesCost(t *testing.T) {
	var l losses
	l.reused(1, time.Second) // to no loss
	lose := func(now time.Duration, id membership.PeerID) {
		l.lost(now, membership.Lost{Member: membership.Member{ID: id}, Noticed: time.Second})
	}
	for _, step := range []struct {
		event string
		do    func()
		b, c  LossCost // what the losses of b and c have cost run 1
	}{
		{"b is lost", func() { lose(time.Minute, "b") }, LossCost{}, LossCost{}},
		{"a job of its is put back", func() { l.putBack(1) }, LossCost{Restarted: 1}, LossCost{}},
		{"one of another run", func() { l.putBack(2) }, LossCost{Restarted: 1}, LossCost{}},
		{"a lease ends later", func() { l.settled(); l.putBack(1) }, LossCost{Restarted: 1}, LossCost{}},
		{"a result is found", func() { l.reused(1, time.Second) }, LossCost{1, 1, time.Second}, LossCost{}},
		{"the root starts again", func() { l.succeeded(1) }, LossCost{2, 1, time.Second}, LossCost{}},
		{"c is lost", func() { lose(time.Hour, "c") }, LossCost{2, 1, time.Second}, LossCost{}},
		{"one more result", func() { l.reused(1, time.Minute) }, LossCost{2, 1, time.Second}, LossCost{0, 1, time.Minute}},
	} {
		step.do()
		got := l.reports(1)
		if b := got[0]; b.Peer != "b" || b.At != time.Minute || b.Noticed != time.Second || b.LossCost != step.b {
			t.Errorf("%s: of b it tells %+v", step.event, b)
		}
		if len(got) == 2 && got[1].LossCost != step.c {
			t.Errorf("%s: of c it tells %+v", step.event, got[1])
		}
	}
	if other := l.reports(2)[0].LossCost; other != (LossCost{Restarted: 1}) {
		t.Errorf("another run has cost %+v", other)
	}
}

// TestLossesAreBounded: the oldest loss, and of a loss the run that it cost first, are forgotten.
func TestLossesAreBounded(t *testing.T) {
	var l losses
	for n := range lossesMax + 2 {
		l.lost(time.Duration(n), membership.Lost{})
	}
	if got := l.reports(1); len(got) != lossesMax || got[0].At != 2 {
		t.Errorf("%d losses, the first at %d", len(got), got[0].At)
	}
	for n := range lossRunsMax + 1 {
		l.putBack(RunNo(n))
	}
	if got := len(l.all[lossesMax-1].costs); got != lossRunsMax {
		t.Errorf("the costs of %d runs", got)
	}
	if got := l.reports(0); got[lossesMax-1].Restarted != 0 {
		t.Error("the first run's is known")
	}
}
