package peer

import (
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

func newFacts() *facts {
	return &facts{run: steal.Instance{Run: steal.Key{1}}, no: 7, again: steal.Never}
}

// brings is a message with facts.
func brings(texts ...string) (m Facts) {
	for _, f := range texts {
		m.Facts = append(m.Facts, []byte(f))
	}
	return m
}

// TestFactsAreTold: what is told is published once, together with what was told since, the youngest
// first; a fact that is known is no news, wherever it is from.
func TestFactsAreTold(t *testing.T) {
	f := newFacts()
	does(t, "nothing was told", f.tick(time.Hour))
	f.told(0, []byte("one"))
	f.told(ms, []byte("two"))
	f.told(ms, []byte("one"))
	does(t, "not yet", f.tick(factsEvery-1))
	does(t, "it is time", f.tick(factsEvery), `all: Facts ["two" "one"]`)
	does(t, "once", f.tick(time.Hour))
	if f.again != steal.Never {
		t.Errorf("it publishes at %v", f.again)
	}
	does(t, "others tell", f.hearFacts(time.Hour, "b", brings("one", "three", "three")), `hear "three" of b`)
	f.told(time.Hour, []byte("three"))
	f.told(time.Hour, make([]byte, FactMax+1))
	does(t, "they know it, and one is too long", f.tick(2*time.Hour))
	does(t, "too long, from another", f.hearFacts(time.Hour, "b", brings(string(make([]byte, FactMax+1)))))
}

// TestFactsOverflow: a message carries so many bytes, a run takes so many facts a second, and the
// oldest that wait or are known go first.
func TestFactsOverflow(t *testing.T) {
	f := newFacts()
	half := make([]byte, factsBytes/2)[:FactMax]
	for n := range 5 {
		half[0] = byte(n)
		f.told(0, append([]byte(nil), half...))
	}
	if f.tick(factsEvery); len(f.wait) != 1 || f.again != 2*factsEvery {
		t.Errorf("%d facts are left, for %v", len(f.wait), f.again)
	}
	for n := range factsWait + 1 {
		f.told(0, fmt.Append(nil, n))
	}
	if len(f.wait) != factsWait || string(f.wait[0]) != "1" {
		t.Errorf("%d wait, the first is %q", len(f.wait), f.wait[0])
	}
	f = newFacts()
	for n := range factsHeard {
		if len(f.hearFacts(time.Second, "b", brings(fmt.Sprint(n)))) != 1 {
			t.Fatalf("fact %d is not heard", n)
		}
	}
	does(t, "one more in this second", f.hearFacts(2*time.Second-1, "b", brings("more")))
	does(t, "in the next", f.hearFacts(2*time.Second, "b", brings("more")), `hear "more" of b`)
	for n := range factsKnown {
		f.add(fmt.Append(nil, -1-n))
	}
	if len(f.known) != factsKnown || len(f.order) != factsKnown {
		t.Errorf("%d are known, in a row of %d", len(f.known), len(f.order))
	}
	does(t, "it is forgotten", f.hearFacts(time.Hour, "b", brings("more")), `hear "more" of b`)
}

// TestFactsThatAreEmpty: a fact of no bytes is one, too; a message without any says nothing.
func TestFactsThatAreEmpty(t *testing.T) {
	f := newFacts()
	f.told(0, nil)
	f.told(0, []byte{})
	does(t, "it is told once", f.tick(factsEvery), `all: Facts [""]`)
	does(t, "another tells it", f.hearFacts(0, "b", brings("")))
	does(t, "another tells nothing", f.hearFacts(0, "b", Facts{}))
}

// TestFactsOfOneMessage: so many are told, and heard, in one; the next carries the rest, of which
// others have told some meanwhile. The longest fits.
func TestFactsOfOneMessage(t *testing.T) {
	f := newFacts()
	f.told(0, make([]byte, FactMax))
	for n := range factsAtOnce {
		f.told(ms, fmt.Append(nil, n))
	}
	first := f.tick(f.again)[0].(membership.Publish).Body.(Facts)
	if len(first.Facts) != factsAtOnce || string(first.Facts[0]) != fmt.Sprint(factsAtOnce-1) || first.Run != f.run {
		t.Errorf("%d in one message, the first is %q", len(first.Facts), first.Facts[0])
	}
	does(t, "another repeats them all", f.hearFacts(ms, "b", first))
	f.told(factsEvery+ms, []byte("0"))
	if f.again != 2*factsEvery {
		t.Errorf("what is known puts off the next to %v", f.again)
	}
	rest := f.tick(2 * factsEvery)[0].(membership.Publish).Body.(Facts)
	if len(rest.Facts) != 1 || len(rest.Facts[0]) != FactMax {
		t.Errorf("then %d are told", len(rest.Facts))
	}
	g := newFacts()
	if heard := g.hearFacts(0, "b", rest); len(heard) != 1 {
		t.Error("the longest is not heard")
	}
	for n := range factsAtOnce + 1 {
		first.Facts = append(first.Facts[:n], fmt.Append(nil, n))
	}
	if heard := g.hearFacts(0, "b", first); len(heard) != factsAtOnce {
		t.Errorf("%d are heard of one message", len(heard))
	}
}
