package peer

import (
	"iter"
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times and bounds of repair.
const (
	// what was published before this peer joined may count as on its way to it elsewhere
	onItsWay = 2 * time.Second
	// the youngest tombstones, for one that joins: of the runs of which it may hear late
	tombstonesTold = 256
	digestEvery    = time.Second
	// after joining: whoever joined in the same moment may not have heard the greeting; then
	// twice as late each time
	digestFirst = 50 * time.Millisecond
	// one digest in so many may go to one that refused a connection
	killedEvery = 16
)

// comparing finds out what a peer, or client, has missed: it says to one after another what it
// knows, as a digest, and whose own differs says what it knows itself.
type comparing struct {
	outbox
	self     membership.PeerID
	client   bool
	sessions bool // the carrier has sessions
	rng      *rand.Rand
	members  comparedMembers
	with     sessionsWith
	table    *orphan.Table
	clients  clients
	join     *joining
	runs     *runs
	// which submissions have ended
	tombstones *tombstones
	adverts    *adverts
	hosts      *hosts

	at     time.Duration // of the next round; Never: it has not joined
	rounds int
}

// comparedMembers are members with whom it is compared who is there; it is a [membership.View].
type comparedMembers interface {
	Self() membership.Member
	Present() iter.Seq[*membership.Member]
	Draw() (membership.Member, bool)
	DrawDead(killed bool, among func(membership.PeerID) bool) (membership.Member, bool)
	Digest() uint64
	Snapshot(now time.Duration) ([]membership.Member, []membership.Bar)
}

// sessionsWith tells whom there are sessions with; it is an [addresses.Book].
type sessionsWith interface {
	HasSession(membership.PeerID) bool
	WithSession(turn int, wanted func(membership.PeerID) bool) (membership.PeerID, bool)
}

// soon has the next round come soon: it is in.
func (c *comparing) soon(now time.Duration) { c.at = now + digestFirst }

// rests has no round come before it is in.
func (c *comparing) rests() { c.at = steal.Never }

// tick compares this peer's knowledge with another's. Every other time it also tries one that was
// given up: when both sides of a cut hold each other dead, nobody else would find out that it has
// healed.
func (c *comparing) tick(now time.Duration) []membership.Effect {
	if now < c.at || !entered(c.members.Self()) && !c.client {
		return nil
	}
	c.table.Age(now)
	every := backoff.New(digestFirst, digestEvery).After(c.rounds)
	c.at = now + every + time.Duration(c.rng.Int64N(int64(every/4)))
	c.askOne()
	c.askClient()
	if !c.runs.isFull() {
		known := func(i steal.Instance) bool { return c.runs.find(i) != nil }
		c.also(c.adverts.stray(c.rounds, known))
	}
	c.rounds++
	if m, ok := c.members.DrawDead(c.rounds%killedEvery == 0, nil); ok && c.rounds%2 == 0 {
		c.ask(life{peer: m.ID})
	}
	if c.rounds%2 == 1 { // to whom a session still stands, those were cut off for a moment only
		if m, ok := c.members.DrawDead(true, c.with.HasSession); ok {
			c.ask(life{peer: m.ID})
		}
	}
	return c.flush()
}

func (c *comparing) ask(to life) { c.send(to, c.digest()) }

// askOne asks a member, or somebody else to whom a session stands. A client may know nobody any
// more, or believe in some of whose end nobody is left to tell it: the greeting of whoever came may
// have been lost, or only another client may have met whoever came.
func (c *comparing) askOne() {
	m, known := c.members.Draw()
	turn := c.rounds
	if known {
		turn /= 2
	}
	var id membership.PeerID
	some, ghost := false, false
	if c.client {
		id, some = c.with.WithSession(turn, anyHost)
		ghost = known && c.sessions && !c.with.HasSession(m.ID) && c.rounds%2 == 0
	}
	switch all := c.join.contacts; {
	case c.client && some && (!known || ghost):
		c.ask(life{peer: id})
	case known:
		c.ask(life{m.ID, m.Incarnation})
	case len(all) > 0:
		c.ask(life{peer: all[c.rounds%len(all)]})
	}
}

// askClient compares this peer's knowledge with a client's, where it speaks for its group. Groups
// that cannot dial each other do not hear of each other but from a client that has met both, and
// each of them may believe in so many who are gone that it asks nobody else.
func (c *comparing) askClient() {
	if len(c.clients) == 0 || c.client || !c.speaks() {
		return
	}
	if id, ok := c.with.WithSession(c.rounds, c.clients.has); ok {
		c.ask(life{peer: id})
	}
}

// speaks tells whether this peer is the first of the members that it has sessions with.
func (c *comparing) speaks() bool {
	for m := range c.members.Present() {
		if c.with.HasSession(m.ID) {
			return c.self < m.ID
		}
	}
	return true
}

func anyHost(membership.PeerID) bool { return true }

func (c *comparing) digest() Digest {
	return Digest{Members: c.members.Digest(), Runs: c.runs.digest(), Table: c.table.Digest()}
}

// hearDigest answers a digest that differs with what this peer knows where it differs. Who is there
// comes first: where there is room for one message only, that must not wait for the tables, which
// differ for as long as adverts are made.
func (c *comparing) hearDigest(now time.Duration, from membership.PeerID, d Digest) []membership.Effect {
	own, about := c.digest(), uint8(0)
	if d.Members != own.Members {
		about |= AboutMembers
	}
	if d.Runs != own.Runs {
		about |= AboutRuns
	}
	if about&AboutMembers != 0 {
		c.tellWhere(from)
	}
	if about = c.told(about); about != 0 && !c.join.active {
		s := c.knowledge(now, about)
		s.Reply = true
		c.do(tells{from, s})
	}
	if d.Table != own.Table && entered(c.members.Self()) {
		c.also(c.adverts.differs(from))
	}
	return c.flush()
}

// hearPull gives one that joins all that this peer has. One that is on its way in itself does not
// know yet.
func (c *comparing) hearPull(now time.Duration, from membership.PeerID) []membership.Effect {
	if !entered(c.members.Self()) && (c.join.active || !c.client) {
		return nil
	}
	to := life{peer: from}
	s := c.knowledge(now, aboutAll)
	s.Ended = c.tombstones.youngest(now, tombstonesTold)
	c.send(to, s)
	for _, r := range c.runs.all {
		c.send(to, r.recordFor(now, to, false))
	}
	if entered(c.members.Self()) {
		c.also(c.adverts.giveAll(from))
	}
	return c.flush()
}

// reply gives one whose knowledge came what this peer knows in return, if that is wanted.
func (c *comparing) reply(now time.Duration, to membership.PeerID, s Snapshot) []membership.Effect {
	if !s.Reply {
		return nil
	}
	if about := c.told(s.About); about != 0 {
		c.do(tells{to, c.knowledge(now, about)})
	}
	if s.About&AboutMembers != 0 {
		c.tellWhere(to)
	}
	return c.flush()
}

// told leaves out what this peer does not tell unless it is pulled. A client stands between the
// sides of a cut: it would tell each what the other believes of it.
func (c *comparing) told(about uint8) uint8 {
	if c.client {
		return about &^ AboutMembers
	}
	return about
}

// tellWhere has a client say where members are instead.
func (c *comparing) tellWhere(to membership.PeerID) {
	if c.client {
		c.also(c.hosts.tell(to, c.clients.has(to), c.rounds))
	}
}

// knowledge is what this peer knows, about those.
func (c *comparing) knowledge(now time.Duration, about uint8) Snapshot {
	s := Snapshot{About: about}
	if about&AboutMembers != 0 {
		s.Members, s.Bars = c.members.Snapshot(now)
	}
	if about&AboutRuns != 0 {
		s.Heads = c.runs.heads(now)
	}
	return s
}
