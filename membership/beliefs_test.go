package membership

import (
	"math"
	"testing"
	"time"
)

// Who knows nothing believes the first snapshot, and what is near it from then on.
func TestBeliefsSettle(t *testing.T) {
	var b beliefs
	if !b.admitJoin(0, firstMax) || !b.admitBar(0, firstMax) || b.admitJoin(0, CounterMax) {
		t.Error("nothing is settled: every counter may be true above which there is room, and nothing else")
	}
	if b.areBelied(newest{}) {
		t.Error("nothing is believed that could be a lie")
	}
	members := []Member{{Incarnation: Incarnation{Join: 7}}, {Incarnation: Incarnation{Join: 3}}}
	b.trusted = newestOf(members, []Bar{{Counter: 20}, {Counter: 10}})
	if b.trusted != (newest{7, 20}) {
		t.Fatalf("the snapshot says %v", b.trusted)
	}
	b.settle(b.trusted)
	for _, c := range []struct {
		n      uint64
		admits bool
	}{{8, true}, {7 + RaiseMax, true}, {8 + RaiseMax, false}, {7 + 2*RaiseMax, false}, {math.MaxUint64, false}} {
		// a refusal raises the ceiling: each is asked of another view
		if b := b; b.admitJoin(0, c.n) != c.admits {
			t.Errorf("join number %d is believed: %v", c.n, !c.admits)
		}
	}
	if b := b; !b.admitBar(0, 20+RaiseMax) || b.admitBar(time.Second, 20+3*RaiseMax) {
		t.Error("bars have a ceiling of their own")
	}
}

// What one snapshot said was a lie when another knows nothing near it; that the other knows more
// says nothing.
func TestBeliefsAreBelied(t *testing.T) {
	b := beliefs{settled: true, trusted: newest{join: 5 * RaiseMax, bar: 1}}
	for _, c := range []struct {
		says newest
		lie  bool
	}{
		{newest{4 * RaiseMax, 0}, false},
		{newest{4*RaiseMax - 1, 9}, true},
		{newest{CounterMax, 1}, false},
		{newest{1, 1}, true},
	} {
		if b.areBelied(c.says) != c.lie {
			t.Errorf("%v: a lie %v", c.says, !c.lie)
		}
	}
	if n := newestOf([]Member{{Incarnation: Incarnation{Join: math.MaxUint64}}}, nil); n.join != firstMax {
		t.Errorf("a snapshot says %d, which is no counter", n.join)
	}
}

// How often a member has come back is believed up to a bound above what is known of that process.
func TestBeliefsOfLives(t *testing.T) {
	is := &seat{Member: Member{Incarnation: Incarnation{Join: 4, Rejoin: 10}}}
	says := func(join, rejoin uint64) *Member {
		return &Member{Incarnation: Incarnation{Join: join, Rejoin: rejoin}}
	}
	b := beliefs{settled: true}
	for _, c := range []struct {
		name   string
		is     *seat
		m      *Member
		admits bool
	}{
		{"known", is, says(4, 10+RaiseMax), true},
		{"known, too far", is, says(4, 11+RaiseMax), false},
		{"another process", is, says(5, 1+RaiseMax), false},
		{"a stranger", nil, says(5, RaiseMax), true},
		{"a stranger, too far", nil, says(5, 1+RaiseMax), false},
	} {
		if b.admitLives(c.is, c.m) != c.admits {
			t.Errorf("%s: %v", c.name, !c.admits)
		}
	}
	if b.settled = false; !b.admitLives(is, says(4, CounterMax)) {
		t.Error("who knows nothing believes what it is told")
	}
}
