package membership

import (
	"slices"
	"time"
)

// Bounds of suspicion: two indirect probes find nearly every false alarm that one path can raise.
// Who suspects everybody waits once more.
const (
	indirectProbes = 2
	everybodyWait  = time.Second
)

// watch is the failure detector: it gives signs of life to a peer's neighbours, and notices which
// of them give none.
type watch struct {
	outbox
	self    *own
	seats   *seats
	watched []*seat       // the neighbours of this peer, …
	beats   []Effect      // … what a heartbeat to each is, …
	inOrder []*seat       // … and they in the order of ids
	stale   bool          // they must be chosen anew
	next    time.Duration // when the next tick is due
	lag     time.Duration // how late this peer's ticks are; see tick
	extend  time.Duration // everybody is suspected: nobody is dead before this
}

// begin watches from now on, those too who greeted this peer before it entered.
func (w *watch) begin(now time.Duration) { w.stale, w.next = true, now+tickEvery }

// tick lets time pass. The dead are those whose time is over.
func (w *watch) tick(now time.Duration) (effects []Effect, dead []*seat) {
	// What is late by little each time adds up: a peer that gets a third of the time that it
	// needs hears late, too.
	w.lag = w.lag/2 + now - w.next
	late := w.lag > lateMin
	w.next = now + tickEvery
	if w.stale {
		w.choose(now)
	}
	if late {
		w.forgive(now)
	}
	for n, s := range w.watched {
		if now-s.sent >= HeartbeatEvery-tickEvery/2 {
			s.sent = now
			if w.out == nil { // most often all are due together
				w.out = make([]Effect, 0, len(w.watched))
			}
			w.do(w.beats[n])
		}
	}
	dead = w.judge(now)
	return w.flush(), dead
}

// choose makes the neighbours anew after a change of the view. Those that were none until now get
// the time to send their first heartbeat.
func (w *watch) choose(now time.Duration) {
	before := w.watched
	w.stale, w.watched, w.beats, w.inOrder = false, nil, nil, nil
	if w.self.State == 0 {
		return
	}
	w.watched = w.seats.roll.neighbours(w.self.ID)
	w.inOrder = slices.Clone(w.watched)
	slices.SortFunc(w.inOrder, byID)
	w.beats = make([]Effect, 0, len(w.watched))
	for _, s := range w.watched {
		w.beats = append(w.beats, Send{To: s.ID, Incarnation: s.Incarnation, Body: Heartbeat{}})
		if !slices.Contains(before, s) && !s.suspected {
			s.heard = now
		}
	}
}

// forgive treats everybody as heard just now, because this peer was not there to listen.
func (w *watch) forgive(now time.Duration) {
	for _, s := range w.seats.present() {
		s.vouched(now)
	}
}

// judge suspects the silent, and finds those whose time is over.
func (w *watch) judge(now time.Duration) (dead []*seat) {
	for _, s := range w.inOrder {
		if !s.suspected && now-s.heard > s.gaps.allows(w.self.isNear(&s.Member)) {
			w.doubt(now, s)
		}
	}
	suspects := w.seats.suspects.now()
	switch {
	case len(suspects) < 2 || len(suspects) < len(w.watched):
		w.extend = 0
	case w.extend == 0:
		w.extend = now + everybodyWait
	}
	if len(suspects) == 0 || now < w.extend {
		return nil
	}
	for _, s := range suspects {
		if now >= s.verdict {
			dead = append(dead, s)
		}
	}
	return dead
}

// suspect doubts a member at once: it cannot be reached.
func (w *watch) suspect(now time.Duration, s *seat) []Effect {
	w.doubt(now, s)
	return w.flush()
}

// doubt asks a member, and two others to ask it.
func (w *watch) doubt(now time.Duration, s *seat) {
	w.seats.doubt(now, s, w.self.isNear(&s.Member))
	w.do(Send{To: s.ID, Incarnation: s.Incarnation, Body: Ping{}})
	// The first of them stands in a third site, if there is one: a cut between two sites leaves
	// it.
	asked := 0
	all := w.seats.sorted
	order := w.self.rng.Perm(len(all))
	for _, third := range []bool{true, false} {
		for _, n := range order {
			h := all[n]
			isThird := h.Site != s.Site && !w.self.isNear(&h.Member)
			if !h.State.Present() || h.suspected || h == s || isThird != third || asked == indirectProbes || third && asked > 0 {
				continue
			}
			asked++
			w.do(Send{To: h.ID, Incarnation: h.Incarnation, Body: PingFor{Target: s.ID, Incarnation: s.Incarnation}})
		}
	}
}
