package peer

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

// How often the book is given out to be kept.
const (
	keepEvery = 5 * time.Second        // at most, …
	keepSoon  = 500 * time.Millisecond // … and while it has no more than
	// hosts: each of them may be the only way back for who is killed now and returns elsewhere
	keepFew = 16
)

// KeepAddresses tells that there is news in the address book, to be kept for the next
// start; see Addresses.
type KeepAddresses struct{}

// Whereabouts says where members are that the sender knows to be there, and nothing else of them. A
// client between two groups of members tells each so of the other: what one group believes of the
// other's members it keeps to itself. And members it tells where a client is that looks for them.
type Whereabouts struct{ Hosts []Host }

// Host is where one is.
type Host struct {
	ID    membership.PeerID
	Site  membership.Site
	Addrs []string
}

// Kind is the number of the message.
func (Whereabouts) Kind() uint8 { return KindWhereabouts }

// hostsTold bounds the hosts of one Whereabouts, which are others each time: one of each group
// is enough.
const hostsTold = 32

// hosts decides what goes into the address book of what is said of where hosts are, what of it is
// passed on, and when the book is kept. Whom the book dials it has dialled.
type hosts struct {
	outbox
	book    *addresses.Book
	members members
	// where one that is no member may be dialled, by those who have met it
	said     func(membership.PeerID) (addrs []string, ok bool)
	sessions bool                     // the carrier has sessions
	may      func() (look, keep bool) // look for the lost, keep the book
	keptAt   time.Duration            // the book was given out to be kept; 0: not yet
}

// newView is the view of a peer that may have had a former life, with a join number. Who knows that
// life would refuse one with a smaller number, and nobody may be there to say so.
func newView(c Config, rng *rand.Rand) *membership.View {
	v := membership.New(c.Member, rng)
	for _, k := range c.Known {
		if k.ID == c.Member.ID {
			v.Above(k.Join)
		}
	}
	return v
}

// newBook is the address book of a peer that has that view.
func newBook(c Config, view *membership.View) *addresses.Book {
	return addresses.New(addresses.Config{
		Self: c.Member.ID, Client: c.Member.Client, Addrs: c.Member.Addrs, Known: c.Known, Tickets: c.Tickets, Sessions: c.Sessions,
		Standing: func(id membership.PeerID) (present, barred bool) {
			_, present = view.Member(id)
			return present, view.IsBarred(id)
		},
	})
}

// dials says that the book has a host dialled.
type dials membership.Dial

// order passes on what the book has ordered.
func (h *hosts) order(all []membership.Effect) {
	for _, e := range all {
		h.do(dials(e.(membership.Dial)))
	}
}

// reach tells whether a message to a host may be sent: there is a session, or a dial is under way.
func (h *hosts) reach(now time.Duration, to membership.PeerID) (effects []membership.Effect, ok bool) {
	orders, ok := h.book.Want(now, to)
	if !ok && !h.book.Has(to) {
		h.book.Admit(now, addresses.Known{ID: to, Addrs: h.addrs(to), Age: -1})
		orders, ok = h.book.Want(now, to)
	}
	h.order(orders)
	return h.flush(), ok
}

// addrs is where a peer or a submitter may be dialled; none where that is not known.
func (h *hosts) addrs(id membership.PeerID) []string {
	if m, ok := h.members.Member(id); ok {
		return m.Addrs
	}
	if addrs, ok := h.said(id); ok {
		return addrs
	}
	return h.book.Addrs(id)
}

// redial has one dialled at once whose session broke, to know whether it lives.
func (h *hosts) redial(now time.Duration, d membership.Dial) []membership.Effect {
	orders, ok := h.book.Again(now, d.ID)
	if !ok {
		h.do(dials(d)) // no address may be known: the carrier says so
	}
	h.order(orders)
	return h.flush()
}

// joined hears of a new member, or of a new life of one.
func (h *hosts) joined(now time.Duration, m membership.Member) []membership.Effect {
	h.member(now, m, false)
	h.book.Present(m.ID, true)
	h.order(h.book.Greet(now, m.ID))
	return h.flush()
}

// met hears that at an address another host than the one that was dialled was found.
func (h *hosts) met(now time.Duration, addr string, id membership.PeerID) []membership.Effect {
	h.order(h.book.Met(now, addr, id))
	return h.flush()
}

// member takes what a record says of where a member is.
func (h *hosts) member(now time.Duration, m membership.Member, itself bool) {
	h.book.Learn(now, addresses.Known{ID: m.ID, Site: m.Site, Addrs: membership.AddrsOf(m.Addrs)}, itself)
}

// submitters takes what is said of where submitters are.
func (h *hosts) submitters(now time.Duration, all ...Contact) {
	for _, c := range all[:min(len(all), SubmissionsMax)] {
		h.book.Learn(now, addresses.Known{ID: c.Submitter, Client: true, Addrs: membership.AddrsOf(c.Addrs)}, false)
	}
}

// tell tells another whom this client has a session with, others of them each turn, and them
// of it when it is a client, too: they may be behind a NAT, and then only they can dial. Members in
// two groups are all told so. Whoever is at the other end hears it, also a process that is not in
// the life that this client knows: of two with one identity it may know nobody but this client.
func (h *hosts) tell(to membership.PeerID, isClient bool, turn int) []membership.Effect {
	var w Whereabouts
	others := slices.Collect(h.members.Present())
	for n := range others {
		m := others[(n+turn)%len(others)]
		if len(w.Hosts) < hostsTold && m.ID != to && len(m.Addrs) > 0 && h.book.HasSession(m.ID) {
			w.Hosts = append(w.Hosts, Host{m.ID, m.Site, h.book.Addrs(m.ID)})
		}
	}
	if len(w.Hosts) == 0 {
		return nil
	}
	h.send(life{peer: to}, w)
	if isClient && len(h.book.Addrs(to)) > 0 {
		for _, o := range w.Hosts {
			h.send(life{peer: o.ID}, Whereabouts{[]Host{{ID: to, Addrs: h.book.Addrs(to)}}})
		}
	}
	return h.flush()
}

// hearWhereabouts takes what a client says of where others are. They are looked for when this peer
// does not know them as members.
func (h *hosts) hearWhereabouts(now time.Duration, w Whereabouts) {
	for _, o := range w.Hosts[:min(len(w.Hosts), hostsTold)] {
		h.book.Called(now, addresses.Known{ID: o.ID, Site: o.Site, Addrs: membership.AddrsOf(o.Addrs)})
	}
}

// tick looks for who is lost, and gives the book out to be kept.
func (h *hosts) tick(now time.Duration) []membership.Effect {
	look, keep := h.may()
	if look {
		h.order(h.book.Tick(now))
	}
	if keep && now >= h.keepDeadline(now) {
		h.book.Kept()
		h.keptAt = now
		h.do(KeepAddresses{})
	}
	return h.flush()
}

func (h *hosts) deadline(now time.Duration) time.Duration {
	at := steal.Never
	look, keep := h.may()
	if look {
		at = h.book.Deadline()
	}
	if keep {
		at = min(at, h.keepDeadline(now))
	}
	return at
}

// keepDeadline is when the book is given out to be kept: at once where that was not done lately.
func (h *hosts) keepDeadline(now time.Duration) time.Duration {
	switch {
	case !h.sessions || !h.book.Changed():
		return steal.Never
	case h.keptAt == 0:
		return now
	case h.book.Len() <= keepFew:
		return h.keptAt + keepSoon
	}
	return h.keptAt + keepEvery
}
