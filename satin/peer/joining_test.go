package peer

import (
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// joiner is a peer, or client, on its way in.
type joiner struct {
	*joining
	known []membership.PeerID // members, by their greetings; the first is drawn
}

func newJoiner(j joining) *joiner {
	x := &joiner{joining: &j}
	x.self, x.members = "me", x
	return x
}

func (j *joiner) Draw() (membership.Member, bool) {
	if len(j.known) == 0 {
		return membership.Member{}, false
	}
	return membership.Member{ID: j.known[0]}, true
}

func (j *joiner) OldestOther() (membership.Member, bool) { return j.Draw() }

// TestJoinAsksInTurn: each contact at once when it is met, then in turn, and those that are known
// by their greetings when all contacts were asked in vain; nobody once it is in.
func TestJoinAsksInTurn(t *testing.T) {
	j := newJoiner(joining{})
	does(t, "nobody is met", j.begin(0))
	if j.deadline() != steal.Never {
		t.Errorf("it asks nobody at %v", j.deadline())
	}
	does(t, "one is met", j.contact(time.Second, "a1"), "a1: Pull")
	does(t, "the same again", j.contact(time.Second, "a1"))
	does(t, "no answer yet", j.tick(time.Second+pullEvery-1))
	does(t, "another is met", j.contact(time.Second+pullEvery-1, "b1"), "b1: Pull")
	j.known = []membership.PeerID{"c1"}
	does(t, "in turn", j.tick(2*time.Second), "c1: Pull")
	does(t, "in turn", j.tick(3*time.Second), "b1: Pull")
	does(t, "in turn", j.tick(4*time.Second), "c1: Pull")
	if !j.seeks(5 * time.Second) {
		t.Error("it is on its way in, and has nobody looked for")
	}
	if j.letIn(5 * time.Second); j.deadline() != steal.Never || j.seeks(time.Hour) {
		t.Error("it is in, and goes on")
	}
	does(t, "time passes", j.tick(time.Hour))
}

// TestContactsComeFirst: a connection stands to them. Who is known by a greeting alone may be gone,
// and is asked when each of them has been.
func TestContactsComeFirst(t *testing.T) {
	j := newJoiner(joining{})
	j.known = []membership.PeerID{"ghost"}
	for _, id := range []membership.PeerID{"a1", "b1", "c1"} {
		j.contact(0, id)
	}
	does(t, "it is told to join", j.begin(0), "a1: Pull")
	does(t, "the next", j.tick(pullEvery), "b1: Pull")
	does(t, "the next", j.tick(2*pullEvery), "c1: Pull")
	j.tick(3 * pullEvery)
	does(t, "all were asked", j.tick(4*pullEvery), "ghost: Pull")
}

// TestEveryContactIsAskedAgain: of two that it has met one was on its way in itself, and said
// nothing. The other is dead, and so is the member of which it has heard a greeting. It hears what
// the first one knows by now.
func TestEveryContactIsAskedAgain(t *testing.T) {
	for contacts := range 4 {
		j, asked := newJoiner(joining{}), map[string]int{}
		j.known = []membership.PeerID{"ghost"}
		j.begin(0)
		for n := range contacts + 1 {
			j.contact(0, membership.PeerID(fmt.Sprint("c", n)))
		}
		for n := range 4 * (contacts + 1) {
			for _, e := range told(j.tick(time.Duration(n+1) * pullEvery)) {
				asked[e]++
			}
		}
		for n := range contacts + 1 {
			if who := fmt.Sprint("c", n, ": Pull"); asked[who] < 2 || asked["ghost: Pull"] < 2 {
				t.Errorf("of %d contacts and a ghost it has asked %v", contacts+1, asked)
			}
		}
	}
}

// TestWhoIsHeardIsAsked: of many contacts all but one may be on the other side of a cut. Who says
// something, whatever it is, is not, and is asked every other time; once for what it has said.
func TestWhoIsHeardIsAsked(t *testing.T) {
	j := newJoiner(joining{})
	j.begin(0)
	for n := range contactsMax {
		j.contact(0, membership.PeerID(fmt.Sprint("b", n)))
	}
	j.hears(0, "a1")
	j.hears(0, "a2")
	does(t, "one was heard", j.tick(pullEvery), "a2: Pull")
	j.hears(0, "a1")
	does(t, "a contact", j.tick(2*pullEvery), "b4: Pull")
	does(t, "one was heard again", j.tick(3*pullEvery), "a1: Pull")
	does(t, "a contact", j.tick(4*pullEvery), "b5: Pull")
	does(t, "nobody was heard since", j.tick(5*pullEvery), "b6: Pull")
}

// TestPullsUntilItIsIn: what asks for a Snapshot may be lost, and what brings it. Nobody is asked
// more often than twice a second, whatever ticks.
func TestPullsUntilItIsIn(t *testing.T) {
	j, pulls := newJoiner(joining{}), 0
	j.begin(time.Minute)
	j.contact(time.Minute, "a1")
	for now := time.Minute + ms; now <= time.Minute+10*pullEvery; now += ms {
		pulls += len(j.tick(now))
	}
	if pulls != 10 {
		t.Errorf("in %v it has asked %d times", 10*pullEvery, pulls)
	}
	if j.noSeat(); j.deadline() != steal.Never || !j.stranded {
		t.Error("it was told that there is no seat, and asks on")
	}
}

// TestWaysInAreBounded: the first are kept, of whom it was told, and the latest, each once, and not
// many are asked at once. Who comes again changes nothing, and who came before this peer was told
// to join is asked then.
func TestWaysInAreBounded(t *testing.T) {
	j := newJoiner(joining{})
	does(t, "it was told nothing yet", j.contact(0, "early"))
	does(t, "it is told to join", j.begin(time.Second), "early: Pull")
	for n := range contactsMax {
		id := membership.PeerID(fmt.Sprint("c", n))
		var want []string
		if n < promptMax { // each answer is all that one knows
			want = []string{string(id) + ": Pull"}
		}
		does(t, "one more", j.contact(time.Second, id), want...)
		does(t, "the same", j.contact(time.Second, id))
	}
	if c := j.contacts; len(c) != contactsMax || c[0] != "early" || c[promptMax-1] != "c2" || c[promptMax] != "c4" || c[contactsMax-1] != "c15" {
		t.Errorf("its contacts are %v", j.contacts)
	}
	if j.met != 1 { // the first one was met at 0, which is no time
		t.Errorf("it met the first at %v", j.met)
	}
}

// TestLonelyClient: a client that knows nobody any more asks whoever it meets, and has others
// looked for.
func TestLonelyClient(t *testing.T) {
	j := newJoiner(joining{client: true})
	j.letIn(time.Minute)
	does(t, "it meets one", j.contact(time.Minute, "a1"), "a1: Pull")
	if j.seeks(time.Minute+lonelyMin-1) || !j.seeks(time.Minute+lonelyMin) {
		t.Error("it looks for others too soon, or not")
	}
	j.known = []membership.PeerID{"a1"}
	does(t, "it knows somebody", j.contact(time.Minute, "b1"))
	if j.seeks(time.Hour) {
		t.Error("it looks for others")
	}
}

// TestClientComesBack: it was in, and all whom it knew are gone. Each connection may be to somebody
// who knows the grid, also a second one to the same; it has others looked for after a moment, and
// not any more when it hears of a member.
func TestClientComesBack(t *testing.T) {
	j := newJoiner(joining{client: true})
	j.begin(0)
	does(t, "it meets one", j.contact(0, "a1"), "a1: Pull")
	j.known = []membership.PeerID{"a1"}
	j.letIn(time.Second)
	does(t, "it meets one more", j.contact(2*time.Second, "b1"))
	j.known = nil
	if !j.isLonely() || !j.seeks(time.Minute) || j.deadline() != steal.Never {
		t.Error("nobody is left, and it looks for nobody, or asks those that are gone")
	}
	does(t, "the first is back", j.contact(time.Minute, "a1"), "a1: Pull")
	does(t, "and once more", j.contact(time.Minute, "a1"), "a1: Pull")
	p := newJoiner(joining{})
	p.letIn(0)
	if does(t, "a peer alone", p.contact(time.Minute, "a1")); p.isLonely() || p.seeks(time.Hour) {
		t.Error("a peer that is in is lonely")
	}
}

// seated are so many members that are present, of whom some more are gone; the first joined first.
func seated(present, gone int) (all []membership.Member) {
	for n := range present + gone {
		m := membership.Member{ID: membership.PeerID(fmt.Sprint("m", n)), State: membership.Here}
		m.Incarnation.Join = uint64(n + 1)
		if n >= present {
			m.State = membership.Dead
		}
		all = append(all, m)
	}
	return all
}

// TestSeats: who finds no seat on its way in. One that has one from before, or was refused none,
// has one; the dead have none, this peer's own former life among them; a client needs none.
func TestSeats(t *testing.T) {
	is := func(m []membership.Member, n int, state membership.State) []membership.Member {
		m[n].ID, m[n].State = "me", state
		return m
	}
	for name, c := range map[string]struct {
		members []membership.Member
		client  bool
		none    bool
	}{
		"one is left":               {seated(membership.MembersMax-1, 0), false, false},
		"none is left":              {seated(membership.MembersMax, 0), false, true},
		"a client":                  {seated(membership.MembersMax, 0), true, false},
		"it is one of them":         {is(seated(membership.MembersMax, 0), 3, membership.Here), false, false},
		"it is the first of them":   {is(seated(membership.MembersMax, 0), 0, membership.Here), false, false},
		"it is one that leaves":     {is(seated(membership.MembersMax, 0), 3, membership.Leaving), false, false},
		"it was one":                {is(seated(membership.MembersMax, 1), membership.MembersMax, membership.Dead), false, true},
		"many are dead":             {seated(9, membership.MembersMax), false, false},
		"it died, and left its own": {is(seated(membership.MembersMax, 0), 3, membership.Dead), false, false},
	} {
		if j := newJoiner(joining{client: c.client}); j.hasNoSeat(c.members) != c.none {
			t.Errorf("%s: there is no seat: %v", name, !c.none)
		}
	}
}

// TestLosesSeat: who is in gives up at the word of an older member that has no room for it, and at
// that of younger ones when for long nobody else is heard of. One that others have a seat for
// stays.
func TestLosesSeat(t *testing.T) {
	member := func(id string, join uint64) *membership.Member {
		return &membership.Member{ID: membership.PeerID(id), State: membership.Here, Incarnation: membership.Incarnation{Join: join}}
	}
	var all []membership.Member
	for n := range membership.MembersMax + 1 {
		all = append(all, *member(fmt.Sprint("m", n), uint64(n+1)))
	}
	without, room := all, all[1:]
	with := append(all[1:len(all):len(all)], *member("me", 7))
	dead := append(all[:len(all):len(all)], *member("me", 7))
	dead[len(dead)-1].State = membership.Dead
	type word struct {
		at   time.Duration
		by   uint64 // its join number
		all  []membership.Member
		told bool
	}
	for what, words := range map[string][]word{
		"an older one has no room": {{0, 1, without, true}},
		"an older one has room":    {{0, 1, room, false}, {time.Hour, 1, room, false}},
		"it is known":              {{0, 1, with, false}},
		"it is known as dead":      {{0, 1, dead, false}},
		"it is the first known":    {{0, 1, append([]membership.Member{*member("me", 7)}, without...), false}},
		"since the second word":    {{time.Hour, 9, without, false}, {time.Hour + seatlessMax, 9, without, true}},
		"it is the youngest":       {{0, 6, without, true}},
		"the next is younger":      {{0, 8, without, false}},
		"younger ones have no room": {
			{0, 9, without, false}, {seatlessMax - 1, 10, without, false}, {seatlessMax, 9, room, false}, {seatlessMax + 1, 9, without, true},
		},
		"one of them is the one too many": {
			{0, 9, without, false}, {seatlessMax - 1, 8, with, false}, {seatlessMax, 9, without, false},
			{seatlessMax + time.Second, 9, without, false}, {2 * seatlessMax, 9, without, true},
		},
	} {
		j := newJoiner(joining{})
		j.letIn(0)
		for n, w := range words {
			if told := j.losesSeat(w.at, member("me", 7), member("by", w.by), w.all); told != w.told {
				t.Errorf("%s, word %d: told %v", what, n, told)
			}
		}
	}
}
