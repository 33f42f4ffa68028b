package peer

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times and bounds of what is said to a holder.
const (
	// milliseconds of work in a bundle that is worth a message
	copyCostMin = 100
	copyWait    = 10 * time.Second // what stays unanswered for so long goes to another
	copyGapMin  = time.Second
	copyGapMax  = 8 * time.Second
	// a holder that keeps less than it should is left for another so often: all may be full
	moveEvery = time.Minute

	dearMax = 1 << 10 // parts of a run that two holders have
	// bytes for each millisecond of work, above which a part is not worth a second holder
	dearBytes = 100
)

// custody is one holder. The first has all parts, the second the dearest: so that these outlive the
// loss of this peer's site and of any other together.
type custody struct {
	holder life // zero: nobody yet
	avoid  membership.PeerID
	// no move to another because it keeps less than it should before this
	moved time.Duration
	portion
}

// entrusted is what one holder has of one run.
type entrusted struct {
	whole bool        // it has nothing yet, or nothing that is right
	has   []steal.Key // what it has acknowledged, sorted
	all   bool        // that is all it should have
	out   *orphan.Copy
	after []steal.Key // what it has then
	since time.Duration
	again time.Duration // when to send it once more; Never: it is not out
	gap   backoff.Backoff
}

// restart forgets what a former holder had.
func (x *entrusted) restart() { *x = entrusted{whole: true, again: steal.Never} }

// dearest are the parts, by key, that are worth a second holder.
func dearest(parts []orphan.Part) []orphan.Part {
	var dear []orphan.Part
	for _, part := range parts {
		if uint64(len(part.Result.Bytes)) <= dearBytes*uint64(part.Result.Cost) {
			dear = append(dear, part)
		}
	}
	if len(dear) <= dearMax {
		return dear
	}
	slices.SortStableFunc(dear, func(a, b orphan.Part) int { return cmp.Compare(b.Result.Cost, a.Result.Cost) })
	dear = dear[:dearMax]
	slices.SortFunc(dear, func(a, b orphan.Part) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	return dear
}

// owed are the parts, by key, that a holder should have.
func (y *copying) owed(n int) []orphan.Part {
	if n > 0 {
		return y.dear
	}
	return y.parts
}

// copyNext sends what a holder lacks of the present parts, as much as one message may bring, and
// takes back in the last of them what the present parts replace. When no holder lacks anything the
// round is over. While the answer is nowhere else nothing is taken back: it has replaced all parts,
// and a copy of it, which may be big, would come no sooner than whoever is to keep it has it.
func (c *copier) copyNext(now time.Duration, y *copying, n int) {
	h, x := &c.held[n], &y.with[n]
	if x.out != nil || !c.members.Has(h.holder.peer, h.holder.incarnation) || y.of.isOnlyHere() {
		return
	}
	add, gone, rest, cost := y.changes(n, h.bytes())
	switch {
	case len(add) == 0 && len(gone) == 0 && !(x.whole && y.round > 0):
		x.all = true
		c.covered(y)
		return
	case len(add) > 0 && !rest && cost < copyCostMin:
		return // not worth a message yet; the loans stay uncovered
	}
	y.round++
	x.out = &orphan.Copy{Run: y.run, Round: y.round, Whole: x.whole, Parts: add}
	x.after = slices.Clone(x.has)
	if !rest {
		x.out.Gone = gone
		x.after = slices.DeleteFunc(x.after, func(k steal.Key) bool { return hasKey(gone, k) })
	}
	for _, part := range add {
		x.after = append(x.after, part.Key)
	}
	slices.SortFunc(x.after, func(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) })
	c.sent += uint64(len(add))
	x.since, x.gap = now, backoff.New(copyGapMin+timeFor(copySize(x.out)), copyGapMax)
	c.sendCopy(now, y, n)
}

// covered ends the round when each holder has what it should have.
func (c *copier) covered(y *copying) {
	for n := range c.held {
		if c.held[n].holder != (life{}) && !y.with[n].all {
			return
		}
	}
	y.covering = nil
}

// changes is what a holder lacks, as much as goes into one message of so many bytes, and what it
// has in vain. rest says that it lacks still more.
func (y *copying) changes(n, bytesMax int) (add []orphan.Part, gone []steal.Key, rest bool, cost uint64) {
	owed, has := y.owed(n), y.with[n].has
	size := 0
	for _, part := range owed {
		if hasKey(has, part.Key) {
			continue
		}
		if len(add) == orphan.PartsMax || len(add) > 0 && size+len(part.Result.Bytes) > bytesMax {
			return add, nil, true, cost
		}
		add = append(add, part)
		size += len(part.Result.Bytes)
		cost += uint64(part.Result.Cost)
	}
	for _, k := range has {
		_, current := slices.BinarySearchFunc(owed, k, func(p orphan.Part, k steal.Key) int { return bytes.Compare(p.Key[:], k[:]) })
		if !current && len(gone) < orphan.EntriesMax {
			gone = append(gone, k)
		}
	}
	return add, gone, false, cost
}

func hasKey(sorted []steal.Key, k steal.Key) bool {
	_, ok := slices.BinarySearchFunc(sorted, k, func(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) })
	return ok
}

func copySize(c *orphan.Copy) (size int) {
	for _, part := range c.Parts {
		size += len(part.Result.Bytes)
	}
	return size
}

// sendCopy sends what is out, for the first time or again.
func (c *copier) sendCopy(now time.Duration, y *copying, n int) {
	x, to := &y.with[n], c.held[n].holder
	x.again = min(now+x.gap.Next(), c.givenUp(y, n))
	x.out.Best = y.of.stamp(to.peer, to.incarnation)
	c.send(to, *x.out)
}

// givenUp is when a holder that has not acknowledged is left for another.
func (c *copier) givenUp(y *copying, n int) time.Duration {
	x := &y.with[n]
	return x.since + copyWait + c.held[n].patience(copySize(x.out))
}

// repeat says again what is not acknowledged. Who has not for too long is left for another.
func (c *copier) repeat(now time.Duration) {
	for n := range c.held {
		for _, y := range c.runs {
			switch {
			case now < y.with[n].again:
			case now >= c.givenUp(y, n):
				c.held[n].avoid = c.held[n].holder.peer
				c.move(now, n)
				return
			default:
				c.sendCopy(now, y, n)
			}
		}
	}
}

// hearCopied hears that a holder keeps what was sent. When it does not keep what it should, another
// gets all.
func (c *copier) hearCopied(now time.Duration, from life, m orphan.Copied) []membership.Effect {
	n := c.custodyOf(from)
	y := c.of(m.Run)
	if n < 0 || y == nil || y.with[n].out == nil || m.Round != y.with[n].out.Round {
		return nil
	}
	h, x := &c.held[n], &y.with[n]
	h.took(copySize(x.out), now-x.since)
	x.has, x.out, x.after, x.again, x.whole = x.after, nil, nil, steal.Never, false
	var sum uint64
	for _, k := range x.has {
		sum = orphan.SumOf(sum, k)
	}
	if sum == m.Sum || now < h.moved {
		c.copyNext(now, y, n)
		return c.flush()
	}
	h.avoid, h.moved = from.peer, now+moveEvery
	c.leave(n)
	return c.flush()
}
