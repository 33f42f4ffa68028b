package membership

import (
	"slices"
	"time"
)

// Bounds of probing: two indirect probes find nearly every false alarm that one path can raise; a
// helper serves so many at a time that a flood of requests cannot grow its memory.
const (
	indirectProbes = 2
	relaysMax      = 64
	everybodyWait  = time.Second
)

// near tells whether the member is in this peer's site.
func (v *View) near(s *seat) bool { return s.Site == v.self.Site }

// judge suspects the silent and buries those whose time is over.
func (v *View) judge(now time.Duration) {
	suspects := 0
	for _, s := range v.seats {
		if s.State.Present() && !s.doubted && slices.Contains(v.watched, s) && now-s.heard > s.gaps.allows(v.near(s)) {
			v.suspect(now, s)
		}
		if s.doubted {
			suspects++
		}
	}
	switch {
	case suspects < 2 || suspects < len(v.watched):
		v.extend = 0
	case v.extend == 0:
		v.extend = now + everybodyWait
	}
	if now < v.extend {
		return
	}
	for _, s := range v.seats {
		if s.doubted && now >= s.verdict {
			v.bury(now, s, Silent)
		}
	}
}

// suspect doubts a member: it is asked, and two others are asked to ask it.
func (v *View) suspect(now time.Duration, s *seat) {
	s.doubted = true
	if s.State == Here {
		s.State = Suspected
	}
	s.verdict = now + ProbeFar
	if v.near(s) {
		s.verdict = now + ProbeNear
	}
	v.out = append(v.out, Send{To: s.ID, Incarnation: s.Incarnation, Body: Ping{}})
	// The first of them stands in a third site, if there is one: a cut between two sites leaves
	// it.
	asked := 0
	order := v.rng.Perm(len(v.seats))
	for _, third := range []bool{true, false} {
		for _, n := range order {
			h := v.seats[n]
			isThird := h.Site != s.Site && !v.near(h)
			if !h.State.Present() || h.doubted || h == s || isThird != third || asked == indirectProbes || third && asked > 0 {
				continue
			}
			asked++
			v.out = append(v.out, Send{To: h.ID, Incarnation: h.Incarnation, Body: PingFor{Target: s.ID, Incarnation: s.Incarnation}})
		}
	}
}

// bury declares a member dead, here and to everybody.
func (v *View) bury(now time.Duration, s *seat, how How) {
	silence := now - s.heard
	v.lose(now, s, Dead, how)
	v.out[len(v.out)-1] = Lost{Member: s.Member, Noticed: silence}
	v.out = append(v.out, Publish{Gone{s.Member}}, Send{To: s.ID, Body: Refused{Incarnation: s.Incarnation}})
}

// drop ends the probes of a peer that is gone.
func (v *View) drop(id PeerID) {
	for n := len(v.relays) - 1; n >= 0; n-- {
		if v.relays[n].Target == id || v.askers[n] == id {
			v.relays = slices.Delete(v.relays, n, n+1)
			v.askers = slices.Delete(v.askers, n, n+1)
		}
	}
}

// Received takes one of membership's own messages from a member, which Heard has let in. Hello and
// Refused may come from anybody and are taken by Greeted and Refused.
func (v *View) Received(now time.Duration, from PeerID, body Body) []Effect {
	s := v.byID[from]
	if s == nil {
		return nil
	}
	switch b := body.(type) {
	case Ping:
		v.out = append(v.out, Send{To: from, Incarnation: s.Incarnation, Body: Pong{}})
	case Pong:
		v.ponged(s)
	case PingFor:
		v.pingFor(now, s, b)
	case Alive:
		if t := v.byID[b.Target]; t != nil && t.Incarnation == b.Incarnation && t.State.Present() {
			t.heard = now
			v.clear(t)
		}
	case Gone:
		v.merge(now, &b.Member, b.Member.ID == from)
	case Barred:
		return v.MergeBars(now, b.Bars)
	}
	return v.flush()
}

// pingFor pings a target for a member that does not hear it.
func (v *View) pingFor(now time.Duration, asker *seat, b PingFor) {
	t := v.byID[b.Target]
	if t == nil || t.Incarnation != b.Incarnation || !t.State.Present() {
		if t != nil && t.Incarnation.Compare(b.Incarnation) >= 0 {
			v.out = append(v.out, Send{To: asker.ID, Incarnation: asker.Incarnation, Body: Gone{t.record(now)}})
		}
		return
	}
	for n, r := range v.relays {
		if r == b && v.askers[n] == asker.ID {
			v.relays, v.askers = slices.Delete(v.relays, n, n+1), slices.Delete(v.askers, n, n+1)
			break
		}
	}
	if len(v.relays) == relaysMax {
		v.relays, v.askers = v.relays[1:], v.askers[1:]
	}
	v.relays, v.askers = append(v.relays, b), append(v.askers, asker.ID)
	v.out = append(v.out, Send{To: t.ID, Incarnation: t.Incarnation, Body: Ping{}})
}

// ponged passes on that a target answered.
func (v *View) ponged(s *seat) {
	for n, r := range v.relays {
		if a := v.byID[v.askers[n]]; r.Target == s.ID && r.Incarnation == s.Incarnation && a != nil {
			v.out = append(v.out, Send{To: a.ID, Incarnation: a.Incarnation, Body: Alive{Target: s.ID, Incarnation: s.Incarnation}})
		}
	}
	v.relays, v.askers = dropTarget(v.relays, v.askers, s.ID)
}

func dropTarget(relays []PingFor, askers []PeerID, id PeerID) ([]PingFor, []PeerID) {
	kept := 0
	for n := range relays {
		if relays[n].Target != id {
			relays[kept], askers[kept] = relays[n], askers[n]
			kept++
		}
	}
	return relays[:kept], askers[:kept]
}

// Greeted takes a stranger's, or a member's, word about itself.
func (v *View) Greeted(now time.Duration, from PeerID, h Hello) []Effect {
	if h.Member.ID != from {
		return nil
	}
	v.merge(now, &h.Member, true)
	if s := v.byID[from]; v.client && s != nil && s.State == Dead && s.Incarnation == h.Member.Incarnation &&
		h.Member.sound() && h.Member.State.Present() && !v.IsBarred(from) {
		v.renew(now, s, &h.Member) // see giveUp
		return v.flush()
	}
	v.refuse(now, v.byID[from], from, h.Member.Incarnation)
	return v.flush()
}

// WhoAsked answers a peer that does not know this one.
func (v *View) WhoAsked(from PeerID) []Effect {
	if v.self.State == 0 {
		return nil
	}
	return []Effect{Send{To: from, Body: Hello{v.self}}}
}

// RefusedBy hears that a peer holds an incarnation of this one dead. When it is the present one,
// this peer comes back as another.
func (v *View) RefusedBy(now time.Duration, from PeerID, r Refused) []Effect {
	if r.Void && r.Incarnation.Compare(v.self.Incarnation) < 0 {
		return []Effect{Forsaken{from}}
	}
	if r.Incarnation != v.self.Incarnation {
		return nil
	}
	if r.Barred {
		return []Effect{Banned{}}
	}
	if v.self.State == 0 {
		return nil
	}
	v.comeBack(now, r.Incarnation)
	return v.flush()
}
