package peer

import (
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

// Open founds a grid where nobody is known, and else joins, or goes on.
func (p *Peer) Open(now time.Duration) []Effect {
	if p.book.Len() == 0 && !p.conf.Past && !p.conf.Member.Client {
		return p.Found(now)
	}
	return p.Join(now)
}

// Named hears of hosts of the grid that others name: a file that they share. They are looked for
// like all that are not reached.
func (p *Peer) Named(now time.Duration, known []addresses.Known) []Effect {
	p.begin(now)
	for _, k := range known {
		if !p.view.IsBarred(k.ID) {
			p.book.Admit(p.now, k)
		}
	}
	p.tickLook()
	return p.end()
}

// Addresses are all that is known of where hosts are.
func (p *Peer) Addresses() []addresses.Known {
	all := p.book.Known(p.now)
	for n := range all {
		if all[n].ID == p.conf.Member.ID {
			all[n].Join = p.view.Self().Incarnation.Join
		}
	}
	return all
}

// remember takes the join number that this peer had in its former life. Who knows that life would
// refuse one with a smaller number, and nobody may be there to say so.
func (p *Peer) remember(known []addresses.Known) {
	for _, k := range known {
		if k.ID == p.conf.Member.ID {
			p.view.Formerly(k.Join)
		}
	}
}

// Book is the address book, to be looked at.
func (p *Peer) Book() *addresses.Book { return p.book }

// Listens hears where this host can be dialled now.
func (p *Peer) Listens(addrs []string) {
	p.book.Listens(addrs)
	p.view.Listens(addrs)
}

// Reach asks for a dial of a host that has to be told something beside the machine's own messages,
// if it has no session.
func (p *Peer) Reach(now time.Duration, to membership.PeerID) []Effect {
	p.begin(now)
	p.reaches(to)
	return p.end()
}

// reaches tells whether a message to a host may be sent: there is a session, or a dial is under
// way.
func (p *Peer) reaches(to membership.PeerID) bool {
	if !p.book.Has(to) {
		p.book.Admit(p.now, addresses.Known{ID: to, Addrs: p.AddrsOf(to), Age: -1})
	}
	effects, ok := p.book.Want(p.now, to)
	p.dials(effects)
	return ok
}

// dials passes on what the book has ordered.
func (p *Peer) dials(orders []membership.Effect) {
	for _, d := range orders {
		p.out = append(p.out, d)
	}
}

// standing is what the view has of a host.
func (p *Peer) standing(id membership.PeerID) (present, barred bool) {
	_, present = p.view.Member(id)
	return present, p.view.IsBarred(id)
}

// redial carries out that the view wants to know whether one lives whose session broke.
func (p *Peer) redial(d membership.Dial) {
	effects, ok := p.book.Again(p.now, d.ID)
	if !ok {
		p.out = append(p.out, d) // no address may be known: the carrier says so
	}
	p.dials(effects)
}

// learnMember takes what a record says of where a member is.
func (p *Peer) learnMember(m membership.Member, itself bool) {
	p.book.Learn(p.now, addresses.Known{ID: m.ID, Site: m.Site, Addrs: m.Addrs}, itself)
}

// learnContact takes what is said of where a submitter is.
func (p *Peer) learnContact(c Contact) {
	p.book.Learn(p.now, addresses.Known{ID: c.Submitter, Client: true, Addrs: c.Addrs}, false)
}

// submitterAt takes what a submitter says of where it is.
func (p *Peer) submitterAt(r *run, c Contact) {
	r.contactIs(c)
	p.learnContact(c)
}

// Whereabouts says where members are that the sender knows to be there, and nothing else of them. A
// client between two parts of the grid tells each so of the other: what one part believes of the
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

// hostsTold bounds the hosts of one Whereabouts, which are others each time: one of each part is
// enough.
const hostsTold = 32

// tellWhere tells another whom this client has a session with, and them of it when it is a client,
// too: they may be behind a NAT, and then only they can dial. Members in two parts are all told so.
func (p *Peer) tellWhere(to membership.PeerID) {
	var w Whereabouts
	others := p.view.Others(nil)
	for n := range others {
		m := &others[(n+p.rounds)%len(others)]
		if len(w.Hosts) < hostsTold && m.ID != to && len(m.Addrs) > 0 && p.book.HasSession(m.ID) {
			w.Hosts = append(w.Hosts, Host{m.ID, m.Site, p.book.Addrs(m.ID)})
		}
	}
	if len(w.Hosts) == 0 {
		return
	}
	p.send(to, w)
	if _, isClient := p.clients[to]; isClient && len(p.book.Addrs(to)) > 0 {
		for _, h := range w.Hosts {
			p.send(h.ID, Whereabouts{[]Host{{ID: to, Addrs: p.book.Addrs(to)}}})
		}
	}
}

// toldWhere takes what a client says of where others are. They are looked for when this peer does
// not know them as members.
func (p *Peer) toldWhere(w Whereabouts) {
	for _, h := range w.Hosts[:min(len(w.Hosts), hostsTold)] {
		p.book.Called(p.now, addresses.Known{ID: h.ID, Site: h.Site, Addrs: h.Addrs})
	}
}

// Denied hears that a dial was refused at the handshake.
func (p *Peer) Denied(now time.Duration, id membership.PeerID) []Effect {
	return p.dialFailed(now, id, true)
}

// Unreached hears that dialling a peer came to nothing.
func (p *Peer) Unreached(now time.Duration, id membership.PeerID) []Effect {
	return p.dialFailed(now, id, false)
}

func (p *Peer) dialFailed(now time.Duration, id membership.PeerID, denied bool) []Effect {
	p.begin(now)
	p.book.Failed(p.now, id, false, denied)
	p.apply(p.view.Unreached(p.now, id))
	p.tickStranded()
	return p.end()
}

// Met hears that at an address another host than the one that was dialled was found.
func (p *Peer) Met(now time.Duration, addr string, id membership.PeerID) []Effect {
	p.begin(now)
	if !p.gone && !p.view.IsBarred(id) {
		p.dials(p.book.Met(p.now, addr, id))
	}
	return p.end()
}

// tickLook looks for who is lost, and gives the book out to be kept.
func (p *Peer) tickLook() {
	if !p.leaving.active && p.started {
		p.dials(p.book.Tick(p.now))
	}
	if p.now >= p.keepDeadline() {
		p.book.Kept()
		p.keptAt = p.now
		p.out = append(p.out, KeepAddresses{})
	}
	p.tickStranded()
}

// keepDeadline is when the book is given out to be kept: at once where that was not done lately.
// Who is not in yet has learned nothing.
func (p *Peer) keepDeadline() time.Duration {
	switch {
	case !p.conf.Sessions || p.join.active || !p.book.Changed():
		return steal.Never
	case p.keptAt == 0:
		return p.now
	case p.book.Len() <= keepFew:
		return p.keptAt + keepSoon
	}
	return p.keptAt + keepEvery
}

func (p *Peer) lookDeadline() time.Duration {
	at := steal.Never
	if !p.leaving.active && p.started {
		at = p.book.Deadline()
	}
	return min(at, p.join.strandedDeadline(p.now), p.keepDeadline())
}

// tickStranded looks whether this peer is stranded on its way in.
func (p *Peer) tickStranded() {
	if !p.gone {
		p.apply(p.join.tickStranded(p.now, p.book))
	}
}
