package gridsim

import (
	"slices"
	"time"
)

// relayTakes is how long a member has what is published before it has passed it on: it checks
// the signature first.
const relayTakes = 200 * time.Microsecond

// holding is a host that has what was published, and when it came to have it.
type holding struct {
	host *host
	in   time.Duration // from now
}

// publish carries a frame to all, read only once.
func (w *World) publish(from *host, frame []byte) {
	p, ok := w.unpack(from, frame)
	if !ok {
		return
	}
	w.cuts = slices.DeleteFunc(w.cuts, func(c *cut) bool { return w.now >= c.until })
	if len(w.cuts) > 0 {
		w.relay(from, p)
		return
	}
	w.divide()
	for _, to := range w.hosts {
		if to != from && to.up && w.joined(from, to) {
			w.gossips(holding{host: from}, from, to, p)
		}
	}
}

// gossips carries to one host what another has published, from who has it; and says when it
// comes there, if it does.
func (w *World) gossips(has holding, from, to *host, p packet) (in time.Duration, ok bool) {
	switch {
	case w.now < w.gossipLost && w.rng.IntN(4) > 0:
		w.loseGossip()
		return 0, false
	case w.spoil != nil:
		if p, ok = w.spoils(from, p); !ok {
			return 0, false
		}
	}
	return w.carry(has, from, to, p)
}

// relay carries what is published while something is cut: a member that has it passes it on to all
// with whom it has a session and who do not have it yet, unless it is stopped. Each is told once,
// by the first who can: when that is lost, nobody tells it again.
func (w *World) relay(from *host, p packet) {
	lack := w.lack[:0]
	for _, to := range w.hosts {
		if to != from && to.up {
			lack = append(lack, to)
		}
	}
	has := append(w.have[:0], holding{host: from})
	for len(has) > 0 && len(lack) > 0 {
		first := 0
		for n := range has {
			if has[n].in < has[first].in {
				first = n
			}
		}
		at := has[first]
		has = slices.Delete(has, first, first+1)
		if at.host != from && (at.host.client || at.host.asleep > w.now) {
			continue
		}
		still := lack[:0]
		for _, to := range lack {
			if w.isCut(at.host, to) || !at.host.meets(to) {
				still = append(still, to)
			} else if in, ok := w.gossips(at, from, to, p); ok {
				has = append(has, holding{to, in + relayTakes})
			}
		}
		lack = still
	}
	w.report.Stopped += uint64(len(lack))
	w.lack, w.have = lack, has
}

// meets tells whether a host has a session with another, through which something can pass.
func (h *host) meets(o *host) bool {
	s := h.sessions[o.id]
	return s != nil && !s.over && s.other(h) == o
}
