package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// cut is what does not pass just now.
type cut struct {
	kind   FaultKind // of the fault, which counts …
	struck bool      // … when it has stopped a message
	until  time.Duration
	oneWay bool
	side   func(h *host) bool
	pair   [2]*host                  // between these two alone, where there is no side
	apart  func(from, to *host) bool // all that it stops, where this is not nil
}

// stops tells whether a message of one host to another is dropped.
func (c *cut) stops(from, to *host) bool {
	if c.apart != nil {
		return c.apart(from, to)
	}
	if c.side == nil {
		return c.pair == [2]*host{from, to} || c.pair == [2]*host{to, from}
	}
	return c.side(from) && !c.side(to) || !c.oneWay && !c.side(from) && c.side(to)
}

// fire lets a fault happen. It counts only if there was somebody to whom it could happen; what
// takes effect later, or not at all, counts when it does.
func (w *World) fire(f Fault) {
	switch {
	case w.net.calm:
		return
	case w.who.asker.peer.Sight().Joining():
		// before the grid knows the submitter it owes it nothing
		w.after(100*time.Millisecond, func() { w.fire(f) })
		return
	}
	w.hidden = w.hidden || silencing[f.Kind]
	w.note(w.who.asker, "fault", uint8(f.Kind), uint64(f.Host), 0)
	happened := false
	switch f.Kind {
	case Crash, PowerLoss, CrashMaster, CrashSeveral, CrashSite, CrashAllButOne, CrashAll, CrashHolder, CrashHeir, Restart, CrashSuccessor, LoseAll:
		happened = w.fireCrash(f)
	case Leave, LeaveMaster, LeaveTwo, LeaveSite, LeaveAll, Migrate, MigrateLost, Kick:
		happened = w.fireLeave(f)
	case Pause, PauseMaster, AskerAway:
		happened = w.firePause(f)
	case CutTwoWay, CutOneWay, DeadLink, DeadAnswer, DeadLoan, LostGossip:
		w.fireCut(f)
	case JoinNatted:
		w.joinNatted(f)
	case Moves:
		happened = w.moves(f)
	case Deposit:
		happened = w.kept.fire(f)
	case Twin:
		w.twins(f)
	case OldTicket:
		happened = comesByOldTicket(w, f)
	case Join, JoinMany:
		happened = w.fireJoin(f)
	default:
		happened = w.fireAsk(f)
	}
	if happened {
		w.report.struck(f.Kind)
	}
}

func (w *World) fireCrash(f Fault) bool {
	var who []*host
	switch f.Kind {
	case CrashMaster:
		if who = w.who.masters(); len(who) > 1 {
			who = who[:1]
		}
	case CrashSeveral:
		who = w.who.some(f.N)
	case CrashSite:
		who = w.who.site()
	case CrashAllButOne:
		if who = w.who.some(len(w.who.hosts)); len(who) > 0 && w.who.asker.client {
			who = who[1:]
		}
	case CrashAll:
		who = w.who.some(len(w.who.hosts))
	case CrashHolder:
		who = w.who.holders()
	case CrashHeir:
		w.crashHeir(f)
		return false
	case CrashSuccessor:
		w.crashSuccessor(f)
		return false
	case LoseAll:
		return w.loseAll(f)
	default:
		who = w.who.victims(f)
	}
	for _, h := range who {
		w.kill(h, f.Kind == PowerLoss)
		if f.Kind == Restart {
			w.after(f.For, func() { w.restart(h) })
		}
	}
	if f.Kind == CrashAll {
		w.after(f.For, func() { w.join(h0(who, w.who.asker).site, 1) })
	}
	return len(who) > 1 || len(who) == 1 && f.Kind != CrashSeveral
}

func h0(who []*host, other *host) *host {
	if len(who) > 0 {
		return who[0]
	}
	return other
}

// crashHeir lets a peer leave, and a little later the peer die that it gives most to: its heir.
// When it has none yet, another dies, which does not count.
func (w *World) crashHeir(f Fault) {
	who := w.who.some(2)
	if len(who) < 2 {
		return
	}
	who[0].leave(f.For, "")
	w.after(f.For/8, func() {
		heir := w.who.byID[who[0].peer.Sight().Heir()]
		if heir == nil {
			heir = who[1]
		} else if heir.up && heir != w.who.asker {
			w.report.struck(CrashHeir)
		}
		if heir.up && heir != w.who.asker {
			w.kill(heir, false)
		}
	})
}

func (w *World) fireLeave(f Fault) bool {
	var who []*host
	var heirs membership.Site
	switch f.Kind {
	case LeaveMaster:
		who = w.who.masters()
	case LeaveTwo:
		who = w.who.some(2)
	case LeaveSite:
		who = w.who.site()
		heirs = w.who.elsewhere(who)
	case Migrate, MigrateLost:
		return w.migrate(w.who.site(), f)
	case LeaveAll:
		who = w.who.some(len(w.who.hosts))
	case Kick:
		return w.kick(w.who.victims(f))
	default:
		who = w.who.victims(f)
	}
	for n, h := range who {
		if f.Kind == LeaveTwo && n > 0 {
			w.after(f.between(), func() {
				if h.up {
					h.leave(f.For, "")
					if who[0].up {
						w.report.struck(LeaveTwo)
					}
				}
			})
			continue
		}
		h.leave(f.For, heirs)
	}
	if f.Kind == LeaveAll {
		w.after(f.For, func() { w.join(h0(who, w.who.asker).site, 1) })
	}
	return len(who) > 0 && f.Kind != LeaveTwo
}

// between is how much later than the first of two peers the second one is told to leave.
func (f *Fault) between() time.Duration {
	if f.N > 0 {
		return time.Duration(f.N) * time.Millisecond
	}
	return f.For / 4
}

// joinTime is what a migration gives the new site before the old one leaves.
const joinTime = 300 * time.Millisecond

// kick has some member bar another.
func (w *World) kick(who []*host) bool {
	by := w.who.contact(h0(who, nil))
	if len(who) == 0 || by == w.who.asker && by.client {
		return false
	}
	who[0].barred = true
	by.do(by.peer.Bar(w.now, who[0].id, true))
	return true
}

func (w *World) firePause(f Fault) bool {
	var who []*host
	switch f.Kind {
	case PauseMaster:
		who = w.who.masters()
	case AskerAway:
		who = []*host{w.who.asker}
	default:
		who = w.who.victims(f)
	}
	for _, h := range who {
		w.note(h, "stops", 0, uint64(f.For), 0)
		h.asleep = w.now + f.For
		h.away = max(h.away, h.asleep)
		w.net.goesSilent(func(s *session) bool { return h.up && h.asleep > w.now && (s.ends[0] == h || s.ends[1] == h) })
	}
	return len(who) > 0
}

func (w *World) fireCut(f Fault) {
	c := &cut{kind: f.Kind, until: w.now + f.For, oneWay: f.Kind == CutOneWay}
	switch f.Kind {
	case LostGossip:
		w.net.gossipLost = w.now + f.For
		w.net.losers++
		return
	case DeadLink:
		who := w.who.some(2)
		if len(who) < 2 {
			return
		}
		c.pair = [2]*host{who[0], who[1]}
	case DeadAnswer:
		who := w.who.masters()
		if len(who) == 0 {
			return
		}
		c.pair = [2]*host{who[0], w.who.asker}
	case DeadLoan:
		pair, ok := w.who.loan()
		if !ok {
			return
		}
		c.pair = pair
	default:
		c.side = func(h *host) bool { return f.Side>>(h.no%64)&1 == 1 }
	}
	w.net.cuts = append(w.net.cuts, c)
	w.net.everCut = append(w.net.everCut, c)
	w.net.cutEnds(c)
}

func (w *World) fireJoin(f Fault) bool {
	site := w.who.siteOf(f)
	if f.Kind == Join {
		f.N = 1
	}
	w.join(site, f.N)
	return true
}

func (w *World) fireAsk(f Fault) bool {
	if w.left == 0 {
		return false
	}
	switch f.Kind {
	case AskAgain:
		w.submit(w.who.asker)
	case AskElsewhere:
		w.submit(w.start("", 0, true, w.who.contact(nil)))
	case AskTwice:
		return w.askTwice()
	case AskCancel:
		w.askCancel(f)
		return false
	}
	return true
}

// askCancel withdraws the submitter's oldest submission, and has it submit the same root once more,
// before that or after.
func (w *World) askCancel(f Fault) {
	h := w.who.asker
	at := slices.IndexFunc(h.asked, func(nonce steal.Nonce) bool { return h.delivered[nonce] == 0 })
	if at < 0 {
		return
	}
	nonce := h.asked[at]
	if f.N == 0 {
		w.cancel(h, nonce)
		w.left++ // for the one that follows
		h.turn(f.For, tag("again", uint64(nonce)), func() {
			w.left--
			w.submit(h)
		})
		return
	}
	w.submit(h)
	h.turn(f.For, tag("cancel", uint64(nonce)), func() {
		if h.delivered[nonce] == 0 {
			w.cancel(h, nonce)
		}
	})
}

// cancel withdraws a submission: nothing may be delivered for it any more.
func (w *World) cancel(h *host, nonce steal.Nonce) {
	w.note(h, "cancels", 0, uint64(nonce), 0)
	h.asked = slices.DeleteFunc(h.asked, func(n steal.Nonce) bool { return n == nonce })
	w.left--
	w.report.Cancelled++
	w.report.struck(AskCancel)
	h.driver.Withdraw(nonce)
}

// askTwice brings the submitter's last Submit to another peer too, as a network
// does that has two ways.
func (w *World) askTwice() bool {
	to := w.who.contact(w.who.asker)
	if w.net.lastSubmit.Body == nil || to == w.who.asker {
		return false
	}
	w.net.send(nil, w.who.asker, to, w.net.codec.encode(w.who.asker, w.net.lastSubmit), nil)
	return true
}

// join starts peers of one worker in a site.
func (w *World) join(site membership.Site, n int) {
	for range n {
		w.start(site, 1, false, w.who.contact(nil))
	}
}

// leave tells a peer to leave, its results to an heir in another site when all of its own leave.
func (h *host) leave(within time.Duration, heirSite membership.Site) {
	if h.w.opts.Asides {
		h.isOrdered(within, heirSite, false)
		return
	}
	h.leaves(within, "")
	h.do(h.peer.Leave(h.w.now, h.w.now+within, heirSite))
}

// leaves notes that a peer is told to leave, and the site to which that is bound.
func (h *host) leaves(within time.Duration, bound membership.Site) {
	h.w.note(h, "leaves", 0, uint64(within), 0)
	by := h.w.now + within
	if h.leaveBy == 0 || by < h.leaveBy { // a later order does not give it more time
		if h.leaveBy == 0 {
			h.bound, h.leavesAt = bound, h.w.now
		}
		h.leaveBy = by
	}
	if bound == "" {
		h.bound = ""
	}
}
