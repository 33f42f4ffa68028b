package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/orphan"
	"satingrid/steal"
)

// nextWill makes the next part of the will of what the heir does not have yet, and tells
// whether there was any.
func (l *leaving) nextWill(now time.Duration) bool {
	size := 0
	for _, i := range l.results.All() {
		if asOrphan, ok := l.givenToHeir[i]; ok && (asOrphan || !i.Orphan) || l.will != nil && i.Run != l.will.Run {
			continue
		}
		b, wanted := bequest(i, l.heir.peer)
		if !wanted {
			l.givenToHeir[i] = i.Orphan
			continue
		}
		size += len(i.Result.Bytes)
		if l.will == nil {
			l.number++
			l.will = &orphan.Will{Run: i.Run, Number: l.number}
		} else if size > l.bytes() || len(l.items) == orphan.PartsMax {
			break
		}
		l.will.Items = append(l.will.Items, b)
		l.items = append(l.items, i)
	}
	if l.will == nil {
		return false // what the heir was asked for before, it has still to answer
	}
	l.since, l.gap = now, backoff.New(willGapMin, steal.Never)
	return true
}

// bequest is what an heir is given of a result. What was kept for the heir itself is of no use to
// it.
func bequest(i *orphan.Item, heir membership.PeerID) (orphan.Bequest, bool) {
	b := orphan.Bequest{Part: orphan.Part{Key: i.Key, Result: i.Result}, Orphan: i.Orphan}
	for _, c := range i.Owners {
		if c.Owner == heir {
			continue
		}
		if c.Why == orphan.ForCopy {
			c.Why = orphan.ForWill
		}
		b.Owners = append(b.Owners, c)
	}
	return b, b.Orphan || len(b.Owners) > 0
}

func willSize(w *orphan.Will) (size int) {
	if w == nil {
		return 0
	}
	for _, i := range w.Items {
		size += len(i.Result.Bytes)
	}
	return size
}

// sendWill sends what is out, for the first time or again.
func (l *leaving) sendWill(now time.Duration) {
	best, on := l.best(l.will.Run, l.heir)
	if !on {
		l.will, l.items, l.again = nil, nil, steal.Never
		l.goOn(now)
		return
	}
	l.again = now + l.gap.Next() + timeFor(willSize(l.will))
	l.will.Best = best
	l.send(l.heir, *l.will)
}

// hearWill hears what a leaver hands on to this peer: that it leaves, for one.
func (l *leaving) hearWill(now time.Duration, a *arrival, w orphan.Will) []membership.Effect {
	l.toldThatItLeaves(a.life)
	return l.keeper.hearWill(now, a, w)
}

// hearWilled hears that the heir has what was sent last.
func (l *leaving) hearWilled(now time.Duration, from life, w orphan.Willed) []membership.Effect {
	if l.will == nil || from != l.heir || w.Number != l.will.Number {
		return nil
	}
	for n, i := range l.items {
		// an orphan's since then must be handed on as such, so that the heir advertises it
		l.givenToHeir[i] = l.will.Items[n].Orphan
	}
	l.took(willSize(l.will), now-l.since)
	l.will, l.items, l.again = nil, nil, steal.Never
	l.do(goesOn{})
	return l.flush()
}

// livesOn hears that one goes on under another incarnation.
func (l *leaving) livesOn(was, is life) {
	if l.heir == was {
		l.heir = is
	}
}
