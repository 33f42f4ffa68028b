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
	HeldFor       = 10 * time.Second
	heldMax       = 1024     // in all
	heldPerPeer   = 64       // results of small jobs come by the dozen while one best is compared
	heldBytesEach = 64 << 20 // of one peer together, beyond its first
	heldAskEvery  = time.Second
)

// held is a message that may not be used yet.
type held struct {
	from    membership.PeerID
	message Message
	name    Name
	run     steal.Instance
	best    steal.Key // that its sender held
	since   time.Duration
	again   time.Duration // when to ask again for what is missing
}

// hold keeps a message back and asks its sender for what is missing: the record, or the best.
func (p *Peer) hold(from membership.PeerID, m Message, run steal.Instance, s steal.Stamp) {
	if r := p.run(run); r != nil {
		never, effects := r.best.holdsBack(p.now, from, s)
		if p.apply(effects); never {
			return
		}
	}
	h := held{from: from, message: m, run: run, best: s.Digest, since: p.now}
	h.name, _ = NameOf(m.Body)
	count, bytes := 0, Size(h.message.Body)
	for n := range p.held {
		o := &p.held[n]
		if o.from != from {
			continue
		}
		if o.name == h.name {
			return // the network, or the sender's patience, doubled it
		}
		count++
		bytes += Size(o.message.Body)
	}
	if count >= heldPerPeer || count > 0 && bytes > heldBytesEach || len(p.held) >= heldMax {
		p.stats.Dropped++
		return
	}
	p.askFor(&h)
	p.held = append(p.held, h)
}

// askFor asks for what a held message waits for. One transfer of a best is under way at a time.
func (p *Peer) askFor(h *held) {
	h.again = p.now + heldAskEvery
	r := p.run(h.run)
	switch {
	case r == nil || r.root == nil && h.needsRoot():
		p.send(h.from, Fetch{h.run})
	case r.best.trial.has(h.best): // it is being compared
	default:
		p.apply(r.best.ask(p.now, p.lifeOf(h.from), h.best))
	}
}

// usable tells whether what a held message waited for has come.
func (p *Peer) usable(h *held) bool {
	r := p.run(h.run)
	if r == nil || r.root == nil && h.needsRoot() {
		return false
	}
	return r.best.settles(h.best)
}

// needsRoot tells whether a message is of use only to workers that know the run.
func (h *held) needsRoot() bool {
	_, answer := h.message.Body.(Answer)
	return !answer
}

// retry uses the messages that can be used now.
func (p *Peer) retry() {
	var ready []held
	p.held = slices.DeleteFunc(p.held, func(h held) bool {
		if !p.usable(&h) {
			return false
		}
		ready = append(ready, h)
		return true
	})
	for _, h := range ready {
		if b, ok := h.message.Body.(Answer); ok {
			p.answered(h.from, h.message, b)
		} else if p.view.Has(h.from, h.message.From) && (h.message.To.IsZero() || h.message.To == p.view.Self().Incarnation) {
			p.member(h.from, h.message)
		}
	}
}

// tickHeld asks again, and drops what has waited too long.
func (p *Peer) tickHeld() {
	p.held = slices.DeleteFunc(p.held, func(h held) bool {
		if p.now-h.since >= HeldFor {
			p.stats.Dropped++
			return true
		}
		return false
	})
	for n := range p.held {
		if h := &p.held[n]; p.now >= h.again {
			p.askFor(h)
		}
	}
}

func (p *Peer) heldDeadline() time.Duration {
	at := steal.Never
	for n := range p.held {
		at = min(at, p.held[n].again, p.held[n].since+HeldFor)
	}
	return at
}
