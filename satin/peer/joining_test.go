package peer

import (
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
	if j.letIn(5 * time.Second); j.deadline() != steal.Never || j.seeks(time.Hour) {
		t.Error("it is in, and goes on")
	}
	for range contactsMax {
		j.contact(0, membership.PeerID(rune('a'+len(j.contacts))))
	}
	if len(j.contacts) != contactsMax {
		t.Errorf("%d contacts", len(j.contacts))
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

// TestJoinThroughClient: those are asked that a client names, and when none has answered it goes on
// alone; so it does at once when it hears of nobody.
func TestJoinThroughClient(t *testing.T) {
	someone := func(id membership.PeerID, state membership.State) membership.Member {
		return membership.Member{ID: id, State: state, Addrs: []string{"there"}, Incarnation: membership.Incarnation{Join: 7}}
	}
	j := newJoiner(joining{})
	j.begin(0)
	does(t, "a client is met", j.contact(0, "client"), "client: Pull")
	here := []membership.Member{someone("a1", membership.Here), someone("me", membership.Here), someone("gone", membership.Dead)}
	does(t, "it names some", j.named(0, here), "a1: Pull", "client: Pull")
	does(t, "the same again", j.named(ms, here))
	does(t, "one more", j.named(ms, append(here, someone("b1", membership.Here))), "b1: Pull", "client: Pull")
	does(t, "again", j.tick(pullEvery+ms), "a1: Pull", "b1: Pull", "client: Pull")
	if j.hearsay.newest != 7 || j.deadline() > hearsayFor {
		t.Errorf("the youngest joined as %d; it goes on at %v", j.hearsay.newest, j.deadline())
	}
	does(t, "nobody answers", j.tick(hearsayFor), "enters alone")
	j = newJoiner(joining{})
	j.begin(0)
	does(t, "it hears of nobody", j.named(0, nil), "enters alone")
}

// line is how it stands with those that one is to join.
type line struct {
	up            int
	tried, denied bool
}

func (l line) Sessions() int { return l.up }
func (l line) Tried() bool   { return l.tried }
func (l line) Denied() bool  { return l.denied }

// TestStranded: who gives up or goes on alone, and when.
func TestStranded(t *testing.T) {
	newcomer, past, client := joining{told: true}, joining{told: true, past: true}, joining{told: true, client: true}
	for event, c := range map[string]struct {
		joining
		line
		met, now time.Duration
		does     []string
	}{
		"a newcomer dials":               {newcomer, line{}, 0, time.Hour, nil},
		"a newcomer finds nobody":        {newcomer, line{tried: true}, 0, foundWithin, []string{"is stranded, reached false"}},
		"somebody may come yet":          {newcomer, line{tried: true}, 0, foundWithin - 1, nil},
		"a newcomer is refused":          {newcomer, line{tried: true, denied: true}, 0, ms, []string{"is stranded, reached false"}},
		"no answer":                      {newcomer, line{up: 1, tried: true}, ms, ms + answerMax, []string{"is stranded, reached true"}},
		"an answer may come yet":         {newcomer, line{up: 1, tried: true}, ms, ms + answerMax - 1, nil},
		"who founds waits for nobody":    {joining{}, line{tried: true}, 0, time.Hour, nil},
		"who is of the grid dials":       {past, line{}, 0, pastMax - 1, nil},
		"who is of it has dialled":       {past, line{}, 0, pastMax, []string{"goes on alone", "enters"}},
		"who is of it finds nobody":      {past, line{tried: true}, 0, ms, []string{"goes on alone", "enters"}},
		"who is of it has no answer":     {past, line{up: 1}, ms, ms + aloneAfter, []string{"goes on alone", "enters"}},
		"who is of it is refused":        {past, line{tried: true, denied: true}, 0, ms, []string{"is stranded, reached false"}},
		"a client finds nobody":          {client, line{tried: true}, 0, ms, []string{"is stranded, reached false"}},
		"a client that knew the grid":    {joining{past: true, client: true}, line{tried: true}, 0, ms, []string{"is stranded, reached false"}},
		"a client that reaches somebody": {client, line{up: 1, tried: true}, ms, 2 * ms, nil},
	} {
		j := newJoiner(c.joining)
		j.begin(0)
		j.met = c.met
		does(t, event, j.tickStranded(c.now, c.line), c.does...)
		if at := j.strandedDeadline(0); (at == steal.Never) != (!c.told && !c.past || j.stranded) {
			t.Errorf("%s: it looks again at %v", event, at)
		}
	}
	j := newJoiner(newcomer)
	if j.begin(0); j.strandedDeadline(foundWithin) != steal.Never {
		t.Error("a dial is under way, and it does not wait for its end")
	}
	if j.noSeat(); j.canStrand() || j.active {
		t.Error("there is no seat, and it goes on")
	}
}
