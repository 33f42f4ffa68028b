package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
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
	p.apply(p.victim.Working(p.now, false))
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

// askNoLeaver keeps the thief from asking one that lends nothing any more.
func (p *Peer) askNoLeaver(id membership.PeerID) {
	if m, ok := p.view.Member(id); ok && m.State == membership.Leaving && id != p.conf.Member.ID {
		p.apply(p.thief.Lost(p.now, m))
	}
}

// stopped hears, while this peer leaves, that a job which it withdrew will not finish: its owner
// gets it back. A root waits for its next master.
func (p *Peer) stopped(borrow steal.Borrow) {
	for _, r := range p.runs.all {
		if r.rootBorrow == borrow {
			r.rootBorrow = 0
			p.mastership.due = p.mastership.due || !p.leaving.active
		}
	}
	p.apply(p.ledger.HandBack(borrow))
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
	p.apply(p.victim.Working(p.now, p.idle < int(p.conf.Member.Workers)))
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
			*k = keeping{by: heir.peer, incarnation: heir.incarnation, gap: answerGapMin + timeFor(len(r.answer.Bytes))}
			p.apply(r.answering.sendKeep(p.now, r.epoch))
			asked = true
		}
		all = all && r.keep.again == steal.Never
	}
	p.apply(p.leaving.answered(p.now, asked, all, p.isWoundDown()))
}

// inherit takes what a leaver hands on, once the best that it was found under is here. A run that
// is not known here may be one of which the only submission that was known has ended: the leaver,
// which has it, tells of the others, or hears that there are none.
func (p *Peer) inherit(a arrival, w orphan.Will) {
	r := p.runs.find(w.Run)
	switch {
	case p.conf.NoFT:
	case r == nil || r.root == nil || !p.takeBest(r, a.peer, a.incarnation, w.Best):
		p.hold(a.peer, a.message, w.Run, w.Best)
		return
	default:
		for _, b := range w.Items[:min(len(w.Items), orphan.PartsMax)] {
			p.keeper.inherit(p.now, w.Run, b)
		}
		r.look.listed(p.now)
	}
	p.sendTo(a.peer, a.incarnation, orphan.Willed{Number: w.Number})
}
