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
func (n *network) publish(from *host, frame []byte) {
	p, ok := n.codec.unpack(from, frame)
	if p.published = true; !ok {
		return
	}
	n.cuts = slices.DeleteFunc(n.cuts, func(c *cut) bool { return n.time.now >= c.until })
	if len(n.cuts) > 0 {
		n.relay(from, p)
		return
	}
	n.divide()
	for _, to := range n.who.hosts {
		if to.id != from.id && to.up && n.joined(from, to) {
			n.gossips(holding{host: from}, from, to, p)
		}
	}
}

// gossips carries to one host what another has published, from who has it; and says when it
// comes there, if it does.
func (n *network) gossips(has holding, from, to *host, p packet) (in time.Duration, ok bool) {
	switch {
	case n.time.now < n.gossipLost && n.draw.IntN(4) > 0:
		n.loseGossip()
		return 0, false
	case n.spoil != nil:
		if p, ok = n.spoils(from, p); !ok {
			return 0, false
		}
	}
	return n.carry(has, from, to, p)
}

// relay carries what is published while something is cut: a member that has it passes it on to all
// with whom it has a session and who do not have it yet, unless it is stopped. Each is told once,
// by the first who can: when that is lost, nobody tells it again.
func (n *network) relay(from *host, p packet) {
	lack := n.lack[:0]
	for _, to := range n.who.hosts {
		if to.id != from.id && to.up {
			lack = append(lack, to)
		}
	}
	has := append(n.have[:0], holding{host: from})
	for len(has) > 0 && len(lack) > 0 {
		first := 0
		for k := range has {
			if has[k].in < has[first].in {
				first = k
			}
		}
		at := has[first]
		has = slices.Delete(has, first, first+1)
		if at.host != from && (at.host.client || at.host.asleep > n.time.now) {
			continue
		}
		still := lack[:0]
		for _, to := range lack {
			if n.isCut(at.host, to) || !at.host.meets(to) {
				still = append(still, to)
			} else if in, ok := n.gossips(at, from, to, p); ok {
				has = append(has, holding{to, in + relayTakes})
			}
		}
		lack = still
	}
	n.report.Stopped += uint64(len(lack))
	n.lack, n.have = lack, has
}

// meets tells whether a host has a session with another, through which something can pass.
func (h *host) meets(o *host) bool {
	s := h.sessions[o.id]
	return s != nil && !s.over && s.other(h) == o
}
