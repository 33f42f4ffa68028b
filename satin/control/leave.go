package control

import (
	"context"
	"errors"
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// graceDefault is how long a peer takes to leave when it was not told how long it may.
const graceDefault = 20 * time.Second

// Leave makes the peer leave the grid in order within the time that ctx has, and returns when its
// process may end. When ctx ends, it leaves with what it has handed on by then.
func (l *Loop) Leave(ctx context.Context) error {
	within := graceDefault
	if at, ok := ctx.Deadline(); ok {
		within = max(0, at.Sub(l.conf.Clock.Date()))
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
	l.do(l.machine.Leave(l.now(), l.now()+within, heirs))
}

// Order makes a member leave the grid within some time, with its heirs at a site, or anywhere if
// that is "". It returns when the member, this peer or another, is leaving or gone.
func (l *Loop) Order(ctx context.Context, id string, within time.Duration, heirs string) error {
	return l.insist(ctx, id, peer.Order{Within: within, Heirs: membership.Site(heirs)})
}

// Move is Order for a member that may leave only while somebody is at the site of its heirs: where
// it knows of nobody there it stays.
func (l *Loop) Move(ctx context.Context, id string, within time.Duration, heirs string) error {
	o := peer.Order{Within: within, Heirs: membership.Site(heirs), Bound: true}
	return l.insist(ctx, id, o)
}

// insist gives an order, and waits until it is followed.
func (l *Loop) insist(ctx context.Context, id string, o peer.Order) error {
	if l.conf.Client {
		return errors.New("satin: a client is no member, and members take no orders from it")
	}
	done := make(chan error, 1)
	var no peer.OrderNo
	l.ask(func() {
		given, effects, err := l.machine.Order(l.now(), membership.PeerID(id), o)
		if err != nil {
			done <- fmt.Errorf("satin: order %s to leave: %w", id, err)
			return
		}
		no = given
		l.orders.given(no, done)
		l.do(effects)
	})
	select {
	case err := <-done:
		return err
	case <-l.ctx.Done():
	case <-ctx.Done():
		l.ask(func() {
			l.orders.recalled(no)
			l.do(l.machine.Recall(l.now(), no))
		})
	}
	select {
	case err := <-done: // this peer itself may have left by it
		return err
	default:
	}
	if err := l.Err(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// leaves carries out what is about leaving: this peer's, or what a member does.
func (l *Loop) leaves(e peer.Effect) {
	switch e := e.(type) {
	case peer.Ordered:
		text := fmt.Sprintf("%s tells this peer to leave within %v", e.By.Name, e.Order.Within)
		l.conf.log().Warn(text)
	case peer.OrderDone:
		l.orders.done(e)
	case peer.Stayed:
		l.conf.log().Warn("nobody is any more at the site that was to take over: this peer stays")
	case peer.LeavesLate:
		l.leavers.isLate(e.Member)
	case peer.Left:
		if e.InOrder() {
			l.cancel(ErrLeft)
			return
		}
		l.cancel(&LateError{Results: e.Lost, Jobs: e.Jobs})
	}
}
