package membership

import (
	"math"
	"time"
)

// Reset hears from the carrier that the connection to a member broke. The member is suspected and dialled once more.
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

// ConnectRefused hears that the machine of a member answers, but its process does not: it is dead. Without a broken
// connection before it, a refusal says only that the address is wrong.
func (v *View) ConnectRefused(now time.Duration, id PeerID) []Effect {
	s := v.byID[id]
	if s == nil || !s.State.Present() || !s.redialed {
		return nil
	}
	v.bury(now, s, Killed)
	return v.flush()
}

// Unreached hears that a member's machine does not answer: it is doubted at once, since its connection broke.
func (v *View) Unreached(now time.Duration, id PeerID) []Effect {
	s := v.byID[id]
	if s == nil || !s.State.Present() || s.doubted || !s.redialed {
		return nil
	}
	v.suspect(now, s)
	return v.flush()
}

// Leaving says that this peer is going to leave, within grace. Until it has left it counts as present, but nothing new begins with it.
func (v *View) Leaving(grace time.Duration) []Effect {
	if v.self.State != Here {
		return nil
	}
	v.self.State, v.self.Grace = Leaving, uint32(min(max(grace, 0)/time.Millisecond, math.MaxUint32))
	v.greetGone()
	return v.flush()
}

// Leave says that this peer goes, now, and who has its will. The others then run the crash path without a timeout.
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
