package addresses

import (
	"slices"
	"strings"

	"satingrid/membership"
)

// rows are entries of a book by what is looked for among them, each in the order of ids if nothing
// else is said. An entry is put there anew when it has changed, so nobody looks through the others.
type rows struct {
	up        []*addressee // those with a session
	sought    []*addressee // those that are dialled, or looked for, as groupKey orders them
	unreached []*addressee // those that were never reached, but for those …
	named     []*addressee // … that a ticket names
	dials     int          // that are under way
	alone     bool         // who is sought is so where there is no session with a member
}

// inRows is where an entry stands.
type inRows struct {
	up, sought, unreached, named bool
	dials                        uint8
	group                        groupKey // where it is sought: among these it stands by that
}

// put puts an entry where it belongs now; sought tells whether it is looked for.
func (s *rows) put(e *addressee, sought bool) {
	is := inRows{
		up: e.up, sought: e.dialing || sought, dials: uint8(count(e.dialing) + count(e.beside)),
		unreached: e.reached == never && !e.ticket, named: e.reached == never && e.ticket,
	}
	if is.sought {
		is.group = groupKey{e.site, e.answer, e.reached}
	}
	s.move(e, is)
}

// neverReached are those that were never reached, of those that tickets name or of all others.
func (s *rows) neverReached(byTicket bool) []*addressee {
	if byTicket {
		return s.named
	}
	return s.unreached
}

// drop takes an entry out.
func (s *rows) drop(e *addressee) { s.move(e, inRows{}) }

func (s *rows) move(e *addressee, to inRows) {
	from := e.at
	if from == to {
		return
	}
	s.dials += int(to.dials) - int(from.dials)
	stand(&s.up, e, from.up, to.up)
	if from.sought != to.sought || from.group != to.group {
		if from.sought {
			at, _ := slices.BinarySearchFunc(s.sought, e.id, from.group.compare)
			s.sought = slices.Delete(s.sought, at, at+1)
		}
		if e.at.group = to.group; to.sought {
			at, _ := slices.BinarySearchFunc(s.sought, e.id, to.group.compare)
			s.sought = slices.Insert(s.sought, at, e)
		}
	}
	e.at = to
	stand(&s.unreached, e, from.unreached, to.unreached)
	stand(&s.named, e, from.named, to.named)
}

// stand puts an entry into a row, or takes it from there.
func stand(row *[]*addressee, e *addressee, was, is bool) {
	if was == is {
		return
	}
	at, _ := search(*row, e.id)
	if is {
		*row = slices.Insert(*row, at, e)
	} else {
		*row = slices.Delete(*row, at, at+1)
	}
}

// search is where a host stands, or would stand.
func search(all []*addressee, id membership.PeerID) (int, bool) {
	return slices.BinarySearchFunc(all, id, func(e *addressee, id membership.PeerID) int {
		return strings.Compare(string(e.id), string(id))
	})
}

// put puts an entry where it belongs now. Whether this host is alone concerns all.
func (b *Book) put(e *addressee) {
	if b.rows.alone != (b.members == 0) {
		putAll(b)
	} else {
		b.rows.put(e, b.isLost(e))
	}
}

// putAll does so of all: who is looked for may be another.
func putAll(b *Book) {
	b.rows.alone = b.members == 0
	for _, e := range b.entries {
		b.rows.put(e, b.isLost(e))
	}
}
