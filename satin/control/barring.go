package control

import (
	"errors"
	"fmt"

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
