package addresses

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
)

// limit is how many entries there may be beside that many sessions. Who has one is never without an
// entry, or nothing could be said to it, and the carrier bounds how many have one; for who has none
// there is always room for as many as may be dialled together.
func limit(sessions int) int { return max(EntriesMax, sessions+dialsMax) }

// grounds is why a host should have an entry.
type grounds uint8

const (
	hearsay  grounds = iota // others say where it is
	byTicket                // a ticket names it
	there                   // it is there, or has to be reached
	itsOwn                  // it says so itself
)

// makeRoom sees that there is room for one more entry. One that is there takes the place of another
// whatever that one is, unless that has a session; so does one that a ticket names, though of those
// that were never reached there are no more than so many.
func (b *Book) makeRoom(why grounds) bool {
	if why <= byTicket && b.heard(why == byTicket) >= HeardMax {
		return b.evictHeard(why)
	}
	return len(b.entries) < limit(b.sessions) || b.evict(why)
}

// heard is how many were never reached, of those that tickets name or of all others.
func (b *Book) heard(byTicket bool) int { return len(b.rows.neverReached(byTicket)) }

// evictHeard drops one that was never reached for another: of tickets the one that most dials have
// failed of, and of hearsay whichever.
func (b *Book) evictHeard(why grounds) bool {
	var worst *addressee
	for _, e := range b.rows.neverReached(why == byTicket) {
		if e.up || e.dialing || e.present {
			continue
		}
		if worst == nil || e.ticket && e.fails > worst.fails {
			worst = e
		}
	}
	return b.drop(worst)
}

// evict drops the entry whose loss costs least; false when there is none that may go.
func (b *Book) evict(why grounds) bool {
	if why == hearsay { // what is only heard of displaces what is only heard of
		return b.evictHeard(why)
	}
	for _, e := range b.rows.unreached { // no loss costs less
		if !e.up && !e.dialing {
			return b.drop(e)
		}
	}
	var worst *addressee
	rank := 0
	for _, e := range b.entries {
		if e.up || e.dialing {
			continue
		}
		r := b.rank(e)
		if worst == nil || r < rank || r == rank && e.reached < worst.reached {
			worst, rank = e, r
		}
	}
	return b.drop(worst)
}

// dropMet drops whom nobody has ever reached of those that are said to be at a place.
func (b *Book) dropMet(at string) {
	n := slices.IndexFunc(b.entries, func(e *addressee) bool {
		isMet := e.reached == never && !e.named && !e.spoke && !e.up && !e.dialing && !e.present
		return isMet && slices.ContainsFunc(e.addrs, func(a string) bool { return place(a) == at })
	})
	if n >= 0 {
		b.drop(b.entries[n])
	}
}

// drop drops an entry, if there is one.
func (b *Book) drop(e *addressee) bool {
	if e == nil {
		return false
	}
	b.rows.drop(e)
	delete(b.byID, e.id)
	n, _ := search(b.entries, e.id)
	b.entries = slices.Delete(b.entries, n, n+1)
	return true
}

// rank orders the entries by what their loss would cost: the least first.
func (b *Book) rank(e *addressee) int {
	switch {
	case e.reached == never && e.ticket:
		return 4
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

// dearest are those of a folder's hosts that there is room for: of more, those whose loss would
// cost most, as rank says.
func dearest(known []Known, self membership.PeerID) []Known {
	if len(known) <= EntriesMax {
		return known
	}
	all := slices.Clone(known)
	slices.SortStableFunc(all, func(x, y Known) int { return cmp.Compare(x.Age, y.Age) })
	ranks, ofSite := map[membership.PeerID]int{self: 4}, map[membership.Site]int{}
	for _, k := range all {
		if _, again := ranks[k.ID]; again || k.Age < 0 {
			continue // never reached: 0
		}
		ranks[k.ID] = 1
		if k.Client {
			continue
		}
		if ranks[k.ID] = 3; ofSite[k.Site] >= SiteMin {
			ranks[k.ID] = 2
		}
		ofSite[k.Site]++
	}
	slices.SortStableFunc(all, func(x, y Known) int { return cmp.Compare(ranks[y.ID], ranks[x.ID]) })
	return all[:EntriesMax]
}

// Known is the whole book, to be kept: this host's own addresses with it. The addresses are only to
// be read.
func (b *Book) Known(now time.Duration) []Known {
	all := make([]Known, 0, len(b.entries)+1)
	if own := append(slices.Clone(b.own), b.former...); len(own) > 0 {
		all = append(all, Known{ID: b.self, Client: b.client, Addrs: own[:min(len(own), membership.AddrsMax)]})
	}
	for _, e := range b.entries {
		k := Known{ID: e.id, Site: e.site, Client: e.client, Age: -1, Addrs: e.addrs}
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

// Denied tells whether a host has refused this one at its handshake that a ticket names, or that
// was reached before. Who is in the folder besides was heard of, and may be of another grid.
func (b *Book) Denied() bool {
	return slices.ContainsFunc(b.entries, func(e *addressee) bool {
		return e.answer == denied && e.named && (e.ticket || e.reached != never)
	})
}

// Check says what is wrong with the book, for tests and the simulator.
func (b *Book) Check() error {
	up, members := 0, 0
	for n, e := range b.entries {
		up += count(e.up)
		members += count(e.up && !e.client)
		if b.byID[e.id] != e || n > 0 && b.entries[n-1].id >= e.id || e.id == b.self || len(e.addrs) > membership.AddrsMax {
			return fmt.Errorf("addresses: the entry of %q is out of place", e.id)
		}
	}
	if len(b.entries) != len(b.byID) || len(b.entries) > limit(up) || up != b.sessions {
		return fmt.Errorf("addresses: %d entries, %d by id, %d sessions of %d", len(b.entries), len(b.byID), up, b.sessions)
	}
	if members != b.members {
		return fmt.Errorf("addresses: %d sessions with members are counted, and there are %d", b.members, members)
	}
	return nil
}
