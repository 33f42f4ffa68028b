package control

import (
	"errors"
	"time"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

const (
	// topicGrid carries what all members should hear.
	topicGrid = "/satin/grid/1"

	// bulkAbove is the length above which a message has a stream of its own, so that no steal waits
	// behind it.
	bulkAbove = 16 << 10

	// unsentMax bounds the bytes of what waits for one peer to be reached: what is said to it
	// first.
	unsentMax = 64 << 10

	// warnEvery bounds how often the log says that a peer cannot be understood.
	warnEvery = time.Second
)

// send carries a message to one peer. If no session is up and the peer is being dialled, a message
// that is no bulk waits for that. It is lost, as messages may be, when the dial fails.
func (l *Loop) send(to membership.PeerID, m peer.Message) {
	if n := peer.Size(m.Body); n > bulkAbove {
		m.Body = peer.Detached(m.Body)
		l.sendBulk(to, m.Body, n, func() []byte { return l.encode(m) })
		return
	}
	l.sendBytes(to, m.Body, l.encode(m))
}

// encode makes a message's bytes.
func (l *Loop) encode(m peer.Message) []byte {
	data, err := wire.Encode(m)
	if err != nil {
		panic("control: BUG: " + err.Error())
	}
	l.conf.watch("encode a message", m.Body, len(data))
	return data
}

// sendBytes carries an encoded message. Its body, if that is known, tells it from others.
func (l *Loop) sendBytes(to membership.PeerID, body membership.Body, data []byte) {
	if len(data) > bulkAbove {
		l.sendBulk(to, body, len(data), func() []byte { return data })
		return
	}
	err := l.carrier.Send(string(to), data)
	if err == nil {
		l.wentTo(to, len(data))
	}
	if errors.Is(err, p2p.ErrNotUp) {
		if l.dialing[to] == nil {
			l.do(l.machine.Reach(l.now(), to)) // for what the machine does not say itself
		}
		if a := l.dialing[to]; a != nil && a.bytes+len(data) <= unsentMax {
			a.bytes += len(data)
			a.unsent = append(a.unsent, data)
		}
	}
}

// sendUnsent sends what waited for a peer that is up now, and has been greeted. A thief that has
// just joined would else wait long for the answer to a request that nobody has got.
func (l *Loop) sendUnsent(to membership.PeerID) {
	a := l.dialing[to]
	if a == nil {
		return
	}
	all := a.unsent
	a.unsent, a.bytes = nil, 0
	for _, data := range all {
		if l.carrier.Send(string(to), data) == nil { // or it is down again
			l.wentTo(to, len(data))
		}
	}
}

// sendBulk sends a long message on a stream of its own, and encodes it there. What is under way
// already goes no second time: repeated messages would else share a slow link with the first until
// none of them gets through.
func (l *Loop) sendBulk(to membership.PeerID, body membership.Body, n int, encode func() []byte) {
	if !l.underway.mayGo(to, body, n) {
		return
	}
	arrived := l.underway.begin(to, body, n)
	l.goroutines.Add(1)
	go func() {
		defer l.goroutines.Done()
		data := encode()
		err := l.carrier.SendBulk(l.ctx, string(to), nil, data) // it knows how slow a link may be
		l.post(func() {
			arrived()
			if err == nil {
				l.wentTo(to, len(data))
			}
			if errors.Is(err, p2p.ErrNotUp) {
				l.do(l.machine.Reach(l.now(), to))
			}
		})
	}()
}

// publish gossips a message, a hint. One that is too long for that is left to the digests.
func (l *Loop) publish(m peer.Message) {
	if data := l.encode(m); len(data) <= p2p.MessageMax {
		l.carrier.Publish(topicGrid, data) // nobody there is no failure
		l.wentToAll(len(data))
	}
}
