package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// ordering plays a grid of two sites of three in which peers are ordered to leave in messages, and
// tells what was seen of that.
func ordering(t *testing.T, seed int, faults ...Fault) Orders {
	t.Helper()
	tree := &Tree{Seed: uint64(seed), Depth: 4, Width: 4, Leaf: 50 * time.Millisecond}
	o := quiet(tree, 5*time.Millisecond, steal.CRS, 3, 3)
	o.Seed, o.CheckAll, o.Asides = uint64(seed), true, true
	if seed%2 > 0 {
		o.Near.Loss, o.Far.Loss = 0.2, 0.2
	}
	for _, f := range faults {
		o.add(f)
	}
	return play(t, o).Orders
}

func (o *Orders) add(other Orders) {
	o.Given += other.Given
	o.Followed += other.Followed
	o.Done += other.Done
	o.Deserted += other.Deserted
	o.Late += other.Late
	o.Heard += other.Heard
}

// TestOrdersAreFollowed: though messages are lost, the sites are cut for a while, or others crash,
// who is ordered to leave does, and who gave the order sees it: in the end none is under way.
func TestOrdersAreFollowed(t *testing.T) {
	for name, fault := range map[string]Fault{
		"two leave":         {Kind: Leave, At: at(300 * time.Millisecond), For: 10 * time.Second, Host: 3},
		"the sites are cut": {Kind: CutTwoWay, At: at(250 * time.Millisecond), For: 2 * time.Second, Side: 0b111_0000},
		"another crashes":   {Kind: Crash, At: at(310 * time.Millisecond), Host: 2},
		"a site leaves":     {Kind: LeaveSite, At: at(300 * time.Millisecond), For: 10 * time.Second},
		"a site moves":      {Kind: Migrate, At: at(100 * time.Millisecond), For: 10 * time.Second},
	} {
		var all Orders
		for seed := range 10 {
			all.add(ordering(t, seed, fault, Fault{Kind: LeaveMaster, At: at(400 * time.Millisecond), For: 10 * time.Second}))
		}
		if t.Logf("%s: %+v", name, all); all.Given < 8 || 4*all.Followed < 3*all.Given || all.Done == 0 {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// TestLateLeaversAreHeardOf: who is to leave at once does not hand over what it has, and says so.
func TestLateLeaversAreHeardOf(t *testing.T) {
	var all Orders
	for seed := range 10 {
		all.add(ordering(t, seed, Fault{Kind: Leave, At: at(400 * time.Millisecond), For: time.Millisecond}))
	}
	if t.Logf("%+v", all); all.Late < 3 || all.Heard < 3*all.Late {
		t.Errorf("%+v", all)
	}
}

// TestBoundOrdersToNobody: the site that is to take over dies while the others are told to move:
// they stay, or are not told any more.
func TestBoundOrdersToNobody(t *testing.T) {
	var all Orders
	for seed := range 20 {
		all.add(ordering(t, seed, Fault{Kind: MigrateLost, At: at(200 * time.Millisecond), For: 5*time.Second + time.Duration(seed)*time.Millisecond/2, N: seed / 2 % 2}))
	}
	if t.Logf("%+v", all); all.Followed < 20 || all.Deserted == 0 {
		t.Errorf("%+v", all)
	}
}
