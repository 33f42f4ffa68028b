package gridsim

import "fmt"

// Where hosts are: those that come, those that cannot be dialled, and those that
// come to be elsewhere.

// settleAt gives a host a place.
func (w *World) settleAt(h *host, at string) {
	h.place = at
	w.net.places[at] = h
	w.net.graph++
}

// freePlaces are those of hosts that are gone, in the order of their start.
func (w *World) freePlaces() (free []string) {
	for _, h := range w.hosts {
		if !h.up && w.net.places[h.place] == h {
			free = append(free, h.place)
		}
	}
	return free
}

// drawPlace is where a host listens that comes: where nobody was, or, as ports and addresses are
// taken anew, where one was that is gone.
func (w *World) drawPlace() string {
	if free := w.freePlaces(); len(free) > 0 && w.rng.IntN(4) == 0 {
		return free[w.rng.IntN(len(free))]
	}
	return place(w.started)
}

// joinNatted starts a peer that can dial, and cannot be dialled.
func (w *World) joinNatted(f Fault) {
	w.start(w.siteOf(f), 1, false, w.contact(nil)).natted = true // before anybody knows of it
}

// metNAT counts that somebody has dialled a host that cannot be.
func (w *World) metNAT(to *host) {
	if !to.counted {
		to.counted = true
		w.struck(JoinNatted)
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
	delete(w.net.places, old)
	w.net.moves++
	w.settleAt(h, fmt.Sprintf("/sim/moved/%d", w.net.moves))
	h.natted = h.natted || f.N > 0
	w.net.movedAt = w.now
	w.note(h, "moves", 0, uint64(w.net.moves), 0)
	for _, s := range w.all(func(s *session) bool { return s.ends[0] == h || s.ends[1] == h || s.relay == h }) {
		w.breaks(s, silentAfter)
	}
	h.turn(0, tag("moved", uint64(w.net.moves)), func() { h.peer.Listens([]string{h.addr()}) })
	w.after(f.For, func() {
		if w.net.places[old] == nil {
			site := w.siteOf(f)
			w.startAs(w.name(site), site, 1, false, old, w.ticket(w.contact(nil)), false)
		}
	})
	return true
}

// meetable tells whether all who stay can reach each other: who cannot be dialled needs one that
// can.
func (w *World) meetable() bool {
	natted, open := 0, 0
	for _, h := range w.hosts {
		switch {
		case !h.remains():
		case h.natted:
			natted++
		default:
			open++
		}
	}
	return natted < 2 || open > 0
}
