package steal

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
)

// inTrees is a thief of CHS among seven peers of its site, a0 to a6, and two more sites of two.
func inTrees(self string) *Thief {
	t := NewThief("a", CHS, rand.New(rand.NewPCG(1, 1)))
	t.Is(membership.PeerID(self))
	for n := range 7 {
		if id := fmt.Sprintf("a%d", n); id != self {
			t.Joined(member(id, "a"))
		}
	}
	for _, id := range []string{"b0", "b1", "c0", "c1"} {
		t.Joined(member(id, membership.Site(id[:1])))
	}
	t.Open(0, true)
	return t
}

// vain has everybody have nothing from a request on, and lists who is asked until nobody is.
func vain(t *Thief, now time.Duration, effects []membership.Effect) (all []string) {
	for len(effects) > 0 && len(all) < 100 {
		id := strings.Split(asked(effects), " ")[0]
		all = append(all, id)
		effects = t.HearNothing(now, member(id, membership.Site(id[:1])), t.number)
	}
	return all
}

// TestTreeIsAskedDownThenUp: each asks all below it, level by level, and then the one above it; the
// coordinator then that of another site. A pause comes when nobody is left.
func TestTreeIsAskedDownThenUp(t *testing.T) {
	for self, want := range map[string]string{
		"a0": "a1 a2 a3 a4 a5 a6 FAR",
		"a1": "a3 a4 a0",
		"a2": "a5 a6 a0",
		"a3": "a1",
		"a6": "a2",
	} {
		th := inTrees(self)
		got := vain(th, ms, th.Idle(ms, 1))
		far := 0
		for n, id := range got {
			if id == "b0" || id == "c0" {
				far++
				got[n] = "FAR"
			}
		}
		if text := strings.Join(got, " "); !strings.HasPrefix(text, want) || far == 0 && len(text) > len(want) || strings.ContainsAny(text, "bc") {
			t.Errorf("%s asks %q, wanted %q", self, text, want)
		}
		at := th.Deadline()
		if at <= ms || at > ms+2*pauseFarMax || th.near.asked+th.far.asked != "" {
			t.Errorf("%s waits until %v, and has asked %q and %q", self, at, th.near.asked, th.far.asked)
		}
		if again := asked(th.Tick(at)); again == "" {
			t.Errorf("%s asks nobody when its pause is over", self)
		}
	}
}

// TestTreeBeginsAnew where something came, and where who is there has changed; and a coordinator
// that waits for another site asks its own when that wakes it.
func TestTreeBeginsAnew(t *testing.T) {
	th := inTrees("a0")
	th.Idle(0, 2)
	th.HearNothing(ms, member("a1", "a"), 1)
	if got := asked(th.Got(2*ms, member("a2", "a"), 2, 1)); !strings.HasPrefix(got, "a1 ") {
		t.Errorf("after a gift it asks %q", got)
	}
	th.HearNothing(3*ms, member("a1", "a"), 3)
	if got := asked(th.Lost(4*ms, member("a2", "a"))); !strings.HasPrefix(got, "a1 ") {
		t.Errorf("when the one that it waits for is gone it asks %q", got)
	}
	for n := AskNo(5); th.far.asked == ""; n++ {
		th.HearNothing(5*ms, member(string(th.near.asked), "a"), n)
	}
	if got := asked(th.Tick(100 * ms)); got != "" {
		t.Errorf("while it waits for another site it asks %q", got)
	}
	if got := asked(th.HearWake(101*ms, member("a4", "a"))); !strings.HasPrefix(got, "a1 ") || th.far.asked == "" {
		t.Errorf("woken it asks %q, and waits for %q", got, th.far.asked)
	}
}

// TestTreePassesOn what it has not got: who computes and is asked asks those below, unless it has
// jobs after all, but never the one above, nor another site.
func TestTreePassesOn(t *testing.T) {
	for self, want := range map[string]string{"a0": "a1 a2 a3 a4 a5 a6", "a1": "a3 a4", "a3": ""} {
		th := inTrees(self)
		th.Idle(0, 0)
		if got := asked(th.Asked(ms)); got != "" || th.Deadline() != ms+passAfter {
			t.Errorf("%s asks %q at once, and looks at %v", self, got, th.Deadline())
		}
		if got := strings.Join(vain(th, 2*ms, th.Tick(ms+passAfter)), " "); got != want || th.Deadline() != Never {
			t.Errorf("%s asks %q for another, not %q, and waits until %v", self, got, want, th.Deadline())
		}
		th.Asked(3 * ms)
		if th.Gave(); th.Deadline() != Never || asked(th.Tick(time.Second)) != "" {
			t.Errorf("%s has given, and still asks for others", self)
		}
	}
	th := NewThief("a", CRS, rand.New(rand.NewPCG(1, 1)))
	if th.Joined(member("a1", "a")); th.Asked(ms) != nil || th.Deadline() != Never {
		t.Error("one of CRS asks for others")
	}
}

// TestPlainCRSAsksFar though its site has what it needs.
func TestPlainCRSAsksFar(t *testing.T) {
	th := NewThief("a", PlainCRS, rand.New(rand.NewPCG(1, 1)))
	th.Joined(member("near", "a"))
	th.Joined(member("far", "b"))
	th.Open(0, true)
	if got := asked(th.Idle(0, 1)); got != "near for 1;far for 4;" {
		t.Errorf("it asks %q", got)
	}
}
