package satin

// Inside the package: it watches the codec for tests of package satin_test.

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/petermattis/goid"

	"satingrid/orphan"
	"satingrid/satin/peer"
)

// longMax is how long a message may be that is encoded or decoded on the loop: some microseconds.
const longMax = 64 << 10

// Watch tells what is encoded and decoded in this process, from now until end is called.
type Watch struct {
	Long atomic.Int64 // how often something long was, wherever

	mu    sync.Mutex // protects what follows
	loops map[int64]bool
	found []string
}

// WatchLoops begins to watch the loops of some peers, and of those that are added.
func WatchLoops(all ...*Peer) (w *Watch, end func()) {
	w = &Watch{loops: map[int64]bool{}}
	for _, p := range all {
		id := make(chan int64, 1)
		p.pool.outside.(*plane).loop.Post(func() { id <- goid.Get() })
		w.loops[<-id] = true
	}
	see := w.see
	watched.Store(&see)
	return w, func() { watched.Store(nil) }
}

// WatchCopies tells of each copy that is sent in this process, and how long its message is, from
// now until end is called: on the loop of whoever sends it.
func WatchCopies(see func(c orphan.Copy, bytes int)) (end func()) {
	only := func(what string, v any, bytes int) {
		if c, ok := v.(orphan.Copy); ok && what == "encode a message" {
			see(c, bytes)
		}
	}
	watched.Store(&only)
	return func() { watched.Store(nil) }
}

// Found lists what ran on a loop though it may be slow: the program's own values, however
// short, and long messages.
func (w *Watch) Found() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.found
}

func (w *Watch) see(what string, v any, size int) {
	if size > longMax {
		w.Long.Add(1)
	}
	switch v.(type) {
	case *failureOnWire: // ours, and short
		return
	case nil: // a message
		if size <= longMax {
			return
		}
	case peerBody:
		if size <= longMax {
			return
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.loops[goid.Get()] && len(w.found) < 10 {
		w.found = append(w.found, fmt.Sprintf("%s of a %T, %d bytes", what, v, size))
	}
}

// peerBody is what messages are made of.
type peerBody interface{ Kind() uint8 }

var _ peerBody = peer.Record{}
