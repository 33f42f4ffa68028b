package p2p

import (
	"context"
	"sync"
	"time"
)

// pace keeps large values from standing in the way of small frames. All
// streams of a connection share its TCP stream, and what is in it must be
// carried, and decrypted, before a frame that comes later. So the transfers to
// one peer together have no more under way than the path takes without
// queueing: as in TCP Vegas and LEDBAT (RFC 6817, section 2.4), the window
// grows while acknowledgements come as fast as they ever did, and shrinks when
// they come later.
//
// TCP does not do it, whose window is of the whole connection, frames included,
// and which fills the queue. Measured with round trips during values of 1 MiB
// over one connection through a token bucket (Linux's tbf, 200 ms of buffer),
// half of the frames waited longer than
//
//   - 11 ms with a pace and 22 ms without, at 50 Mbit/s, under cubic and under BBR;
//   - 51 ms with a pace and 114 ms without, at 10 Mbit/s.
//
// The values came as fast. Over a connection of their own, which would cost
// each pair a second proof, and through a relay a second circuit, they left
// small messages 1 to 18 ms: no less.
type pace struct {
	mu      sync.Mutex    // protects what follows
	window  int           // bytes that may be under way
	flying  int           // bytes that are
	base    time.Duration // how fast an acknowledgement comes without a queue
	shrunk  time.Time     // when the window last shrank
	changed chan struct{} // closed when there may be room
}

const (
	paceMin = 2 * bulkChunk
	// paceMax is what fills 10 Gbit/s over 25 ms.
	paceMax = 32 << 20
	// paceSlack is how much later than ever an acknowledgement may come on a
	// path without any length: scheduling alone takes that long.
	paceSlack = 100 * time.Microsecond
	// paceForget is how slowly the shortest time is forgotten, in
	// acknowledgements: paths change. Every shrinking empties the queue, so a
	// time that is still right is seen again long before.
	paceForget = 4096
)

func newPace() *pace {
	return &pace{window: paceMin, changed: make(chan struct{})}
}

// acquire waits for room for n bytes.
func (p *pace) acquire(ctx context.Context, n int) error {
	for {
		p.mu.Lock()
		if p.flying == 0 || p.flying+n <= p.window {
			p.flying += n
			p.mu.Unlock()
			return nil
		}
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// release gives back n bytes of a transfer that failed.
func (p *pace) release(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.landed(n)
}

// landed takes n bytes out of the air. The caller holds mu.
func (p *pace) landed(n int) {
	p.flying -= n
	if p.flying < 0 {
		panic("p2p: BUG: more bytes acknowledged than sent")
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// acknowledged says that n bytes arrived which were sent a while ago.
func (p *pace) acknowledged(n int, took time.Duration, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	full := p.flying+n > p.window/2
	p.landed(n)
	p.base += p.base / paceForget
	if p.base == 0 || took < p.base {
		p.base = took
	}
	switch {
	case took > p.base+p.base/2+paceSlack:
		if now.Sub(p.shrunk) > took { // once for what was under way together
			p.window, p.shrunk = max(p.window/2, paceMin), now
		}
	case !full: // a window that is not used says nothing about the path
	case p.shrunk.IsZero():
		p.window = min(p.window+n/2, paceMax) // half as much again each time round
	default:
		// a chunk more each time round
		p.window = min(p.window+max(1, n*bulkChunk/p.window), paceMax)
	}
}
