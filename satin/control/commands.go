package control

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// unheardMax is how long a command waits for its run to be heard of, and unheardEvery how often it
// looks: whoever gives it may know of the run before this peer does, above all where this peer has
// just joined.
const (
	unheardMax   = time.Second
	unheardEvery = 20 * time.Millisecond
)

// command gives a command about the run of that id, as soon as it is known here, and waits until it
// was done. What was said is not taken back when ctx ends.
func (l *Loop) command(ctx context.Context, id steal.Key, what peer.Commanded) error {
	for late := time.After(unheardMax); ; {
		err := l.commandNow(ctx, id, what)
		if !errors.Is(err, ErrNoRun) {
			return err
		}
		select {
		case <-late:
			return err
		case <-time.After(unheardEvery):
		case <-ctx.Done():
		case <-l.ctx.Done():
		}
	}
}

// commandNow gives a command about the run of that id, and waits until it was done.
func (l *Loop) commandNow(ctx context.Context, id steal.Key, what peer.Commanded) error {
	done := make(chan error, 1)
	l.post(func() {
		if err := l.give(id, what, done); err != nil {
			done <- err
		}
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("satin: run %s: %w", id.Short(), context.Cause(ctx))
	case <-l.ctx.Done():
		return l.Err()
	}
}

// give gives a command about the run of that id.
func (l *Loop) give(id steal.Key, what peer.Commanded, done chan<- error) error {
	for _, r := range l.machine.Sight().Runs() {
		if r.ID != id {
			continue
		}
		no, effects, err := l.machine.Command(l.now(), r.Run, what)
		if err != nil {
			return err
		}
		l.commands[no] = done
		l.do(effects)
		return nil
	}
	return fmt.Errorf("%w: %s", ErrNoRun, id.Short())
}
