package peer

import (
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds and times of bests. A best up to bestAlong rides on the message that names it. In the first moments of a run
// bests improve by the dozen, so they are not all published.
const (
	BestMax     = 64 << 20
	bestAlong   = 16 << 10
	hadMax      = 1024 // digests of former bests that are remembered; one that was forgotten is asked for again
	gossipEvery = 20 * time.Millisecond
	wantEvery   = time.Second
)

// best is a run's best as this peer holds it, and what it knows of the others'.
type best struct {
	digest    steal.Key
	value     []byte // nil: there is none
	had       map[steal.Key]struct{}
	order     []steal.Key // of had, oldest first
	acked     map[membership.PeerID]bestAck
	sending   map[membership.PeerID]bestSent // big ones that are on their way
	publishAt time.Duration                  // when to publish it; Never: it came from elsewhere, or was published
	wantAt    time.Duration                  // no second request for one before this
	once      bool                           // PlantBestHadOnce
	trial     trial
}

type bestAck struct {
	incarnation membership.Incarnation
	digest      steal.Key
}

// bestSent is a big best on its way to a peer: while it is, no second one is sent there.
type bestSent struct {
	incarnation membership.Incarnation
	until       time.Duration
}

// stamp names the best for a message to a peer, and carries it unless that incarnation is known to hold it.
func (b *best) stamp(to membership.PeerID, i membership.Incarnation) steal.Stamp {
	s := steal.Stamp{Digest: b.digest}
	if b.once && b.acked[to] == (bestAck{i, b.digest}) {
		return steal.Stamp{} // not even named, so that nobody misses it
	}
	if b.value != nil && len(b.value) <= bestAlong && b.acked[to] != (bestAck{i, b.digest}) {
		s.Value = b.value
		if b.once {
			b.ack(to, i, b.digest)
		}
	}
	return s
}

// ack notes that an incarnation of a peer holds the best of that digest.
func (b *best) ack(from membership.PeerID, i membership.Incarnation, digest steal.Key) {
	if b.acked == nil {
		b.acked = map[membership.PeerID]bestAck{}
	}
	if len(b.acked) <= membership.MembersMax {
		b.acked[from] = bestAck{i, digest}
	}
}

// starts tells whether the best may be sent to one that asked for it, and if so notes that it is. A small one always may.
func (b *best) starts(now time.Duration, to membership.PeerID, i membership.Incarnation) bool {
	if len(b.value) <= bestAlong {
		return true
	}
	if s, ok := b.sending[to]; ok && s.incarnation == i && now < s.until || len(b.sending) > membership.MembersMax {
		return false
	}
	if b.sending == nil {
		b.sending = map[membership.PeerID]bestSent{}
	}
	b.sending[to] = bestSent{i, now + wantEvery/2 + timeFor(len(b.value))}
	return true
}

// knows tells whether this peer holds the best of that digest, or one that followed it.
func (b *best) knows(digest steal.Key) bool {
	_, ok := b.had[digest]
	return ok || digest == b.digest || digest == steal.Key{}
}

// remember notes that a value of this digest was held, or passed over for a better one.
func (b *best) remember(digest steal.Key) {
	if b.had == nil {
		b.had = map[steal.Key]struct{}{}
	}
	if _, ok := b.had[digest]; ok {
		return
	}
	if len(b.order) == hadMax {
		delete(b.had, b.order[0])
		b.order = b.order[1:]
	}
	b.had[digest] = struct{}{}
	b.order = append(b.order, digest)
}

func (b *best) lost(id membership.PeerID) {
	delete(b.acked, id)
	delete(b.sending, id)
	b.trial.lost(id)
}

// Offered hears of a value that is the workers' best now: better than all that they held before.
func (p *Peer) Offered(now time.Duration, no RunNo, s steal.Stamp) []Effect {
	p.begin(now)
	r := p.runOf(no)
	switch {
	case r == nil || r.best.digest == s.Digest:
	case len(s.Value) > BestMax: // nobody else could hold what is pruned by it
		p.failBest(r, p.conf.Member.ID, fmt.Sprintf("a best is %d bytes: %d may travel", len(s.Value), BestMax))
	default:
		p.hasBetter(r, s)
		if r.best.publishAt == steal.Never {
			r.best.publishAt = p.now + gossipEvery
		}
	}
	return p.end()
}

// hasBetter makes what is the workers' best this peer's.
func (p *Peer) hasBetter(r *run, s steal.Stamp) {
	r.best.value, r.best.digest = s.Value, s.Digest
	r.best.remember(s.Digest)
	p.unblocked = true
}

// failBest fails a run for what is wrong with a best.
func (p *Peer) failBest(r *run, whose membership.PeerID, text string) {
	if r.failure == nil && r.answer == nil && !p.conf.Member.Client {
		p.failed(r, p.failure(r.task, r.instance.Run, string(whose), text))
	}
}

// takeBest takes the best that a message brought, and tells whether what the message names is held, so that it may be used.
func (p *Peer) takeBest(r *run, from membership.PeerID, i membership.Incarnation, s steal.Stamp) bool {
	if p.planted(PlantBareBest) {
		if s.Value != nil && r.root != nil {
			p.out = append(p.out, Compare{Run: r.no, Best: s, From: from}) // pruned by, and not held
		}
		return true
	}
	if s.Value != nil && !r.best.knows(s.Digest) {
		p.contend(r, from, s)
	}
	if s.Value != nil && r.best.knows(s.Digest) {
		p.sendTo(from, i, HaveBest{Run: r.instance, Digest: s.Digest})
	}
	return r.best.knows(s.Digest) || p.planted(PlantBestUncompared)
}

// bestHad hears that an incarnation of a peer holds a best.
func (p *Peer) bestHad(from membership.PeerID, i membership.Incarnation, h HaveBest) {
	r := p.run(h.Run)
	if r == nil {
		return
	}
	delete(r.best.sending, from)
	if h.Digest != r.best.digest {
		return
	}
	r.best.ack(from, i, h.Digest)
}

// bestWanted sends the present best, which is the one that was named or a better one. Whoever has dropped a run and learnt
// it again may hold a worse one than it has named: it vouches for none that it does not know.
func (p *Peer) bestWanted(from membership.PeerID, w WantBest) {
	r := p.run(w.Run)
	if r == nil || r.best.value == nil || !r.best.starts(p.now, from, p.incarnationOf(from)) {
		return
	}
	b := BestIs{Run: r.instance, Best: steal.Stamp{Digest: r.best.digest, Value: r.best.value}}
	if r.best.knows(w.Digest) {
		b.For = w.Digest
	}
	p.send(from, b)
}

// bestIs takes a best that was published or asked for. A sender's best never falls, so what it sends is the one that it
// named before, or a better one: either way the named one has been passed over, once what it sends is held.
func (p *Peer) bestIs(from membership.PeerID, i membership.Incarnation, b BestIs) {
	r := p.run(b.Run)
	switch {
	case r == nil:
	case b.Best.Value == nil:
		p.bestNamed(r, from, b.Best.Digest)
	case p.takeBest(r, from, i, b.Best):
		p.passedOver(r, b.For)
	default:
		r.best.trial.awaits(b.Best.Digest, life{from, i}, b.For)
	}
}

// passedOver notes that a best that was asked for is held, or a better one.
func (p *Peer) passedOver(r *run, digest steal.Key) {
	if digest != (steal.Key{}) {
		r.best.remember(digest)
		r.best.wantAt = p.now
		p.unblocked = true
	}
}

// bestNamed hears of a big best. Who prunes by one gets it with the messages that name it; a submitter gets few of those,
// and asks for it: it is what a run that is interrupted has to show.
func (p *Peer) bestNamed(r *run, from membership.PeerID, digest steal.Key) {
	if p.awaits(r) && !r.best.knows(digest) && !r.best.trial.has(digest) && p.now >= r.best.wantAt {
		r.best.wantAt = p.now + wantEvery
		p.send(from, WantBest{Run: r.instance, Digest: digest})
	}
}

// tickBest publishes a best that was found here, a big one by its name.
func (p *Peer) tickBest(r *run) {
	p.tickTrial(r)
	if p.now < r.best.publishAt {
		return
	}
	r.best.publishAt = steal.Never
	b := BestIs{Run: r.instance, Best: steal.Stamp{Digest: r.best.digest}}
	if len(r.best.value) <= bestAlong {
		b.Best.Value = r.best.value
	}
	p.publish(b)
}
