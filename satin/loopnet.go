package satin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
)

const (
	// topicGrid carries what all members should hear.
	topicGrid = "/satin/grid/1"

	// bulkAbove is the length above which a message has a stream of its own, so that no steal waits behind it.
	bulkAbove = 16 << 10

	// dialPatience bounds one attempt to reach a peer.
	dialPatience = 3 * time.Second

	// unsentMax bounds the bytes of what waits for one peer to be reached: what is said to it first.
	unsentMax = 64 << 10

	// dialersMax bounds the redials that wait for one attempt.
	dialersMax = 8

	// warnEvery bounds how often the log says that a peer cannot be understood.
	warnEvery = time.Second

	// dialAllMax is up to how many members each peer keeps a connection to every other.
	dialAllMax = 32
)

// send carries a message to one peer. If no session is up, the peer is dialled, and a message that is no bulk waits for that.
// It is lost, as messages may be, when the dial fails.
func (l *loop) send(to membership.PeerID, m peer.Message) {
	if n := bytesIn(m.Body); n > bulkAbove && !l.underway.mayGo(to, m.Body, n) {
		return // it would be encoded in vain, as often as somebody asks for it
	}
	data, err := encodeMessage(m)
	if err != nil {
		panic("satin: BUG: " + err.Error())
	}
	l.sendBytes(to, m.Body, data)
}

// sendBytes carries an encoded message. Its body, if that is known, tells it from others.
func (l *loop) sendBytes(to membership.PeerID, body membership.Body, data []byte) {
	if len(data) > bulkAbove {
		l.sendBulk(to, body, data)
		return
	}
	if err := l.carrier.Send(string(to), data); errors.Is(err, p2p.ErrNotUp) {
		l.dialMember(to)
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
		_ = l.carrier.Send(string(to), data) // or it is down again
	}
}

// sendBulk sends a long message on a stream of its own. What is under way already goes no second time: repeated messages would else
// share a slow link with the first until none of them gets through.
func (l *loop) sendBulk(to membership.PeerID, body membership.Body, data []byte) {
	if !l.underway.mayGo(to, body, len(data)) {
		return
	}
	arrived := l.underway.begin(to, body, len(data))
	l.crew.Add(1)
	go func() {
		defer l.crew.Done()
		err := l.carrier.SendBulk(l.ctx, string(to), nil, data) // which knows how slow a link may be
		l.post(func() {
			arrived()
			if errors.Is(err, p2p.ErrNotUp) {
				l.dialMember(to)
			}
		})
	}()
}

// publish gossips a message, a hint. One that is too long for that is left to the digests.
func (l *loop) publish(m peer.Message) {
	data, err := encodeMessage(m)
	if err != nil {
		panic("satin: BUG: " + err.Error())
	}
	if len(data) <= p2p.MessageMax {
		l.carrier.Publish(topicGrid, data) // nobody there is no failure
	}
}

// events is what the carrier calls, on goroutines of its own.
func (l *loop) events() p2p.Events {
	return p2p.Events{
		PeerUp: func(up p2p.Up) {
			id := membership.PeerID(up.ID)
			l.post(func() {
				delete(l.parted, id)
				l.sendUnsent(id)
				l.do(l.machine.Connected(l.now(), id))
			})
		},
		PeerDown: func(id string, how p2p.How) {
			l.post(func() {
				l.hearOut()
				if how == p2p.Barred {
					l.shutOut(membership.PeerID(id))
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
	m, err := decodeMessage(data)
	if err != nil {
		if session && !errors.Is(err, errKind) {
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
	select {
	case l.frames <- arrival{membership.PeerID(from), m}:
	case <-l.ctx.Done():
	}
}

// attempt is a dial that is under way.
type attempt struct {
	then   []func(error) // who waits for its outcome
	unsent [][]byte      // messages that wait for it
	bytes  int           // of those
}

// redial tries a connection that broke once more, and tells the machine what came of it.
func (l *loop) redial(e membership.Dial) {
	l.dial(e.ID, e.Addrs, func(err error) {
		switch {
		case err == nil:
			l.do(l.machine.Connected(l.now(), e.ID))
		case errors.Is(err, p2p.ErrNobody):
			l.do(l.machine.ConnectRefused(l.now(), e.ID))
		default:
			if isShutOut(err) {
				l.shutOut(e.ID)
			}
			l.do(l.machine.Unreached(l.now(), e.ID))
		}
	})
}

// dialMember connects to a member that is not connected, or to who has submitted a run.
func (l *loop) dialMember(id membership.PeerID) {
	if addrs := l.machine.AddrsOf(id); len(addrs) > 0 {
		l.dial(id, addrs, nil)
	}
}

// dial reaches for a peer in the background and hands the outcome to then, if there is one, in the loop. Who asks while an
// attempt is under way gets its outcome too.
func (l *loop) dial(id membership.PeerID, addrs []string, then func(error)) {
	a, under := l.dialing[id]
	if !under {
		a = new(attempt)
		l.dialing[id] = a
	}
	if then != nil && len(a.then) < dialersMax {
		a.then = append(a.then, then)
	}
	if under {
		return
	}
	l.crew.Add(1)
	go func() {
		defer l.crew.Done()
		ctx, cancel := context.WithTimeout(l.ctx, dialPatience)
		defer cancel()
		_, err := l.carrier.Dial(ctx, addrs...)
		l.post(func() {
			if err == nil {
				l.sendUnsent(id)
			}
			delete(l.dialing, id)
			for _, then := range a.then {
				then(err)
			}
		})
	}()
}

// memberJoined connects to a new member, while the grid is small enough for everybody to know everybody.
func (l *loop) memberJoined(m membership.Member) {
	for _, sub := range l.subs {
		sub.account.joined(m)
	}
	l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
	no, ok := l.unnamed[m.ID]
	delete(l.unnamed, m.ID)
	if ok && l.masters[no] == m.ID {
		l.reignBegins(no, m.ID)
	}
	if len(l.carrier.Peers()) < dialAllMax {
		l.dial(m.ID, m.Addrs, nil)
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
}

// contactEvery is how often one that has company dials an address of its ticket all the same.
const contactEvery = 5 * time.Second

// keepContact dials the addresses of the ticket, one after another: each second until this peer is in and when it
// has lost everybody, since a peer that it reaches may be on its way in itself; and now and then always. Two that
// joined through one that left at that moment may know of each other and of nobody else, and a client of the grid only
// the one that left: what is in their tickets is all that leads them together.
func (l *loop) keepContact(addrs []string) {
	defer l.crew.Done()
	var last time.Duration
	for turn := 0; l.ctx.Err() == nil; {
		if l.isOutside() || len(l.carrier.Peers()) == 0 || l.now() >= last+contactEvery {
			last = l.now()
			ctx, cancel := context.WithTimeout(l.ctx, dialPatience)
			_, _ = l.carrier.Dial(ctx, addrs[turn%len(addrs)]) // it is tried again
			cancel()
			turn++
		}
		select {
		case <-time.After(time.Second):
		case <-l.ctx.Done():
		}
	}
}

// isOutside tells whether the grid has not let this peer in yet. Any goroutine may ask.
func (l *loop) isOutside() bool {
	select {
	case <-l.joined:
		return false
	default:
		return true
	}
}
