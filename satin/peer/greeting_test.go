package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// greeter is who a peer called me knows, all of them in their first life, and what it asks of them.
type greeter struct {
	*greeting
	present
	self   membership.Member
	former present // their lives are over
	barred membership.PeerID
}

func newGreeter(isClient, in bool, others ...membership.PeerID) *greeter {
	g := &greeter{present: presentOf(others...), former: present{}, self: membership.Member{ID: "me"}}
	if in {
		g.self.State, g.self.Incarnation = membership.Here, membership.Incarnation{Join: 5, Random: 5}
	}
	g.greeting = &greeting{client: isClient, view: g, clients: clients{}, join: &joining{client: isClient, members: g}}
	return g
}

func (g *greeter) Self() membership.Member            { return g.self }
func (g *greeter) IsBarred(id membership.PeerID) bool { return id == g.barred }
func (g *greeter) Draw() (membership.Member, bool)    { return g.OldestOther() }
func (g *greeter) OldestOther() (membership.Member, bool) {
	return membership.Member{}, len(g.present) > 0
}

func (g *greeter) Known(id membership.PeerID) *membership.Member {
	m, present := g.present[id]
	if !present {
		if m, present = g.former[id]; !present {
			return nil
		}
		m.State = membership.Dead
	}
	return &m
}

func (g *greeter) Heard(_ time.Duration, id membership.PeerID, i membership.Incarnation) (bool, []membership.Effect) {
	if g.Has(id, i) {
		return true, nil
	}
	return false, []membership.Effect{membership.Send{To: id, Body: membership.Refused{}}}
}

func (g *greeter) Beats(_ time.Duration, id membership.PeerID, i membership.Incarnation) bool {
	return g.Has(id, i) && !g.IsBarred(id)
}

func (g *greeter) Stranger(id membership.PeerID, i membership.Incarnation) []membership.Effect {
	return []membership.Effect{membership.Send{To: id, Body: membership.Who{}}}
}

// comes is a message that has come.
func comes(from membership.PeerID, m Message) *arrival {
	return &arrival{life: life{from, m.From}, message: m}
}

// TestWhoMaySayWhat: by what the sender is to this peer, a message is heard, or its sender asked
// who it is.
func TestWhoMaySayWhat(t *testing.T) {
	business, news, submit := steal.Wake{}, membership.Barred{}, Submit{Submission: steal.Submission{Submitter: "c1"}}
	newcomer := membership.Incarnation{Join: 9, Random: 9}
	for name, c := range map[string]struct {
		from     membership.PeerID
		life     membership.Incarnation
		body     membership.Body
		isClient bool // this one is
		out      bool // this one is not in yet
		ok       bool
		does     []string
	}{
		"a member's business":          {from: "b1", life: in("b1").incarnation, body: business, ok: true},
		"a member's news":              {from: "b1", life: in("b1").incarnation, body: news, ok: true},
		"business of a life before":    {from: "x1", life: in("x1").incarnation, body: business, does: []string{"x1: Refused"}},
		"news of a life before":        {from: "x1", life: in("x1").incarnation, body: news, ok: true},
		"business before it is in":     {from: "b1", life: in("b1").incarnation, body: business, out: true},
		"a stranger's business":        {from: "h", life: newcomer, body: business, does: []string{"h: Refused"}},
		"a stranger's, of a client":    {from: "h", life: newcomer, body: business, isClient: true, out: true, does: []string{"h: Who"}},
		"news, to a client":            {from: "x1", life: in("x1").incarnation, body: news, isClient: true, out: true, ok: true, does: []string{"x1: Who"}},
		"a greeting to it":             {from: "x1", life: in("x1").incarnation, body: membership.Hello{}, isClient: true, out: true, ok: true},
		"a client's business":          {from: "c1", life: asClient, body: business},
		"its submission":               {from: "c1", life: asClient, body: submit, ok: true},
		"another's":                    {from: "c2", life: asClient, body: submit},
		"a proved client's, as a peer": {from: "p1", life: newcomer, body: membership.Hello{}},
		"of one that is barred":        {from: "bad", life: newcomer, body: membership.Hello{}, does: []string{"bad: Refused"}},
		"of one without a life":        {from: "h", body: news},
	} {
		g := newGreeter(c.isClient, !c.out, "b1", "c9")
		g.former, g.barred = presentOf("x1"), "bad"
		g.clients.proved("p1", true)
		a := comes(c.from, Message{From: c.life, Body: c.body})
		ok, effects := g.admits(0, a)
		if does(t, name, effects, c.does...); ok != c.ok {
			t.Errorf("%s: it is heard: %v, as %+v", name, ok, a)
		}
		if _, isBusiness := c.body.(steal.Wake); ok && isBusiness && a.member.ID != c.from {
			t.Errorf("%s: it is said by %v", name, a.member)
		}
	}
}

// A heartbeat of which nothing follows is one that would be heard, and of which nothing follows.
func TestBeats(t *testing.T) {
	life := in("b1").incarnation
	newcomer := membership.Incarnation{Join: 9, Random: 9}
	for name, c := range map[string]struct {
		from     membership.PeerID
		life, to membership.Incarnation
		isClient bool // this one is
		out      bool // this one is not in yet
		active   bool // … and looks for members
		other    bool // it is no heartbeat
		beats    bool
	}{
		"a member's":              {from: "b1", life: life, beats: true},
		"to this life":            {from: "b1", life: life, to: membership.Incarnation{Join: 5, Random: 5}, beats: true},
		"to another life":         {from: "b1", life: life, to: newcomer},
		"of another life":         {from: "b1", life: newcomer},
		"of a life before":        {from: "x1", life: in("x1").incarnation},
		"a stranger's":            {from: "h", life: newcomer},
		"of one that is barred":   {from: "bad", life: in("bad").incarnation},
		"a proved client's":       {from: "p1", life: in("p1").incarnation},
		"before this one is in":   {from: "b1", life: life, out: true},
		"on the way in":           {from: "b1", life: life, active: true},
		"to a client":             {from: "b1", life: life, isClient: true, out: true},
		"which is no heartbeat":   {from: "b1", life: life, other: true},
		"a stranger's, a join on": {from: "h", life: newcomer, active: true},
	} {
		g := newGreeter(c.isClient, !c.out, "b1", "bad", "p1")
		g.former, g.barred, g.join.active = presentOf("x1"), "bad", c.active
		g.clients.proved("p1", true)
		m := Message{From: c.life, To: c.to, Body: membership.Heartbeat{}}
		if c.other {
			m.Body = steal.Wake{}
		}
		got := g.beats(0, c.from, &m)
		if got != c.beats {
			t.Errorf("%s: it is a heartbeat and nothing else: %v", name, got)
		}
		if ok, effects := g.admits(0, comes(c.from, m)); got && (!ok || len(effects) > 0) {
			t.Errorf("%s: it is heard: %v, and does %v", name, ok, effects)
		}
	}
}

// TestRoles: who knows nobody believes in members; proof at the handshake goes over what one says.
func TestRoles(t *testing.T) {
	g := newGreeter(false, false)
	newcomer := func(g *greeter) role {
		a := comes("h", Message{From: membership.Incarnation{Join: 9, Random: 9}})
		g.meets(a)
		return a.as
	}
	g.join.active = true
	if newcomer(g) != member {
		t.Error("on its way in it believes nobody")
	}
	g.join.active = false
	if newcomer(g) != stranger {
		t.Error("one that nobody has named is no stranger")
	}
	g.clients.proved("h", true)
	if newcomer(g) != client {
		t.Error("a client passes for a member")
	}
	g.clients.proved("h", false)
	if newcomer(g) != stranger {
		t.Error("one that is a peer now is a client still")
	}
	for n := range clientsMax + 1 {
		g.clients.proved(membership.PeerID(rune('A'+n)), true)
	}
	if len(g.clients) != clientsMax {
		t.Errorf("%d clients are known", len(g.clients))
	}
	lonely := newGreeter(true, false)
	if newcomer(lonely) != member {
		t.Error("a client that knows nobody believes nobody")
	}
}

// TestReminded: who speaks to a former life of this peer is told which it has, not all too often,
// and not when it is barred.
func TestReminded(t *testing.T) {
	g := newGreeter(false, true, "b1")
	late := Message{From: in("b1").incarnation, To: membership.Incarnation{Join: 1}, Body: membership.Barred{}}
	ok, effects := g.admits(time.Second, comes("b1", late))
	if does(t, "it is for another life", effects, "b1: Hello me joined 5.0"); ok {
		t.Error("it is heard")
	}
	_, effects = g.admits(time.Second+remindEvery-1, comes("c1", late))
	does(t, "a moment later", effects)
	g.barred = "b1"
	_, effects = g.admits(time.Second+remindEvery, comes("b1", late))
	does(t, "it is barred", effects)
	late.To = g.self.Incarnation
	if ok, _ = newGreeter(false, true, "b1").admits(0, comes("b1", late)); !ok {
		t.Error("what is for this life is not heard")
	}
}

// TestComesAgain: what was held back of a member's business is heard while both lives last.
func TestComesAgain(t *testing.T) {
	g := newGreeter(false, true, "b1")
	m := Message{From: in("b1").incarnation, To: g.self.Incarnation, Body: steal.Return{}}
	if a := comes("b1", m); !g.comesAgain(a) || a.as != member || a.member.ID != "b1" {
		t.Errorf("it is not heard, or as %+v", a)
	}
	m.To.Rejoin++
	if g.comesAgain(comes("b1", m)) {
		t.Error("it is for another life")
	}
	m.To.Rejoin--
	delete(g.present, "b1")
	if g.comesAgain(comes("b1", m)) {
		t.Error("its sender is gone")
	}
	if !g.comesAgain(comes("b1", Message{Body: Record{}})) {
		t.Error("a record must be of one that is present")
	}
}

// TestGreets: a member greets whoever a connection stands to, and when it enters those of them that
// it does not know.
func TestGreets(t *testing.T) {
	g := newGreeter(false, false, "b1")
	does(t, "it is not in", g.connected("c1"))
	g.self.State = membership.Here
	does(t, "it is", g.connected("c1"), "c1: Hello me joined 0.0")
	g.join.contacts = []membership.PeerID{"b1", "c1"}
	does(t, "it enters", g.entering(), "c1: Hello me joined 0.0")
}

// TestEarlierLife: what was meant for an earlier incarnation, or comes from one that
// is over, is not used.
func TestEarlierLife(t *testing.T) {
	p, other := lone(t)
	_, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	start, _ := find[StartRun](effects)
	lend := steal.Lend{Run: start.Instance, Jobs: []steal.Lent{{Number: 1}}}
	late := Message{From: other, To: membership.Incarnation{Join: 1, Random: 99}, Body: lend}
	if _, ok := find[Execute](p.Received(0, "other", late)); ok {
		t.Error("a loan to an earlier life was taken")
	}
	newer := other
	newer.Rejoin++
	p.Received(0, "other", Message{From: newer, Body: membership.Hello{Member: membership.Member{
		ID: "other", Site: "a", Incarnation: newer, State: membership.Here}}})
	if _, ok := find[Execute](p.Received(time.Second, "other", Message{From: other, Body: lend})); ok {
		t.Error("a loan of a life that is over was taken")
	}
	if _, ok := find[Execute](p.Received(time.Second, "other", Message{From: newer, Body: lend})); !ok {
		t.Error("a loan of the present life was refused")
	}
}

func TestStrangerIsAskedWhoItIs(t *testing.T) {
	p, _ := lone(t)
	got := bodies(p.Received(0, "stranger", Message{From: membership.Incarnation{Join: 9}, Body: steal.Ask{Number: 1, Jobs: 1}}))
	if len(got) != 1 || got[0] != (membership.Who{}) {
		t.Errorf("it is answered %v", got)
	}
}

func TestMemberGreetsWhoConnects(t *testing.T) {
	p, _ := lone(t)
	got := bodies(p.Connected(0, "new"))
	if len(got) != 1 || got[0].(membership.Hello).Member.ID != "me" {
		t.Errorf("a new connection is greeted with %v", got)
	}
	if got := p.Connected(0, "me"); len(got) != 0 {
		t.Errorf("a connection to itself: %v", got)
	}
}
