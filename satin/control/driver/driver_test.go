package driver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// network is a carrier that notes what it is told, and an owner whose clock stands.
type network struct {
	up    bool
	sent  [][]byte
	dials []membership.Dial
	bulks []func(up bool) // on their way
	rest  []peer.Effect
	done  int

	entered  int
	bars     []string
	twins    []membership.PeerID // that were told so
	ends     []peer.Effect
	reading  []func()
	ended    map[steal.Nonce][]End
	followed []peer.OrderDone
	now      time.Duration // beside an hour
}

func (*network) Encode(m peer.Message) []byte {
	data, err := wire.Encode(m)
	if err != nil {
		panic(err)
	}
	return data
}

func (n *network) Send(_ membership.PeerID, frame []byte) bool {
	if n.up {
		n.sent = append(n.sent, frame)
	}
	return n.up
}

func (n *network) SendBulk(_ membership.PeerID, _ func() []byte, over func(bool)) {
	n.bulks = append(n.bulks, over)
}

func (n *network) Bar(id membership.PeerID, barred bool) {
	n.bars = append(n.bars, fmt.Sprint(id, barred))
}

func (n *network) TellTwin(id membership.PeerID) { n.twins = append(n.twins, id) }

func (*network) Publish([]byte)           {}
func (*network) BytesFar() int64          { return 0 }
func (n *network) Dial(d membership.Dial) { n.dials = append(n.dials, d) }
func (n *network) Now() time.Duration     { return time.Hour + n.now }
func (n *network) Tell(e peer.Effect)     { n.rest = append(n.rest, e) }
func (n *network) Ends(why peer.Effect)   { n.ends = append(n.ends, why) }

func (n *network) Read(_ steal.Nonce, _ steal.Result, over func()) {
	n.reading = append(n.reading, over)
}

func (n *network) Ended(no steal.Nonce, e End) {
	if n.ended == nil {
		n.ended = map[steal.Nonce][]End{}
	}
	n.ended[no] = append(n.ended[no], e)
}

func (n *network) Followed(e peer.OrderDone) { n.followed = append(n.followed, e) }

func (n *network) Entered() { n.entered++ }
func (n *network) Done()    { n.done++ }

// alone is a driver of a member that knows where x is.
func alone() (*Driver, *network) {
	m := peer.New(peer.Config{
		Member: membership.Config{ID: "me"}, Sessions: true,
		Known: []addresses.Known{{ID: "x", Addrs: []string{"/somewhere/p2p/x"}}},
	}, rand.New(rand.NewPCG(1, 2)))
	n := new(network)
	d := New(Config{}, m, n, quiet{}, n, nil, nil)
	m.Found(n.Now())
	return d, n
}

// before is a driver of a peer that knows nobody, and has not begun to look for a grid.
func before() (*Driver, *network) {
	m := peer.New(peer.Config{Member: membership.Config{ID: "me"}}, rand.New(rand.NewPCG(1, 2)))
	n := new(network)
	return New(Config{}, m, n, quiet{}, n, nil, nil), n
}

// A great many messages for one that has no session are one dial, and what came of it is heard:
// after it nothing is sent or dialled before a moment has passed.
func TestManyMessagesAreOneDial(t *testing.T) {
	d, n := alone()
	for range 100 {
		d.sendEncoded("x", membership.Who{}, []byte("hello"))
	}
	if !d.IsDialling("x") {
		t.Error("nobody is dialled")
	}
	d.Dialled("x", Nobody)
	if !d.machine.Sight().Book().Tried() || d.IsDialling("x") {
		t.Error("it is not heard that the dial is over")
	}
	d.sendEncoded("x", membership.Who{}, []byte("hello"))
	if len(n.dials) != 1 {
		t.Errorf("it was dialled %d times", len(n.dials))
	}
}

// What is said to a host that is being dialled goes out when it is up, as much as there is room
// for. What is said to one that nobody dials is lost.
func TestUnsentWaitsForTheDial(t *testing.T) {
	d, n := alone()
	d.dialling["z"] = &attempt{dials: 1}
	d.sendEncoded("z", membership.Who{}, []byte("hello"))
	d.sendEncoded("y", membership.Who{}, []byte("nobody"))
	d.sendEncoded("z", membership.Who{}, []byte("ask"))
	for range 2 * unsentMax / BulkAbove {
		d.sendEncoded("z", membership.Who{}, make([]byte, BulkAbove))
	}
	if held := d.dialling["z"].bytes; held > unsentMax || held < unsentMax-BulkAbove {
		t.Errorf("%d bytes wait", held)
	}
	n.up = true
	d.sendUnsent("z")
	d.sendUnsent("y")
	d.sendEncoded("z", membership.Who{}, []byte("later"))
	last := len(n.sent) - 1
	if last < 3 || string(n.sent[0]) != "hello" || string(n.sent[1]) != "ask" || string(n.sent[last]) != "later" {
		t.Errorf("%d frames were sent: %.20q", len(n.sent), n.sent)
	}
	if a := d.dialling["z"]; len(a.unsent) > 0 || a.bytes != 0 {
		t.Error("what was sent is kept")
	}
}

// To whom a member has never spoken it is a stranger, whose requests are not heard before it has
// greeted.
func TestUnsentFollowsTheGreeting(t *testing.T) {
	d, n := alone()
	d.sendEncoded("x", membership.Who{}, []byte("ask"))
	n.up = true
	d.Up(Other{ID: "x"})
	if len(n.sent) != 2 || string(n.sent[1]) != "ask" {
		t.Fatalf("%d frames were sent, want a greeting and what waited: %.20q", len(n.sent), n.sent)
	}
	if m, err := wire.NewCodec().Decode(n.sent[0]); err != nil || m.Body.Kind() != membership.KindHello {
		t.Errorf("%T was said first (%v), want a greeting", m.Body, err)
	}
}

// What is said to a host that one event has dialled waits for that, wherever in the event it is
// said, and also where it comes of an effect: of a run that ends submitters are told the last.
// The machine counts them as being dialled, and orders no second dial.
func TestDialsComeBeforeWhatIsSaid(t *testing.T) {
	d, n := alone()
	who := peer.Send{To: "x", Message: peer.Message{Body: membership.Who{}}}
	d.Do(append([]peer.Effect{who}, append(d.machine.Reach(n.Now(), "x"), who)...))
	if a := d.dialling["x"]; len(n.dials) != 1 || a == nil || len(a.unsent) != 2 {
		t.Fatalf("%d dials, and what waits for it is %+v", len(n.dials), a)
	}
	n.up = true
	d.Up(Other{ID: "x"})
	if len(n.sent) != 3 {
		t.Errorf("%d frames were sent, want a greeting and what waited", len(n.sent))
	}
}

// What waits for a dial goes when the other end has come first, though the dial fails.
func TestUnsentGoesThoughItsDialFails(t *testing.T) {
	d, n := alone()
	d.sendEncoded("x", membership.Who{}, []byte("ask"))
	n.up = true
	d.Up(Other{ID: "x"})
	d.Dialled("x", Silent)
	if len(n.sent) != 2 || string(n.sent[1]) != "ask" {
		t.Errorf("%d frames were sent, want a greeting and what waited: %.20q", len(n.sent), n.sent)
	}
}

// Of two dials of one host that are under way together the machine hears when both are over, and
// what is the more certain of it. There is no third.
func TestTwoDialsHaveOneOutcome(t *testing.T) {
	for _, x := range []struct {
		name   string
		comes  []DialOutcome
		denied bool
		up     bool // for a while
	}{
		{"nobody at either", []DialOutcome{Nobody, Nobody}, false, false},
		{"one is silent", []DialOutcome{Silent, Nobody}, false, false},
		{"it refuses at the second", []DialOutcome{Silent, Denied}, true, false},
		{"it is up by one of them", []DialOutcome{Reached, Silent}, false, true},
	} {
		d, n := alone()
		d.Do(d.machine.Reach(n.Now(), "x"))
		for range 3 {
			d.dial(membership.Dial{ID: "x"})
		}
		if len(n.dials) != 2 {
			t.Fatalf("%s: %d dials", x.name, len(n.dials))
		}
		d.Dialled("x", x.comes[0])
		if !d.IsDialling("x") {
			t.Errorf("%s: both are over with the first", x.name)
		}
		if x.up {
			d.Up(Other{ID: "x"})
			d.Down("x", Broken)
		}
		d.Dialled("x", x.comes[1])
		if d.IsDialling("x") {
			t.Errorf("%s: it is being dialled", x.name)
		}
		n.now += 30 * time.Second
		d.Do(d.machine.Reach(n.Now(), "x"))
		if dialled := len(n.dials) == 3; dialled == x.denied {
			t.Errorf("%s: dialled later: %v", x.name, dialled)
		}
	}
}

// A session that is over when its dial returns is not taken for one that stands: nobody would dial
// its host again.
func TestASessionMayEndBeforeItsDialReturns(t *testing.T) {
	d, _ := alone()
	d.sendEncoded("x", membership.Who{}, []byte("hello"))
	d.Up(Other{ID: "x"})
	d.Down("x", Broken)
	d.Dialled("x", Reached)
	if d.machine.Sight().Book().HasSession("x") || d.IsDialling("x") {
		t.Error("a session that is over is held to stand")
	}
}

// Whom the machine bars the carrier keeps out, until the bar is lifted or forgotten. One that a
// host refuses as barred ends, unless that host is barred here or nobody has let this one in yet:
// then it is no more than a refusal.
func TestTheBarredAreKeptOut(t *testing.T) {
	d, n := alone()
	d.entry.in = true
	d.Do(d.machine.Bar(n.Now(), "x", true))
	d.shutOut("x")
	if len(n.ends) > 0 {
		t.Errorf("one that is barred here ends this peer: %v", n.ends)
	}
	d.Do(d.machine.Bar(n.Now(), "x", false))
	d.Do([]peer.Effect{membership.Unbarred{ID: "y"}})
	if want := []string{"xtrue", "xfalse", "yfalse"}; !slices.Equal(n.bars, want) {
		t.Errorf("the carrier was told %v, want %v", n.bars, want)
	}
	d.dial(membership.Dial{ID: "x"})
	d.Dialled("x", Barred)
	d.Down("x", ShutOut)
	if want := []peer.Effect{membership.Banned{}}; !slices.Equal(n.ends, want) {
		t.Errorf("one that is shut out ends because of %v", n.ends)
	}
	outside, n := alone()
	outside.dial(membership.Dial{ID: "x"})
	outside.Dialled("x", Barred)
	if len(n.ends) > 0 {
		t.Errorf("one that was not let in is said to be barred: %v", n.ends)
	}
}

// nesting has another event come of some that its owner is told of.
type nesting struct {
	*network
	within func(peer.Effect)
}

func (n nesting) Tell(e peer.Effect) {
	n.network.Tell(e)
	n.within(e)
}

// Events within, however many effects they have, leave those of the event around them as they are;
// and what was carried out is held no longer.
func TestEventsWithin(t *testing.T) {
	d, n := alone()
	rejoined := func(join uint64) peer.Effect {
		return membership.Rejoined{Incarnation: membership.Incarnation{Join: join}}
	}
	n.rest = nil
	d.owner = nesting{n, func(e peer.Effect) {
		if r, ok := e.(membership.Rejoined); ok && r.Incarnation.Join < 3 {
			var many []peer.Effect
			for range 100 {
				many = append(many, peer.WentOn{})
			}
			d.Do(append(many, rejoined(r.Incarnation.Join+2)))
		}
	}}
	d.Do([]peer.Effect{rejoined(1), rejoined(2)})
	var order []uint64
	for _, e := range n.rest {
		if r, ok := e.(membership.Rejoined); ok {
			order = append(order, r.Incarnation.Join)
		}
	}
	if !slices.Equal(order, []uint64{1, 3, 2, 4}) || len(n.rest) != 204 {
		t.Errorf("of %d effects those of the events are carried out as %v", len(n.rest), order)
	}
	for _, e := range d.doing[:cap(d.doing)] {
		if e != nil {
			t.Fatalf("%v is held", e)
		}
	}
}

// The owner hears once that an event is over, whatever events are within.
func TestDoneIsHeardOnce(t *testing.T) {
	d, n := alone()
	n.done = 0
	d.Do([]peer.Effect{
		peer.Send{To: "x", Message: peer.Message{Body: peer.Pull{}}}, // with a dial within
		peer.WentOn{},
	})
	if n.done != 1 || len(n.dials) != 1 || !slices.Equal(n.rest, []peer.Effect{peer.WentOn{}}) {
		t.Errorf("heard %d times that it was done, %d dials, %v for the owner", n.done, len(n.dials), n.rest)
	}
}
