package addresses

import (
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
)

// Bounds of a book. There are fewer entries than members of the largest grid, since any of a
// lost group leads to all of it.
const (
	EntriesMax = 256 // and as many more as have a session; see limit
	HeardMax   = 96  // of them were never reached: so many of tickets, and so many by hearsay
	SiteMin    = 4
	formerMax  = 4 // addresses of earlier lives of this host
	// of an entry's addresses are its host's own words: the others have led there
	ownWordMax = 12
	toldMax    = 8 // of others' words are kept beside a host's own
)

// never is when something happened that has not.
const never time.Duration = -1 << 62

// Known is a host as a state folder keeps it, or a ticket names it.
type Known struct {
	ID     membership.PeerID
	Site   membership.Site
	Client bool
	Age    time.Duration // since it was last reached; below 0: it never was
	Join   uint64        // this host's own line: the join number that it had; else 0
	Addrs  []string      // each ends in /p2p/ and the id
}

// Book is a host's address book.
type Book struct {
	self     membership.PeerID
	client   bool
	own      []string
	ownAt    []string // the places of these
	former   []string
	entries  []*addressee // sorted by id
	byID     map[membership.PeerID]*addressee
	rows     rows
	sessions int
	members  int // of them, with others than clients: without one it is alone
	now      time.Duration
	every    time.Duration // one of the lost is dialled so often, while there are such
	credit   time.Duration // of these dials: one costs so much
	paid     time.Duration // until when the credit counts
	lookAt   time.Duration // when the next of them is due …
	dirty    bool          // … unless something has changed
	changed  bool          // since it was kept
	strict   bool          // the carrier has sessions
	standing func(membership.PeerID) (present, barred bool)
}

type addressee struct {
	id      membership.PeerID
	site    membership.Site
	client  bool
	named   bool     // by the state folder or a ticket
	ticket  bool     // by a ticket: one that was never reached is no hearsay
	spoke   bool     // its addresses are its own words
	addrs   []string // the best first
	led     []string // those of them that have led to it
	told    []string // what others have said since it spoke, the latest first
	called  bool     // others say that it calls this host, though it is a client
	reached time.Duration
	present bool // in the view
	up      bool
	barred  bool

	dialing bool
	beside  bool          // … by two dials
	asked   []string      // of those that are under way
	since   time.Duration // that it is in the book, or was last said to be there
	dialed  time.Duration
	again   time.Duration // whoever needs it must not dial before
	fails   int           // since it was last reached
	answer  lastDial      // of the last dial
	at      inRows
}

// lastDial is what a dial came to.
type lastDial uint8

const (
	none   lastDial = iota // it was not dialled yet
	silent                 // nothing
	nobody                 // its process is not there
	denied                 // it let this host not in
)

// Config says whose book it is.
type Config struct {
	Self   membership.PeerID
	Client bool
	Addrs  []string // where this host listens
	Known  []Known  // what the state folder says …
	// … and what tickets say, which there is room for in any case
	Tickets []Known
	// the carrier has sessions; else whatever is to be said may be sent at any time
	Sessions bool

	// Standing tells what the view has of a host when it gets an entry: it may have come, or
	// been barred, long before. Later changes are told by Present and Bar. Without it a host is
	// neither.
	Standing func(membership.PeerID) (present, barred bool)
}

// New makes a book.
func New(c Config) *Book {
	b := &Book{
		self: c.Self, client: c.Client, strict: c.Sessions, standing: c.Standing,
		byID: map[membership.PeerID]*addressee{}, every: LookEvery, credit: LookBurst * LookEvery, dirty: true,
	}
	b.own, b.ownAt = c.Addrs, places(c.Addrs)
	for _, k := range dearest(c.Known, b.self) {
		b.Learn(0, k, false)
		b.names(k)
	}
	for _, k := range c.Tickets[:min(len(c.Tickets), HeardMax)] {
		b.Ticket(0, k)
		b.names(k)
	}
	return b
}

// names notes that the state folder or a ticket names a host, or this one as it once was.
func (b *Book) names(k Known) {
	if k.ID == b.self {
		b.formerly(k.Addrs)
	} else if e := b.byID[k.ID]; e != nil {
		e.named = true
		if k.Age >= 0 {
			e.reached = max(e.reached, -k.Age)
			b.put(e)
		}
	}
}

// formerly takes addresses that this host once had.
func (b *Book) formerly(addrs []string) {
	for _, a := range addrs {
		if len(b.former) < formerMax && isSound(a, b.self) && !b.isOwn(a) && !isRelayed(a) {
			b.former = append(b.former, a)
		}
	}
	putAll(b)
}

// isOwn tells whether an address is this host's: whoever is said to be there is not.
func (b *Book) isOwn(addr string) bool {
	return slices.ContainsFunc(b.ownAt, func(at string) bool {
		// most addresses of others do not even begin as an own one does
		return strings.HasPrefix(addr, at) && place(addr) == at && !isRelayed(addr)
	})
}

// place is an address without the id of who is there.
func place(addr string) string { return addr[:max(strings.LastIndex(addr, idMark), 0)] }

// isRelayed tells whether an address leads through a relay, where many are.
func isRelayed(addr string) bool { return strings.Contains(addr, "/p2p-circuit") }

const idMark = "/p2p/"

// entry finds or makes the entry of a host; nil when there is no room.
func (b *Book) entry(id membership.PeerID, why grounds) *addressee {
	if e := b.byID[id]; e != nil {
		return e
	}
	if !b.makeRoom(why) {
		return nil
	}
	e := &addressee{id: id, reached: never, since: b.now, dialed: never, again: never}
	if b.standing != nil {
		e.present, e.barred = b.standing(id)
	}
	at, _ := search(b.entries, id)
	b.entries = slices.Insert(b.entries, at, e)
	b.byID[id] = e
	b.put(e)
	b.changed, b.dirty = true, true
	return e
}

// Up hears that a session stands, whether the other end has proved to be a client, and where it
// says that it is.
func (b *Book) Up(now time.Duration, id membership.PeerID, isClient bool, addrs []string) {
	b.now = max(b.now, now)
	if e := b.byID[id]; e == nil || !e.up {
		b.sessions++
	}
	e := b.entry(id, there)
	if e == nil {
		panic("addresses: BUG: no room for one that has a session")
	}
	if e.dialing {
		for _, a := range e.asked {
			if !slices.Contains(e.led, a) && !slices.Contains(e.told, a) && !b.isFormer(a) && len(e.led) < membership.AddrsMax-ownWordMax {
				e.led = append(e.led, a)
			}
		}
	}
	b.changed = b.changed || e.reached == never
	b.members += count(!isClient) - count(e.up && !e.client)
	e.up, e.client, e.called, e.dialing, e.beside, e.asked = true, isClient, false, false, false, nil
	e.fails, e.answer, e.reached, e.again = 0, none, b.now, never
	b.dirty = true
	b.put(e)
	if len(addrs) > 0 {
		b.Learn(now, Known{ID: id, Client: isClient, Addrs: addrs}, true)
	}
}

// Down hears that the last session with a host ended.
func (b *Book) Down(now time.Duration, id membership.PeerID) {
	b.now = max(b.now, now)
	if e := b.byID[id]; e != nil && e.up {
		b.sessions--
		b.members -= count(!e.client)
		e.up, e.reached, b.dirty = false, b.now, true
		b.put(e)
		if len(b.entries) > limit(b.sessions) {
			b.evict(there)
		}
	}
}

// Failed hears that a host's dials have come to nothing, all that were under way: nobody is there,
// one was refused at the handshake, or nothing answered.
func (b *Book) Failed(now time.Duration, id membership.PeerID, isNobody, isDenied bool) {
	b.now = max(b.now, now)
	e := b.byID[id]
	if e == nil {
		return
	}
	defer b.put(e)
	e.dialing, e.beside, e.asked, b.dirty = false, false, nil, true
	if e.up {
		return
	}
	e.answer = silent
	switch {
	case isDenied:
		e.answer = denied
	case isNobody:
		e.answer = nobody
	}
	e.again = b.now + backoff.New(againMin, againMax).After(e.fails)
	e.fails++
}

// Present hears whether the view has a host.
func (b *Book) Present(id membership.PeerID, is bool) {
	if e := b.byID[id]; e != nil && e.present != is {
		e.present, b.dirty = is, true
		b.put(e)
	}
}

// Bar hears whether a host is kept out of the grid.
func (b *Book) Bar(id membership.PeerID, barred bool) {
	if e := b.byID[id]; e != nil {
		e.barred, b.dirty = barred, true
		b.put(e)
	}
}

// Listens hears where this host can be dialled now.
func (b *Book) Listens(own []string) {
	if !slices.Equal(own, b.own) {
		b.own, b.ownAt, b.changed, b.dirty = own, places(own), true, true
		putAll(b)
	}
}

// places are those of addresses.
func places(addrs []string) (all []string) {
	for _, a := range addrs {
		all = append(all, place(a))
	}
	return all
}

// Addrs is where a host may be dialled; none where that is not known.
func (b *Book) Addrs(id membership.PeerID) []string {
	if e := b.byID[id]; e != nil {
		return e.addrs
	}
	return nil
}

// Admit makes room for a host that has to be reached.
func (b *Book) Admit(now time.Duration, k Known) { b.learn(now, k, there) }

// Ticket takes what a ticket says of where a host is. Whoever made it wants to be found there.
func (b *Book) Ticket(now time.Duration, k Known) {
	b.learn(now, k, byTicket)
	if e := b.byID[k.ID]; e != nil && (e.reached != never || b.heard(true) < HeardMax) {
		e.ticket = true
		b.put(e)
	}
}

// Has tells whether the book has a host.
func (b *Book) Has(id membership.PeerID) bool { return b.byID[id] != nil }

// IsNamed tells whether the state folder or a ticket names a host.
func (b *Book) IsNamed(id membership.PeerID) bool {
	e := b.byID[id]
	return e != nil && e.named
}

// HasSession tells whether there is a session with a host.
func (b *Book) HasSession(id membership.PeerID) bool {
	e := b.byID[id]
	return e != nil && e.up
}

// WithSession is one of those with whom there is a session and who are wanted, another for each
// turn.
func (b *Book) WithSession(turn int, wanted func(membership.PeerID) bool) (membership.PeerID, bool) {
	var few [SessionsMany]membership.PeerID
	ids := few[:0]
	for _, e := range b.rows.up {
		if wanted(e.id) {
			ids = append(ids, e.id)
		}
	}
	if len(ids) == 0 {
		return "", false
	}
	return ids[turn%len(ids)], true
}

// Sessions is how many sessions stand.
func (b *Book) Sessions() int { return b.sessions }

// Len is how many hosts the book has.
func (b *Book) Len() int { return len(b.entries) }

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (b *Book) isFormer(addr string) bool {
	return slices.ContainsFunc(b.former, func(f string) bool { return place(f) == place(addr) })
}

// Never is the deadline of a book that looks for nobody.
const Never time.Duration = 1<<63 - 1
