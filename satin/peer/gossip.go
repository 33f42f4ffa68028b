package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// listEntriesGiven bounds the lists that are given for one digest that differed: what is left
// follows with the next.
const listEntriesGiven = 4 * orphan.EntriesMax

// adverts keeps the table of who holds what like that of others: it publishes what this peer holds,
// takes what others publish, and gives and asks for whole lists where tables differ.
type adverts struct {
	outbox
	self    membership.PeerID
	table   *orphan.Table
	members members
	isOver  func(steal.Instance) bool // whether a run has ended here
	noFT    bool

	published uint64 // results that were offered to all
}

// lists says that others hold results of a run that were not known to be held.
type lists struct{ run steal.Instance }

// tick publishes what this peer holds now, or holds no more.
func (a *adverts) tick(now time.Duration) []membership.Effect {
	for _, b := range a.table.Due(now) {
		for _, c := range b.Changes {
			if !c.Gone {
				a.published++
			}
		}
		a.publish(b)
	}
	return a.flush()
}

// hearAdvert takes the changes of a member's list.
func (a *adverts) hearAdvert(now time.Duration, from life, b orphan.Advert) []membership.Effect {
	switch {
	case a.noFT:
	case a.table.HearAdvert(from.peer, from.incarnation, b):
		a.want(now, from.peer, from)
	default:
		for _, run := range b.Runs {
			a.came(run)
		}
	}
	return a.flush()
}

// came has a run's new entries used, or dropped when it is over.
func (a *adverts) came(run steal.Instance) {
	if a.isOver(run) {
		a.table.Drop(run)
	} else {
		a.do(lists{run})
	}
}

// want asks one for the list of a holder that is present.
func (a *adverts) want(now time.Duration, holder membership.PeerID, from life) {
	if a.table.Want(now, holder) {
		a.send(from, orphan.WantList{Holder: holder})
	}
}

// hearList takes the whole list of a holder, if it is present in that life. Others' word counts for
// it as much as its own: only a newer one is taken.
func (a *adverts) hearList(from membership.PeerID, l orphan.List) []membership.Effect {
	present := l.Holder != a.self && a.members.Has(l.Holder, l.Incarnation)
	if !a.noFT && present && a.table.HearList(from, l) {
		for _, r := range l.Runs {
			a.came(r.Run)
		}
	}
	return a.flush()
}

// differs tells a member whose digest differs how new the lists are here.
func (a *adverts) differs(from membership.PeerID) []membership.Effect {
	if m, ok := a.members.Member(from); ok && !a.noFT {
		a.send(life{m.ID, m.Incarnation}, a.table.Versions())
	}
	return a.flush()
}

// hearVersions hears how new the lists are at another, gives what is newer here and asks for the
// rest. One that has joined just now has missed what was published a moment ago.
func (a *adverts) hearVersions(now time.Duration, from life, v orphan.Versions, joined bool) []membership.Effect {
	if a.noFT {
		return nil
	}
	v.All = v.All[:min(len(v.All), membership.SnapshotMax)]
	give, want := a.table.Compare(v, joined)
	given := 0
	for _, holder := range give {
		if given < listEntriesGiven {
			given += a.give(from, holder)
		}
	}
	for _, holder := range want {
		n := slices.IndexFunc(v.All, func(o orphan.Version) bool { return o.Holder == holder })
		if a.members.Has(holder, v.All[n].Incarnation) {
			a.want(now, holder, from)
		}
	}
	return a.flush()
}

// hearWantList gives one the list that it asks for.
func (a *adverts) hearWantList(by life, holder membership.PeerID) []membership.Effect {
	a.give(by, holder)
	return a.flush()
}

// give sends a holder's list, and tells how many entries that were.
func (a *adverts) give(to life, holder membership.PeerID) int {
	l, ok := a.table.List(holder)
	if !ok || holder == to.peer {
		return 0
	}
	a.send(to, l)
	n := 1
	for _, r := range l.Runs {
		n += len(r.Entries)
	}
	return n
}

// giveAll gives one that joins the whole table.
func (a *adverts) giveAll(to membership.PeerID) []membership.Effect {
	if a.noFT {
		return nil
	}
	for _, v := range a.table.Versions().All {
		a.give(life{peer: to}, v.Holder)
	}
	return a.flush()
}

// stray asks who advertised results of a run that this peer has not heard of for its record, of
// several another one each turn. Where it has missed the run and its end, during a cut, it is told
// of the end, and forgets them: nobody's list would differ from its own, since all drop what is
// over without a word.
func (a *adverts) stray(turn int, known func(steal.Instance) bool) []membership.Effect {
	run, holder, ok := a.table.Stray(turn, known)
	if m, present := a.members.Member(holder); ok && present {
		a.send(life{m.ID, m.Incarnation}, Fetch{run})
	}
	return a.flush()
}
