package membership

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The greatest counter holds, and of two with the same the bar that keeps out.
func TestBarsLearn(t *testing.T) {
	var b bars
	for _, c := range []struct {
		bar         Bar
		news, holds bool
	}{
		{Bar{"x", 5, true}, true, true},
		{Bar{"x", 5, true}, false, true},  // it is known
		{Bar{"x", 5, false}, false, true}, // said at the same time
		{Bar{"x", 4, false}, false, true}, // older
		{Bar{"x", 6, false}, true, false},
		{Bar{"x", 6, true}, true, true},
		{Bar{"", 9, true}, false, false},
		{Bar{"two words", 9, true}, false, false},
	} {
		effects, news := b.learn(c.bar)
		if news != c.news || b.holds(c.bar.ID) != c.holds || effects != nil {
			t.Errorf("%v: news %v, holds %v, %v", c.bar, news, b.holds(c.bar.ID), effects)
		}
	}
	if b.newest != 6 || b.holds("y") || len(b.all) != 1 {
		t.Errorf("%v", b.all)
	}
}

// Those that are not to be believed are forgotten, and the next that is said here is one that is.
func TestBarsAboveAreForgotten(t *testing.T) {
	var b bars
	for _, bar := range []Bar{{"x", 5, true}, {"y", 1 << 61, true}, {"z", 1 << 60, false}} {
		b.learn(bar)
	}
	before := b.digest()
	if b.dropAbove(1<<61) != nil || b.digest() != before || b.newest != 1<<61 {
		t.Errorf("none is above, and they are %v, the newest %d", b.all, b.newest)
	}
	effects := b.dropAbove(7)
	if !slices.Equal(effects, []Effect{Unbarred{"y"}, Unbarred{"z"}}) || !slices.Equal(b.all, []Bar{{"x", 5, true}}) || b.newest != 5 {
		t.Errorf("%v is told of, and they are %v, the newest %d", effects, b.all, b.newest)
	}
	if b.digest() == before {
		t.Error("the digest is that of before")
	}
}

// A client forgets a bar that members do not have, or that they have lifted, in a minute, and none
// that one of them has heard of late.
func TestBarsThatMembersLack(t *testing.T) {
	var b bars
	x, y, z := Bar{"x", 5, true}, Bar{"y", 9, true}, Bar{"z", 7, true}
	for _, bar := range []Bar{x, y, z} {
		b.learn(bar)
	}
	for _, c := range []struct {
		at   time.Duration
		told []Bar
		gone []Effect
		all  []Bar
	}{
		{0, []Bar{x, {"y", 3, false}}, nil, []Bar{x, y, z}},
		{unheardMax / 2, []Bar{x, {"y", 3, false}, z}, nil, []Bar{x, y, z}},
		{unheardMax, []Bar{x}, nil, []Bar{x, y, z}},
		{unheardMax + 1, []Bar{x, {"y", 3, false}}, []Effect{Unbarred{"y"}}, []Bar{x, z}},
		{2*unheardMax + 1, []Bar{x}, []Effect{Unbarred{"z"}}, []Bar{x}},
	} {
		if gone := b.dropLacked(c.at, c.told); !slices.Equal(gone, c.gone) || !slices.Equal(b.all, c.all) {
			t.Errorf("at %v %v are gone, and they are %v", c.at, gone, b.all)
		}
	}
}

// The oldest makes room and is told of; one that is older still is not learned. All who have heard
// the same have the same, in whatever order they heard it, lifted ones among them.
func TestBarsAreForgotten(t *testing.T) {
	for _, lifted := range []int{0, 3} { // none, or a third of them
		var told []Bar
		for n := range BarsMax + 100 {
			told = append(told, Bar{PeerID(fmt.Sprint("p", n)), uint64(n + 1), lifted == 0 || n%lifted > 0})
		}
		var b bars
		for n, bar := range told {
			effects, news := b.learn(bar)
			// those that were lifted go first
			first := min(max(n-BarsMax, 0)*max(lifted, 1), n)
			if !news || (n >= BarsMax) != (len(effects) == 1) {
				t.Fatalf("bar %d: news %v, %v", n, news, effects)
			}
			if n >= BarsMax && effects[0] != (Unbarred{told[first].ID}) {
				t.Fatalf("bar %d: %v is told of, the first to go is %v", n, effects[0], told[first])
			}
		}
		if _, news := b.learn(told[0]); news {
			t.Error("one that is older than all others is learned")
		}
		rng := rand.New(rand.NewPCG(1, 2))
		rng.Shuffle(len(told), func(i, j int) { told[i], told[j] = told[j], told[i] })
		var other bars
		for _, bar := range told {
			other.learn(bar)
			if cached := other.digest(); rng.IntN(50) == 0 {
				if other.fresh = false; other.digest() != cached {
					t.Fatal("the digest is not that of the bars")
				}
			}
		}
		if !slices.Equal(b.all, other.all) || b.digest() != other.digest() {
			t.Error("two have heard the same bars, and differ")
		}
	}
}

// However many bars of strangers somebody says were lifted, and however late, all who are kept out
// stay so, and the next that is barred is, too. Its counter is above all that was ever heard: who
// has room for what was forgotten here would else not believe it.
func TestLiftedBarsGoFirst(t *testing.T) {
	for _, kept := range []int{1, BarsMax / 2, BarsMax - 1, BarsMax} {
		v := newView("me", "a")
		v.Enter(0)
		for n := range kept {
			v.Bar(0, PeerID(fmt.Sprint("kicked", n)), true)
		}
		for round := range 3 {
			var lifted []Bar
			for n := range BarsMax {
				lifted = append(lifted, Bar{PeerID(fmt.Sprintf("x%d-%d", round, n)), uint64(5000 + round*BarsMax + n), false})
			}
			v.MergeBars(0, lifted)
		}
		for n := range kept {
			if !v.IsBarred(PeerID(fmt.Sprint("kicked", n))) {
				t.Fatalf("%d were kept out, and the bar of number %d is forgotten", kept, n)
			}
		}
		v.Bar(0, "next", true)
		if all := v.Bars(); !v.IsBarred("next") || len(all) != BarsMax || !slices.Contains(all, Bar{"next", 5000 + 3*BarsMax, true}) {
			t.Errorf("%d were kept out, and the next is not: %d bars", kept, len(all))
		}
		v.Bar(0, "kicked0", false)
		v.Bar(0, "kicked0", true)
		if !v.IsBarred("kicked0") || v.IsBarred("x2-0") {
			t.Error("one that was let in cannot be barred again")
		}
	}
}
