package control

import (
	"context"

	"satingrid/satin/control/driver"
	"satingrid/steal"
)

// ID is the peer's id on the grid.
func (l *Loop) ID() string { return string(l.self) }

// Site is the name of the peers near this one.
func (l *Loop) Site() string { return l.conf.Site }

// Addrs are the addresses at which others may join through this peer.
func (l *Loop) Addrs() []string { return l.carrier.Addrs() }

// Done is closed when the loop has ended, or is about to: Err says why.
func (l *Loop) Done() <-chan struct{} { return l.ctx.Done() }

// Err says why the loop has ended, once Done is closed.
func (l *Loop) Err() error { return context.Cause(l.ctx) }

// ask lets the loop answer a question, and returns when it has, or has ended.
func (l *Loop) ask(question func()) {
	done := make(chan struct{})
	l.post(func() {
		defer close(done)
		question()
	})
	select {
	case <-done:
	case <-l.ctx.Done():
		l.goroutines.Wait() // or the answer might be written while it is read
	}
}

// Beginning is how this peer came to be in its grid, once it is.
func (l *Loop) Beginning() (b driver.Beginning) {
	l.ask(func() { b = l.driver.Beginning() })
	return b
}

// known is what is told of a submission that has not ended.
func (l *Loop) known(nonce steal.Nonce) (t told) {
	t.stats, t.progress, _ = l.driver.Statistics(nonce)
	return t
}
