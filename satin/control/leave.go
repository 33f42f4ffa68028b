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
// process may end: what it had for its disk is there, unless that takes too long. When ctx ends, it
// leaves with what it has handed on by then.
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
	<-l.over
	l.disksEnd.Do(l.endDisks)
	if err := l.Err(); !errors.Is(err, ErrLeft) {
		return err
	}
	return nil
}

// endDisks waits for the disks of a loop that is over: as long as its peer may take to leave, or a
// little. What they have done by then is there for the next start.
func (l *Loop) endDisks() {
	patience := time.Duration(0)
	if l.machine != nil {
		patience = l.machine.Sight().LeavesBy() - l.now()
	}
	if !l.disks.end(l.conf.Clock, patience, l.disk.close) {
		l.conf.log().Warn("the disk takes too long: what was kept last for the next start may not be there")
	}
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
		given, effects, err := l.driver.Order(membership.PeerID(id), o)
		if err != nil {
			done <- fmt.Errorf("satin: order %s to leave: %w", id, err)
			return
		}
		no = given
		l.orders[no] = done
		l.do(effects)
	})
	select {
	case err := <-done:
		return err
	case <-l.ctx.Done():
	case <-ctx.Done():
		l.ask(func() {
			delete(l.orders, no)
			l.driver.Recall(no)
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

// followed tells who gave an order what came of it.
func (l *Loop) followed(e peer.OrderDone) {
	done := l.orders[e.Order]
	delete(l.orders, e.Order)
	if e.Deserted {
		done <- ErrDeserted
		return
	}
	done <- nil
}
