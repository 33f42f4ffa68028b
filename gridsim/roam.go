package gridsim

import "fmt"

// Where hosts are: those that come, those that cannot be dialled, and those that
// come to be elsewhere.

// joinNatted starts a peer that can dial, and cannot be dialled.
func (w *World) joinNatted(f Fault) {
	// before anybody knows of it
	w.start(w.who.siteOf(f), 1, false, w.who.contact(nil)).natted = true
}

// metNAT counts that somebody has dialled a host that cannot be.
func (n *network) metNAT(to *host) {
	if !to.counted {
		to.counted = true
		n.report.struck(JoinNatted)
	}
}

// moves gives a peer another address, and its old one, when For has passed, to a peer that
// comes. What passed through its connections is lost, and nobody is told. With N above 0 it is
// behind a NAT from now on.
func (w *World) moves(f Fault) bool {
	who := w.who.victims(f)
	if len(who) == 0 {
		return false
	}
	h := who[0]
	old := h.place
	delete(w.net.places, old)
	w.net.moves++
	w.net.settleAt(h, fmt.Sprintf("/sim/moved/%d", w.net.moves))
	h.natted = h.natted || f.N > 0
	w.net.movedAt = w.now
	w.note(h, "moves", 0, uint64(w.net.moves), 0)
	for _, s := range w.net.all(func(s *session) bool { return s.ends[0] == h || s.ends[1] == h || s.relay == h }) {
		w.net.breaks(s, silentAfter)
	}
	h.turn(0, tag("moved", uint64(w.net.moves)), func() { h.peer.Listens([]string{h.addr()}) })
	w.after(f.For, func() {
		if w.net.places[old] == nil {
			site := w.who.siteOf(f)
			w.startAs(w.who.name(site), site, 1, false, old, folder{ticket: w.who.ticket(w.who.contact(nil))})
		}
	})
	return true
}
