package membership

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// bars are all that is known of who is kept out.
type bars struct {
	all    []Bar  // sorted by id
	newest uint64 // the greatest counter, of those too that were forgotten
	sum    uint64 // their digest …
	// … is of now
	fresh bool
	// at a client: since when members do not have a bar
	lacked map[Bar]time.Duration
}

// learn takes one. When it is news, the effects tell of the one that was forgotten for it, if any.
func (b *bars) learn(bar Bar) (effects []Effect, news bool) {
	if !bar.ID.Sound() {
		return nil, false
	}
	b.newest = max(b.newest, bar.Counter)
	at, known := b.find(bar.ID)
	if known {
		is := b.all[at]
		if is.Counter > bar.Counter || is.Counter == bar.Counter && (is.Barred || !bar.Barred) {
			// of two that people said at the same time, it is the bar that holds
			return nil, false
		}
		b.all[at], b.fresh = bar, false
		return nil, true
	}
	if len(b.all) >= BarsMax {
		least := slices.MinFunc(b.all, Bar.compare)
		if bar.compare(least) < 0 {
			return nil, false
		}
		at, _ := b.find(least.ID)
		b.all = slices.Delete(b.all, at, at+1)
		effects = []Effect{Unbarred{least.ID}}
	}
	at, _ = b.find(bar.ID)
	b.all, b.fresh = slices.Insert(b.all, at, bar), false
	return effects, true
}

// dropAbove forgets those whose counters are not to be believed. The effects tell of them.
func (b *bars) dropAbove(top uint64) (effects []Effect) {
	if b.newest <= top {
		return nil
	}
	b.newest = 0
	return b.drop(func(o Bar) bool {
		isAbove := o.Counter > top
		if !isAbove {
			b.newest = max(b.newest, o.Counter)
		}
		return isAbove
	})
}

// dropLacked forgets those of a client that are not among a member's for long. Nobody asks a client
// who is barred: it would keep for ever what it alone was told.
func (b *bars) dropLacked(now time.Duration, told []Bar) (effects []Effect) {
	has, lacked := map[Bar]bool{}, map[Bar]time.Duration{}
	for _, o := range told {
		has[o] = true
	}
	for _, o := range b.all {
		if since, known := b.lacked[o]; known && !has[o] {
			lacked[o] = since
		} else if !has[o] {
			lacked[o] = now
		}
	}
	b.lacked = lacked
	return b.drop(func(o Bar) bool {
		since, lacks := lacked[o]
		return lacks && now-since > unheardMax
	})
}

// drop forgets some, and tells of them.
func (b *bars) drop(some func(Bar) bool) (effects []Effect) {
	b.fresh = false
	b.all = slices.DeleteFunc(b.all, func(o Bar) bool {
		is := some(o)
		if is {
			effects = append(effects, Unbarred{o.ID})
		}
		return is
	})
	return effects
}

// compare orders bars by what forgetting them would cost: first those that were lifted, then those
// that hold, and of each the oldest first.
func (b Bar) compare(o Bar) int {
	return cmp.Or(count(b.Barred)-count(o.Barred), cmp.Compare(b.Counter, o.Counter), strings.Compare(string(b.ID), string(o.ID)))
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// find is where a peer's stands, or would stand.
func (b *bars) find(id PeerID) (int, bool) {
	return slices.BinarySearchFunc(b.all, id, func(b Bar, id PeerID) int { return strings.Compare(string(b.ID), string(id)) })
}

// holds tells whether a peer is kept out.
func (b *bars) holds(id PeerID) bool {
	at, known := b.find(id)
	return known && b.all[at].Barred
}

// digest is a sum over all of them.
func (b *bars) digest() uint64 {
	if b.fresh {
		return b.sum
	}
	b.sum, b.fresh = 0, true
	for _, o := range b.all {
		state := State(100)
		if o.Barred {
			state++
		}
		b.sum += digestOf(o.ID, Incarnation{Join: o.Counter}, state)
	}
	return b.sum
}
