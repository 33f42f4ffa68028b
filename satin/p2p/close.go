package p2p

import (
	"context"
	"sync"

	"github.com/libp2p/go-libp2p/core/peer"
)

func (h *Host) closed() bool { return h.ctx.Err() != nil }

// Close says goodbye to all peers, which takes a second at most, when one is stuck,
// and then ends everything.
func (h *Host) Close() error {
	h.once.Do(func() {
		h.goodbyes()
		h.goroutines.end()
		h.stop()
		if h.topics != nil {
			h.topics.close()
		}
		if h.relays != nil {
			h.relays.close()
		}
		if h.blank != nil {
			h.blank.Close() // the swarm, and with it every connection
		} else if h.swarm != nil {
			h.swarm.Close()
		}
		h.goroutines.work.Wait()
		h.release()
	})
	return nil
}

// goodbyes ends every session in order, and lets nobody in meanwhile: who dialled again at once
// would see that session end without a goodbye, as if this host had died.
func (h *Host) goodbyes() {
	if h.swarm != nil {
		h.swarm.ListenClose(h.swarm.ListenAddresses()...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), goodbyeTime)
	defer cancel()
	for range 2 { // once more for those who were on their way in
		var all sync.WaitGroup
		for _, s := range h.sessions() {
			all.Go(func() { s.goodbye(ctx, Closed) })
		}
		all.Wait()
	}
}

func (h *Host) sessions() []*session {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []*session
	for _, s := range h.byID {
		all = append(all, s)
	}
	return all
}

// release frees what has no goroutine of ours any more.
func (h *Host) release() {
	if h.cfg.Wan != nil {
		h.cfg.Wan.Close()
	}
	if h.known != nil {
		h.known.Close()
	}
	if h.keys != nil {
		h.keys.Close()
	}
	if h.swarm != nil {
		h.swarm.Peerstore().Close()
	}
	if h.trimmer != nil {
		h.trimmer.Close()
	}
	if h.limits != nil {
		h.limits.Close()
	}
	h.id.close()
}

// session returns the session with a peer, or nil.
func (h *Host) session(id string) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.byID[id]
}

// HangUp ends the session with a peer and its connections, but none that is
// made from now on.
func (h *Host) HangUp(id string) {
	if pid, err := peer.Decode(id); err == nil {
		conns := h.swarm.ConnsToPeer(pid)
		h.disconnect(id, Closed, func() {
			for _, c := range conns {
				c.Close()
			}
		})
	}
}

// disconnect says goodbye to a peer and then closes its connections, without
// waiting for either.
func (h *Host) disconnect(id string, how SessionEnd, hangUp func()) {
	s := h.session(id)
	h.goroutines.run(func() {
		if s != nil {
			ctx, cancel := context.WithTimeout(h.ctx, goodbyeTime)
			defer cancel()
			s.goodbye(ctx, how)
		}
		hangUp()
	})
}

// Bar refuses a peer from now on. Gossip that it signed is dropped too.
func (h *Host) Bar(id string) {
	if pid, err := peer.Decode(id); err == nil {
		h.gate.bar(pid, true)
		h.disconnect(id, Barred, func() { h.swarm.ClosePeer(pid) })
	}
}

// TellTwin ends the session with a peer, whose identity another process has, too.
func (h *Host) TellTwin(id string) { h.disconnect(id, Twin, func() {}) }

// Unbar lets a barred peer in again.
func (h *Host) Unbar(id string) {
	if pid, err := peer.Decode(id); err == nil {
		h.gate.bar(pid, false)
	}
}
