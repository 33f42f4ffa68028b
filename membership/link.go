package membership

import (
	"math"
	"time"
)

// Reset hears from the carrier that the connection to a member broke. The member is dialled once
// more; what comes of that decides.
func (v *View) Reset(now time.Duration, id PeerID) []Effect {
	s := v.byID[id]
	if s == nil || !s.State.Present() || s.redialed {
		return nil
	}
	s.redialed = true
	v.out = append(v.out, Dial{ID: id, Addrs: s.Addrs})
	return v.flush()
}

// Connected hears that a connection to the peer stands.
func (v *View) Connected(now time.Duration, id PeerID) {
	if s := v.byID[id]; s != nil && s.State.Present() {
		v.hear(now, s)
	}
}

// ConnectRefused hears that the machine of a member answers, but its process does not: it is dead.
// Without a broken connection before it, a refusal says only that the address is wrong.
func (v *View) ConnectRefused(now time.Duration, id PeerID) []Effect {
	s := v.byID[id]
	switch {
	case s == nil || !s.State.Present():
	case s.redialed:
		v.bury(now, s, Killed)
	default:
		v.giveUp(now, s)
	}
	return v.flush()
}

// Unreached hears that a member's machine does not answer: it is doubted at once, since
// its connection broke.
func (v *View) Unreached(now time.Duration, id PeerID) []Effect {
	s := v.byID[id]
	switch {
	case s == nil || !s.State.Present() || s.doubted:
	case s.redialed:
		v.suspect(now, s)
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
	if v.client && now-s.heard > unreachedMax {
		v.lose(now, s, Dead, Silent)
	}
}

// Leaving says that this peer is going to leave, within grace. Until it has left it counts as
// present, but nothing new begins with it.
func (v *View) Leaving(grace time.Duration) []Effect {
	if v.self.State != Here {
		return nil
	}
	v.self.State, v.self.Grace = Leaving, uint32(min(max(grace, 0)/time.Millisecond, math.MaxUint32))
	v.greetGone()
	return v.flush()
}

// Stay takes back that this peer is going to leave: it goes on in another life, since the one
// before is held to be ending. False: not yet, as lives are rationed.
func (v *View) Stay(now time.Duration) ([]Effect, bool) {
	if v.self.State != Leaving || now < v.rejoin {
		return nil, false
	}
	v.self.State, v.self.Grace = Here, 0
	v.comeBack(now, v.self.Incarnation)
	return v.flush(), true
}

// Leave says that this peer goes, now, and who has its will. The others then run the crash
// path without a timeout.
func (v *View) Leave(heir PeerID) []Effect {
	if !v.self.State.Present() {
		return nil
	}
	v.self.State, v.self.How, v.self.Heir = Left, Went, heir
	v.greetGone()
	return v.flush()
}

func (v *View) greetGone() {
	gone := Gone{v.self}
	v.out = append(v.out, Publish{gone})
	for n, s := range v.seats {
		if n < helloAllMax && s.State.Present() {
			v.out = append(v.out, Send{To: s.ID, Incarnation: s.Incarnation, Body: gone})
		}
	}
}

// Formerly hears what join number this peer had in a former life, before it enters.
func (v *View) Formerly(join uint64) { v.former.Join = max(v.former.Join, join) }

// Listens hears where this peer can be dialled now. Its next greeting says so.
func (v *View) Listens(addrs []string) { v.self.Addrs = addrs }
