package peer

import (
	"fmt"
	"maps"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds and times of bests. A best up to bestAlong rides on the message that names it. In the
// first moments of a run bests improve by the dozen, so they are not all published.
const (
	BestMax   = 64 << 20
	bestAlong = 16 << 10
	// digests of former bests that are remembered; one that was forgotten is asked for again
	hadMax      = 1024
	gossipEvery = 20 * time.Millisecond
	wantEvery   = time.Second
)

// best is a run's best as this peer holds it, and what it knows of the others'.
type best struct {
	outbox
	run     steal.Instance
	no      RunNo
	task    string
	failure runFailure
	known   bool // the workers know the run
	digest  steal.Key
	value   []byte // nil: there is none
	had     map[steal.Key]struct{}
	order   []steal.Key // of had, oldest first
	acked   map[membership.PeerID]bestAck
	sending map[membership.PeerID]bestSent // big ones that are on their way
	// when to publish it; Never: it came from elsewhere, or was published
	publishAt time.Duration
	wantAt    time.Duration // no second request for one before this
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

// stamp names the best for a message to a peer, and carries it unless that incarnation
// is known to hold it.
func (b *best) stamp(to membership.PeerID, i membership.Incarnation) steal.Stamp {
	s := steal.Stamp{Digest: b.digest}
	if b.value != nil && len(b.value) <= bestAlong && b.acked[to] != (bestAck{i, b.digest}) {
		s.Value = b.value
	}
	return s
}

// ack notes that an incarnation of a peer holds the best of that digest.
func (b *best) ack(from membership.PeerID, i membership.Incarnation, digest steal.Key) {
	if b.acked == nil {
		b.acked = map[membership.PeerID]bestAck{}
	}
	if _, known := b.acked[from]; known || len(b.acked) <= membership.MembersMax {
		b.acked[from] = bestAck{i, digest}
	}
}

// starts tells whether the best may be sent to one that asked for it, and if so notes that it is. A
// small one always may.
func (b *best) starts(now time.Duration, to membership.PeerID, i membership.Incarnation) bool {
	if len(b.value) <= bestAlong {
		return true
	}
	if len(b.sending) > membership.MembersMax { // clients have gone without a word
		maps.DeleteFunc(b.sending, func(_ membership.PeerID, s bestSent) bool { return now >= s.until })
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

// lost forgets what a peer held, and what it waits for.
func (b *best) lost(id membership.PeerID) {
	delete(b.acked, id)
	delete(b.sending, id)
	b.trial.lost(id)
}

// offered hears of a value that is the workers' best now: better than all that they held before.
func (b *best) offered(now time.Duration, self membership.PeerID, s steal.Stamp) []membership.Effect {
	switch {
	case b.digest == s.Digest:
	case len(s.Value) > BestMax: // nobody else could hold what is pruned by it
		b.fails(self, fmt.Sprintf("a best is %d bytes: %d may travel", len(s.Value), BestMax))
	default:
		b.hasBetter(s)
		if b.publishAt == steal.Never {
			b.publishAt = now + gossipEvery
		}
	}
	return b.flush()
}

// hasBetter makes what is the workers' best this peer's.
func (b *best) hasBetter(s steal.Stamp) {
	b.value, b.digest = s.Value, s.Digest
	b.remember(s.Digest)
	b.do(unblocks{})
}

// fails fails the run for what is wrong with a best.
func (b *best) fails(whose membership.PeerID, text string) {
	b.do(fails{run: b.run, result: b.failure(b.task, b.run.Run, string(whose), text)})
}

// take takes the best that a message brought, and tells whether what the message names is held, so
// that it may be used.
func (b *best) take(now time.Duration, from life, s steal.Stamp) (held bool, effects []membership.Effect) {
	held = b.takeIn(now, from, s)
	return held, b.flush()
}

func (b *best) takeIn(now time.Duration, from life, s steal.Stamp) (held bool) {
	if s.Value != nil && !b.knows(s.Digest) {
		b.contend(now, from.peer, s)
	}
	if s.Value != nil && b.knows(s.Digest) {
		b.send(from, HaveBest{Run: b.run, Digest: s.Digest})
	}
	return b.knows(s.Digest)
}

// hadBy hears that an incarnation of a peer holds a best.
func (b *best) hadBy(from life, h HaveBest) {
	delete(b.sending, from.peer)
	if h.Digest == b.digest {
		b.ack(from.peer, from.incarnation, h.Digest)
	}
}

// hearWantBest sends the present best, which is the one that was named or a better one. Whoever has
// dropped a run and learnt it again may hold a worse one than it has named: it vouches for none
// that it does not know.
func (b *best) hearWantBest(now time.Duration, by life, w WantBest) []membership.Effect {
	if b.value == nil || !b.starts(now, by.peer, by.incarnation) {
		return nil
	}
	is := BestIs{Run: b.run, Best: steal.Stamp{Digest: b.digest, Value: b.value}}
	if b.knows(w.Digest) {
		is.For = w.Digest
	}
	b.send(by, is)
	return b.flush()
}

// came takes a best that was published or asked for. A sender's best never falls, so what it sends
// is the one that it named before, or a better one: either way the named one has been passed over,
// once what it sends is held.
func (b *best) came(now time.Duration, from life, is BestIs) []membership.Effect {
	if b.takeIn(now, from, is.Best) {
		b.passedOver(now, is.For)
	} else {
		b.trial.awaits(is.Best.Digest, from, is.For)
	}
	return b.flush()
}

// passedOver notes that a best that was asked for is held, or a better one.
func (b *best) passedOver(now time.Duration, digest steal.Key) {
	if digest != (steal.Key{}) {
		b.remember(digest)
		b.wantAt = now
		b.do(unblocks{})
	}
}

// named hears of a big best. Who prunes by one gets it with the messages that name it; a submitter
// gets few of those, and asks for it: it is what a run that is interrupted has to show.
func (b *best) named(now time.Duration, by life, digest steal.Key) []membership.Effect {
	if b.settles(digest) || b.trial.has(digest) {
		return nil
	}
	return b.ask(now, by, digest)
}

// ask asks for a best that a message names. One transfer is under way at a time.
func (b *best) ask(now time.Duration, of life, digest steal.Key) []membership.Effect {
	if now >= b.wantAt {
		b.wantAt = now + wantEvery
		b.send(of, WantBest{Run: b.run, Digest: digest})
	}
	return b.flush()
}

// tick publishes a best that was found here, a big one by its name.
func (b *best) tick(now time.Duration) []membership.Effect {
	b.tickTrial(now)
	if now < b.publishAt {
		return b.flush()
	}
	b.publishAt = steal.Never
	is := BestIs{Run: b.run, Best: steal.Stamp{Digest: b.digest}}
	if len(b.value) <= bestAlong {
		is.Best.Value = b.value
	}
	b.publish(is)
	return b.flush()
}

// deadline is when tick has something to do.
func (b *best) deadline() time.Duration { return min(b.publishAt, b.trial.deadline()) }
