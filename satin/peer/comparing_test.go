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
	return membership.Member{ID: c.dead}, c.dead != "" && (among == nil || among(c.dead))
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
		self: "me", client: isClient, sessions: true, rng: rand.New(rand.NewPCG(1, 1)), members: c, lines: c,
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
	c.soon(time.Second)
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
		"those that it has joined through": {
			circle: circle{in: true}, contacts: []membership.PeerID{"y", "z"}, rounds: []string{"y" + d, "z" + d},
		},
		"a client, too": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"c9"}, in: true}, clients: []membership.PeerID{"c9"}, rounds: []string{"b1" + d + ", c9" + d},
		},
		"no client where another speaks": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"a1", "c9"}, in: true}, clients: []membership.PeerID{"c9"}, rounds: []string{"b1" + d},
		},
		"a client asks a ghost every other time": {
			circle: circle{drawn: "b1", up: []membership.PeerID{"c9"}}, isClient: true, rounds: []string{"c9" + d, "b1" + d, "c9" + d},
		},
		"a client that knows nobody": {
			circle: circle{up: []membership.PeerID{"c8", "c9"}}, isClient: true, rounds: []string{"c8" + d, "c9" + d},
		},
	} {
		c.present = presentOf("a1", "b1")
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
		does(t, "nothing is wanted", x.reply(0, "b1", Snapshot{Parts: partsAll}))
		does(t, "all is wanted", x.reply(0, "b1", Snapshot{Parts: partsAll, Reply: true}), all...)
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
	} {
		k := comparer(&circle{present: presentOf("b1"), in: c.in}, c.isClient)
		k.join.active, k.tombstones = c.joins, &tombstones{}
		k.tombstones.add(0, Tombstone{Submission: submissionNo(1)})
		r := k.runs.whole(soughtRun)
		r.best.offered(0, "me", stamp("best"))
		k.table.Heard("b1", in("b1").incarnation, orphan.Advert{
			Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf("far"), Cost: 9}},
		})
		does(t, name, k.hearPull(0, "new"), c.does...)
	}
}
