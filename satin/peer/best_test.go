package peer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestVouchesForNoUnknownBest: who asks for a best that this peer does not hold gets what it has,
// and not the word that it is as good.
func TestVouchesForNoUnknownBest(t *testing.T) {
	s := newStage(t, "b/2")
	held := bytes.Repeat([]byte("x"), bestAlong)
	s.p.Offered(0, 1, steal.StampOf(held))
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

func newBest(known bool) *best {
	b := &best{no: 1, run: steal.Instance{Run: steal.Key{1}}, task: "t", failure: failing, publishAt: steal.Never}
	b.known = known
	return b
}

func stamp(text string) steal.Stamp { return steal.StampOf([]byte(text)) }

func naming(text string) steal.Stamp { return steal.Stamp{Digest: stamp(text).Digest} }

// TestBestRidesUntilItIsHeld: what is found here is published, rides on what is sent, and no more
// once a peer has said in its present life that it holds it.
func TestBestRidesUntilItIsHeld(t *testing.T) {
	b := newBest(true)
	does(t, "a worker finds one", b.offered(0, "me", stamp("one")), "unblocks")
	does(t, "it is the same", b.offered(0, "me", stamp("one")))
	if at := b.deadline(); at != gossipEvery {
		t.Errorf("it is published after %v", at)
	}
	does(t, "another before the first is published", b.offered(5*ms, "me", stamp("two")), "unblocks")
	does(t, "too soon", b.tick(gossipEvery-1))
	does(t, "in time", b.tick(gossipEvery), `all: BestIs with best "two"`)
	does(t, "once", b.tick(time.Second))
	again := life{"b", membership.Incarnation{Join: 1, Rejoin: 1}}
	rides := func(to life) bool { return b.stamp(to.peer, to.incarnation).Value != nil }
	if !rides(in("b")) || b.stamp("b", in("b").incarnation).Digest != stamp("two").Digest {
		t.Error("it does not ride on what is sent")
	}
	b.hadBy(in("b"), HaveBest{Digest: stamp("one").Digest})
	if !rides(in("b")) {
		t.Error("who holds a former one counts as holding this")
	}
	b.hadBy(in("b"), HaveBest{Digest: stamp("two").Digest})
	if rides(in("b")) || !rides(again) || !rides(in("c")) {
		t.Error("it rides to one that holds it, or not to another, or to another life")
	}
	b.lost("b")
	if !rides(in("b")) {
		t.Error("one that was lost counts as holding it")
	}
}

// TestBestTaken: what a message brings is compared, acknowledged when it is held, and what names it
// may be used only then.
func TestBestTaken(t *testing.T) {
	b := newBest(false)
	take := func(s steal.Stamp, want bool, does_ ...string) {
		t.Helper()
		held, effects := b.take(0, in("b"), s)
		does(t, "a best comes", effects, does_...)
		if held != want {
			t.Errorf("held: %v", held)
		}
	}
	take(steal.Stamp{}, true)
	take(stamp("one"), false)
	does(t, "the workers know the run", b.opens(0), `compare the best "one"`)
	take(stamp("two"), false)
	take(stamp("one"), false)
	b.trial.awaits(stamp("one").Digest, in("c"), steal.Key{})
	does(t, "another's verdict", b.compared(0, stamp("two").Digest, Better, steal.Result{}))
	does(t, "it is better", b.compared(0, stamp("one").Digest, Better, steal.Result{}),
		"unblocks", "unblocks", "c: HaveBest", `compare the best "two"`)
	take(stamp("one"), true, "b: HaveBest")
	take(naming("one"), true)
	take(naming("two"), false)
	does(t, "it is worse", b.compared(0, stamp("two").Digest, Worse, steal.Result{}), "unblocks")
	take(naming("two"), true)
	take(steal.Stamp{}, true)
	if take(naming("none"), false); len(b.trial.waiting) > 0 {
		t.Error("a name alone is compared")
	}
	if string(b.value) != "one" || b.deadline() != steal.Never {
		t.Errorf("the best is %q, and published at %v", b.value, b.deadline())
	}
}

// TestBestAskedFor: one transfer is under way at a time. What comes counts for the
// one that was asked for.
func TestBestAskedFor(t *testing.T) {
	b := newBest(true)
	does(t, "a big one is named", b.named(0, in("b"), stamp("big").Digest), "b: WantBest")
	does(t, "again", b.named(time.Second-1, in("c"), stamp("big").Digest))
	does(t, "a message needs it later", b.ask(time.Second, in("c"), stamp("big").Digest), "c: WantBest")
	is := BestIs{For: stamp("big").Digest, Best: stamp("bigger")}
	does(t, "it comes", b.came(1100*ms, in("c"), is), `compare the best "bigger"`)
	does(t, "it is named while it is compared", b.named(5*time.Second, in("b"), stamp("bigger").Digest))
	if b.settles(is.For) {
		t.Error("what was asked for counts as held before it is compared")
	}
	does(t, "it is better", b.compared(1200*ms, stamp("bigger").Digest, Better, steal.Result{}), "unblocks", "unblocks", "c: HaveBest", "unblocks")
	if !b.settles(is.For) {
		t.Error("what was asked for was passed over, and is not held")
	}
	does(t, "it is named", b.named(5*time.Second, in("b"), is.For))
	does(t, "it comes once more", b.came(1300*ms, in("b"), is), "b: HaveBest", "unblocks")
}

// TestBestGiven: a small one to whoever asks, a big one once while it is on its way, and no word
// for one that is not known here.
func TestBestGiven(t *testing.T) {
	b := newBest(true)
	want := WantBest{Digest: stamp("small").Digest}
	does(t, "there is none", b.hearWantBest(0, in("b"), want))
	b.offered(0, "me", stamp("small"))
	for range 2 {
		does(t, "a small one", b.hearWantBest(0, in("b"), want), `b: BestIs with best "small"`)
	}
	b.offered(0, "me", stamp(strings.Repeat("x", bestAlong)))
	does(t, "as long as one may be that is no big one", b.tick(time.Second), "all: BestIs with a best of 16384 bytes")
	if b.stamp("b", in("b").incarnation).Value == nil {
		t.Error("it does not ride along")
	}
	big := stamp(strings.Repeat("x", bestAlong+1))
	b.offered(0, "me", big)
	does(t, "a big one is named to all", b.tick(time.Second), "all: BestIs naming a best")
	if b.stamp("b", in("b").incarnation).Value != nil {
		t.Error("a big one rides along")
	}
	const gives = "b: BestIs with a best of 16385 bytes"
	does(t, "a big one", b.hearWantBest(time.Second, in("b"), want), gives)
	does(t, "it is on its way", b.hearWantBest(1400*ms, in("b"), want))
	does(t, "to another life", b.hearWantBest(1400*ms, life{"b", membership.Incarnation{Join: 2}}, want), gives)
	does(t, "it is late", b.hearWantBest(3*time.Second, in("b"), want), gives)
	b.hadBy(in("b"), HaveBest{Digest: want.Digest})
	does(t, "the former has come", b.hearWantBest(3*time.Second, in("b"), want), gives)
	for _, of := range []struct {
		name string
		want bool
	}{{"small", true}, {"other", false}} {
		b.lost("b")
		is := b.hearWantBest(0, in("b"), WantBest{Digest: stamp(of.name).Digest})[0].(membership.Send).Body.(BestIs)
		if (is.For == stamp(of.name).Digest) != of.want {
			t.Errorf("asked for %s, it vouches for %v", of.name, is.For.Short())
		}
	}
}

// TestBestFails: what fails a run. A value that is spoilt is only dropped; work under it, an order
// that never answers and a best that cannot travel fail the run.
func TestBestFails(t *testing.T) {
	b := newBest(true)
	why := steal.Result{Outcome: steal.Panicked, Bytes: []byte("moody")}
	b.contend(0, "b", stamp("bad"))
	b.flush()
	does(t, "work comes before the verdict", second(b.postpones(0, "b", stamp("bad"))))
	does(t, "it is spoilt", b.compared(0, stamp("bad").Digest, Spoilt, why), "unblocks")
	does(t, "it comes again", second(b.take(0, in("c"), stamp("bad"))))
	if !b.settles(stamp("bad").Digest) || b.knows(stamp("bad").Digest) {
		t.Error("work under it waits for ever, or is used")
	}
	never, effects := b.postpones(0, "b", naming("bad"))
	does(t, "work under it", effects, `fails: panic "moody"`)
	if !never {
		t.Error("it is held back")
	}
	does(t, "work with another", second(b.postpones(time.Second, "b", stamp("good"))), `compare the best "good"`)
	if b.deadline() != time.Second+trialMax {
		t.Errorf("it may take until %v", b.deadline())
	}
	does(t, "in time", b.tick(time.Second+trialMax-1))
	does(t, "too late", b.tick(time.Second+trialMax), `fails: panic "b: comparing a best from b has not ended in 1m0s: does its Better return?"`)
	does(t, "once", b.tick(time.Hour))
	does(t, "one that is too long", b.offered(0, "me", steal.Stamp{Digest: steal.Key{2}, Value: make([]byte, BestMax+1)}),
		`fails: panic "me: a best is 67108865 bytes: 67108864 may travel"`)
}

// TestBestForgets: what is remembered of former ones is bounded, the oldest are forgotten first.
func TestBestForgets(t *testing.T) {
	b := newBest(true)
	for n := range hadMax + 1 {
		b.offered(0, "me", steal.Stamp{Digest: steal.Key{byte(n), byte(n >> 8), 1}, Value: []byte{1}})
	}
	if len(b.had) != hadMax || len(b.order) != hadMax || b.knows(steal.Key{0, 0, 1}) || !b.knows(steal.Key{1, 0, 1}) {
		t.Errorf("%d are remembered, in a row of %d", len(b.had), len(b.order))
	}
}

// TestBestIsKnownThoughForgotten: what is held is held, however many worse ones have come since
// that were compared and passed over.
func TestBestIsKnownThoughForgotten(t *testing.T) {
	b := newBest(true)
	b.offered(0, "me", stamp("best"))
	for n := range hadMax {
		b.remember(steal.Key{byte(n), byte(n >> 8), 1})
		b.remember(steal.Key{byte(n), byte(n >> 8), 1})
	}
	if _, some := b.had[stamp("best").Digest]; some || len(b.had) != hadMax {
		t.Fatal("it is remembered as one that was")
	}
	if held, effects := b.take(0, in("b"), stamp("best")); !held {
		t.Error("it is not known")
	} else {
		does(t, "it comes from another", effects, "b: HaveBest")
	}
	does(t, "a worker finds it again", b.offered(0, "me", stamp("best")))
}

// TestBestPublishedInBursts: dozens are found in the first moment of a run, and the last of each
// burst is published. One that came from elsewhere is not: who had it has published it.
func TestBestPublishedInBursts(t *testing.T) {
	b := newBest(true)
	var said []string
	for now := time.Duration(0); now < 100*ms; now += ms {
		if now < 50*ms {
			b.offered(now, "me", stamp(strings.Repeat("x", int(now/ms)+1)))
		}
		if now >= b.deadline() {
			said = append(said, told(b.tick(now))...)
		}
	}
	want := []string{}
	for _, n := range []int{21, 42, 50} {
		want = append(want, tellBest(n))
	}
	if !slices.Equal(said, want) {
		t.Errorf("said was %q, want %q", said, want)
	}
	b.came(time.Second, in("b"), BestIs{Best: stamp("from b")})
	b.compared(time.Second, stamp("from b").Digest, Better, steal.Result{})
	if b.deadline() != steal.Never {
		t.Errorf("what came from b is published at %v", b.deadline())
	}
	does(t, "whatever ticks", b.tick(time.Hour))
}

func tellBest(n int) string { return "all: " + tellBody(BestIs{Best: stamp(strings.Repeat("x", n))}) }

// TestTooLongABest: the longest that may travel is taken from a worker, and from outside; what is
// longer fails the run where it is found, and is nothing where it comes from another.
func TestTooLongABest(t *testing.T) {
	longest := steal.Stamp{Digest: steal.Key{1}, Value: make([]byte, BestMax)}
	longer := steal.Stamp{Digest: steal.Key{2}, Value: make([]byte, BestMax+1)}
	b := newBest(true)
	does(t, "from a worker", b.offered(0, "me", longest), "unblocks")
	b = newBest(true)
	does(t, "from outside", second(b.take(0, in("b"), longest)), fmt.Sprintf("compare a best of %d bytes", BestMax))
	b = newBest(true)
	held, effects := b.take(0, in("b"), longer)
	if does(t, "too long, from outside", effects); held || b.trial.has(longer.Digest) {
		t.Error("what may not travel is held, or waits")
	}
}

// TestBigBestForThoseWhoStay: submitters come and go, and each asks for a big best and is gone
// before it has come. Whoever asks after them gets it when what was sent to them must have come.
func TestBigBestForThoseWhoStay(t *testing.T) {
	b := newBest(true)
	b.offered(0, "me", stamp(strings.Repeat("x", bestAlong+1)))
	asks := func(now time.Duration, id string) bool {
		return len(b.hearWantBest(now, in(membership.PeerID(id)), WantBest{Digest: b.digest})) > 0
	}
	gone := 0
	for asks(0, fmt.Sprint("client", gone)) {
		gone++
	}
	if gone != membership.MembersMax+1 {
		t.Errorf("it is on its way to %d at a time", gone)
	}
	if asks(wantEvery/2, "b") {
		t.Error("it is sent to more")
	}
	until := wantEvery/2 + timeFor(bestAlong+1)
	if asks(until-1, "client0") || asks(until-1, "b") {
		t.Error("it is sent again to one to which it is on its way")
	}
	if !asks(until, "b") || asks(until, "b") || len(b.sending) != 1 || !asks(2*until, "b") {
		t.Errorf("nobody gets it any more, or twice; it counts as on its way to %d", len(b.sending))
	}
}

// TestHaveBestIsBounded: so many are known to hold it. One of those that comes to hold the next is
// known to hold that, and it rides to it no more.
func TestHaveBestIsBounded(t *testing.T) {
	b := newBest(true)
	b.offered(0, "me", stamp("one"))
	for n := range 2 * membership.MembersMax {
		b.hadBy(in(membership.PeerID(fmt.Sprint("x", n))), HaveBest{Digest: b.digest})
	}
	if len(b.acked) != membership.MembersMax+1 {
		t.Errorf("%d are known to hold it", len(b.acked))
	}
	b.offered(0, "me", stamp("two"))
	b.hadBy(in("x0"), HaveBest{Digest: b.digest})
	if s := b.stamp("x0", in("x0").incarnation); s.Value != nil {
		t.Error("one of them says that it holds the next, and it rides along for ever")
	}
}

// TestSpoiltBestIsNotAskedFor: what is named was found to be no best. It may be long, and comes to
// nothing; whoever else names it is not asked, either.
func TestSpoiltBestIsNotAskedFor(t *testing.T) {
	b := newBest(true)
	does(t, "a big one is named", b.named(0, in("b"), stamp("bad").Digest), "b: WantBest")
	b.came(0, in("b"), BestIs{For: stamp("bad").Digest, Best: stamp("bad")})
	b.compared(0, stamp("bad").Digest, Spoilt, panicked)
	does(t, "it is named again", b.named(time.Hour, in("c"), stamp("bad").Digest))
	if b.knows(stamp("bad").Digest) || b.value != nil {
		t.Error("it is held")
	}
}

// TestBigBestHasOneTransfer: whoever asks again while a big best is on its way to it is
// not sent a second one.
func TestBigBestHasOneTransfer(t *testing.T) {
	p, other := lone(t)
	_, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	start, _ := find[StartRun](effects)
	p.Offered(0, start.Run, steal.StampOf(make([]byte, 8<<20)))
	sent := 0
	ask := func(now time.Duration) {
		for _, b := range bodies(p.Received(now, "other", Message{From: other, Body: WantBest{Run: start.Instance, Digest: p.runs.all[0].best.digest}})) {
			if _, ok := b.(BestIs); ok {
				sent++
			}
		}
	}
	ask(0)
	ask(time.Second)
	ask(2 * time.Second)
	if sent != 1 {
		t.Errorf("sent %d times within two seconds, which 8 MiB may take", sent)
	}
	ask(4 * time.Second)
	if sent != 2 {
		t.Errorf("it was lost, and is sent %d times in all", sent)
	}
	p.Received(4*time.Second, "other", Message{From: other, Body: HaveBest{Run: start.Instance, Digest: p.runs.all[0].best.digest}})
	p.Offered(4*time.Second, start.Run, steal.StampOf(make([]byte, 9<<20)))
	ask(4 * time.Second)
	if sent != 3 {
		t.Error("the next best waits for one that has arrived")
	}
}

func second[A, B any](_ A, b B) B { return b }
