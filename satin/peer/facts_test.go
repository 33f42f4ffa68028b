package peer

import (
	"fmt"
	"testing"
	"time"

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
