package addresses

import (
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
)

// limit is how many entries there may be beside that many sessions. Who has one is never without an
// entry, or nothing could be said to it, and the carrier bounds how many have one; for who has none
// there is always room for as many as may be dialled together.
func limit(sessions int) int { return max(EntriesMax, sessions+dialsMax) }

// makeRoom sees that there is room for one more entry. One that must come in takes the place of
// another whatever that one is, unless that has a session.
func (b *Book) makeRoom(must bool) bool {
	heard := 0
	for _, e := range b.entries {
		heard += count(e.reached == never)
	}
	if len(b.entries) < limit(b.sessions) && (must || heard < HeardMax) {
		return true
	}
	return b.evict(must)
}

// evict drops the entry whose loss costs least; false when there is none that may go.
func (b *Book) evict(must bool) bool {
	worst, rank := -1, 0
	for n, e := range b.entries {
		if e.up || e.dialing || e.present && !must {
			continue
		}
		if e.reached != never && !must {
			continue // what is only heard of displaces what is only heard of
		}
		r := b.rank(e)
		if worst < 0 || r < rank || r == rank && e.reached < b.entries[worst].reached {
			worst, rank = n, r
		}
	}
	if worst < 0 {
		return false
	}
	delete(b.byID, b.entries[worst].id)
	b.entries = slices.Delete(b.entries, worst, worst+1)
	return true
}

// rank orders the entries by what their loss would cost: the least first.
func (b *Book) rank(e *addressee) int {
	switch {
	case e.reached == never:
		return 0
	case e.client:
		return 1
	}
	younger := 0
	for _, o := range b.entries {
		younger += count(o != e && o.site == e.site && o.reached > e.reached)
	}
	if younger >= SiteMin {
		return 2
	}
	return 3
}

// Known is the whole book, to be kept: this host's own addresses with it.
func (b *Book) Known(now time.Duration) []Known {
	all := make([]Known, 0, len(b.entries)+1)
	if own := append(slices.Clone(b.own), b.former...); len(own) > 0 {
		all = append(all, Known{ID: b.self, Client: b.client, Addrs: own[:min(len(own), membership.AddrsMax)]})
	}
	for _, e := range b.entries {
		k := Known{ID: e.id, Site: e.site, Client: e.client, Age: -1, Addrs: slices.Clone(e.addrs)}
		switch {
		case e.up:
			k.Age = 0
		case e.reached != never:
			k.Age = max(now-e.reached, 0)
		}
		if len(k.Addrs) > 0 {
			all = append(all, k)
		}
	}
	return all
}

// Changed tells whether there is news in the book since it was last kept.
func (b *Book) Changed() bool { return b.changed }

// Kept hears that the book, as it is now, is being kept for the next start.
func (b *Book) Kept() { b.changed = false }

// Tried tells whether every host of the book was dialled or has a session, and no dial is under
// way.
func (b *Book) Tried() bool {
	return !slices.ContainsFunc(b.entries, func(e *addressee) bool {
		return e.dialing || !e.up && e.answer == none && !e.barred && b.hasWay(e)
	})
}

// Denied tells whether a host that the state folder or a ticket names has refused
// this one at its handshake.
func (b *Book) Denied() bool {
	return slices.ContainsFunc(b.entries, func(e *addressee) bool { return e.answer == denied && e.named })
}

// Check says what is wrong with the book, for tests and the simulator.
func (b *Book) Check() error {
	up := 0
	for n, e := range b.entries {
		up += count(e.up)
		if b.byID[e.id] != e || n > 0 && b.entries[n-1].id >= e.id || e.id == b.self || len(e.addrs) > membership.AddrsMax {
			return fmt.Errorf("addresses: the entry of %q is out of place", e.id)
		}
	}
	if len(b.entries) != len(b.byID) || len(b.entries) > limit(up) || up != b.sessions {
		return fmt.Errorf("addresses: %d entries, %d by id, %d sessions of %d", len(b.entries), len(b.byID), up, b.sessions)
	}
	return nil
}
