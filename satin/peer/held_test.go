package peer

import (
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// waiting is what a peer holds back of one run.
type waiting struct {
	*heldBack
	t *testing.T
}

var waitedRun = steal.Instance{Run: steal.Key{1}}

// returns is a message of a member that brings the result of a loan.
func returns(from life, loan steal.LoanNo) Message {
	return Message{From: from.incarnation, Body: steal.Return{Run: waitedRun, Number: loan}}
}

// has holds which loans' results wait against which should.
func (w *waiting) has(event string, want ...steal.LoanNo) {
	w.t.Helper()
	var got []steal.LoanNo
	for _, h := range w.all {
		if r, ok := h.message.Body.(steal.Return); ok {
			got = append(got, r.Number)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Errorf("%s: %v wait, want %v", event, got, want)
	}
}

// wait holds results of loans back, of the first life of a peer.
func (w *waiting) wait(now time.Duration, id membership.PeerID, best string, loans ...steal.LoanNo) {
	w.t.Helper()
	for _, l := range loans {
		does(w.t, "it waits", w.hold(now, id, returns(in(id), l), waitedRun, keyOf(best)),
			fmt.Sprintf("asks %s for %s", id, best))
	}
}

// TestHeldUntilUsable: what is missing is asked for, again and again; what came is used, once, and
// what nobody brings is dropped.
func TestHeldUntilUsable(t *testing.T) {
	w := &waiting{&heldBack{}, t}
	w.wait(0, "b1", "x", 1)
	does(t, "it is doubled", w.hold(0, "b1", returns(in("b1"), 1), waitedRun, keyOf("x")))
	w.wait(ms, "c1", "y", 2)
	if w.deadline() != heldAskEvery {
		t.Errorf("it asks again at %v", w.deadline())
	}
	does(t, "again", w.tick(heldAskEvery), "asks b1 for x")
	does(t, "the other, too", w.tick(heldAskEvery+ms), "asks c1 for y")
	came := ""
	usable := func(l lacks) bool { return l.best == keyOf(came) }
	if len(w.ready(usable)) != 0 {
		t.Error("a message is used, and nothing has come")
	}
	came = "y"
	if all := w.ready(usable); len(all) != 1 || all[0].from != "c1" || len(w.ready(usable)) != 0 {
		t.Errorf("y has come: %v", all)
	}
	w.has("x is missing", 1)
	w.tick(HeldFor - 1)
	w.has("not yet", 1)
	does(t, "too long", w.tick(HeldFor))
	w.has("too long")
	if w.dropped != 1 || w.deadline() != steal.Never {
		t.Errorf("%d were dropped, it goes on at %v", w.dropped, w.deadline())
	}
}

// TestHeldForgets: what was said in a life that is over, or of a run that is.
func TestHeldForgets(t *testing.T) {
	for event, c := range map[string]struct {
		forget func(*heldBack)
		left   []steal.LoanNo
	}{
		"b1 is lost":                {func(h *heldBack) { h.lost("b1") }, []steal.LoanNo{2, 3}},
		"a stranger is":             {func(h *heldBack) { h.lost("d1") }, []steal.LoanNo{1, 2, 3}},
		"a client is":               {func(h *heldBack) { h.lost("client") }, []steal.LoanNo{1, 2, 3}},
		"b1 lives on":               {func(h *heldBack) { h.livesOn(in("b1")) }, []steal.LoanNo{2, 3}},
		"this one has another life": {func(h *heldBack) { h.void() }, []steal.LoanNo{3}},
		"the run has ended":         {func(h *heldBack) { h.ended(waitedRun) }, nil},
		"another has":               {func(h *heldBack) { h.ended(steal.Instance{}) }, []steal.LoanNo{1, 2, 3}},
	} {
		w := &waiting{&heldBack{}, t}
		w.wait(0, "b1", "x", 1)
		w.wait(0, "c1", "x", 2)
		w.hold(0, "client", returns(life{}, 3), waitedRun, keyOf("x"))
		c.forget(w.heldBack)
		w.has(event, c.left...)
	}
}

// TestHeldIsBounded: in number of one peer and in all, and in bytes of one peer beyond its first
// message. An answer needs no root.
func TestHeldIsBounded(t *testing.T) {
	w := &waiting{&heldBack{}, t}
	for id := range heldMax/heldPerPeer + 1 {
		for n := range heldPerPeer + 1 {
			from := in(membership.PeerID(fmt.Sprint(id)))
			w.hold(0, from.peer, returns(from, steal.LoanNo(n)), waitedRun, steal.Key{})
		}
	}
	if rest := heldMax/heldPerPeer + heldPerPeer + 1; len(w.all) != heldMax || w.dropped != uint64(rest) {
		t.Errorf("%d wait, %d were dropped", len(w.all), w.dropped)
	}
	w = &waiting{&heldBack{}, t}
	for n, bytes := range []int{heldBytesEach, 1} {
		m := Message{Body: Answer{Nonce: steal.Nonce(n), Result: steal.Result{Bytes: make([]byte, bytes)}}}
		w.hold(0, "b1", m, waitedRun, steal.Key{})
	}
	if len(w.all) != 1 || w.dropped != 1 || w.all[0].needsRoot {
		t.Errorf("%d wait, %d were dropped", len(w.all), w.dropped)
	}
}
