package control

import (
	"errors"
	"fmt"
	"slices"

	"satingrid/membership"
)

// Bar declares a peer dead and keeps it out of the grid, by its id, until it is let in again with
// barred false.
func (l *Loop) Bar(id string, barred bool) error {
	switch {
	case id == "" || len(id) > membership.IDBytesMax:
		return fmt.Errorf("satin: %q is no peer id", id)
	case id == l.ID():
		return errors.New("satin: a peer cannot bar itself; let it leave")
	}
	l.ask(func() { l.do(l.machine.Bar(l.now(), membership.PeerID(id), barred)) })
	if err := l.ctx.Err(); err != nil {
		return l.Err()
	}
	return nil
}

// barChanged makes the carrier refuse a peer, or no more.
func (l *Loop) barChanged(b membership.Bar) {
	if b.Barred {
		l.carrier.Bar(string(b.ID))
	} else {
		l.carrier.Unbar(string(b.ID))
	}
}

// shutOut ends this peer when another, which it has not barred itself, refuses it as barred.
func (l *Loop) shutOut(by membership.PeerID) {
	barred := slices.ContainsFunc(l.machine.Sight().Bars(), func(b membership.Bar) bool {
		return b.ID == by && b.Barred
	})
	if !barred {
		l.cancel(ErrBarred)
	}
}
