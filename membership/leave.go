package membership

import "time"

// Leaving says that this peer is going to leave, within grace. Until it has left it counts as
// present, but nothing new begins with it.
func (v *View) Leaving(grace time.Duration) []Effect {
	if v.self.leaves(grace) {
		greetGone(v)
	}
	return v.flush()
}

// Stay takes back that this peer is going to leave: it goes on in another life, since the one
// before is held to be ending. False: not yet, as the rate of lives is limited.
func (v *View) Stay(now time.Duration) ([]Effect, bool) {
	if !v.self.stays(now) {
		return nil, false
	}
	v.rejoined()
	return v.flush(), true
}

// Leave says that this peer goes, now, and who has its will. The others then run the crash
// path without a timeout.
func (v *View) Leave(heir PeerID) []Effect {
	if v.self.left(heir) {
		greetGone(v)
	}
	return v.flush()
}

func greetGone(v *View) {
	gone := Gone{v.self.Member}
	v.do(Publish{gone})
	for n, s := range v.seats.sorted {
		if n < helloAllMax && s.State.Present() {
			v.do(Send{To: s.ID, Incarnation: s.Incarnation, Body: gone})
		}
	}
}
