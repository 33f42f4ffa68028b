package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// orderEvery is how often an order is repeated until its effect is seen.
const orderEvery = 300 * time.Millisecond

// graceDefault is how long a peer takes to leave when it was not told how long it may.
const graceDefault = 20 * time.Second

// Leave makes the peer leave the grid in order within the time that ctx has, and returns when its
// process may end. When ctx ends, it leaves with what it has handed on by then.
func (l *Loop) Leave(ctx context.Context) error {
	within := graceDefault
	if at, ok := ctx.Deadline(); ok {
		within = max(0, time.Until(at))
	}
	site := membership.Site(l.conf.HeirSite)
	l.ask(func() { l.leave(within, site) })
	select {
	case <-l.ctx.Done():
	case <-ctx.Done():
		l.ask(func() { l.leave(0, site) })
	}
	<-l.ctx.Done()
	if err := l.Err(); !errors.Is(err, ErrLeft) {
		return err
	}
	return nil
}

// leave begins to leave, or hurries.
func (l *Loop) leave(within time.Duration, heirs membership.Site) {
	l.leaving = true
	l.do(l.machine.Leave(l.now(), l.now()+within, heirs))
}

// follow begins to leave as an order says.
func (l *Loop) follow(o order) {
	if !o.Bound {
		l.leave(o.Within, o.Heirs)
		return
	}
	l.leaving = true
	l.do(l.machine.Move(l.now(), l.now()+o.Within, o.Heirs))
}

// stayed goes on as if this peer had never been about to leave.
func (l *Loop) stayed() {
	l.leaving, l.debt = false, nil
	l.conf.log().Warn("nobody is any more at the site that was to take over: this peer stays")
}

// Order makes a member leave the grid within some time, with its heirs at a site, or anywhere if
// that is "". It returns when the member, this peer or another, is leaving or gone.
func (l *Loop) Order(ctx context.Context, id string, within time.Duration, heirs string) error {
	return l.insist(ctx, id, order{Within: within, Heirs: membership.Site(heirs)})
}

// Move is Order for a member that may leave only while somebody is at the site of its heirs: where
// it knows of nobody there it stays.
func (l *Loop) Move(ctx context.Context, id string, within time.Duration, heirs string) error {
	return l.insist(ctx, id, order{Within: within, Heirs: membership.Site(heirs), Bound: true})
}

// insist gives an order until it is followed.
func (l *Loop) insist(ctx context.Context, id string, o order) error {
	if l.conf.Client {
		return errors.New("satin: a client is no member, and members take no orders from it")
	}
	if id == l.ID() {
		deserted := false
		l.ask(func() {
			if deserted = l.deserted(o); !deserted {
				l.follow(o)
			}
		})
		if deserted {
			return ErrDeserted
		}
		return nil
	}
	to := membership.PeerID(id)
	turn := time.NewTicker(orderEvery)
	defer turn.Stop()
	for {
		stays, deserted := false, false
		l.ask(func() {
			deserted = l.deserted(o)
			for _, m := range l.machine.Members() {
				if m.ID == to && m.State != membership.Leaving {
					stays = true
					if !deserted {
						l.sendMember(m, o)
					}
				}
			}
		})
		if !stays {
			return nil
		}
		if deserted {
			return ErrDeserted
		}
		select {
		case <-turn.C:
		case <-l.ctx.Done():
			return l.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// sendMember sends a message that does not go through the machine.
func (l *Loop) sendMember(to membership.Member, b membership.Body) {
	m := peer.Message{From: l.machine.Self().Incarnation, To: to.Incarnation, Body: b}
	data, err := wire.Encode(m)
	if err != nil {
		panic("control: BUG: " + err.Error())
	}
	l.sendBytes(to.ID, nil, data)
}

// deserted tells that an order is bound to a site where nobody is: one that is only suspected to be
// dead may not be there any more.
func (l *Loop) deserted(o order) bool {
	return o.Bound && !slices.ContainsFunc(l.machine.Members(), func(m membership.Member) bool {
		return m.Site == o.Heirs && m.State == membership.Here
	})
}

// ordered follows an order, if a member gave it to this life of the peer.
func (l *Loop) ordered(a arrival, o order) {
	self := l.machine.Self()
	isMine := !l.conf.Client && a.message.To == self.Incarnation
	if !isMine || self.State != membership.Here || o.Within < 0 || l.deserted(o) {
		return
	}
	for _, m := range l.machine.Members() {
		if m.ID == a.from && m.Incarnation == a.message.From {
			text := fmt.Sprintf("%s tells this peer to leave within %v", m.Name, o.Within)
			l.conf.log().Warn(text)
			l.follow(o)
			return
		}
	}
}

// owe finds out, when this peer leaves, what it leaves undone, and says so before the others hear
// that it has left.
func (l *Loop) owe(effects []peer.Effect) {
	if !l.leaving {
		return
	}
	for _, e := range effects {
		left, ok := e.(peer.Left)
		if !ok {
			continue
		}
		jobs := max(l.machine.Ledger().Borrowed(), l.plane.Executing()) + l.machine.Ledger().Lent()
		if left.Lost == 0 && jobs == 0 {
			return
		}
		l.debt = &LateError{Results: left.Lost, Jobs: jobs}
		for _, m := range l.machine.Members() {
			l.sendMember(m, late{})
		}
		// Gossip may bring the last word first.
		l.publish(peer.Message{From: l.machine.Self().Incarnation, Body: late{}})
	}
}

// left ends the peer.
func (l *Loop) left() {
	if l.debt != nil {
		l.cancel(l.debt)
		return
	}
	l.cancel(ErrLeft)
}

// leavesLate hears that a member is about to leave, and not in order.
func (l *Loop) leavesLate(a arrival) {
	for _, m := range l.machine.Members() {
		if m.ID == a.from && m.Incarnation == a.message.From && !l.conf.Client {
			l.late[m.ID] = true
		}
	}
}
