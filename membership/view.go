package membership

import (
	"math/rand/v2"
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

// View is one peer's knowledge of the others. It says which of its components hears of what; they
// are this peer's own record, the seats of the others, who is kept out, what is believed of
// counters, the failure detector, and the pings that are sent for others.
type View struct {
	outbox
	self    own
	seats   seats
	bars    bars
	beliefs beliefs
	watch   watch
	errands errands
}

// outbox is what a component of a view wants done, in order.
type outbox struct{ out []Effect }

func (o *outbox) do(e Effect) { o.out = append(o.out, e) }

// pass takes over what a component wants done.
func (o *outbox) pass(effects []Effect) {
	if o.out == nil {
		o.out = effects
		return
	}
	o.out = append(o.out, effects...)
}

// flush is all that is to be done. The caller keeps it.
func (o *outbox) flush() []Effect {
	out := o.out
	o.out = nil
	return out
}

// New makes a view that holds nobody.
func New(c Config, rng *rand.Rand) *View {
	v := &View{self: newOwn(c, rng)}
	v.seats.clear()
	v.watch.self, v.watch.seats = &v.self, &v.seats
	return v
}

// Self is this peer's own record. Its State is Here once it has entered.
func (v *View) Self() Member { return v.self.Member }

// Listens hears where this peer can be dialled now. Its next greeting says so.
func (v *View) Listens(addrs []string) { v.self.Addrs = addrs }

// Enter makes this peer a member: the youngest. A client has no place to enter.
func (v *View) Enter(now time.Duration) []Effect {
	join := uint64(0)
	for _, s := range v.seats.sorted {
		join = max(join, s.Incarnation.Join)
	}
	v.self.enter(join)
	known := newest{v.self.Incarnation.Join, v.bars.newest}
	if !v.beliefs.settled {
		v.beliefs.trusted = known
	}
	v.beliefs.settle(known)
	v.watch.begin(now)
	v.greet()
	return v.flush()
}

// greet tells the grid who this peer is: everybody while they are few, since a fresh subscriber's
// gossip may reach nobody.
func (v *View) greet() {
	hello := Hello{v.self.Member}
	v.do(Publish{hello})
	for i, n := range v.self.rng.Perm(len(v.seats.sorted)) {
		if i == helloAllMax {
			break
		}
		if s := v.seats.sorted[n]; s.State.Present() {
			v.do(Send{To: s.ID, Body: hello})
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

// Heard notes that something of a peer arrived, and tells whether its sender is a member in that
// incarnation. When it is not, the message must not be used: the effects ask who it is, or tell
// it that it is refused.
func (v *View) Heard(now time.Duration, from PeerID, i Incarnation) (bool, []Effect) {
	s := v.seats.byID[from]
	if s != nil && s.Incarnation == i && s.State.Present() {
		s.hear(now)
		return true, nil
	}
	if !v.refuse(now, s, from, i) && (s == nil || i.Compare(s.Incarnation) > 0) {
		v.do(Send{To: from, Body: Who{}})
	}
	return false, v.flush()
}

// Beats notes a heartbeat, and tells whether it is that of a member, in that life, of which nothing
// follows but that. What else it may mean Heard tells.
func (v *View) Beats(now time.Duration, from PeerID, i Incarnation) bool {
	s := v.seats.byID[from]
	if s == nil || s.Incarnation != i || !s.State.Present() || v.IsBarred(from) {
		return false
	}
	s.hear(now)
	return true
}

// Stranger asks who a peer is that a client hears, and does not know in that life.
func (v *View) Stranger(from PeerID, i Incarnation) []Effect {
	s := v.seats.byID[from]
	if i.Join == 0 || s != nil && i.Compare(s.Incarnation) <= 0 && !v.seats.takesBack(s, i) || v.IsBarred(from) {
		return nil // it is a client, or on its way in, or speaks in a life that is over
	}
	return []Effect{Send{To: from, Body: Who{}}}
}

// refuse tells a peer that is barred so, and one that speaks in a life that is over; s is nil
// when it is a stranger. With a later life of it that is over, too, it hears of that: it may not
// know of it – another process had its identity – and would come back below it for ever.
func (v *View) refuse(now time.Duration, s *seat, from PeerID, i Incarnation) bool {
	switch {
	case v.IsBarred(from):
		v.do(Send{To: from, Body: Refused{Incarnation: i, Barred: true}})
	case s == nil || i.Compare(s.Incarnation) > 0 || i == s.Incarnation && s.State.Present():
		return false
	case s.mayRefuse(now):
		if i != s.Incarnation && !s.State.Present() && !v.self.client {
			// first: it comes back once a second
			v.do(Send{To: from, Body: Gone{s.record(now)}})
		}
		v.do(Send{To: from, Body: Refused{Incarnation: i}})
	}
	return true
}

// Sent notes that something was sent to a peer, which spares a heartbeat.
func (v *View) Sent(now time.Duration, to PeerID) {
	if s := v.seats.byID[to]; s != nil {
		s.sent = now
	}
}

// Deadline is when Tick wants to be called.
func (v *View) Deadline() time.Duration { return v.watch.next }

// Tick lets time pass: heartbeats go out, silences are noticed, those that are gone for long are
// forgotten.
func (v *View) Tick(now time.Duration) []Effect {
	if now < v.watch.next {
		return nil
	}
	v.seats.forget(now)
	effects, dead := v.watch.tick(now)
	v.pass(effects)
	for _, s := range dead {
		v.bury(now, s, Silent)
	}
	return v.flush()
}

// Check says what is wrong with the view, for tests and the simulator.
func (v *View) Check() error { return v.seats.check(v.self.ID) }

// Digest tells two views apart: it covers who is present in which incarnation, and the bars.
func (v *View) Digest() uint64 {
	sum := v.seats.digest() + v.bars.digest()
	if v.self.State != 0 {
		sum += digestOf(v.self.ID, v.self.Incarnation, v.self.State)
	}
	return sum
}
