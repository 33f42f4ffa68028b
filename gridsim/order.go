package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// Orders counts what a world with asides has seen of them.
type Orders struct {
	Given    int // to another
	Followed int // by who was told
	Done     int // as its giver sees it
	Deserted int // so too: nobody is at the site to which it is bound
	Late     int // peers that have left, and have not handed over everything
	Heard    int // members that were told so
}

// isOrdered has another member order this one to leave.
func (h *host) isOrdered(within time.Duration, heirs membership.Site, bound bool) {
	w := h.w
	others := slices.DeleteFunc(w.who.members(), func(o *host) bool { return o == h || o.leaveBy > 0 })
	if len(others) == 0 {
		return // nobody could
	}
	by := others[w.rng.IntN(len(others))]
	w.report.Orders.Given++
	h.ordered = true
	w.note(by, "orders", 0, uint64(h.no), uint64(within))
	_, effects, err := by.driver.Order(h.id, peer.Order{Within: within, Heirs: heirs, Bound: bound})
	if err != nil {
		w.fail("machine", "%v", err)
	}
	by.do(effects)
}

// departs carries out what is about leaving: a peer's own, or what it sees of others.
func (h *host) departs(e peer.Effect) {
	w := h.w
	switch e := e.(type) {
	case peer.Ordered:
		w.report.Orders.Followed++
		bound := e.Order.Heirs
		if !e.Order.Bound {
			bound = ""
		}
		h.leaves(e.Order.Within, bound)
	case peer.OrderDone:
		w.report.Orders.Done++
		if e.Deserted {
			w.report.Orders.Deserted++
		}
	case peer.LeavesLate:
		w.report.Orders.Heard++
	case peer.Stayed:
		w.note(h, "stays", 0, 0, 0)
		h.stays()
	case peer.Left:
		w.note(h, "left", 0, 0, 0)
		w.report.Left++
		if !e.InOrder() {
			w.report.Orders.Late++
			h.leftLate, h.leftRuns = true, e.Runs > 0
		}
		h.checkWill(e)
		h.checkBound()
	}
}
