package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Leave makes this peer leave in order, at the latest at the deadline, with an heir at heirSite if
// there is one. It is a crash with a will, on the same path: jobs are withdrawn like orphans. The
// effect [Left] says when all is done. Called again, it may only shorten the deadline.
func (p *Peer) Leave(now, deadline time.Duration, heirSite membership.Site) []Effect {
	p.begin(now)
	p.beginLeave(deadline, heirSite, false)
	return p.end()
}

// Stayed is the effect that this peer does not leave after all: nobody is at the site
// that was to take over.
type Stayed struct{}

// Move is Leave for as long as somebody is at heirSite who stays there. When nobody is any more,
// this peer stays, too, with the effect [Stayed]: what it has handed back is elsewhere, and a root
// that it has stopped starts again.
func (p *Peer) Move(now, deadline time.Duration, heirSite membership.Site) []Effect {
	p.begin(now)
	p.beginLeave(deadline, heirSite, true)
	return p.end()
}

func (p *Peer) beginLeave(deadline time.Duration, heirSite membership.Site, bound bool) {
	l := &p.leaving
	switch {
	case l.active:
		l.shorten(p.now, deadline, bound)
	case bound && isDeserted(p.view, heirSite, false):
		p.out = append(p.out, Stayed{})
	case !p.entered():
		l.leave("")
		p.apply(l.flush())
	default:
		l.begin(p.now, deadline, heirSite, bound)
		p.startLeaving()
	}
	p.tickLeave()
}

// startLeaving is steps 1 to 3 of a leave: nothing is asked for or lent any more, everybody is
// told, and what was borrowed is withdrawn. A job that is computing and returns before it is told
// is returned as ever; one that was told, or never started, is handed back when the workers say so.
func (p *Peer) startLeaving() {
	p.apply(p.view.Leaving(p.leaving.until - p.now))
	p.opened()
	p.apply(p.stealing.works(p.now))
	borrowed := p.ledger.Borrowings()
	roots := p.runs.roots()
	p.stops.leaves(slices.Concat(borrowed, roots))
	for _, b := range borrowed {
		p.apply(p.stops.halt(b))
	}
	p.apply(p.verifier.leave())
	for _, b := range roots {
		p.apply(p.stops.halt(b))
	}
}

// tickLeave goes on with leaving as far as it goes.
func (p *Peer) tickLeave() {
	if p.leaving.active && !p.gone {
		p.apply(p.leaving.tick(p.now, p.isWoundDown()))
	}
}

// isWoundDown tells whether no job is left here, and all that was returned is acknowledged.
func (p *Peer) isWoundDown() bool { return p.unsettled() == 0 }

// leave is step 5: the others run the crash path at once, and the heir follows this peer as master.
func (p *Peer) leave(l leaves) {
	p.apply(p.view.Leave(l.Heir))
	p.out = append(p.out, Left(l))
	p.gone = true
}

// stay calls the leave off.
func (p *Peer) stay() {
	effects, ok := p.view.Stay(p.now)
	if !ok {
		return
	}
	p.leaving.off()
	p.apply(effects)
	p.apply(p.stealing.works(p.now))
	p.opened()
	p.mastership.due = true // its roots start again
	p.out = append(p.out, Stayed{})
}

// handAnswers has the answers that this peer is delivering kept by its heir, who delivers them from
// now on.
func (p *Peer) handAnswers() {
	heir := p.leaving.heir
	asked, all := false, true
	for _, r := range p.runs.all {
		if !r.delivering || len(r.submissions) == 0 {
			continue
		}
		if k := &r.keep; k.by != heir.peer || k.incarnation != heir.incarnation {
			*k = keeping{by: heir.peer, incarnation: heir.incarnation, gap: r.repeats()}
			p.apply(r.answering.sendKeep(p.now, r.epoch))
			asked = true
		}
		all = all && r.keep.again == steal.Never
	}
	p.apply(p.leaving.answered(p.now, asked, all, p.isWoundDown()))
}
