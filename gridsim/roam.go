package gridsim

import "fmt"

// Where hosts are: those that come, those that cannot be dialled, and those that
// come to be elsewhere.

// joinNatted starts a peer that can dial, and cannot be dialled.
func (w *World) joinNatted(f Fault) {
	w.start(w.siteOf(f), 1, false, w.contact(nil)).natted = true // before anybody knows of it
}

// metNAT counts that somebody has dialled a host that cannot be.
func (w *World) metNAT(to *host) {
	if !to.counted {
		to.counted = true
		w.report.struck(JoinNatted)
	}
}

// moves gives a peer another address, and its old one, when For has passed, to a peer that
// comes. What passed through its connections is lost, and nobody is told. With N above 0 it is
// behind a NAT from now on.
func (w *World) moves(f Fault) bool {
	who := w.victims(f)
	if len(who) == 0 {
		return false
	}
	h := who[0]
	old := h.place
	delete(w.places, old)
	w.network.moves++
	w.settleAt(h, fmt.Sprintf("/sim/moved/%d", w.network.moves))
	h.natted = h.natted || f.N > 0
	w.movedAt = w.now
	w.note(h, "moves", 0, uint64(w.network.moves), 0)
	for _, s := range w.all(func(s *session) bool { return s.ends[0] == h || s.ends[1] == h || s.relay == h }) {
		w.breaks(s, silentAfter)
	}
	h.turn(0, tag("moved", uint64(w.network.moves)), func() { h.peer.Listens([]string{h.addr()}) })
	w.after(f.For, func() {
		if w.places[old] == nil {
			site := w.siteOf(f)
			w.startAs(w.name(site), site, 1, false, old, w.ticket(w.contact(nil)), false)
		}
	})
	return true
}
