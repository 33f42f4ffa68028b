package control

import (
	"errors"
	"fmt"
	"path/filepath"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
)

// joining is how this peer comes to be in its grid, as people are told of it.
type joining struct {
	known   []addresses.Known // where hosts are, as the state folder said at the start …
	tickets []addresses.Known // … and as the ticket said
	past    bool              // the state folder knew some
	in      chan struct{}     // closed when the grid has let this peer in
	barrier error             // why it is not let in, as far as is known
}

// load reads what the state folder and the ticket say of where hosts are.
func (j *joining) load(c *Config) (err error) {
	if c.State != "" {
		name := filepath.Join(c.State, AddressesFile)
		if j.known, err = readAddresses(name, c.Clock.Date()); err != nil {
			return fmt.Errorf("satin: where the grid was: %w; "+
				"repair it, or remove it to start without a past", err)
		}
	}
	j.past = driver.HasPast(j.known)
	j.tickets = ticketHosts(c.Ticket.Addrs)
	switch {
	case c.WhenAlone == AloneFails && len(j.known)+len(j.tickets) == 0:
		return errors.New("satin: AloneFails, and no address at which anybody could be")
	case c.WhenAlone == AloneFails:
		j.past = false
	case c.WhenAlone == AloneGoesOn:
		j.past = j.past || len(j.known)+len(j.tickets) > 0
	case c.WhenAlone == AloneFoundsAnew:
		j.known, j.past = nil, false
	}
	return nil
}

// failed notes why a host could not be reached that the ticket or the folder names: a refusal says
// the most.
func (j *joining) failed(err error) {
	var refused *p2p.DeniedError
	if j.barrier == nil || errors.As(err, &refused) {
		j.barrier = err
	}
}

// stranded is why a peer ends that nobody has let in.
func (j *joining) stranded(e peer.Stranded) error {
	switch {
	case e.Full:
		return ErrGridFull
	case e.Reached:
		return &StrandedError{errors.New("satin: the grid was reached and did not answer: " +
			"is a peer of it still running?")}
	case j.barrier != nil:
		return &StrandedError{fmt.Errorf("satin: join: %w", j.barrier)}
	}
	return &StrandedError{errors.New("satin: join: there is no address at which anybody could be")}
}

// why is why a peer ends, as its program is told.
func (j *joining) why(e peer.Effect) error {
	switch e := e.(type) {
	case peer.Stranded:
		return j.stranded(e)
	case membership.Banned:
		return ErrBarred
	case driver.Twin:
		return ErrTwin
	case peer.Left:
		if !e.InOrder() {
			return &LateError{Results: e.Lost, Jobs: e.Jobs, Runs: e.Runs}
		}
	}
	return ErrLeft
}
