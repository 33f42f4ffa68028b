package control

import (
	"context"
	"errors"
	"fmt"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// commandDone tells who gave a command about a run what came of it; the machine bounds those that
// are under way.
func (l *Loop) commandDone(e peer.CommandDone) {
	done := l.commands[e.Command]
	delete(l.commands, e.Command)
	switch {
	case done == nil:
	case e.NoRun:
		done <- ErrNoRun
	case e.Failed:
		done <- errNotDone
	default:
		done <- nil
	}
}

// CancelRun ends a run of the grid, whoever has submitted it, and returns when it is over here.
func (l *Loop) CancelRun(ctx context.Context, id steal.Key) error {
	return l.command(ctx, id, peer.Cancel{})
}

// ShareRun gives a run another share of the workers, and returns when that is known here.
func (l *Loop) ShareRun(ctx context.Context, id steal.Key, share uint16) error {
	return l.command(ctx, id, peer.Reshare{Share: share})
}

// command gives a command about the run of that id, and waits until it was done. What was said is
// not taken back when ctx ends.
func (l *Loop) command(ctx context.Context, id steal.Key, what peer.Commanded) error {
	done := make(chan error, 1)
	l.post(func() {
		no, effects, err := l.machine.Command(l.now(), id, what)
		if err != nil {
			done <- err
			return
		}
		l.commands[no] = done
		l.do(effects)
	})
	select {
	case err := <-done:
		if errors.Is(err, ErrNoRun) {
			err = fmt.Errorf("%w: %s", err, id.Short())
		}
		return err
	case <-ctx.Done():
		return fmt.Errorf("satin: run %s: %w", id.Short(), context.Cause(ctx))
	case <-l.ctx.Done():
		return l.Err()
	}
}
