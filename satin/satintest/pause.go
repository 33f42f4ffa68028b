package satintest

import "satingrid/satin/p2p"

// openGate is what a host that is not paused has.
func openGate() *chan struct{} {
	gate := make(chan struct{})
	close(gate)
	return &gate
}

// Pause holds everything that a host sends and that is sent to it, from now on, as if its
// process had been stopped; Resume lets it all through. The process itself goes on: it finds
// everybody else silent.
func (n *Network) Pause(id string) {
	if h := n.host(id); h != nil && !h.isPaused() {
		gate := make(chan struct{})
		h.gate.Store(&gate)
	}
}

// Resume ends a pause.
func (n *Network) Resume(id string) {
	if h := n.host(id); h != nil && h.isPaused() {
		close(*h.gate.Swap(openGate()))
	}
}

func (h *host) isPaused() bool {
	select {
	case <-*h.gate.Load():
		return false
	default:
		return true
	}
}

// Deafen keeps what others publish from a host, as when its subscription cannot keep up; messages
// to it in person still arrive. With false it hears again.
func (n *Network) Deafen(id string, deaf bool) {
	if h := n.host(id); h != nil {
		h.deaf.Store(deaf)
	}
}

// Kill breaks all connections of a host, and lets nobody reach it any more.
func (n *Network) Kill(id string) {
	if h := n.host(id); h != nil {
		h.killed.Store(true)
		h.die(p2p.Reset)
	}
}

// pass waits until a host is not paused; false when the session has ended first.
func (l *link) pass(h *host) bool {
	select {
	case <-*h.gate.Load():
		return true
	case <-l.done:
		return false
	}
}
