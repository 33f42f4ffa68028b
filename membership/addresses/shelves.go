package addresses

import (
	"slices"
	"strings"

	"satingrid/membership"
)

// shelves are entries of a book by what is looked for among them, each in the order of ids if
// nothing else is said. An entry is put there anew when it has changed, so nobody looks through the
// others.
type shelves struct {
	up        []*addressee // those with a session
	sought    []*addressee // those that are dialled, or looked for, as their losses order them
	unreached []*addressee // those that were never reached, but for those …
	named     []*addressee // … that a ticket names
	dials     int          // that are under way
	alone     bool         // who is sought is so where there is no session with a member
}

// shelved is where an entry stands.
type shelved struct {
	up, sought, unreached, named bool
	dials                        uint8
	loss                         loss // where it is sought: among these it stands so
}

// put puts an entry where it belongs now; sought tells whether it is looked for.
func (s *shelves) put(e *addressee, sought bool) {
	is := shelved{
		up: e.up, sought: e.dialing || sought, dials: uint8(count(e.dialing) + count(e.beside)),
		unreached: e.reached == never && !e.ticket, named: e.reached == never && e.ticket,
	}
	if is.sought {
		is.loss = loss{e.site, e.answer, e.reached}
	}
	s.move(e, is)
}

// drop takes an entry out.
func (s *shelves) drop(e *addressee) { s.move(e, shelved{}) }

func (s *shelves) move(e *addressee, to shelved) {
	from := e.at
	if from == to {
		return
	}
	s.dials += int(to.dials) - int(from.dials)
	stand(&s.up, e, from.up, to.up)
	if from.sought != to.sought || from.loss != to.loss {
		if from.sought {
			at, _ := slices.BinarySearchFunc(s.sought, e.id, from.loss.compare)
			s.sought = slices.Delete(s.sought, at, at+1)
		}
		if e.at.loss = to.loss; to.sought {
			at, _ := slices.BinarySearchFunc(s.sought, e.id, to.loss.compare)
			s.sought = slices.Insert(s.sought, at, e)
		}
	}
	e.at = to
	stand(&s.unreached, e, from.unreached, to.unreached)
	stand(&s.named, e, from.named, to.named)
}

// stand puts an entry on a shelf, or takes it from there.
func stand(shelf *[]*addressee, e *addressee, was, is bool) {
	at, _ := search(*shelf, e.id)
	switch {
	case is && !was:
		*shelf = slices.Insert(*shelf, at, e)
	case was && !is:
		*shelf = slices.Delete(*shelf, at, at+1)
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
	if b.shelves.alone != (b.members == 0) {
		b.putAll()
	} else {
		b.shelves.put(e, b.isLost(e))
	}
}

// putAll does so of all: who is looked for may be another.
func (b *Book) putAll() {
	b.shelves.alone = b.members == 0
	for _, e := range b.entries {
		b.shelves.put(e, b.isLost(e))
	}
}
