package addresses

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
)

// Intervals of dialling. A dial that fails on one machine costs 0.2 ms, and across a dead link
// three seconds of waiting.
const (
	// SessionsMany is up to how many sessions each new member is dialled at once.
	SessionsMany = 32

	// GroupEvery is how often one of each lost group is dialled at least.
	GroupEvery = 4 * time.Second

	// LookEvery and LookBurst bound the dials that look for the lost. A host that starts has a
	// burst for its tickets.
	LookEvery = 200 * time.Millisecond
	LookBurst = 8

	// LostMany is of how many lost hosts a round of such dials takes as long as that of all,
	// however many they are: of those lost together any two may be all that have come back. At
	// 256, which fail on one machine, that is 20 dials and 4 ms of work a second.
	LostMany = 64
	RoundMax = LostMany * LookEvery

	// A lost host is dialled after an eighth of the time since it was reached, within these
	// bounds; while this host is alone, the shorter one holds for all.
	lonelyEvery = time.Second
	hostMin     = GroupEvery
	hostMax     = 10 * time.Minute

	// DeniedFor is how long a refusal at the handshake stands.
	DeniedFor = time.Minute

	// Who needs a host that cannot be reached tries it again after a moment that doubles.
	againMin = 250 * time.Millisecond
	againMax = 4 * time.Second

	// A dial that was not answered for so long, which most round trips are shorter than, is not
	// waited for where its host may be elsewhere.
	besideAfter = 250 * time.Millisecond

	// dialsMax bounds the dials that are under way together.
	dialsMax = 64
)

// Want asks for a dial because a host has to be told something. ok tells whether what is to be said
// may be sent: a session stands, or a dial is under way, which the effects may begin.
func (b *Book) Want(now time.Duration, id membership.PeerID) (out []membership.Effect, ok bool) {
	b.now = max(b.now, now)
	e := b.byID[id]
	switch {
	case !b.strict:
		return nil, true
	case e == nil:
		return nil, false
	case e.up:
		return nil, true
	case e.dialing:
		return b.elsewhere(e), true
	case b.now < e.again || e.barred || e.answer == denied && b.now < e.dialed+DeniedFor:
		return nil, false
	}
	return b.dial(e)
}

// Again asks for a dial at once, since the session with a host broke: to know whether it lives.
func (b *Book) Again(now time.Duration, id membership.PeerID) (out []membership.Effect, ok bool) {
	b.now = max(b.now, now)
	if e := b.byID[id]; e != nil && !e.up {
		if e.dialing {
			return b.elsewhere(e), true
		}
		return b.dial(e)
	}
	return nil, false
}

// Greet asks for a dial of a new member while everybody has a session with everybody.
func (b *Book) Greet(now time.Duration, id membership.PeerID) (out []membership.Effect) {
	if b.strict && b.sessions < SessionsMany {
		out, _ = b.Want(now, id)
	}
	return out
}

// Met hears that another host was found where one was dialled. It is dialled there, however full
// the book is: it is there. Who answers as another each time is one host, and no dial of those that
// look for the lost is made for it beyond their bound.
func (b *Book) Met(now time.Duration, addr string, id membership.PeerID) (out []membership.Effect) {
	b.now = max(b.now, now)
	if id == b.self || !isSound(addr, id) || b.isOwn(addr) {
		return nil
	}
	if b.byID[id] == nil {
		b.dropMet(place(addr))
	}
	b.Admit(now, Known{ID: id, Addrs: []string{addr}})
	e := b.byID[id]
	if e == nil || e.up || e.dialing || e.barred || e.answer == denied && b.now < e.dialed+DeniedFor {
		return nil
	}
	if !slices.Contains(e.addrs, addr) { // it has moved since it spoke
		e.addrs = append([]string{addr}, e.addrs[:min(len(e.addrs), membership.AddrsMax-1)]...)
		b.put(e)
	}
	if !e.present && !b.pays() {
		return nil // its turn comes
	}
	out, _ = b.dial(e)
	return out
}

// dial begins a dial.
func (b *Book) dial(e *addressee) (out []membership.Effect, ok bool) {
	at := b.ways(e)
	if len(at) == 0 || b.rows.dials >= dialsMax {
		return nil, false
	}
	e.dialing, e.asked, e.dialed, b.dirty = true, at, b.now, true
	b.put(e)
	return []membership.Effect{membership.Dial{ID: e.id, Addrs: at}}, true
}

// elsewhere begins a dial beside one that waits: at addresses that have become known since, or that
// others say. The machine at the old one may be dead, and its host have come back at another.
func (b *Book) elsewhere(e *addressee) (out []membership.Effect) {
	if e.beside || b.now < e.dialed+besideAfter || b.rows.dials >= dialsMax {
		return nil
	}
	var at []string
	for _, a := range slices.Concat(e.addrs, e.told) {
		if !slices.Contains(e.asked, a) && !b.isOwn(a) && len(at) < membership.AddrsMax {
			at = append(at, a)
		}
	}
	if len(at) == 0 {
		return nil
	}
	e.beside, e.asked = true, slices.Concat(e.asked, at)
	b.put(e)
	return []membership.Effect{membership.Dial{ID: e.id, Addrs: at}}
}

// ways are the addresses at which to dial a host: none of this host's own. When nobody was found
// there, what others say of it is tried beside that, and those that this host once had are among
// them: whoever is there now tells who it is.
func (b *Book) ways(e *addressee) (at []string) {
	for _, a := range e.addrs {
		if !b.isOwn(a) {
			at = append(at, a)
		}
	}
	if len(at) == 0 || e.fails > 0 {
		at = b.besides(at, e)
	}
	if len(at) == 0 || e.fails > 0 && !e.present {
		for _, f := range b.former {
			if a := place(f) + idMark + string(e.id); len(at) < membership.AddrsMax && !slices.Contains(at, a) {
				at = append(at, a)
			}
		}
	}
	return at
}

// besides adds what others say of a host. Where there is no room it takes turns with the last of
// those that are known to be its own: whoever lies displaces nothing.
func (b *Book) besides(at []string, e *addressee) []string {
	if room := membership.AddrsMax - len(e.told); len(at) > room && e.fails%2 == 1 {
		at = at[:room]
	}
	for _, a := range e.told {
		if !slices.Contains(at, a) && !b.isOwn(a) && len(at) < membership.AddrsMax {
			at = append(at, a)
		}
	}
	return at
}

// Tick looks for the lost.
func (b *Book) Tick(now time.Duration) (out []membership.Effect) {
	b.now = max(b.now, now)
	b.earn()
	// what it was to be for may have changed with what was learned since
	if b.dirty = b.dirty || b.now >= b.lookAt; !b.dirty {
		return nil // nobody is due; see Deadline
	}
	b.looksEvery()
	for b.credit >= b.every {
		e, due := b.next()
		if e == nil || due > b.now {
			b.looks(e, due)
			return out
		}
		effects, ok := b.dial(e)
		if !ok {
			return out
		}
		b.credit -= b.every
		out = append(out, effects...)
	}
	return out
}

// earn counts the time that has passed since it was last counted, for dials that look for the lost.
func (b *Book) earn() {
	b.credit = min(b.credit+b.now-b.paid, LookBurst*b.every)
	b.paid = b.now
}

// pays tells whether one may be dialled beside those whose turn it is. Else it is to wait for its.
func (b *Book) pays() bool {
	b.earn()
	b.dirty = true
	may := b.credit >= b.every
	if may {
		b.credit -= b.every
	}
	return may
}

// looksEvery notes how often one is looked for, by how many are lost.
func (b *Book) looksEvery() {
	b.every = RoundMax / time.Duration(max(len(b.rows.sought), LostMany))
	b.credit = min(b.credit, LookBurst*b.every)
}

// looks notes when the next is to be dialled, whom it has just looked for.
func (b *Book) looks(e *addressee, due time.Duration) {
	b.dirty, b.lookAt = false, Never
	if e != nil && b.rows.dials < dialsMax {
		b.lookAt = max(due, b.paid+b.every-b.credit)
	}
}

// Deadline is when Tick wants to be called.
func (b *Book) Deadline() time.Duration {
	if b.dirty {
		b.looksEvery()
		b.looks(b.next())
	}
	return b.lookAt
}

// isLost tells whether a host is looked for.
func (b *Book) isLost(e *addressee) bool {
	alone := b.members == 0
	return !e.up && !e.dialing && !e.barred && (alone || !e.present && (!e.client || e.called)) && b.hasWay(e)
}

// hasWay tells whether there is an address at which a host may be.
func (b *Book) hasWay(e *addressee) bool {
	others := func(a string) bool { return !b.isOwn(a) }
	return len(b.former) > 0 || slices.ContainsFunc(e.addrs, others) || slices.ContainsFunc(e.told, others)
}

// hasPresent tells whether a client has a session with a member.
func (b *Book) hasPresent() bool {
	return slices.ContainsFunc(b.rows.up, func(e *addressee) bool { return e.present })
}

// due is when a lost host is to be dialled again.
func (b *Book) due(e *addressee) time.Duration {
	switch {
	case e.dialed == never:
		return e.since
	case e.answer == denied:
		return e.dialed + DeniedFor
	case b.members == 0:
		return e.dialed + lonelyEvery
	case e.reached == never:
		return e.dialed + backoff.New(hostMin, hostMax).After(e.fails)
	}
	return e.dialed + min(max((e.dialed-e.reached)/8, hostMin), hostMax)
}
