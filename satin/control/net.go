package control

import (
	"context"
	"errors"
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

const (
	// topicGrid carries what all members should hear.
	topicGrid = "/satin/grid/1"

	// dialPatience bounds one attempt to reach a host.
	dialPatience = 3 * time.Second
)

// toHosts is the carrier as the driver has it: what takes a while is done by goroutines.
type toHosts struct{ l *Loop }

var _ driver.Carrier = toHosts{}

// Encode makes a message's bytes.
func (t toHosts) Encode(m peer.Message) []byte {
	if ask, ok := m.Body.(steal.Ask); ok { // on the loop, as all that is short
		t.l.asking.sent(t.l.now(), ask.Number)
	}
	data, err := wire.Encode(m)
	if err != nil {
		panic("control: BUG: " + err.Error())
	}
	t.l.conf.watch("encode a message", m.Body, len(data))
	return data
}

// Send queues a frame.
func (t toHosts) Send(to membership.PeerID, frame []byte) (up bool) {
	err := t.l.carrier.Send(string(to), frame)
	if err == nil {
		t.l.far.went(to, len(frame))
	}
	return !errors.Is(err, p2p.ErrNotUp)
}

// SendBulk sends a long message in the background.
func (t toHosts) SendBulk(to membership.PeerID, encode func() []byte, over func(up bool)) {
	l := t.l
	l.goroutines.Go(func() {
		data := encode()
		// it knows how slow a link may be
		err := l.carrier.SendBulk(l.ctx, string(to), nil, data)
		l.post(func() {
			if err == nil {
				l.far.went(to, len(data))
			}
			over(!errors.Is(err, p2p.ErrNotUp))
		})
	})
}

// Publish gossips a frame, a hint. One that is too long for that is left to the digests.
func (t toHosts) Publish(frame []byte) {
	if len(frame) <= p2p.MessageMax {
		t.l.carrier.Publish(topicGrid, frame) // nobody there is no failure
		t.l.far.wentToAll(len(frame))
	}
}

// BytesFar is how many bytes this process has sent to other sites.
func (t toHosts) BytesFar() int64 { return t.l.far.bytes() }

// Bar makes the carrier refuse a host, or no more.
func (t toHosts) Bar(id membership.PeerID, barred bool) {
	if barred {
		t.l.carrier.Bar(string(id))
	} else {
		t.l.carrier.Unbar(string(id))
	}
}

// TellTwin tells a host that another process has its identity.
func (t toHosts) TellTwin(id membership.PeerID) { t.l.carrier.TellTwin(string(id)) }

// Dial reaches for a host in the background, as the machine has ordered, and tells it what came of
// it.
func (t toHosts) Dial(d membership.Dial) {
	l := t.l
	l.goroutines.Go(func() {
		ctx, stop := within(l.ctx, l.conf.Clock, dialPatience)
		defer stop()
		_, err := l.carrier.Dial(ctx, d.Addrs...)
		if errors.Is(err, context.Canceled) && l.ctx.Err() == nil {
			err = fmt.Errorf("no answer from %s within %v", d.ID, dialPatience)
		}
		l.post(func() { l.dialled(d.ID, err) })
	})
}
