package membership

import "time"

// Received takes what members ask and answer to find out who lives, from one that Heard has let in.
// What tells of others has methods of its own: HearHello, HearRefused, HearWho, Merge and
// MergeBars.
func (v *View) Received(now time.Duration, from PeerID, body Body) []Effect {
	s := v.seats.byID[from]
	if s == nil {
		return nil
	}
	switch b := body.(type) {
	case Ping:
		v.do(Send{To: from, Incarnation: s.Incarnation, Body: Pong{}})
	case Pong:
		for _, asker := range v.errands.answered(from, s.Incarnation) {
			if a := v.seats.byID[asker]; a != nil {
				v.do(Send{To: asker, Incarnation: a.Incarnation, Body: Alive{Target: from, Incarnation: s.Incarnation}})
			}
		}
	case PingFor:
		v.pingFor(now, s, b)
	case Alive:
		if t := v.seats.byID[b.Target]; t != nil && t.Incarnation == b.Incarnation && t.State.Present() {
			t.vouched(now)
		}
	}
	return v.flush()
}

// pingFor pings a target for a member that does not hear it.
func (v *View) pingFor(now time.Duration, asker *seat, b PingFor) {
	t := v.seats.byID[b.Target]
	switch {
	case t != nil && t.Incarnation == b.Incarnation && t.State.Present():
		v.errands.take(asker.ID, b)
		v.do(Send{To: t.ID, Incarnation: t.Incarnation, Body: Ping{}})
	case t != nil && t.Incarnation.Compare(b.Incarnation) >= 0:
		v.do(Send{To: asker.ID, Incarnation: asker.Incarnation, Body: Gone{t.record(now)}})
	}
}

// HearHello hears a stranger's, or a member's, word about itself.
func (v *View) HearHello(now time.Duration, from PeerID, h Hello) []Effect {
	if h.Member.ID != from {
		return nil
	}
	v.merge(now, &h.Member, true)
	if s := v.seats.byID[from]; v.self.client && s != nil && v.seats.takesBack(s, h.Member.Incarnation) &&
		h.Member.sound() && h.Member.State.Present() && !v.IsBarred(from) {
		if s.State.Present() {
			v.lose(now, s, Dead, Renewed)
		}
		v.renew(now, s, &h.Member)
		return v.flush()
	}
	v.refuse(now, v.seats.byID[from], from, h.Member.Incarnation)
	return v.flush()
}

// HearWho hears that a peer does not know this one, and answers it.
func (v *View) HearWho(from PeerID) []Effect {
	if v.self.State == 0 {
		return nil
	}
	return []Effect{Send{To: from, Body: Hello{v.self.Member}}}
}

// HearRefused hears that a peer holds an incarnation of this one dead, or barred.
// When it is the present one, this peer comes back as another.
func (v *View) HearRefused(now time.Duration, from PeerID, r Refused) []Effect {
	if r.Void && r.Incarnation.Compare(v.self.Incarnation) < 0 {
		return []Effect{Forsaken{from}}
	}
	if r.Incarnation != v.self.Incarnation {
		return nil
	}
	if r.Barred {
		return []Effect{Banned{}}
	}
	if v.self.comeBack(now, r.Incarnation) {
		v.rejoined()
	}
	return v.flush()
}
