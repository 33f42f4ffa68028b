package control

import (
	"errors"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
)

// dialled tells the machine what a dial came to.
func (l *Loop) dialled(id membership.PeerID, err error) {
	if err == nil {
		l.driver.Dialled(id, driver.Reached)
		return
	}
	if !l.driver.Entered() && l.machine.Sight().Book().IsNamed(id) {
		l.joining.failed(err)
	}
	switch {
	case isShutOut(err):
		l.driver.Dialled(id, driver.Barred)
	case isAnswer(err) && !(l.joining.past && isUnlisted(err)):
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
	var refused *p2p.DeniedError
	return errors.As(err, &refused) && refused.Why != p2p.WhyGarbled && refused.Why != p2p.WhySelf
}

// isUnlisted tells whether a host is not on this one's own list of those who are allowed. That is
// no word of the grid's: one that has its state folder from before goes on without such hosts.
func isUnlisted(err error) bool {
	var refused *p2p.DeniedError
	return errors.As(err, &refused) && refused.Why == p2p.WhyNotAllowed && refused.Here
}

// isShutOut tells whether a dial failed because the other end has barred this peer.
func isShutOut(err error) bool {
	var refused *p2p.DeniedError
	return errors.As(err, &refused) && refused.Why == p2p.WhyBarred && !refused.Here
}
