package addresses

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
)

// What others say of a host that has spoken is tried when its own word has failed, beside that:
// whoever lies displaces nothing.
func TestOthersWordWhereItsOwnFails(t *testing.T) {
	own := []string{at(3, "x"), at(2, "x")}
	b := bookOf(Known{ID: "x", Age: -1, Addrs: []string{at(2, "x")}}, reached("friend", "a", 9, 0))
	b.Tick(0)
	b.Up(0, "friend", false, nil)
	b.Up(0, "x", false, []string{at(3, "x")})
	b.Down(0, "x")
	b.Learn(0, Known{ID: "x", Addrs: []string{at(3, "x"), at(4, "x"), at(1, "x")}}, false)
	now := time.Duration(0)
	dial := func() []string {
		t.Helper()
		for ; now < time.Hour; now += 100 * time.Millisecond {
			if out := b.Tick(now); len(out) > 0 {
				b.Failed(now, "x", true, false)
				return out[0].(membership.Dial).Addrs
			}
		}
		t.Fatal("nobody is dialled")
		return nil
	}
	if got := dial(); !slices.Equal(got, own) {
		t.Errorf("its own word has not failed yet, and it is dialled at %v", got)
	}
	if got := dial(); !slices.Equal(got, append(slices.Clone(own), at(4, "x"))) {
		t.Errorf("its own word has failed, and it is dialled at %v", got)
	}
	for n := range 200 {
		b.Learn(now, Known{ID: "x", Addrs: []string{at(100+n, "x")}}, false)
	}
	if got := dial(); !slices.Equal(got[:2], own) || len(got) > membership.AddrsMax {
		t.Errorf("after many lies it is dialled at %v", got)
	}
	if got := b.Addrs("x"); !slices.Equal(got, own) {
		t.Errorf("what is passed on of it is %v", got)
	}
	b.Again(now, "x")
	b.Up(now, "x", false, []string{at(5, "x")})
	if got := b.Addrs("x"); !slices.Equal(got, []string{at(5, "x"), at(2, "x"), at(3, "x")}) {
		t.Errorf("a lie that was dialled beside the way that led to it is taken for one: %v", got)
	}
}

// However much others say of a host that has many addresses, each of these is
// dialled every other time.
func TestManyAddressesAndOthersWord(t *testing.T) {
	b := bookOf(reached("friend", "a", 9, 0))
	b.Up(0, "friend", false, nil)
	for n := 100; n < 100+membership.AddrsMax-ownWordMax; n++ { // these lead to it
		b.Learn(0, Known{ID: "x", Addrs: []string{at(n, "x")}}, false)
	}
	b.Want(0, "x")
	var own []string
	for n := range ownWordMax {
		own = append(own, at(n+2, "x"))
	}
	b.Up(0, "x", false, own)
	b.Down(0, "x")
	all := slices.Clone(b.Addrs("x"))
	if len(all) != membership.AddrsMax {
		t.Fatalf("%d addresses", len(all))
	}
	b.Learn(0, Known{ID: "x", Addrs: []string{at(300, "x")}}, false)
	tried := map[string]int{}
	for n := range 5 {
		effects, ok := b.Again(time.Duration(n)*time.Minute, "x")
		if !ok {
			t.Fatal("it is not dialled")
		}
		way := effects[0].(membership.Dial).Addrs
		if len(way) > membership.AddrsMax {
			t.Errorf("%d addresses are dialled", len(way))
		}
		for _, a := range way {
			tried[a]++
		}
		b.Failed(time.Duration(n)*time.Minute, "x", true, false)
	}
	for _, a := range append(all, at(300, "x")) {
		if tried[a] < 2 {
			t.Errorf("%s is dialled %d times of 5", a, tried[a])
		}
	}
}

// A client is looked for where others say that it calls, until it is reached, at no more than the
// rate of all who are lost.
func TestCalled(t *testing.T) {
	b := bookOf(reached("friend", "a", 9, 0))
	b.Up(0, "friend", false, nil)
	b.Learn(0, Known{ID: "c", Client: true, Addrs: []string{at(2, "c")}}, false)
	nobody := func(membership.PeerID) bool { return true }
	if times := play(t, b, 0, time.Minute, nobody); len(times) > 0 {
		t.Fatalf("a client is looked for: %v", times)
	}
	b.Called(time.Minute, Known{ID: "c", Addrs: []string{at(2, "c")}})
	times := play(t, b, time.Minute, time.Minute+2*GroupEvery, nobody)["c"]
	if len(times) < 2 || times[0] > time.Minute+GroupEvery {
		t.Errorf("it is dialled at %v", times)
	}
	b.Up(2*time.Minute, "c", true, nil)
	b.Down(2*time.Minute, "c")
	if times := play(t, b, 2*time.Minute, 3*time.Minute, nobody); len(times) > 0 {
		t.Errorf("it was reached, and is looked for: %v", times)
	}
	for n := range 10 * HeardMax {
		id := membership.PeerID(fmt.Sprint("invented", n))
		b.Called(4*time.Minute, Known{ID: id, Addrs: []string{at(n, id)}})
	}
	total := 0
	for _, all := range play(t, b, 4*time.Minute, 6*time.Minute, nobody) {
		total += len(all)
	}
	if most := int(2*time.Minute/LookEvery) + LookBurst; total > most {
		t.Errorf("%d dials, %d at the most", total, most)
	}
}

// TestGather: what is gathered, and whether it is news, is what a list made anew says.
func TestGather(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func(most int) (all []string) {
		for range rng.IntN(most) {
			all = append(all, string(rune('a'+rng.IntN(6))))
		}
		return all
	}
	old := 0
	for range 20_000 {
		before, not, from, beside, most := some(5), some(2), some(5), some(4), 1+rng.IntN(5)
		slices.Sort(before)
		before = slices.Compact(before)
		if rng.IntN(2) == 0 {
			from, beside = before[:rng.IntN(len(before)+1)], before
		}
		var want []string
		for _, a := range slices.Concat(from, beside) {
			if !slices.Contains(not, a) && !slices.Contains(want, a) && len(want) < most {
				want = append(want, a)
			}
		}
		got, news := gather(before, not, most, from, beside)
		if !slices.Equal(got, want) || news == slices.Equal(want, before) {
			t.Fatalf("of %v and %v without %v, at most %d, beside %v: %v, news %v", from, beside, not, most, before, got, news)
		}
		if !news {
			old++
		}
	}
	if old < 1000 {
		t.Errorf("no news in %d cases only", old)
	}
}
