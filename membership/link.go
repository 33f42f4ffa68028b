package membership

import "time"

// Disconnected hears from the carrier that the connection to a member broke. The member is dialled
// once more; what comes of that decides.
func (v *View) Disconnected(now time.Duration, id PeerID) []Effect {
	s := v.seats.byID[id]
	if s == nil || !s.State.Present() || s.redialed {
		return nil
	}
	s.redialed = true
	v.do(Dial{ID: id, Addrs: s.Addrs})
	return v.flush()
}

// Connected hears that a connection to the peer stands.
func (v *View) Connected(now time.Duration, id PeerID) {
	if s := v.seats.byID[id]; s != nil && s.State.Present() {
		s.hear(now)
	}
}

// ConnectRefused hears that the machine of a member answers, but its process does not: it is dead.
// Without a broken connection before it, a refusal says only that the address is wrong.
func (v *View) ConnectRefused(now time.Duration, id PeerID) []Effect {
	s := v.seats.byID[id]
	switch {
	case s == nil || !s.State.Present():
	case s.redialed:
		v.bury(now, s, Killed)
	default:
		v.giveUp(now, s)
	}
	return v.flush()
}

// Unreached hears that a member's machine does not answer: it is suspected at once, since
// its connection broke.
func (v *View) Unreached(now time.Duration, id PeerID) []Effect {
	s := v.seats.byID[id]
	switch {
	case s == nil || !s.State.Present() || s.suspected:
	case s.redialed:
		v.pass(v.watch.suspect(now, s))
	default:
		v.giveUp(now, s)
	}
	return v.flush()
}

// unreachedMax is how long a client believes in a member that it has not heard, and cannot reach.
const unreachedMax = 2 * SilenceMaxFar

// giveUp lets a client hold a member dead that was there when it was told of it, and may have left
// since with nobody to say so. It says so to nobody, since a client's word about members is not
// believed, and it takes the member back in the same life when that one speaks: there is nobody
// else to refuse it, so it would never take another.
func (v *View) giveUp(now time.Duration, s *seat) {
	if v.self.client && now-s.heard > unreachedMax {
		v.lose(now, s, Dead, Silent)
	}
}
