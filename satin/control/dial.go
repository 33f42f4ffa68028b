package control

import (
	"context"
	"errors"
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
)

// dialPatience bounds one attempt to reach a host.
const dialPatience = 3 * time.Second

// finds carries out what the address book wants.
func (l *Loop) finds(e peer.Effect) {
	switch e := e.(type) {
	case membership.Dial:
		l.dial(e)
	case peer.KeepAddresses:
		l.keepAddresses()
	case peer.Stranded:
		l.stranded(e)
	case peer.WentOn:
		l.wentOn()
	}
}

// dial reaches for a host in the background, as the machine has ordered, and tells it what came of
// it.
func (l *Loop) dial(d membership.Dial) {
	if l.dialing[d.ID] != nil {
		return
	}
	a := new(attempt)
	l.dialing[d.ID] = a
	l.goroutines.Add(1)
	go func() {
		defer l.goroutines.Done()
		ctx, cancel := context.WithTimeout(l.ctx, dialPatience)
		defer cancel()
		_, err := l.carrier.Dial(ctx, d.Addrs...)
		l.post(func() {
			if err == nil {
				l.sendUnsent(d.ID)
			}
			delete(l.dialing, d.ID)
			l.dialled(d.ID, err)
		})
	}()
}

// dialled tells the machine what a dial came to.
func (l *Loop) dialled(id membership.PeerID, err error) {
	if err == nil {
		if !l.machine.Book().HasSession(id) { // it has ended again, and may be wanted
			l.do(l.machine.Unreached(l.now(), id))
		}
		return
	}
	l.unjoined(id, err)
	switch {
	case isAnswer(err):
		if l.inside && isShutOut(err) {
			l.shutOut(id)
		}
		l.do(l.machine.Denied(l.now(), id))
	case errors.Is(err, p2p.ErrNobody):
		l.do(l.machine.ConnectRefused(l.now(), id))
	default:
		l.do(l.machine.Unreached(l.now(), id))
	}
	var other *p2p.AnotherError
	if errors.As(err, &other) {
		for _, m := range other.Met {
			l.do(l.machine.Met(l.now(), m.Addr, membership.PeerID(m.ID)))
		}
	}
}

// isAnswer tells whether a host was found and has refused this one, or this one it.
func isAnswer(err error) bool {
	var refused *p2p.Refusal
	return errors.As(err, &refused) && refused.Why != p2p.WhyGarbled && refused.Why != p2p.WhySelf
}

// unjoined notes why this peer is not let in: a refusal says the most.
func (l *Loop) unjoined(id membership.PeerID, err error) {
	var refused *p2p.Refusal
	if !l.inside && l.machine.Book().IsNamed(id) && (l.barrier == nil || errors.As(err, &refused)) {
		l.barrier = err
	}
}

// stranded ends a peer that nobody has let in.
func (l *Loop) stranded(e peer.Stranded) {
	err := errors.New("satin: join: there is no address at which anybody could be")
	switch {
	case e.Full:
		l.cancel(ErrGridFull)
	case e.Reached:
		err = errors.New("satin: the grid was reached and did not answer: " +
			"is a peer of it still running?")
	case l.barrier != nil:
		err = fmt.Errorf("satin: join: %w", l.barrier)
	}
	l.cancel(&StrandedError{err})
}
