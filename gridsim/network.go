package gridsim

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/satin/peer"
)

// network is who can be dialled where and who has a session with whom. It carries what hosts say,
// as far as it passes.
type network struct {
	time   *timeline
	who    *population
	opts   *Options
	draw   *rand.Rand
	report *Report
	codec  packets
	note   func(h *host, what string, kind uint8, a, b uint64)

	places    map[string]*host // who listens there, or was the last to
	graph     uint64           // counts changes of who has a session with whom
	dividedAt uint64           // the graph that the hosts' groups are of
	moves     int              // how often a host has come to be elsewhere …
	movedAt   time.Duration    // … and when the last did

	links      map[[2]int]*link
	shared     *sharing // nil: links are all that there is
	cuts       []*cut
	everCut    []*cut        // all that there ever were
	gossipLost time.Duration // until then most of what is published is lost
	losers     int           // faults that say so, and have lost nothing yet
	calm       bool          // nothing is lost any more: the faults have stopped
	lastSubmit peer.Message  // of the submitter
	// messages that wait for their delivery to be chosen, where all orders are explored
	mail *mail
	// a planted defect of the protocol, for tests: change a message, or say that it is never
	// sent
	spoil func(*peer.Message) bool

	have  []holding   // room, …
	lack  []*host     // … both for relay
	spare []*oncoming // room for messages that will be on their way
}

// settleAt gives a host a place.
func (n *network) settleAt(h *host, at string) {
	h.place = at
	n.places[at] = h
	n.graph++
}

// freePlaces are those of hosts that are gone, in the order of their start.
func (n *network) freePlaces() (free []string) {
	for _, h := range n.who.hosts {
		if !h.up && n.places[h.place] == h {
			free = append(free, h.place)
		}
	}
	return free
}

// drawPlace is where a host listens that comes: where nobody was, or, as ports and addresses are
// taken anew, where one was that is gone.
func (n *network) drawPlace() string {
	if free := n.freePlaces(); len(free) > 0 && n.draw.IntN(4) == 0 {
		return free[n.draw.IntN(len(free))]
	}
	return place(n.who.started)
}

// at is who listens at an address, or was the last to do so.
func (n *network) at(addr string) *host {
	return n.places[addr[:max(len(addr)-len(idOf(addr))-len("/p2p/"), 0)]]
}

// all are the sessions of the world that stand, each once, in the order of their hosts' start.
func (n *network) all(of func(*session) bool) (list []*session) {
	for k, h := range n.who.hosts {
		for _, o := range n.who.hosts[:k] {
			if s := h.sessions[o.id]; s != nil && !s.over && s.other(h) == o && of(s) {
				list = append(list, s)
			} else if s := o.sessions[h.id]; s != nil && !s.over && s.other(o) == h && h.sessions[o.id] != s && of(s) {
				list = append(list, s)
			}
		}
	}
	return list
}

// relayFor is who passes on what two hosts say to each other of which one cannot be dialled; nil
// where that is not needed, or nobody can.
func (n *network) relayFor(from, to *host) *host {
	if !to.natted {
		return nil
	}
	for _, r := range n.who.hosts {
		s := r.sessions[to.id]
		if r.up && !r.natted && r != from && s != nil && !s.over && s.relay == nil && !n.isCut(from, r) && !n.isCut(r, to) && !r.client {
			return r
		}
	}
	return nil
}

// joined tells whether what one publishes comes to the other while nothing is cut: sessions join
// them, by way of members. Clients pass nothing on.
func (n *network) joined(from, to *host) bool {
	switch {
	case from.client && to.client:
		return from.meets(to) || slices.ContainsFunc(from.groups, func(no int) bool { return slices.Contains(to.groups, no) })
	case from.client:
		return slices.Contains(from.groups, to.groupNo)
	case to.client:
		return slices.Contains(to.groups, from.groupNo)
	}
	return from.groupNo == to.groupNo
}

// divide finds out to which group of connected hosts each member belongs, and to which ones each
// client has sessions: gossip goes no further.
func (n *network) divide() {
	if n.dividedAt == n.graph {
		return
	}
	n.dividedAt = n.graph
	for _, h := range n.who.hosts {
		h.groupNo, h.groups = 0, h.groups[:0]
	}
	next := 0
	var walk []*host
	for _, h := range n.who.hosts {
		if !h.up || h.groupNo != 0 || h.client {
			continue
		}
		next++
		h.groupNo = next
		for walk = append(walk[:0], h); len(walk) > 0; {
			at := walk[len(walk)-1]
			walk = walk[:len(walk)-1]
			for _, o := range n.who.hosts {
				switch {
				case !o.up || o.groupNo == next || !at.meets(o):
				case !o.client && o.groupNo == 0:
					o.groupNo = next
					walk = append(walk, o)
				case o.client && !slices.Contains(o.groups, next):
					o.groups = append(o.groups, next)
				}
			}
		}
	}
}
