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
)

// network is a carrier that notes what it is told, and an owner whose clock stands.
type network struct {
	up    bool
	sent  [][]byte
	dials []membership.Dial
	bulks []func(up bool) // on their way
	rest  []peer.Effect
	done  int

	entered int
	bars    []string
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

func (*network) Publish([]byte)           {}
func (n *network) Dial(d membership.Dial) { n.dials = append(n.dials, d) }
func (*network) Now() time.Duration       { return time.Hour }
func (n *network) Else(e peer.Effect)     { n.rest = append(n.rest, e) }
func (n *network) Entered()               { n.entered++ }
func (n *network) Done()                  { n.done++ }

// alone is a driver of a member that knows where x is.
func alone() (*Driver, *network) {
	m := peer.New(peer.Config{
		Member: membership.Config{ID: "me"}, Sessions: true,
		Known: []addresses.Known{{ID: "x", Addrs: []string{"/somewhere/p2p/x"}}},
	}, rand.New(rand.NewPCG(1, 2)))
	n := new(network)
	d := New(m, n, quiet{}, n, nil)
	m.Found(n.Now())
	return d, n
}

// before is a driver of a peer that knows nobody, and has not begun to look for a grid.
func before() (*Driver, *network) {
	m := peer.New(peer.Config{Member: membership.Config{ID: "me"}}, rand.New(rand.NewPCG(1, 2)))
	n := new(network)
	return New(m, n, quiet{}, n, nil), n
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
	d.dialling["z"] = new(attempt)
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
	d.Up("x", false)
	if len(n.sent) != 2 || string(n.sent[1]) != "ask" {
		t.Fatalf("%d frames were sent, want a greeting and what waited: %.20q", len(n.sent), n.sent)
	}
	if m, err := wire.NewCodec().Decode(n.sent[0]); err != nil || m.Body.Kind() != membership.KindHello {
		t.Errorf("%T was said first (%v), want a greeting", m.Body, err)
	}
}

// What waits for a dial goes when the other end has come first, though the dial fails.
func TestUnsentGoesThoughItsDialFails(t *testing.T) {
	d, n := alone()
	d.sendEncoded("x", membership.Who{}, []byte("ask"))
	n.up = true
	d.Up("x", false)
	d.Dialled("x", Silent)
	if len(n.sent) != 2 || string(n.sent[1]) != "ask" {
		t.Errorf("%d frames were sent, want a greeting and what waited: %.20q", len(n.sent), n.sent)
	}
}

// A session that is over when its dial returns is not taken for one that stands: nobody would dial
// its host again.
func TestASessionMayEndBeforeItsDialReturns(t *testing.T) {
	d, _ := alone()
	d.sendEncoded("x", membership.Who{}, []byte("hello"))
	d.Up("x", false)
	d.Down("x")
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
	d.ShutOut("x")
	if len(n.rest) > 0 {
		t.Errorf("one that is barred here ends this peer: %v", n.rest)
	}
	d.Do(d.machine.Bar(n.Now(), "x", false))
	d.Do([]peer.Effect{membership.Unbarred{ID: "y"}})
	if want := []string{"xtrue", "xfalse", "yfalse"}; !slices.Equal(n.bars, want) {
		t.Errorf("the carrier was told %v, want %v", n.bars, want)
	}
	d.Dialled("x", Barred)
	if want := []peer.Effect{membership.Banned{}}; !slices.Equal(n.rest, want) {
		t.Errorf("one that is shut out goes on: %v", n.rest)
	}
	outside, n := alone()
	outside.Dialled("x", Barred)
	if len(n.rest) > 0 {
		t.Errorf("one that was not let in is said to be barred: %v", n.rest)
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
