package steal

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
)

// hierarchy is where a thief of [CHS] stands among the peers of its site, and how far it has come.
// They are a binary tree in the order of their ids: the peer at place n has those at 2n+1 and 2n+2
// below it, and the first one is the site's coordinator.
type hierarchy struct {
	self membership.PeerID
	turn int // so many of those whom it may ask had nothing since something came
	// somebody has asked for jobs: those below are asked for some if there are none by then; 0:
	// nobody has
	passes time.Duration
}

// passAfter is how long a thief waits whether there are jobs for who has asked.
const passAfter = time.Millisecond

// Asked hears that a peer asks this one for jobs.
func (t *Thief) Asked(now time.Duration) []membership.Effect {
	if t.policy != CHS || t.idle > 0 || t.tree.passes > 0 {
		return nil
	}
	t.tree.passes, t.tree.turn = now+passAfter, 0
	return t.ask(now)
}

// Gave hears that somebody who had asked gets jobs.
func (t *Thief) Gave() { t.tree.passes = 0 }

// passesOn tells whether those below are asked for the sake of others, since the workers have jobs.
func (t *Thief) passesOn(now time.Duration) bool {
	return t.policy == CHS && t.open && t.tree.passes > 0 && now >= t.tree.passes
}

// askBelow asks the next of those below for the sake of others, if there is one left.
func (t *Thief) askBelow(now time.Duration) {
	place, _ := t.near.find(t.tree.self)
	_, within := t.inTree(t.tree.turn)
	_, next := t.inTree(t.tree.turn + 1)
	switch {
	case t.near.asked != "":
	case !within || !next && place > 0: // the one above is left
		t.tree.passes, t.tree.turn = 0, 0
	default:
		t.askIn(now, &t.near)
	}
}

// Is says who the thief is. One of CHS has to know its place.
func (t *Thief) Is(self membership.PeerID) { t.tree.self = self }

// inTree is whom of its site a thief asks after so many in vain: all that is below it, level by
// level, and at last the one above it, if there is one.
func (t *Thief) inTree(turn int) (v victimOf, ok bool) {
	peers := t.near.peers
	place, _ := t.near.find(t.tree.self)
	at := func(n int) (victimOf, bool) {
		if n > place { // the thief is not among them
			n--
		}
		return peers[n], true
	}
	for first, last := 2*place+1, 2*place+2; first <= len(peers); first, last = 2*first+1, 2*last+2 {
		n := min(last, len(peers)) - first + 1
		if turn < n {
			return at(first + turn)
		}
		turn -= n
	}
	if turn == 0 && place > 0 {
		return at((place - 1) / 2)
	}
	return v, false
}

// askTree sends the next request. Only a coordinator comes to ask outside its site, when all there
// have nothing, and then waits for the answer; unless its site wakes it.
func (t *Thief) askTree(now time.Duration) {
	_, within := t.inTree(t.tree.turn)
	switch {
	case t.near.asked != "":
	case within:
		t.askIn(now, &t.near)
	case t.far.asked == "":
		t.askIn(now, &t.far)
	}
}

// chooseOfTree is whom a request goes to: the next of the site, or the coordinator of another one,
// which is drawn unless one has woken the thief.
func (t *Thief) chooseOfTree(l *lane) victimOf {
	hint := l.hint
	l.hint = ""
	if l == &t.near {
		v, _ := t.inTree(t.tree.turn)
		return v
	}
	var first []victimOf // of each site
	seen := map[membership.Site]bool{}
	for _, v := range l.peers {
		if !seen[v.site] {
			seen[v.site] = true
			first = append(first, v)
		}
		if v.id == hint {
			return v
		}
	}
	n := t.rng.IntN(len(first))
	if first[n].id == l.shy {
		n = (n + 1) % len(first)
	}
	return first[n]
}

// missOfTree counts a request in vain. When nobody is left to be asked there is a pause, and it
// begins anew.
func (t *Thief) missOfTree(now time.Duration, l *lane) {
	if l == &t.far {
		t.tree.turn = 0
		l.miss(now, t.rng)
		return
	}
	t.tree.turn++
	place, _ := l.find(t.tree.self)
	if _, within := t.inTree(t.tree.turn); within || place == 0 && len(t.far.peers) > 0 {
		return
	}
	t.tree.turn = 0
	l.resume = now + backoff.Scatter(l.pause.Next(), t.rng)
}

// treeDeadline is when there is something to do.
func (t *Thief) treeDeadline() time.Duration {
	at := t.lacksDeadline()
	if t.sure != 0 {
		at = min(at, t.sure)
	}
	for _, l := range []*lane{&t.near, &t.far} {
		if l.asked != "" {
			at = min(at, l.until)
		}
	}
	if t.tree.passes > 0 && t.idle == 0 && t.open && t.near.asked == "" {
		at = min(at, max(t.tree.passes, t.near.resume))
	}
	_, within := t.inTree(t.tree.turn)
	switch {
	case t.idle == 0 || !t.open || t.near.asked != "":
	case within:
		at = min(at, t.near.resume)
	case t.far.asked == "" && len(t.far.peers) > 0:
		at = min(at, t.far.resume)
	}
	return at
}
