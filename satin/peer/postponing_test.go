package peer

import (
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// waiting is what a peer holds back of one run, which is known.
type waiting struct {
	*postponing
	t *testing.T
	r *run
}

var waitedRun = steal.Instance{Run: steal.Key{1}}

func newWaiting(t *testing.T) *waiting {
	h := &postponing{runs: &runs{}, members: presentOf("b1", "c1")}
	return &waiting{h, t, h.runs.whole(waitedRun)}
}

// whole adds a run that the workers know.
func (s *runs) whole(of steal.Instance) *run {
	r := &run{
		assignment: assignment{no: s.next(), instance: of, task: "t"}, root: rootHere{bytes: []byte("root")},
		waiters: waiters{submissions: []steal.Submission{of.First}},
	}
	r.best = best{run: of, no: r.no, failure: failing, known: true, publishAt: steal.Never}
	table := orphan.NewTable("me")
	r.look = lookup{run: of, no: r.no, table: table, results: orphan.NewResults(table), members: present{}, at: steal.Never}
	s.add(r)
	return r
}

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

// wait holds the result of a loan back, of the first life of a peer, and is what is asked for.
func (w *waiting) wait(now time.Duration, id membership.PeerID, best string, loan steal.LoanNo) []membership.Effect {
	return w.postpone(now, id, returns(in(id), loan), waitedRun, naming(best))
}

// comes has a value come that is the best.
func (w *waiting) comes(text string) { w.r.best.remember(stamp(text).Digest) }

// TestHeldUntilUsable: what is missing is asked for, again and again; what came is used, once, and
// what nobody brings is dropped.
func TestHeldUntilUsable(t *testing.T) {
	w := newWaiting(t)
	does(t, "a best is missing", w.wait(0, "b1", "x", 1), "b1: WantBest")
	does(t, "it is doubled", w.wait(0, "b1", "x", 1))
	does(t, "another is asked for a moment ago", w.wait(ms, "c1", "y", 2))
	if w.deadline() != postponedAskEvery {
		t.Errorf("it asks again at %v", w.deadline())
	}
	does(t, "again", w.tick(postponedAskEvery), "b1: WantBest")
	if len(w.ready()) != 0 {
		t.Error("a message is used, and nothing has come")
	}
	w.comes("y")
	if all := w.ready(); len(all) != 1 || all[0].from != "c1" || len(w.ready()) != 0 {
		t.Errorf("y has come: %v", all)
	}
	w.has("x is missing", 1)
	w.tick(PostponedFor - 1)
	w.has("not yet", 1)
	does(t, "too long", w.tick(PostponedFor))
	w.has("too long")
	if w.dropped != 1 || w.deadline() != steal.Never {
		t.Errorf("%d were dropped, it goes on at %v", w.dropped, w.deadline())
	}
}

// TestHeldForARecord: of a run that is not known its record is asked for, and of one that is but a
// record its root; an answer needs none.
func TestHeldForARecord(t *testing.T) {
	w := newWaiting(t)
	other := steal.Instance{Run: steal.Key{2}}
	m := Message{From: in("b1").incarnation, Body: steal.Return{Run: other}}
	does(t, "it is unknown", w.postpone(0, "b1", m, other, steal.Stamp{}), "b1: Fetch")
	r := w.runs.whole(other)
	r.root.bytes = nil
	if does(t, "it is a record", w.tick(postponedAskEvery), "b1: Fetch"); len(w.ready()) != 0 {
		t.Error("it is used without a root")
	}
	w.postpone(0, "c1", Message{Body: Answer{Run: other}}, other, steal.Stamp{})
	if all := w.ready(); len(all) != 1 || all[0].from != "c1" {
		t.Errorf("an answer waits: %v", all)
	}
	r.root.bytes = []byte("root")
	if all := w.ready(); len(all) != 1 || all[0].from != "b1" {
		t.Errorf("the root has come: %v", all)
	}
}

// TestHeldUnlessItsBestIsHere: a message whose best is held is used, one that brings another waits
// until that was compared, and one under a value that is no best fails its run.
func TestHeldUnlessItsBestIsHere(t *testing.T) {
	w := newWaiting(t)
	a := &arrival{life: in("b1"), message: returns(in("b1"), 1)}
	if ok, effects := w.admits(0, a, w.r, steal.Stamp{}); !ok || len(effects) > 0 {
		t.Errorf("it has no best, and waits: %v", effects)
	}
	ok, effects := w.admits(0, a, w.r, stamp("x"))
	if does(t, "it brings one", effects, `compare the best "x"`); ok {
		t.Error("it is used before")
	}
	w.has("it waits", 1)
	does(t, "the program cannot order it", w.r.best.compared(0, stamp("x").Digest, Spoilt, value("why")), "unblocks")
	if all := w.ready(); len(all) != 1 {
		t.Errorf("it is never looked at: %v", all)
	}
	_, effects = w.admits(0, a, w.r, naming("x"))
	does(t, "work under it", effects, `fails: "why"`)
	w.has("it never will be used")
}

// TestHeldForgets: what was said in a life that is over, or of a run that is.
func TestHeldForgets(t *testing.T) {
	for event, c := range map[string]struct {
		forget func(*postponing)
		left   []steal.LoanNo
	}{
		"b1 is lost":                {func(h *postponing) { h.lost("b1") }, []steal.LoanNo{2, 3}},
		"a stranger is":             {func(h *postponing) { h.lost("d1") }, []steal.LoanNo{1, 2, 3}},
		"a client is":               {func(h *postponing) { h.lost("client") }, []steal.LoanNo{1, 2, 3}},
		"b1 lives on":               {func(h *postponing) { h.livesOn(in("b1")) }, []steal.LoanNo{2, 3}},
		"this one has another life": {func(h *postponing) { h.void() }, []steal.LoanNo{3}},
		"the run has ended":         {func(h *postponing) { h.ended(waitedRun) }, nil},
		"another has":               {func(h *postponing) { h.ended(steal.Instance{}) }, []steal.LoanNo{1, 2, 3}},
	} {
		w := newWaiting(t)
		w.wait(0, "b1", "x", 1)
		w.wait(0, "c1", "x", 2)
		w.postpone(0, "client", returns(life{}, 3), waitedRun, naming("x"))
		c.forget(w.postponing)
		w.has(event, c.left...)
	}
}

// TestHeldIsBounded: in number of one peer and in all, and in bytes of one peer beyond its first
// message. An answer needs no root.
func TestHeldIsBounded(t *testing.T) {
	w := newWaiting(t)
	for id := range postponedMax/postponedPerPeer + 1 {
		for n := range postponedPerPeer + 1 {
			from := in(membership.PeerID(fmt.Sprint(id)))
			w.postpone(0, from.peer, returns(from, steal.LoanNo(n)), waitedRun, steal.Stamp{})
		}
	}
	if rest := postponedMax/postponedPerPeer + postponedPerPeer + 1; len(w.all) != postponedMax || w.dropped != uint64(rest) {
		t.Errorf("%d wait, %d were dropped", len(w.all), w.dropped)
	}
	w = newWaiting(t)
	for n, bytes := range []int{postponedBytesEach, 1} {
		m := Message{Body: Answer{Nonce: steal.Nonce(n), Result: steal.Result{Bytes: make([]byte, bytes)}}}
		w.postpone(0, "b1", m, waitedRun, steal.Stamp{})
	}
	if len(w.all) != 1 || w.dropped != 1 || w.all[0].needsRoot {
		t.Errorf("%d wait, %d were dropped", len(w.all), w.dropped)
	}
}

// TestHeldIsBoundedAndDropped: messages that name a best that never comes.
func TestHeldIsBoundedAndDropped(t *testing.T) {
	p, other := lone(t)
	_, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	start, _ := find[StartRun](effects)
	for n := range 100 {
		p.Received(0, "other", Message{From: other, Body: steal.Return{
			Run: start.Instance, Number: steal.LoanNo(n), Best: steal.Stamp{Digest: steal.Key{1}}}})
	}
	if len(p.postponed.all) != postponedPerPeer {
		t.Errorf("%d messages of one peer wait", len(p.postponed.all))
	}
	for now := time.Duration(0); now <= PostponedFor+time.Second; now += 100 * time.Millisecond {
		p.Received(now, "other", Message{From: other, Body: membership.Heartbeat{}})
		p.Tick(now)
	}
	if len(p.postponed.all) != 0 {
		t.Errorf("%d messages wait for ever", len(p.postponed.all))
	}
}
