package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds and times of messages that wait for a best or a record. What is dropped was not
// acknowledged, so it comes again, or its lease finds it missing.
const (
	PostponedFor = 10 * time.Second
	postponedMax = 1024 // in all
	// results of small jobs come by the dozen while one best is compared
	postponedPerPeer   = 64
	postponedBytesEach = 64 << 20 // of one peer together, beyond its first
	postponedAskEvery  = time.Second
)

// postponing has those messages wait that may not be used yet: what they bring was found under a
// best that is not held here, or is of a run that is not known.
type postponing struct {
	outbox
	runs    *runs
	members members
	all     []postponed
	dropped uint64 // for want of room, or of what they waited for
}

// postponed is a message that may not be used yet.
type postponed struct {
	needs
	message Message
	name    Name
	since   time.Duration
	again   time.Duration // when to ask again for what is missing
}

// needs is what is missing before a message can be used: the record of the run, its root, or the
// best that the sender held.
type needs struct {
	from      membership.PeerID
	run       steal.Instance
	best      steal.Key
	needsRoot bool // it is of use only to workers that know the run
}

// admits takes the best that rides on a message about a run that is known here, and tells whether
// the message may be used now. Otherwise it waits.
func (h *postponing) admits(now time.Duration, a *arrival, r *run, s steal.Stamp) (bool, []membership.Effect) {
	ok, effects := r.best.take(now, a.life, s)
	if h.also(effects); !ok {
		h.also(h.postpone(now, a.peer, a.message, r.instance, s))
	}
	return ok, h.flush()
}

// postpone keeps a message back and asks its sender for what is missing. Work under a best that is
// none can never be used.
func (h *postponing) postpone(now time.Duration, from membership.PeerID, m Message, run steal.Instance, s steal.Stamp) []membership.Effect {
	if r := h.runs.find(run); r != nil {
		never, effects := r.best.postpones(now, from, s)
		if h.also(effects); never {
			return h.flush()
		}
	}
	h.wait(now, from, m, run, s.Digest)
	return h.flush()
}

// wait has a message wait, and asks for what it waits for.
func (h *postponing) wait(now time.Duration, from membership.PeerID, m Message, run steal.Instance, best steal.Key) {
	_, answer := m.Body.(Answer)
	x := postponed{needs: needs{from, run, best, !answer}, message: m, since: now}
	x.name, _ = NameOf(m.Body)
	count, bytes := 0, Size(m.Body)
	for n := range h.all {
		o := &h.all[n]
		if o.from != from {
			continue
		}
		if o.name == x.name {
			return // the network, or the sender's patience, doubled it
		}
		count++
		bytes += Size(o.message.Body)
	}
	if count >= postponedPerPeer || count > 0 && bytes > postponedBytesEach || len(h.all) >= postponedMax {
		h.dropped++
		return
	}
	h.ask(now, &x)
	h.all = append(h.all, x)
}

// ask asks for what a message waits for. One transfer of a best is under way at a time.
func (h *postponing) ask(now time.Duration, x *postponed) {
	x.again = now + postponedAskEvery
	r := h.runs.find(x.run)
	switch {
	case r == nil || !r.root.isHere() && x.needsRoot:
		h.do(tells{x.from, Fetch{x.run}})
	case r.best.trial.has(x.best): // it is being compared
	default:
		h.also(r.best.ask(now, lifeOf(h.members, x.from), x.best))
	}
}

// ready are the messages that can be used now. They wait no more.
func (h *postponing) ready() (all []postponed) {
	h.all = slices.DeleteFunc(h.all, func(x postponed) bool {
		r := h.runs.find(x.run)
		if r == nil || !r.root.isHere() && x.needsRoot || !r.best.settles(x.best) {
			return false
		}
		all = append(all, x)
		return true
	})
	return all
}

// tick asks again, and drops what has waited too long.
func (h *postponing) tick(now time.Duration) []membership.Effect {
	h.all = slices.DeleteFunc(h.all, func(x postponed) bool {
		if now-x.since >= PostponedFor {
			h.dropped++
			return true
		}
		return false
	})
	for n := range h.all {
		if x := &h.all[n]; now >= x.again {
			h.ask(now, x)
		}
	}
	return h.flush()
}

func (h *postponing) deadline() time.Duration {
	at := steal.Never
	for n := range h.all {
		at = min(at, h.all[n].again, h.all[n].since+PostponedFor)
	}
	return at
}

// lost forgets what a member said that is gone; a client's messages stay.
func (h *postponing) lost(id membership.PeerID) {
	h.all = slices.DeleteFunc(h.all, func(x postponed) bool { return x.from == id && x.message.From.Join != 0 })
}

// void forgets what members said to a life of this peer that is over.
func (h *postponing) void() {
	h.all = slices.DeleteFunc(h.all, func(x postponed) bool { return x.message.From.Join != 0 })
}

// livesOn forgets what one said in a life from which it has gone on.
func (h *postponing) livesOn(was life) {
	h.all = slices.DeleteFunc(h.all, func(x postponed) bool { return x.from == was.peer && x.message.From == was.incarnation })
}

// ended forgets what was said of a run.
func (h *postponing) ended(run steal.Instance) {
	h.all = slices.DeleteFunc(h.all, func(x postponed) bool { return x.run == run })
}
