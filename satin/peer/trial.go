package peer

import (
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds of values that came from outside and wait to be compared with the best. What does not fit
// is dropped, and asked for again by the messages that name it.
const (
	contendersMax      = 64
	contendersEach     = 8        // of one peer
	contendersBytesMax = 64 << 20 // beyond the first
	sourcesMax         = 64       // of one value, who are told that it is held
	passedMax          = 64       // digests for which one value was sent
	spoiltMax          = 64       // values that are remembered as no bests

	// trialMax is how long a comparison may take. It takes microseconds, and a long best some
	// tens of milliseconds; an order that says nothing for a minute never will.
	trialMax = time.Minute
)

// Merit is what came of a comparison.
type Merit uint8

// The merits.
const (
	Worse  Merit = iota + 1 // the value is not better than the workers' best, which stays
	Better                  // it is, and is the workers' best now
	Spoilt                  // it cannot be read, or comparing it panicked
)

// trial is what waits to be compared with a run's best, one after another.
type trial struct {
	waiting []contender // the first is being compared, when open
	open    bool
	since   time.Duration // when the open comparison began
	spoilt  []spoilt      // the latest
}

// contender is a value that came from outside.
type contender struct {
	best    steal.Stamp
	from    membership.PeerID // who brought it first
	sources []life            // who are told that it is held
	passed  []steal.Key       // what counts as held with it: its senders named these before
}

// spoilt is a value that is no best, and why a run fails that depends on it.
type spoilt struct {
	digest steal.Key
	why    steal.Result
}

// find is where a value waits, or -1.
func (c *trial) find(digest steal.Key) int {
	return slices.IndexFunc(c.waiting, func(x contender) bool { return x.best.Digest == digest })
}

// has tells whether a value waits to be compared.
func (c *trial) has(digest steal.Key) bool { return c.find(digest) >= 0 }

// isSpoilt tells whether a value was found to be no best, and why.
func (c *trial) isSpoilt(digest steal.Key) (why steal.Result, ok bool) {
	n := slices.IndexFunc(c.spoilt, func(s spoilt) bool { return s.digest == digest })
	if n < 0 {
		return why, false
	}
	return c.spoilt[n].why, true
}

// awaits notes who is to be told once a waiting value is held, and which digest counts as held with
// it, if one does. A sender whose message is held back hears of it when that is used.
func (c *trial) awaits(digest steal.Key, by life, passed steal.Key) {
	n := c.find(digest)
	if n < 0 {
		return
	}
	x := &c.waiting[n]
	if len(x.sources) < sourcesMax && !slices.Contains(x.sources, by) {
		x.sources = append(x.sources, by)
	}
	if passed != (steal.Key{}) && len(x.passed) < passedMax {
		x.passed = append(x.passed, passed)
	}
}

// hasRoom tells whether a value of a peer may wait.
func (c *trial) hasRoom(from membership.PeerID, size int) bool {
	each := 0
	for n := range c.waiting {
		size += len(c.waiting[n].best.Value)
		if c.waiting[n].from == from {
			each++
		}
	}
	return len(c.waiting) == 0 || len(c.waiting) < contendersMax && each < contendersEach && size <= contendersBytesMax
}

// lost forgets that one is to be told.
func (c *trial) lost(id membership.PeerID) {
	for n := range c.waiting {
		x := &c.waiting[n]
		x.sources = slices.DeleteFunc(x.sources, func(l life) bool { return l.peer == id })
	}
}

// contend has a value that came from outside compared with the best.
func (b *best) contend(now time.Duration, from membership.PeerID, s steal.Stamp) {
	c := &b.trial
	if _, bad := c.isSpoilt(s.Digest); bad || len(s.Value) > BestMax {
		return
	}
	if !c.has(s.Digest) && c.hasRoom(from, len(s.Value)) {
		c.waiting = append(c.waiting, contender{best: s, from: from})
		b.compare(now)
	}
}

// found has a best compared that was on this peer's disk.
func (b *best) found(now time.Duration, self membership.PeerID, s steal.Stamp) []membership.Effect {
	b.contend(now, self, s)
	return b.flush()
}

// compare has the next value compared, when none is and the workers know the run.
func (b *best) compare(now time.Duration) {
	c := &b.trial
	if !c.open && b.known && len(c.waiting) > 0 {
		c.open, c.since = true, now
		b.do(Compare{Run: b.no, Best: c.waiting[0].best, From: c.waiting[0].from})
	}
}

// opens hears that the workers know the run from now on.
func (b *best) opens(now time.Duration) []membership.Effect {
	b.known = true
	b.compare(now)
	return b.flush()
}

// compared hears what came of the comparison. why is what the run fails with when work depends on a
// value that is Spoilt.
func (b *best) compared(now time.Duration, digest steal.Key, v Merit, why steal.Result) []membership.Effect {
	c := &b.trial
	if !c.open || c.waiting[0].best.Digest != digest {
		return nil
	}
	x := c.waiting[0]
	c.waiting[0] = contender{}
	c.waiting, c.open = c.waiting[1:], false
	switch v {
	case Better:
		b.hasBetter(x.best)
	case Worse:
		b.remember(digest)
	default:
		c.spoilt = append(c.spoilt[max(0, len(c.spoilt)+1-spoiltMax):], spoilt{digest, why})
	}
	b.do(unblocks{})
	if v != Spoilt {
		for _, l := range x.sources {
			b.send(l, HaveBest{Run: b.run, Digest: digest})
		}
		for _, d := range x.passed {
			b.passedOver(now, d)
		}
	}
	b.compare(now)
	return b.flush()
}

// postpones hears that work waits for a best. Work under one that is none can never be used: with
// it the run fails. A value alone is only dropped: the program's order panics on what the program
// itself has found elsewhere, or its sender lies.
func (b *best) postpones(now time.Duration, from membership.PeerID, s steal.Stamp) (never bool, effects []membership.Effect) {
	if why, bad := b.trial.isSpoilt(s.Digest); bad {
		b.do(fails{run: b.run, result: why})
		return true, b.flush()
	}
	if s.Value != nil && !b.knows(s.Digest) {
		b.contend(now, from, s)
	}
	return false, b.flush()
}

// settles tells whether it is known of a best that it is held, or that it never will be.
func (b *best) settles(digest steal.Key) bool {
	_, bad := b.trial.isSpoilt(digest)
	return bad || b.knows(digest)
}

// tickTrial fails a run whose order does not answer.
func (b *best) tickTrial(now time.Duration) {
	c := &b.trial
	if c.open && c.since != steal.Never && now-c.since >= trialMax {
		c.since = steal.Never // it is said once
		b.fails(c.waiting[0].from,
			fmt.Sprintf("comparing a best from %s has not ended in %v: does its Better return?", c.waiting[0].from, trialMax))
	}
}

// deadline is when an open comparison has taken too long.
func (c *trial) deadline() time.Duration {
	if !c.open || c.since == steal.Never {
		return steal.Never
	}
	return c.since + trialMax
}
