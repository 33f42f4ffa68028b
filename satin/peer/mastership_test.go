package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// masterOf is the mastership of a peer called me, with two workers; all others that are present
// may be drawn, and follow a master that is gone: the first, or its heir.
type masterOf struct {
	mastership
	present
	runs   runs
	others []membership.PeerID
	buried map[membership.PeerID]membership.How // and when: at 1 s
	heir   membership.PeerID
	self   membership.Member
	goes   bool // it is leaving
}

func newMasterOf(others ...membership.PeerID) *masterOf {
	m := &masterOf{present: presentOf(others...), others: others, buried: map[membership.PeerID]membership.How{}}
	m.self = membership.Member{ID: "me", State: membership.Here, Incarnation: in("me").incarnation}
	m.present["me"] = m.self
	m.mastership = mastership{
		self: "me", workers: 2, members: m, runs: &m.runs, tombstones: &tombstones{}, leaves: func() bool { return m.goes },
		supportAt: steal.Never,
	}
	return m
}

func (m *masterOf) Self() membership.Member { return m.self }

func (m *masterOf) Lives(id membership.PeerID, i membership.Incarnation) bool {
	_, buried := m.buried[id]
	return m.Has(id, i) && !buried
}

func (m *masterOf) Buried(id membership.PeerID, _ membership.Incarnation) bool {
	_, buried := m.buried[id]
	return buried
}

func (m *masterOf) Fate(id membership.PeerID, _ membership.Incarnation) (membership.How, time.Duration, bool) {
	how, over := m.buried[id]
	return how, time.Second, over
}

func (m *masterOf) Successor(membership.PeerID, membership.Incarnation) (membership.Member, bool) {
	if m.heir != "" {
		return m.Member(m.heir)
	}
	return m.Oldest()
}

func (m *masterOf) Oldest() (membership.Member, bool) { return m.Member(m.others[0]) }
func (m *masterOf) OldestOther() (membership.Member, bool) {
	return m.Oldest()
}
func (m *masterOf) Draw() (membership.Member, bool) { return m.Member(m.others[len(m.others)-1]) }

// run adds a run with a master, of epoch 1.
func (m *masterOf) run(n byte, master membership.PeerID) *run {
	r := m.runs.made(submittedAs("client", n), 0)
	r.master, r.epoch = master, m.epoch(1, master)
	r.epochs.Over(1)
	return r
}

func (m *masterOf) epoch(n uint64, master membership.PeerID) membership.Epoch {
	return membership.Epoch{Number: n, Master: in(master).incarnation}
}

// isOf demands who a run's master is, and under which epoch.
func isOf(t *testing.T, event string, r *run, master membership.PeerID, epoch uint64) {
	t.Helper()
	if r.master != master || r.epoch.Number != epoch {
		t.Errorf("%s: its master is %s under epoch %d, want %s under %d", event, r.master, r.epoch.Number, master, epoch)
	}
}

// TestGreaterEpochHolds: for who is not master itself, and whose master does not live where the
// other is dead.
func TestGreaterEpochHolds(t *testing.T) {
	for event, c := range map[string]struct {
		master, from, next membership.PeerID
		epoch              uint64
		dead               membership.PeerID
		goes               bool
		want               membership.PeerID
		reached            uint64
	}{
		"a greater one":                     {"a1", "b1", "b1", 2, "", false, "b1", 2},
		"the same":                          {"a1", "b1", "a1", 1, "", false, "a1", 1},
		"of a master whom it holds dead":    {"a1", "b1", "c1", 2, "c1", false, "a1", 1},
		"its own master has left its root":  {"a1", "a1", "c1", 2, "c1", false, "c1", 2},
		"its own master is dead":            {"a1", "b1", "b1", 2, "a1", false, "b1", 2},
		"it is master, the other is dead":   {"me", "b1", "c1", 2, "c1", false, "me", 1},
		"it is master, the other lives":     {"me", "b1", "c1", 2, "", false, "me", 1},
		"others say that it is master":      {"a1", "b1", "me", 4, "a1", false, "me", 5},
		"they say so, and it leaves":        {"a1", "b1", "me", 4, "a1", true, "me", 4},
		"an epoch that nobody comes to":     {"a1", "b1", "b1", 1 << 60, "", false, "a1", 1},
		"of another master of equal number": {"a1", "b1", "b1", 1, "", false, "a1", 1},
	} {
		m := newMasterOf("a1", "b1", "c1")
		r := m.run(1, c.master)
		if m.goes = c.goes; c.dead != "" {
			m.buried[c.dead] = membership.Killed
		}
		m.compareEpochs(time.Minute, c.from, r, &Head{Epoch: m.epoch(c.epoch, c.next), Master: c.next})
		isOf(t, event, r, c.want, c.reached)
	}
}

// TestRootIsLeft: who adopts another master tells the former one, and stops its root.
func TestRootIsLeft(t *testing.T) {
	m := newMasterOf("a1", "b1")
	r := m.run(1, "a1")
	r.root.borrow, r.support.claim, r.lookAt = 7, 3, 4
	effects := m.compareEpochs(time.Minute, "b1", r, &Head{Epoch: m.epoch(2, "b1"), Master: "b1"})
	kinds := [3]bool{}
	for n, e := range effects {
		switch e := e.(type) {
		case tells:
			f, ok := e.body.(Support)
			kinds[n] = n == 0 && ok && e.to == "a1" && len(f.Epochs) == 1 && f.Epochs[0] == RunEpoch{r.instance, r.epoch}
		case Mastered:
			kinds[n] = n == 1 && e.Master == "b1"
		case steal.Stop:
			kinds[n] = n == 2 && e.Borrow == 7 && e.Orphaned && e.Key == r.instance.Run
		}
	}
	if len(effects) != 3 || kinds != [3]bool{true, true, true} {
		t.Errorf("it does %v", effects)
	}
	if r.root.borrow != 0 || r.support.claim != 0 || r.lookAt != 0 || r.since != time.Minute || m.supportAt != time.Minute {
		t.Error("something of what the former master knew is left, or the new master is not told at once")
	}
}

// TestMasterIsGone: at once where it has left or was seen to die, after a moment where it was
// silent, and after longer where nobody knows it.
func TestMasterIsGone(t *testing.T) {
	const at = time.Second // when they were buried
	for name, c := range map[string]struct {
		master membership.PeerID
		how    membership.How
		gone   time.Duration // 0: never
	}{
		"lives":      {"a1", 0, 0},
		"has left":   {"a1", membership.Went, at},
		"was killed": {"a1", membership.Killed, at},
		"is silent":  {"a1", membership.Silent, at + returnMax},
		"a stranger": {"x1", 0, at + strangerMax},
	} {
		m := newMasterOf("a1")
		r := m.run(1, c.master)
		if c.how != 0 {
			m.buried[c.master] = c.how
		}
		if gone := m.isGone(at, r); gone != (c.gone == at) || !gone && c.gone > 0 && r.lookAt != c.gone {
			t.Errorf("%s: gone at once: %v; it looks again at %v, want %v", name, gone, r.lookAt, c.gone)
		}
		if c.gone > at && (m.isGone(c.gone-1, r) || !m.isGone(c.gone, r)) {
			t.Errorf("%s: not gone at %v", name, c.gone)
		}
	}
	m := newMasterOf("a1")
	r := m.run(1, "me")
	delete(m.present, "me")
	if !m.isGone(0, r) {
		t.Error("a former life of this peer is master")
	}
}

// TestSuccession: the heir follows, or the oldest when the heir does not. When that is this peer it
// is master under an epoch above all that it has heard of.
func TestSuccession(t *testing.T) {
	m := newMasterOf("me", "b1")
	m.buried["a1"] = membership.Went
	r := m.run(1, "a1")
	r.above = 6
	is, effects := m.succeed(2*time.Second, r)
	if isOf(t, "the oldest", r, "me", 7); !is || r.heardOf != 6 || len(effects) != 3 {
		t.Errorf("it succeeds: %v, over %d; it does %v", is, r.heardOf, effects)
	}
	if effects[0] != (succeeds{r.no, "a1"}) || effects[1] != (Mastered{Run: r.no, Master: "me", Epoch: r.epoch}) {
		t.Errorf("it does %v", effects)
	}
	m.heir = "b1"
	r = m.run(2, "a1")
	if is, _ = m.succeed(time.Second+heirMax-1, r); is || r.lookAt != time.Second+heirMax {
		t.Errorf("the heir has no time: it looks again at %v", r.lookAt)
	}
	if is, _ = m.succeed(time.Second+heirMax, r); !is {
		t.Error("the heir does not know, and nobody succeeds")
	}
	for name, c := range map[string]struct {
		change func()
		want   bool
	}{
		"its root has not come": {func() {}, false},
		"it has":                {func() { r.root.bytes = []byte{} }, true},
		"it leaves":             {func() { m.goes = true }, false},
	} {
		m.goes, r.root.bytes = false, nil
		if name != "its root has not come" {
			r.root.bytes = []byte{}
		}
		if c.change(); m.mayStart(r) != c.want {
			t.Errorf("%s: it starts the root: %v", name, !c.want)
		}
	}
}
