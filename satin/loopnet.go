package satin

import (
	"errors"
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

const (
	// topicGrid carries what all members should hear.
	topicGrid = "/satin/grid/1"

	// bulkAbove is the length above which a message has a stream of its own, so that no steal waits behind it.
	bulkAbove = 16 << 10

	// unsentMax bounds the bytes of what waits for one peer to be reached: what is said to it first.
	unsentMax = 64 << 10

	// warnEvery bounds how often the log says that a peer cannot be understood.
	warnEvery = time.Second
)

// send carries a message to one peer. If no session is up and the peer is being dialled, a message that is no bulk waits for that.
// It is lost, as messages may be, when the dial fails.
func (l *loop) send(to membership.PeerID, m peer.Message) {
	if n := peer.Size(m.Body); n > bulkAbove {
		m.Body = peer.Detached(m.Body)
		l.sendBulk(to, m.Body, n, func() []byte { return l.encode(m) })
		return
	}
	l.sendBytes(to, m.Body, l.encode(m))
}

// encode makes a message's bytes.
func (l *loop) encode(m peer.Message) []byte {
	data, err := wire.Encode(m)
	if err != nil {
		panic("satin: BUG: " + err.Error())
	}
	l.conf.watch("encode a message", m.Body, len(data))
	return data
}

// sendBytes carries an encoded message. Its body, if that is known, tells it from others.
func (l *loop) sendBytes(to membership.PeerID, body membership.Body, data []byte) {
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

// sendUnsent sends what waited for a peer that is up now, before anything else. A thief that has just joined would else wait
// long for the answer to a request that nobody has got.
func (l *loop) sendUnsent(to membership.PeerID) {
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

// sendBulk sends a long message on a stream of its own, and encodes it there. What is under way already goes no second time: repeated messages would else
// share a slow link with the first until none of them gets through.
func (l *loop) sendBulk(to membership.PeerID, body membership.Body, n int, encode func() []byte) {
	if !l.underway.mayGo(to, body, n) {
		return
	}
	arrived := l.underway.begin(to, body, n)
	l.crew.Add(1)
	go func() {
		defer l.crew.Done()
		data := encode()
		err := l.carrier.SendBulk(l.ctx, string(to), nil, data) // which knows how slow a link may be
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

// bulkFrom is how long a message may be that comes from a peer, if that is more than this one was told: what a run was promised when it was
// submitted, every member carries. The outcome of a run must not be whose jobs went where. Clients bring roots, which have a bound of their own.
func (l *loop) bulkFrom(id string) int64 {
	if _, client := l.clients.Load(id); client {
		return 0
	}
	return l.promised.Load() + bulkAbove
}

// publish gossips a message, a hint. One that is too long for that is left to the digests.
func (l *loop) publish(m peer.Message) {
	if data := l.encode(m); len(data) <= p2p.MessageMax {
		l.carrier.Publish(topicGrid, data) // nobody there is no failure
		l.wentToAll(len(data))
	}
}

// events is what the carrier calls, on goroutines of its own.
func (l *loop) events() p2p.Events {
	return p2p.Events{
		PeerUp: func(up p2p.Up) {
			id, client := membership.PeerID(up.ID), l.conf.Door.IsClient(up.Hello)
			if client { // before its first frame is read
				l.clients.Store(up.ID, true)
			}
			l.post(func() {
				l.machine.Proved(id, client)
				delete(l.parted, id)
				l.sendUnsent(id)
				l.machine.Listens(l.carrier.Addrs())
				l.do(l.machine.Connected(l.now(), id, up.Addrs...))
			})
		},
		PeerDown: func(id string, how p2p.How) {
			l.clients.Delete(id)
			l.post(func() {
				l.hearOut()
				if how == p2p.Barred {
					l.shutOut(membership.PeerID(id))
				}
				if how == p2p.Twin {
					l.cancel(ErrTwin)
				}
				l.parts(membership.PeerID(id), how)
				l.do(l.machine.Reset(l.now(), membership.PeerID(id)))
			})
		},
		Frame:   func(id string, frame []byte) { l.receive(id, frame, true) },
		Bulk:    func(id string, _, body []byte) { l.receive(id, body, true) },
		Message: func(_, from string, data []byte) { l.receive(from, data, false) },
	}
}

// hearOut takes what has come in so far: the last words of a peer before the end of its session.
func (l *loop) hearOut() {
	for n := len(l.frames); n > 0; n-- {
		l.arrived(<-l.frames)
	}
}

// parts notes whether a member's session ended with a goodbye, which a process that is killed does not say.
func (l *loop) parts(id membership.PeerID, how p2p.How) {
	for _, m := range l.machine.Members() {
		if m.ID == id && how == p2p.Closed {
			l.parted[id] = true
		}
	}
}

// receive decodes what came in and queues it. Whoever sends what cannot be decoded is hung up on, and whoever sends too much waits.
func (l *loop) receive(from string, data []byte, session bool) {
	l.conf.watch("decode a message", nil, len(data))
	m, err := messages.Decode(data)
	if err != nil {
		if session && !errors.Is(err, wire.ErrKind) {
			if last := l.warned.Load(); int64(l.now()) > last && l.warned.CompareAndSwap(last, int64(l.now()+warnEvery)) {
				l.conf.log().Warn("a peer sent what cannot be read, and was hung up on", "peer", from, "error", err)
			}
			l.carrier.HangUp(from)
		}
		return
	}
	if session {
		l.rations.wait(l.ctx, from, m.Body, len(data))
	}
	_, client := l.clients.Load(from)
	select {
	case l.frames <- arrival{membership.PeerID(from), m, client}:
	case <-l.ctx.Done():
	}
}

// memberJoined tells of a new member.
func (l *loop) memberJoined(m membership.Member) {
	l.far.met(m)
	for _, sub := range l.subs {
		sub.account.joined(m)
	}
	l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
	no, ok := l.unnamed[m.ID]
	delete(l.unnamed, m.ID)
	if ok && l.masters[no] == m.ID {
		l.reignBegins(no, m.ID)
	}
}

// memberLost forgets a member.
func (l *loop) memberLost(e membership.Lost) {
	id := e.Member.ID
	how := howOf(e.Member, l.parted[id], l.conf.Client)
	l.lossBegins(e.Member)
	for _, sub := range l.subs {
		sub.account.lost(e, how)
		if l.conf.NoFT && how != membership.Went {
			l.cancelSub(sub, fmt.Errorf("satin: %s was lost, and fault tolerance is off", e.Member.Name))
		}
	}
	l.tell(Event{
		Kind: EventLost, Peer: e.Member.Name, ID: string(id), Site: string(e.Member.Site), How: how.String(), Noticed: e.Noticed,
		Late: how == membership.Went && l.late[id],
	})
	delete(l.parted, id)
	delete(l.late, id)
	delete(l.far.sites, id)
}
