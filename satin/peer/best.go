package peer

import (
	"bytes"
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
}

// Offered hears from a worker of a best that may be better.
func (p *Peer) Offered(now time.Duration, no RunNo, value []byte) []Effect {
	p.begin(now)
	if r := p.runOf(no); r != nil && p.improve(r, value) && r.best.publishAt == steal.Never {
		r.best.publishAt = p.now + gossipEvery
	}
	return p.end()
}

// improve keeps a value if it is better than the best. Where neither is better the smaller bytes are.
func (p *Peer) improve(r *run, value []byte) bool {
	digest := steal.KeyOf(value)
	if r.best.knows(digest) || p.conf.Better == nil || len(value) > BestMax {
		return false
	}
	old := r.best.value
	better := old == nil || p.conf.Better(r.task, value, old) ||
		!p.conf.Better(r.task, old, value) && bytes.Compare(value, old) < 0
	if better {
		r.best.value, r.best.digest = value, digest
		p.unblocked = true
	}
	r.best.remember(digest)
	return better
}

// takeBest takes the best that a message brought, and tells whether what the message names is held, so that it may be used.
func (p *Peer) takeBest(r *run, from membership.PeerID, i membership.Incarnation, s steal.Stamp) bool {
	if p.planted(PlantBareBest) {
		if s.Value != nil && r.root != nil {
			p.out = append(p.out, Improve{Run: r.no, Value: s.Value}) // pruned by, and not held
		}
		return true
	}
	if s.Value != nil && steal.KeyOf(s.Value) == s.Digest {
		if p.improve(r, s.Value) && r.root != nil {
			p.out = append(p.out, Improve{Run: r.no, Value: s.Value})
		}
		if r.best.knows(s.Digest) {
			p.sendTo(from, i, HaveBest{Run: r.instance, Digest: s.Digest})
		}
	}
	return r.best.knows(s.Digest)
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
// named before, or a better one: either way the named one has been passed over.
func (p *Peer) bestIs(from membership.PeerID, i membership.Incarnation, b BestIs) {
	r := p.run(b.Run)
	if r != nil && b.Best.Value == nil {
		p.bestNamed(r, from, b.Best.Digest)
		return
	}
	if r == nil || !p.takeBest(r, from, i, b.Best) {
		return
	}
	if b.For != (steal.Key{}) {
		r.best.remember(b.For)
		r.best.wantAt = p.now
		p.unblocked = true
	}
}

// bestNamed hears of a big best. Who prunes by one gets it with the messages that name it; a submitter gets few of those,
// and asks for it: it is what a run that is interrupted has to show.
func (p *Peer) bestNamed(r *run, from membership.PeerID, digest steal.Key) {
	if p.awaits(r) && !r.best.knows(digest) && p.now >= r.best.wantAt {
		r.best.wantAt = p.now + wantEvery
		p.send(from, WantBest{Run: r.instance, Digest: digest})
	}
}

// tickBest publishes a best that was found here, a big one by its name.
func (p *Peer) tickBest(r *run) {
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
