package membership

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Limits of a view. A grid of 1,024 peers is far above what one shared secret should hold together;
// the dead are kept long enough that no late message of theirs is taken for a stranger's.
const (
	MembersMax  = 1024
	BarsMax     = 1024
	GoneKeptFor = 10 * time.Minute
	// who is about to be forgotten is not learned any more: ages are rounded, and two peers
	// would bring it back to each other for ever
	goneLate    = time.Minute
	SnapshotMax = MembersMax + 1
	helloAllMax = 32 // up to so many members each is greeted in person; beyond, a drawn set is
	refuseEvery = 500 * time.Millisecond
	rejoinEvery = time.Second
)

// Config says who this peer is.
type Config struct {
	ID      PeerID
	Site    Site
	Name    string
	Workers uint16
	Addrs   []string
	Client  bool // knows the view, but is not in it
}

// View is one peer's knowledge of the others.
type View struct {
	self    Member // State is 0 before Enter and always for a client
	client  bool
	rng     *rand.Rand
	seats   []*seat          // sorted by id, without self
	byID    map[PeerID]*seat // the same seats
	bars    []Bar            // sorted by id
	barsTop Ceiling          // of their counters
	joins   Ceiling          // of join numbers
	// the ceilings stand: before, a view is empty, and takes what its first snapshot says
	settled bool
	trusted newest        // what that said
	ring    []*seat       // present seats in ring order; see watch.go
	watched []*seat       // the neighbours of this peer
	relays  []PingFor     // whom this peer pings for others; see probe.go
	askers  []PeerID      // for whom; same length as relays
	dirty   bool          // the ring must be made anew
	next    time.Duration // when the next tick is due
	lag     time.Duration // how late this peer's ticks are; see Tick
	rejoin  time.Duration // no second rejoin before this
	former  Incarnation   // the greatest that others know of this peer, from before it entered
	extend  time.Duration // everybody is suspected: nobody is dead before this
	out     []Effect
}

// seat is a member and what this peer alone knows of it.
type seat struct {
	Member
	heard    time.Duration // when anything of it last arrived
	sent     time.Duration // when anything was last sent to it
	refused  time.Duration // when it was last told that it is refused
	gone     time.Duration // when it was lost
	gaps     detector
	doubted  bool          // it is suspected; State says so unless it is leaving
	verdict  time.Duration // while suspected: when it is dead
	redialed bool          // its connection broke and is being dialled once more
	disputed time.Duration // when another's word that it is dead was doubted first; 0: never
}

// New makes a view that holds nobody.
func New(c Config, rng *rand.Rand) *View {
	m := Member{ID: c.ID, Site: c.Site, Name: c.Name, Workers: c.Workers, Addrs: c.Addrs}
	if c.Client {
		m.Incarnation.Random = rng.Uint64()
	}
	return &View{self: m, client: c.Client, rng: rng, byID: map[PeerID]*seat{}}
}

// Self is this peer's own record. Its State is Here once it has entered.
func (v *View) Self() Member { return v.self }

// Enter makes this peer a member: the youngest. A client has no place to enter.
func (v *View) Enter(now time.Duration) []Effect {
	if v.client {
		panic("membership: BUG: a client enters the view")
	}
	if v.self.State != 0 {
		panic("membership: BUG: entered twice")
	}
	join := v.former.Join
	for _, s := range v.seats {
		join = max(join, s.Incarnation.Join)
	}
	v.self.Incarnation = Incarnation{Join: join + 1, Random: v.rng.Uint64()}
	v.self.State = Here
	v.settle(join+1, v.newestBar())
	v.dirty = true // who greeted it before it entered is watched from now on
	v.next = now + tickEvery
	v.greet()
	return v.flush()
}

// greet tells the grid who this peer is: everybody while they are few, since a fresh subscriber's
// gossip may reach nobody.
func (v *View) greet() {
	hello := Hello{v.self}
	v.out = append(v.out, Publish{hello})
	for i, n := range v.rng.Perm(len(v.seats)) {
		if i == helloAllMax {
			break
		}
		if s := v.seats[n]; s.State.Present() {
			v.out = append(v.out, Send{To: s.ID, Body: hello})
		}
	}
}

// Merge takes records of members from a greeting, an announcement or a snapshot.
func (v *View) Merge(now time.Duration, members []Member) []Effect {
	for i := range members {
		v.merge(now, &members[i], false)
	}
	return v.flush()
}

// seat gives a member that was never heard of a place.
func (v *View) seat(now time.Duration, m *Member) {
	if !m.State.Present() && v.ago(m) > GoneKeptFor-goneLate {
		return // it is over everywhere else
	}
	if len(v.seats) >= MembersMax && !v.evict() {
		return
	}
	s := &seat{}
	at, _ := v.find(m.ID)
	v.seats = slices.Insert(v.seats, at, s)
	v.byID[m.ID] = s
	v.renew(now, s, m)
}

// renew fills a seat with a new life.
func (v *View) renew(now time.Duration, s *seat, m *Member) {
	*s = seat{Member: *m, heard: now, sent: now - HeartbeatEvery, refused: now - refuseEvery}
	v.dirty = true
	if b, ok := v.bar(m.ID); ok && b.Barred && s.State.Present() {
		s.State, s.How = Dead, Kicked
	}
	if s.State.Present() {
		v.out = append(v.out, Joined{s.Member})
		return
	}
	s.gone = now - v.ago(&s.Member)
}

// lose ends an incarnation.
func (v *View) lose(now time.Duration, s *seat, state State, how How) {
	if !s.State.Present() {
		panic("membership: BUG: lost twice")
	}
	s.State, s.How, s.gone, s.doubted = state, how, now, false
	v.drop(s.ID)
	v.dirty = true
	v.out = append(v.out, Lost{Member: s.Member})
}

// find is where id stands, or would stand, among the seats.
func (v *View) find(id PeerID) (int, bool) {
	return slices.BinarySearchFunc(v.seats, id, func(s *seat, id PeerID) int {
		return strings.Compare(string(s.ID), string(id))
	})
}

// Heard notes that something of a peer arrived, and tells whether its sender is a member in that
// incarnation. When it is not, the message must not be used: the effects ask who it is, or tell
// it that it is refused.
func (v *View) Heard(now time.Duration, from PeerID, i Incarnation) (bool, []Effect) {
	s := v.byID[from]
	if s != nil && s.Incarnation == i && s.State.Present() {
		v.hear(now, s)
		return true, nil
	}
	if !v.refuse(now, s, from, i) && (s == nil || i.Compare(s.Incarnation) > 0) {
		v.out = append(v.out, Send{To: from, Body: Who{}})
	}
	return false, v.flush()
}

// Stranger asks who a peer is that a client hears, and does not know in that life.
func (v *View) Stranger(from PeerID, i Incarnation) []Effect {
	s := v.byID[from]
	if i.Join == 0 || s != nil && (i.Compare(s.Incarnation) < 0 || i == s.Incarnation && s.State != Dead) || v.IsBarred(from) {
		return nil // it is a client, or on its way in, or speaks in a life that is over
	}
	return []Effect{Send{To: from, Body: Who{}}}
}

// refuse tells a peer that is barred so, and one that speaks in a life that is over; s is nil
// when it is a stranger.
func (v *View) refuse(now time.Duration, s *seat, from PeerID, i Incarnation) bool {
	switch b, ok := v.bar(from); {
	case ok && b.Barred:
		v.out = append(v.out, Send{To: from, Body: Refused{Incarnation: i, Barred: true}})
	case s == nil || i.Compare(s.Incarnation) > 0 || i == s.Incarnation && s.State.Present():
		return false
	case now-s.refused >= refuseEvery:
		s.refused = now
		v.out = append(v.out, Send{To: from, Body: Refused{Incarnation: i}})
	}
	return true
}

// IsBarred tells whether a peer is kept out.
func (v *View) IsBarred(id PeerID) bool {
	b, ok := v.bar(id)
	return ok && b.Barred
}

// Bars are all that is known of who is kept out, to be kept for the next start.
func (v *View) Bars() []Bar { return append([]Bar(nil), v.bars...) }

// Sent notes that something was sent to a peer, which spares a heartbeat.
func (v *View) Sent(now time.Duration, to PeerID) {
	if s := v.byID[to]; s != nil {
		s.sent = now
	}
}

// forget drops those that are gone for long.
func (v *View) forget(now time.Duration) {
	v.seats = slices.DeleteFunc(v.seats, func(s *seat) bool {
		old := !s.State.Present() && now-s.gone > GoneKeptFor
		if old {
			delete(v.byID, s.ID)
		}
		return old
	})
}

// evict makes room by forgetting the one that is gone for longest.
func (v *View) evict() bool {
	oldest := -1
	for n, s := range v.seats {
		if !s.State.Present() && (oldest < 0 || s.gone < v.seats[oldest].gone) {
			oldest = n
		}
	}
	if oldest < 0 {
		return false
	}
	delete(v.byID, v.seats[oldest].ID)
	v.seats = slices.Delete(v.seats, oldest, oldest+1)
	return true
}

func (v *View) flush() []Effect {
	out := v.out
	v.out = nil
	return out
}

// Check says what is wrong with the view, for tests and the simulator.
func (v *View) Check() error {
	if len(v.seats) != len(v.byID) || len(v.seats) > MembersMax {
		return fmt.Errorf("membership: %d seats, %d by id", len(v.seats), len(v.byID))
	}
	for n, s := range v.seats {
		if v.byID[s.ID] != s || n > 0 && v.seats[n-1].ID >= s.ID || s.ID == v.self.ID {
			return fmt.Errorf("membership: seat %q is out of place", s.ID)
		}
	}
	return nil
}

// Digest tells two views apart: it covers who is present in which incarnation, and the bars.
func (v *View) Digest() uint64 {
	var sum uint64
	add := func(id PeerID, i Incarnation, s State) {
		if s == Suspected {
			s = Here
		}
		h := fnv.New64a()
		h.Write([]byte(id))
		var b [25]byte
		binary.LittleEndian.PutUint64(b[:], i.Join)
		binary.LittleEndian.PutUint64(b[8:], i.Rejoin)
		binary.LittleEndian.PutUint64(b[16:], i.Random)
		b[24] = byte(s)
		h.Write(b[:])
		sum += h.Sum64()
	}
	if v.self.State != 0 {
		add(v.self.ID, v.self.Incarnation, v.self.State)
	}
	for _, s := range v.seats {
		if s.State.Present() {
			add(s.ID, s.Incarnation, s.State)
		}
	}
	for _, b := range v.bars {
		state := State(100)
		if b.Barred {
			state++
		}
		add(b.ID, Incarnation{Join: b.Counter}, state)
	}
	return sum
}
