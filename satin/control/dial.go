package control

import (
	"errors"
	"fmt"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
)

// finds carries out what is about this peer's way into its grid.
func (l *Loop) finds(e peer.Effect) {
	switch e := e.(type) {
	case peer.KeepAddresses:
		l.keepAddresses()
	case peer.Stranded:
		l.stranded(e)
	case peer.WentOn:
		l.wentOn()
	}
}

// dialled tells the machine what a dial came to.
func (l *Loop) dialled(id membership.PeerID, err error) {
	if err == nil {
		l.driver.Dialled(id, driver.Reached)
		return
	}
	l.unjoined(id, err)
	switch {
	case isAnswer(err):
		if l.inside && isShutOut(err) {
			l.shutOut(id)
		}
		l.driver.Dialled(id, driver.Denied)
	case errors.Is(err, p2p.ErrNobody):
		l.driver.Dialled(id, driver.Nobody)
	default:
		l.driver.Dialled(id, driver.Silent)
	}
	var other *p2p.AnotherError
	if errors.As(err, &other) {
		for _, m := range other.Met {
			l.driver.Met(m.Addr, membership.PeerID(m.ID))
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
	if !l.inside && l.machine.Sight().Book().IsNamed(id) && (l.barrier == nil || errors.As(err, &refused)) {
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
