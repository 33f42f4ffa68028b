package satin

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ID is the peer's id on the grid, under which it can be barred or allowed; "" when it computes
// alone.
func (p *Peer) ID() string {
	if p.loop == nil {
		return ""
	}
	return p.loop.ID()
}

// Members are the peers present on the grid, by name: this one too, unless it is a client. A peer
// that computes alone has none.
func (p *Peer) Members() []Member {
	if p.loop == nil {
		return nil
	}
	return p.loop.Members()
}

// Runs are the runs that the grid computes now, and those whose answers it keeps, the oldest first.
func (p *Peer) Runs() []RunStats {
	if p.loop == nil {
		return nil
	}
	return p.loop.Runs()
}

// Totals is what this peer has done on its grid since it was opened. It takes a moment of the loop;
// a peer that computes alone has none.
func (p *Peer) Totals() Totals {
	if p.loop == nil {
		return Totals{}
	}
	return p.loop.Totals()
}

// CancelRun ends a run of the grid, whoever has submitted it, and a kept answer: its submitters are
// told, and their Wait says so. Any member and any client may. It returns when the run has ended as
// this peer sees it, which takes a round trip where this is not the run's master; when ctx ends
// before, it may still end. The error is [ErrNoRun] where this peer has heard of none for a second.
func (p *Peer) CancelRun(ctx context.Context, id RunID) error {
	if p.loop == nil {
		return fmt.Errorf("%w: %s", ErrNoRun, id.Short())
	}
	return p.loop.CancelRun(ctx, id)
}

// ShareRun gives a run of the grid another share of the workers, from 1 to [ShareMax]: see
// [Config.Share]. Any member and any client may, and of several the last holds. It returns when
// that is known to this peer; its errors are those of [Peer.CancelRun].
func (p *Peer) ShareRun(ctx context.Context, id RunID, n int) error {
	if n < 1 || n > ShareMax {
		return fmt.Errorf("satin: a share is from 1 to %d, not %d", ShareMax, n)
	}
	if p.loop == nil {
		return fmt.Errorf("%w: %s", ErrNoRun, id.Short())
	}
	return p.loop.ShareRun(ctx, id, uint16(n))
}

// Bar declares a peer dead and keeps it out of the grid, by its id, until it is let in again with
// barred false. It returns at once; all members learn it, and the later word holds. Without an
// allow-list this is no revocation: whoever has the secret comes back under a new id. The error
// says that the id is none, or this peer's own, or that this peer has ended.
func (p *Peer) Bar(id string, barred bool) error {
	if p.loop == nil {
		return errors.New("satin: a peer that computes alone has nobody to bar")
	}
	return p.loop.Bar(id, barred)
}

// Leave makes the peer leave the grid in order, and returns when its process may end; Err is
// ErrLeft then. The peer takes no more work and gives back what it has not started. What it
// computes may go on until about half of the time is over, then it is handed on too: all that is
// finished of it goes to an heir, at Config.HeirSite if a peer is there. The others do the rest.
//
// The deadline of ctx is how long this may take, 20 s when it has none; when ctx ends, the peer
// leaves with what it has handed on by then, and the rest is lost as in a crash: the error is a
// *LateError then, and so is Err. Close frees what is left of the peer.
func (p *Peer) Leave(ctx context.Context) error {
	if p.loop == nil {
		return p.Close()
	}
	return p.loop.Leave(ctx)
}

// Order makes a member leave the grid within some time, with its heirs at a site, or anywhere if
// that is "". It returns when the member, this peer or another, is leaving or gone. When ctx ends
// before, the order is not repeated any more, and may be followed all the same. A client may give
// none.
func (p *Peer) Order(ctx context.Context, id string, within time.Duration, heirs string) error {
	if p.loop == nil {
		return errAloneOrders
	}
	return p.loop.Order(ctx, id, within, heirs)
}

// Move is Order for a member that may leave only while somebody is at the site of its heirs: where
// it knows of nobody there it stays. The error is [ErrDeserted] when this peer sees nobody there,
// and nobody was seen to begin to leave by then.
func (p *Peer) Move(ctx context.Context, id string, within time.Duration, heirs string) error {
	if p.loop == nil {
		return errAloneOrders
	}
	return p.loop.Move(ctx, id, within, heirs)
}

var errAloneOrders = errors.New("satin: a peer that computes alone has nobody to give orders to")

// Learn tells a peer of addresses at which hosts of its grid may be, as Addrs and Others have them:
// each ends with a host's id. Those that it has no session with are looked for there.
func (p *Peer) Learn(addrs []string) {
	if p.loop != nil {
		p.loop.Learn(addrs)
	}
}

// Others are addresses of up to ten other hosts of the grid, the one that was reached last first,
// and then of clients that are there; at most two of each. An invitation that names them leads to
// the grid when this peer is gone.
func (p *Peer) Others() (addrs []string) {
	if p.loop == nil {
		return nil
	}
	return p.loop.Others()
}

// Beginning is how this peer came to be in its grid, once it is.
func (p *Peer) Beginning() (b Beginning) {
	if p.loop == nil {
		return b
	}
	return p.loop.Beginning()
}
