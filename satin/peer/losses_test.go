package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestLossesCost: what is reused is put down to the latest loss, whenever that is; what is put back
// only while the loss is worked on; a root that starts again to the loss of its master, or, when
// that is not known, to the latest. Each run has its own costs.
func TestLossesCost(t *testing.T) {
	var l losses
	l.reused(1, time.Second) // to no loss
	lose := func(now time.Duration, id membership.PeerID) {
		l.begins(now, membership.Lost{Member: membership.Member{ID: id}, Noticed: time.Second})
	}
	putBack := func(run RunNo, want LossNo) {
		if no := l.charge(run); no != want {
			t.Errorf("a job of run %d is put back because of loss %d, want %d", run, no, want)
		}
	}
	for _, step := range []struct {
		event string
		do    func()
		b, c  LossCost // what the losses of b and c have cost run 1
	}{
		{"b is lost", func() { lose(time.Minute, "b") }, LossCost{}, LossCost{}},
		{"a job of its is put back", func() { putBack(1, 1) }, LossCost{Restarted: 1}, LossCost{}},
		{"one of another run", func() { putBack(2, 1) }, LossCost{Restarted: 1}, LossCost{}},
		{"a lease ends later", func() { l.settled(); putBack(1, 0) }, LossCost{Restarted: 1}, LossCost{}},
		{"a result is found", func() { l.reused(1, time.Second) }, LossCost{1, false, 1, time.Second}, LossCost{}},
		{"c is lost", func() { lose(time.Hour, "c") }, LossCost{1, false, 1, time.Second}, LossCost{}},
		{"one more result", func() { l.reused(1, time.Minute) }, LossCost{1, false, 1, time.Second}, LossCost{0, false, 1, time.Minute}},
		{"the root starts again that b had", func() { l.succeeded(1, "b") }, LossCost{2, true, 1, time.Second}, LossCost{0, false, 1, time.Minute}},
		{"the root that nobody knows who had", func() { l.succeeded(1, "") }, LossCost{2, true, 1, time.Second}, LossCost{1, true, 1, time.Minute}},
	} {
		step.do()
		got := l.reports(1)
		if b := got[0]; b.Number != 1 || b.Peer != "b" || b.At != time.Minute || b.Noticed != time.Second || b.LossCost != step.b {
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
		l.begins(time.Duration(n), membership.Lost{})
	}
	if got := l.reports(1); len(got) != lossesMax || got[0].At != 2 {
		t.Errorf("%d losses, the first at %d", len(got), got[0].At)
	}
	for n := range lossRunsMax + 1 {
		l.charge(RunNo(n))
	}
	if got := len(l.all[lossesMax-1].costs); got != lossRunsMax {
		t.Errorf("the costs of %d runs", got)
	}
	if got := l.reports(0); got[lossesMax-1].Restarted != 0 {
		t.Error("the first run's is known")
	}
}

// TestLossOfTwoAtOnce: of two that die in one moment each puts back what it had borrowed, and has
// that put down to it. What is found later is put down to the last, whosever it was.
func TestLossOfTwoAtOnce(t *testing.T) {
	s := newStage(t, "b1", "c1")
	lend := func(ref steal.Ref, to membership.PeerID) {
		s.from(0, to, steal.Ask{Number: steal.AskNo(ref), Jobs: 1, Bytes: 1 << 10})
		s.p.Taken(0, []Job{{Ref: ref, Run: 1, Key: steal.Key{byte(ref)}, Task: "t"}})
	}
	lend(1, "b1")
	lend(2, "b1")
	lend(3, "c1")
	s.pass(0, time.Second)
	s.die(time.Second, "c1")
	s.die(time.Second, "b1")
	s.p.salvage.found(reuses{Use{Run: 1, Result: steal.Result{Cost: 1500}}, true, false})
	want := []LossCost{{Restarted: 1}, {Restarted: 2, Reused: 1, Saved: 1500 * ms}}
	for n, got := range s.p.Sight().Losses(1) {
		if got.LossCost != want[n] || got.Peer != []membership.PeerID{"c1", "b1"}[n] || got.How != membership.Killed {
			t.Errorf("of loss %d it tells %+v", n, got)
		}
	}
}

// TestLossOfTheLastPeer: whoever is alone, and has survived nobody, puts nothing down; what it had
// counted of others' runs is not shown to one that is asked about by an unknown number.
func TestLossOfTheLastPeer(t *testing.T) {
	var l losses
	l.charge(1)
	l.succeeded(1, "b")
	l.reused(1, time.Hour)
	if l.settled(); len(l.reports(1)) != 0 {
		t.Errorf("nobody is lost, and there are %v", l.reports(1))
	}
	l.begins(time.Second, membership.Lost{Member: membership.Member{
		ID: "b", Incarnation: membership.Incarnation{Join: 3, Rejoin: 2}, Name: "b/1", Site: "b", How: membership.Silent,
	}, Noticed: 2 * time.Second})
	want := LossReport{
		Number: 1, Peer: "b", Incarnation: membership.Incarnation{Join: 3, Rejoin: 2}, Name: "b/1", Site: "b", How: membership.Silent,
		Noticed: 2 * time.Second, At: time.Second,
	}
	if got := l.reports(1); len(got) != 1 || got[0] != want {
		t.Errorf("what it did before is put down to the first: %+v", got)
	}
	l.reused(2, time.Minute)
	if got := l.reports(1); got[0] != want {
		t.Errorf("what another run was spared is put down to this: %+v", got)
	}
	got := l.reports(2)
	got[0].Reused = 99
	if l.reports(2)[0].Reused != 1 {
		t.Error("whoever asks may change what is told")
	}
}

// TestLossOfAnotherLife: of one process that is lost twice each life is a loss of its own.
func TestLossOfAnotherLife(t *testing.T) {
	var l losses
	for n := range uint64(3) {
		l.begins(time.Duration(n), membership.Lost{Member: membership.Member{ID: "b", Incarnation: membership.Incarnation{Join: 1, Rejoin: n}}})
		for range n {
			l.charge(1)
		}
		l.settled()
	}
	for n, got := range l.reports(1) {
		if got.Incarnation.Rejoin != uint64(n) || got.Restarted != n {
			t.Errorf("life %d: %+v", n, got)
		}
	}
}
