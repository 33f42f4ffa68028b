package peer

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// circle is who is there, and with whom there are sessions.
type circle struct {
	present
	drawn, dead membership.PeerID // "": nobody
	killed      membership.PeerID // whose machine has refused a connection
	in          bool              // it is a member itself
	up          []membership.PeerID
	digest      uint64
}

func (c *circle) Self() membership.Member {
	if !c.in {
		return membership.Member{ID: "me"}
	}
	return membership.Member{ID: "me", State: membership.Here}
}

func (c *circle) Draw() (membership.Member, bool) { return c.Member(c.drawn) }

func (c *circle) DrawDead(killed bool, among func(membership.PeerID) bool) (membership.Member, bool) {
	for _, id := range []membership.PeerID{c.dead, c.killed} {
		if id != "" && (id == c.dead || killed) && (among == nil || among(id)) {
			return membership.Member{ID: id}, true
		}
	}
	return membership.Member{}, false
}

func (c *circle) Digest() uint64 { return c.digest }

func (c *circle) Snapshot(time.Duration) ([]membership.Member, []membership.Bar) {
	return c.others(), nil
}

func (c *circle) HasSession(id membership.PeerID) bool {
	_, ok := c.WithSession(0, func(o membership.PeerID) bool { return o == id })
	return ok
}

func (c *circle) WithSession(turn int, wanted func(membership.PeerID) bool) (membership.PeerID, bool) {
	var all []membership.PeerID
	for _, id := range c.up {
		if wanted(id) {
			all = append(all, id)
		}
	}
	if len(all) == 0 {
		return "", false
	}
	return all[turn%len(all)], true
}

// comparer is a member, or a client, among others.
func comparer(c *circle, isClient bool) *comparing {
	table := orphan.NewTable("me")
	return &comparing{
		self: "me", client: isClient, sessions: true, rng: rand.New(rand.NewPCG(1, 1)), members: c, with: c,
		table: table, clients: clients{}, join: &joining{}, runs: &runs{}, hosts: located(c.up...),
		adverts: &adverts{self: "me", table: table, members: c.present}, at: steal.Never,
	}
}

// round goes on to the next round.
func (c *comparing) round() []membership.Effect { return c.tick(c.at) }

// TestRounds: soon after one is in, then later each time, up to a second and a quarter.
func TestRounds(t *testing.T) {
	c := comparer(&circle{present: presentOf("a1"), drawn: "a1", in: true}, false)
	does(t, "it has not joined", c.tick(time.Hour))
	if c.soon(time.Second); c.at != time.Second+digestFirst {
		t.Errorf("the first is at %v", c.at)
	}
	does(t, "too soon", c.tick(time.Second+digestFirst-1))
	for n, at := 0, c.at; n < 8; n++ {
		does(t, "in time", c.round(), "a1: Digest")
		gap := c.at - at
		if least := min(digestFirst<<n, digestEvery); gap < least || gap > least+least/4 {
			t.Errorf("round %d is followed after %v", n, gap)
		}
		at = c.at
	}
	c.members.(*circle).in = false
	does(t, "it is on its way in", c.round())
}

// TestWhoIsAsked: whom one compares its knowledge with, in its first rounds.
func TestWhoIsAsked(t *testing.T) {
	const d = ": Digest"
	for who, c := range map[string]struct {
		circle
		isClient bool
		clients  []membership.PeerID
		contacts []membership.PeerID
		rounds   []string
	}{
		"a member": {circle: circle{drawn: "b1", in: true}, rounds: []string{"b1" + d, "b1" + d}},
		"the dead, every other time": {
			circle: circle{drawn: "b1", dead: "x", in: true}, rounds: []string{"b1" + d, "b1" + d + ", x" + d},
		},
		"the dead that have a session, each time": {
			circle: circle{drawn: "b1", dead: "x", up: []membership.PeerID{"x"}, in: true}, rounds: []string{"b1" + d + ", x" + d, "b1" + d + ", x" + d},
		},
		"who was killed, when a session stands": {
			circle: circle{drawn: "b1", killed: "x", up: []membership.PeerID{"x"}, in: true}, rounds: []string{"b1" + d + ", x" + d, "b1" + d, "b1" + d + ", x" + d},
		},
		"those that it has joined through": {
			circle: circle{in: true}, contacts: []membership.PeerID{"y", "z"}, rounds: []string{"y" + d, "z" + d, "y" + d},
		},
		"a client, too": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"c9"}, in: true}, clients: []membership.PeerID{"c9"}, rounds: []string{"b1" + d + ", c9" + d},
		},
		"a client, where it speaks for others": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"n1", "c9"}, in: true}, clients: []membership.PeerID{"c9"}, rounds: []string{"b1" + d + ", c9" + d},
		},
		"no client where another speaks": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"a1", "c9"}, in: true}, clients: []membership.PeerID{"c9"}, rounds: []string{"b1" + d},
		},
		"a client asks a ghost every other time": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"c8", "c9"}}, isClient: true, rounds: []string{"c8" + d, "b1" + d, "c9" + d, "b1" + d},
		},
		"a client without sessions asks whom it knows": {
			circle: circle{drawn: "b1"}, isClient: true, contacts: []membership.PeerID{"y"}, rounds: []string{"b1" + d, "b1" + d},
		},
		"a client with a session to whom it asks": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"c9", "n1", "b1"}}, isClient: true, clients: []membership.PeerID{"c9"}, rounds: []string{"b1" + d, "b1" + d},
		},
		"a client speaks for nobody": {
			circle: circle{drawn: "n1", up: []membership.PeerID{"n1", "c9"}}, isClient: true, clients: []membership.PeerID{"c9"}, rounds: []string{"n1" + d},
		},
		"a client that knows nobody": {
			circle: circle{up: []membership.PeerID{"c8", "c9"}}, isClient: true, rounds: []string{"c8" + d, "c9" + d},
		},
	} {
		c.present = presentOf("a1", "b1", "n1")
		x := comparer(&c.circle, c.isClient)
		x.join.contacts = c.contacts
		for _, id := range c.clients {
			x.clients[id] = struct{}{}
		}
		x.soon(0)
		for _, want := range c.rounds {
			does(t, who, x.round(), strings.Split(want, ", ")...)
		}
	}
}

// TestDigestsDiffer: who is told what by a member, a client and one on its way in. A client says
// where members are, and nothing else of them.
func TestDigestsDiffer(t *testing.T) {
	members, runs, table := Digest{Members: 1}, Digest{Runs: 1}, Digest{Table: 1}
	for of, c := range map[string]struct {
		Digest
		isClient, joins bool
		does            []string
	}{
		"nothing":               {Digest{}, false, false, nil},
		"members":               {members, false, false, []string{"b1: Snapshot of 2 members, 0 runs, 0 ended"}},
		"runs":                  {runs, false, false, []string{"b1: Snapshot of 0 members, 0 runs, 0 ended"}},
		"lists":                 {table, false, false, []string{"b1: Versions of 0 lists"}},
		"members before lists":  {Digest{Members: 1, Table: 1}, false, false, []string{"b1: Snapshot of 2 members, 0 runs, 0 ended", "b1: Versions of 0 lists"}},
		"members, to a client":  {members, true, false, []string{"b1: Whereabouts of [a1]"}},
		"runs, to a client":     {runs, true, false, []string{"b1: Snapshot of 0 members, 0 runs, 0 ended"}},
		"members, to a joiner":  {members, false, true, nil},
		"lists, to a client":    {table, true, false, nil},
		"members, to a newborn": {members, true, true, []string{"b1: Whereabouts of [a1]"}},
	} {
		x := comparer(&circle{present: presentOf("a1", "b1"), in: !c.isClient, up: []membership.PeerID{"a1"}}, c.isClient)
		x.join.active = c.joins
		does(t, of, x.hearDigest(0, "b1", c.Digest), c.does...)
	}
}

// TestKnowledgeIsReturned: who gives what it knows gets as much, if it wants it.
func TestKnowledgeIsReturned(t *testing.T) {
	for _, isClient := range []bool{false, true} {
		x := comparer(&circle{present: presentOf("a1", "b1"), in: !isClient, up: []membership.PeerID{"a1"}}, isClient)
		all := []string{"b1: Snapshot of 2 members, 0 runs, 0 ended"}
		if isClient {
			all = []string{"b1: Snapshot of 0 members, 0 runs, 0 ended", "b1: Whereabouts of [a1]"}
		}
		does(t, "nothing is wanted", x.reply(0, "b1", Snapshot{About: aboutAll}))
		does(t, "all is wanted", x.reply(0, "b1", Snapshot{About: aboutAll, Reply: true}), all...)
	}
}

// TestPulled: one that joins gets all, by member and client; not by who is on its way in itself.
func TestPulled(t *testing.T) {
	for name, c := range map[string]struct {
		in, isClient, joins bool
		does                []string
	}{
		"a member": {in: true, does: []string{"new: Snapshot of 1 members, 1 runs, 1 ended",
			`new: Record epoch 0 master  submissions 1 root "root" with best "best"`, "new: List of b1, number 1: far"}},
		"a client": {isClient: true, does: []string{"new: Snapshot of 1 members, 1 runs, 1 ended",
			`new: Record epoch 0 master  submissions 1 root "root" with best "best"`}},
		"a client on its way in": {isClient: true, joins: true},
		"a peer on its way in":   {joins: true},
		"a peer before that":     {},
	} {
		k := comparer(&circle{present: presentOf("b1"), in: c.in}, c.isClient)
		k.join.active, k.tombstones = c.joins, &tombstones{}
		k.tombstones.add(0, Tombstone{Submission: submissionNo(1)})
		r := k.runs.whole(soughtRun)
		r.best.offered(0, "me", stamp("best"))
		k.table.HearAdvert("b1", in("b1").incarnation, orphan.Advert{
			Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf("far"), Cost: 9}},
		})
		does(t, name, k.hearPull(0, "new"), c.does...)
	}
}

// TestKilledAreTriedSeldom: the machine of one that is held dead has refused a connection, as a
// relay does that is not ready. If nobody tried it, a grid that was cut there would never be one
// again; but most of them are dead.
func TestKilledAreTriedSeldom(t *testing.T) {
	c := comparer(&circle{present: presentOf("a1"), killed: "x", in: true}, false)
	c.soon(0)
	tried := 0
	for range 10 * killedEvery {
		tried += len(c.round())
	}
	if tried != 10 {
		t.Errorf("in %d rounds it was tried %d times", 10*killedEvery, tried)
	}
}

// TestCarrierWithoutSessions: where nobody knows of sessions, as with a carrier in memory, none
// that is known counts as gone for want of one.
func TestCarrierWithoutSessions(t *testing.T) {
	c := comparer(&circle{present: presentOf("b1"), drawn: "b1", up: []membership.PeerID{"c9"}}, true)
	c.sessions = false
	c.soon(0)
	for range 4 {
		does(t, "a client asks whom it knows", c.round(), "b1: Digest")
	}
}

// TestStrayRunIsAskedAbout: of a run of which nothing is known but what another has advertised that
// one is asked for the record, unless there is no room for it.
func TestStrayRunIsAskedAbout(t *testing.T) {
	c := comparer(&circle{present: presentOf("b1"), drawn: "b1", in: true}, false)
	c.table.HearAdvert("b1", in("b1").incarnation, orphan.Advert{
		Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf("far"), Cost: 9}},
	})
	c.soon(0)
	does(t, "it is not known", c.round(), "b1: Digest", "b1: Fetch")
	for n := byte(1); !c.runs.isFull(); n++ {
		c.runs.made(submittedAs("u", n), 0)
	}
	does(t, "there is no room", c.round(), "b1: Digest")
	c.runs.all[0].instance = soughtRun
	does(t, "it is known", c.round(), "b1: Digest")
}

// TestAlikeSayNothing: two that know the same have nothing to tell, whatever it is, and a run that
// one lacks is told of by each whose digest differs. One that has just come in itself answers.
func TestAlikeSayNothing(t *testing.T) {
	alike := func() *comparing {
		x := comparer(&circle{present: presentOf("a1", "b1"), in: true, digest: 7}, false)
		x.runs.whole(soughtRun)
		return x
	}
	x, y := alike(), alike()
	does(t, "they are alike", x.hearDigest(0, "b1", y.digest()))
	y.runs.made(submittedAs("u", 1), 0)
	does(t, "one has a run more", x.hearDigest(0, "b1", y.digest()), "b1: Snapshot of 0 members, 1 runs, 0 ended")
	does(t, "the other has one less", y.hearDigest(0, "a1", x.digest()), "a1: Snapshot of 0 members, 2 runs, 0 ended")
	y.members.(*circle).digest = 8
	got := x.hearDigest(0, "b1", y.digest())
	does(t, "both differ", got, "b1: Snapshot of 2 members, 1 runs, 0 ended")
	if s := got[0].(tells).body.(Snapshot); !s.Reply || s.About != aboutAll {
		t.Errorf("it sends what is about %b, and wants as much: %v", s.About, s.Reply)
	}
	got = x.reply(0, "b1", Snapshot{About: AboutMembers, Reply: true})
	if s := got[0].(tells).body.(Snapshot); s.Reply || s.About != AboutMembers || len(s.Heads) > 0 || len(s.Members) != 2 {
		t.Errorf("in return it sends what is about %b with %d heads, and wants as much again: %v", s.About, len(s.Heads), s.Reply)
	}
	does(t, "about nothing", x.reply(0, "b1", Snapshot{Reply: true}))
}

// TestJoinerHearsOfTheYoungestEnds: of runs that have ended one that joins may hear late, and
// learns so many ends as are fresh, not the hour's.
func TestJoinerHearsOfTheYoungestEnds(t *testing.T) {
	c := comparer(&circle{present: presentOf("b1"), in: true}, false)
	c.tombstones = &tombstones{}
	for n := range tombstonesTold + 9 {
		c.tombstones.add(time.Duration(n)*time.Second, Tombstone{Submission: submissionNo(n)})
	}
	s := c.hearPull(tombstonesTold*time.Second, "new")[0].(membership.Send).Body.(Snapshot)
	if s.Reply || s.About != aboutAll || len(s.Ended) != tombstonesTold || s.Ended[0].Submission != submissionNo(9) || s.Ended[0].Seconds != tombstonesTold-9 {
		t.Errorf("it is told of %d, the first of them %+v", len(s.Ended), s.Ended[0])
	}
}

// TestRoundsAreNoMarch: of those that have come in at one moment each has its own rounds, or they
// would all ask at once for ever.
func TestRoundsAreNoMarch(t *testing.T) {
	at := map[time.Duration]bool{}
	for seed := range uint64(8) {
		c := comparer(&circle{present: presentOf("a1"), drawn: "a1", in: true}, false)
		c.rng = rand.New(rand.NewPCG(seed, 1))
		c.soon(0)
		for range 5 {
			c.round()
		}
		at[c.at] = true
	}
	if len(at) != 8 {
		t.Errorf("of eight the sixth round is at %d times", len(at))
	}
}

// TestListsSettleWithTheRounds: what was published a moment ago may be on its way to another, and
// is not given anew. After some rounds it is, if it is missing there.
func TestListsSettleWithTheRounds(t *testing.T) {
	c := comparer(&circle{present: presentOf("a1", "b1"), drawn: "a1", in: true}, false)
	c.table.HearAdvert("b1", in("b1").incarnation, orphan.Advert{
		Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf("far"), Cost: 9}},
	})
	c.runs.whole(soughtRun)
	lacks := func() []membership.Effect { return c.adverts.hearVersions(c.at, in("a1"), orphan.Versions{}, false) }
	c.soon(0)
	does(t, "it may be on its way", lacks())
	for range 10 {
		c.round()
	}
	does(t, "it was lost", lacks(), "a1: List of b1, number 1: far")
}
