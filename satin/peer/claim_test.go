package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestClaims: what is claimed is who supported it a second ago, and who has been silent
// about it does not count. One that has its answer claims more than anybody.
func TestClaims(t *testing.T) {
	m := newMasterOf("a1")
	r := m.run(1, "me")
	support := func(now time.Duration, e membership.Epoch) {
		m.hearSupport(now, membership.Member{ID: "a1", Workers: 5}, Support{[]RunEpoch{{r.instance, e}}})
	}
	claims := func(at time.Duration, want uint32) {
		t.Helper()
		r.support.claimUntil = 0
		if got := m.claimed(at, r); got != 2+want {
			t.Errorf("at %v %d workers of others are claimed, not %d", at, got-2, want)
		}
	}
	support(0, r.epoch)
	claims(500*ms, 0)
	claims(1500*ms, 5)
	claims(6900*ms, 5)
	claims(8*time.Second, 0)
	support(10*time.Second, r.epoch)
	support(12*time.Second, m.epoch(9, "b1"))
	claims(12500*ms, 5)
	claims(13500*ms, 0)
	support(20*time.Second, r.epoch)
	claims(22*time.Second, 5)
	m.lost(22*time.Second, membership.Lost{Member: membership.Member{ID: "a1", How: membership.Killed}})
	claims(24*time.Second, 5) // another's word
	m.lost(24*time.Second, membership.Lost{Member: membership.Member{ID: "a1", How: membership.Went}})
	claims(25500*ms, 0)
	support(30*time.Second, r.epoch)
	r.demand.vouched = true
	if m.slept(); r.demand.vouched || len(r.support.supporters) > 0 {
		t.Error("it slept, and believes what it did")
	}
	if r.answer = (&steal.Result{}); m.claimed(0, r) < 1<<30 {
		t.Error("it has its answer, and may lose")
	}
}

// TestClaim: between two masters that live the one with more workers stays, of equals the elder,
// and one that has no part in it passes it on.
func TestClaim(t *testing.T) {
	for event, c := range map[string]struct {
		master  membership.PeerID
		by, to  membership.PeerID
		workers uint32
		epoch   uint64
		want    membership.PeerID
		reached uint64
		does    int
	}{
		"the other has more":              {"me", "a1", "me", 3, 2, "a1", 2, 1},
		"it has more, of a smaller epoch": {"me", "a1", "me", 3, 1, "me", 1, 1},
		"this one has more":               {"me", "a1", "me", 1, 2, "me", 3, 3},
		"this one has, by its epoch":      {"me", "a1", "me", 1, 0, "me", 1, 1},
		"another is master":               {"b1", "a1", "me", 3, 2, "b1", 1, 1},
		"it is for another":               {"me", "a1", "b1", 3, 2, "me", 1, 1},
		"for one that is not here":        {"me", "a1", "x1", 3, 2, "me", 1, 0},
		"of one that is dead":             {"me", "d1", "me", 3, 2, "me", 1, 0},
		"of nobody known":                 {"me", "x1", "me", 3, 2, "me", 1, 0},
		"an epoch beyond belief":          {"me", "a1", "me", 3, 1 << 60, "me", 1, 0},
	} {
		m := newMasterOf("a1", "b1", "d1")
		m.buried["d1"] = membership.Killed
		r := m.run(1, c.master)
		effects := m.hearClaim(time.Minute, c.by, Claim{
			Run: r.instance, By: c.by, To: c.to, Epoch: m.epoch(c.epoch, c.by), Workers: c.workers,
		})
		if isOf(t, event, r, c.want, c.reached); len(effects) != c.does {
			t.Errorf("%s: it does %v", event, effects)
		}
	}
}

// TestClaimIsRepeated: not too often, every other time after the claim was made by way of
// somebody else, and with that claim.
func TestClaimIsRepeated(t *testing.T) {
	m := newMasterOf("a1", "b1")
	r := m.run(1, "me")
	rival := &Head{Epoch: m.epoch(2, "a1"), Master: "a1"}
	for n, want := range []membership.PeerID{"a1", "a1", "b1"} {
		now := time.Duration(n) * claimEvery
		effects := m.compareEpochs(now, "a1", r, rival)
		if len(effects) != 1 {
			t.Fatalf("at %v it does %v", now, effects)
		}
		told := effects[0].(tells)
		if c := told.body.(Claim); told.to != want || c.To != "a1" || c.By != "me" || c.Workers != 2 {
			t.Errorf("at %v it tells %s: %v", now, told.to, c)
		}
		if effects = m.compareEpochs(now+claimEvery-1, "a1", r, rival); len(effects) > 0 {
			t.Errorf("too soon it does %v", effects)
		}
		m.workers++ // it counts in the next claim
	}
}

// TestFollowing: each master is told once, of all its runs, and a former one at once.
func TestFollowing(t *testing.T) {
	m := newMasterOf("a1", "b1")
	if due, effects := m.tick(time.Hour); due || len(effects) > 0 {
		t.Error("there is no run, and somebody is supported")
	}
	one, own := m.run(1, "a1"), m.run(2, "me")
	m.run(3, "a1")
	m.run(4, "gone")
	m.supportAt = time.Second
	if due, _ := m.tick(time.Second - 1); due {
		t.Error("it is told too soon")
	}
	due, effects := m.tick(time.Second)
	if !due || len(effects) != 1 || m.supportAt != time.Second+supportEvery {
		t.Fatalf("it does %v, and again at %v", effects, m.supportAt)
	}
	if told := effects[0].(tells); told.to != "a1" || len(told.body.(Support).Epochs) != 2 {
		t.Errorf("it tells %v", told)
	}
	from := membership.Member{ID: "b1", Workers: 1}
	says := func(run steal.Instance, e membership.Epoch) []membership.Effect {
		return m.hearSupport(0, from, Support{[]RunEpoch{{run, e}}})
	}
	if effects = says(one.instance, m.epoch(0, "b1")); len(effects) != 1 {
		t.Errorf("it supports an old epoch, and hears %v", effects)
	}
	if effects = says(own.instance, own.epoch); len(effects) != 0 || len(own.support.supporters) != 1 {
		t.Errorf("it supports, and hears %v", effects)
	}
	over := steal.Instance{First: submissionNo(1)}
	does(t, "a run that nobody knows", says(over, own.epoch))
	m.tombstones.add(0, Tombstone{Submission: over.First})
	does(t, "a run that is over", says(over, own.epoch), "b1: Ended 1")
}

// TestFence: jobs of a root that another has superseded are refused, those that
// its thieves lend on under the present epoch are not.
func TestFence(t *testing.T) {
	m := newMasterOf("a1", "b1")
	r := m.run(1, "b1")
	r.epoch = m.epoch(2, "b1")
	former := m.present["a1"]
	for name, c := range map[string]struct {
		from  membership.Member
		epoch membership.Epoch
		want  bool
	}{
		"of the former master":         {former, m.epoch(1, "a1"), true},
		"of the master":                {m.present["b1"], m.epoch(1, "b1"), false},
		"under the present epoch":      {former, r.epoch, false},
		"of the former master's thief": {membership.Member{ID: "c1", Incarnation: membership.Incarnation{Join: 5}}, m.epoch(1, "a1"), false},
	} {
		if got := m.fences(r, c.from, c.epoch); got != c.want {
			t.Errorf("%s: refused %v", name, got)
		}
	}
	m.buried["b1"] = membership.Killed
	if m.fences(r, former, m.epoch(1, "a1")) {
		t.Error("the master is dead, and the former one's jobs are refused")
	}
}
