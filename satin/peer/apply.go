package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// apply carries out what the machines inside want done, or passes it on.
func (p *Peer) apply(effects []membership.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case membership.Send:
			p.send(life{e.To, e.Incarnation}, e.Body)
		case membership.Publish:
			p.out = append(p.out, Publish{Message{From: p.view.Self().Incarnation, Body: e.Body}})
		case membership.Joined:
			p.joined(e.Member)
		case membership.Lost:
			p.lost(e)
		case membership.LivesOn:
			p.livesOn(e)
		case membership.Rejoined:
			p.rejoined(e)
		case membership.Forsaken:
			p.forsaken(e.By)
		case membership.Banned:
			p.gone = true
			p.out = append(p.out, e)
		case membership.Dial:
			p.apply(p.hosts.redial(p.now, e))
		case membership.Bar:
			p.book.Bar(e.ID, e.Barred)
			p.out = append(p.out, e)
		case membership.Unbarred:
			p.book.Bar(e.ID, false)
			p.out = append(p.out, e)
		case steal.LoanLost:
			p.apply(p.salvage.putBack(p.now, e))
		case steal.Stop:
			if e.Orphaned {
				p.apply(p.stops.salvage(orphaned{e.Borrow, e.Run, e.Key}))
			} else {
				p.apply(p.stops.withdraw(e.Borrow))
			}
		case steal.Orphan:
			p.salvage.keep(p.now, e.Run, e.Key, e.Result)
		case steal.Repeat:
			p.apply(p.stealing.repeat(e.Borrow))
		default:
			p.applyOwn(e)
		}
	}
}

// applyOwn carries out what the components of this package want done, or passes it on.
func (p *Peer) applyOwn(e membership.Effect) {
	switch e := e.(type) {
	case dials:
		p.out = append(p.out, membership.Dial(e))
	case lists:
		if r := p.runs.find(e.run); r != nil {
			r.look.listed(p.now)
		}
	case fills:
		p.apply(p.admission.boundAnswers(p.now))
	case opens:
		p.apply(p.opening.look(p.now))
	case unblocks:
		p.unblocked = true
	case fails:
		p.apply(p.decisions.fails(p.now, e))
	case tells:
		p.send(lifeOf(p.view, e.to), e.body)
	case answers:
		p.apply(p.submissions.answered(e.nonce, e.result, p.conf.Member.ID))
	case submits:
		p.apply(p.admission.hearSubmit(p.now, p.conf.Member.ID, e.Submit))
	case buries:
		_, effects := p.endings.bury(p.now, e.Submissions)
		p.apply(effects)
	case withdraws:
		p.apply(p.endings.hearEnded(p.now, "", Ended(e)))
	case tellsNoMore:
		p.contributed.gone(e)
	case verifies:
		p.contributed.verified(e)
	case tellsAnswer:
		if r := p.runs.find(e.run); r != nil {
			p.apply(p.decisions.tellMaster(p.now, r))
		}
	case succeeds:
		p.losses.succeeded(e.run, e.master)
	case employs:
		p.apply(p.victim.Started(p.now))
	case reuses:
		p.salvage.found(e)
		p.out = append(p.out, e.Use)
	case NotOn:
		p.out = append(p.out, e)
		p.reports.cancelled(e.Nonce)
	case Deliver:
		p.out = append(p.out, e)
		p.reports.delivered(p.now, e.Nonce) // its statistics may not be whole yet
	case settles:
		p.out = append(p.out, Settle{Ref: e.ref, Result: e.result})
		p.copier.settled(e.run, e.number)
	default:
		p.applyPresence(e)
	}
}

// applyPresence carries out what has to do with whether this peer is here, or passes it on.
func (p *Peer) applyPresence(e membership.Effect) {
	switch e := e.(type) {
	case entersAlone:
		p.apply(p.entering.alone(p.now, e.asked))
	case knows:
		p.apply(p.learning.runsOf(p.now, e))
	case comesIn:
		p.apply(p.learning.comeIn(p.now, e, p.gone))
	case replies:
		p.apply(p.comparing.reply(p.now, e.from, e.s))
	case seeks:
		if !p.gone {
			p.apply(p.join.tickStranded(p.now, p.book))
		}
	case spares:
		p.apply(p.stealing.spares(p.now, e.who))
	case goesOn:
		p.tickLeave()
	case departs:
		p.apply(p.departing.begin(p.now, e))
		p.tickLeave()
	case leaves:
		p.apply(p.storing.leaves(p.now))
		p.apply(p.departing.leave(e))
		p.gone = true
	case stays:
		p.apply(p.departing.stay(p.now))
	case stayedOn:
		p.apply(p.departing.stayed(p.now))
	case handsOver:
		p.apply(p.departing.handOver(p.now))
	case Started: // what the disk has is of use to others now
		p.unblocked = true
		p.out = append(p.out, e)
	default: // for the driver; what is the workers', as PutBack, workers.Carry takes to them
		p.out = append(p.out, e)
	}
}

// send sends to a life of a peer, or to a client.
func (p *Peer) send(to life, body membership.Body) {
	if to.peer == p.conf.Member.ID {
		panic("peer: BUG: a message to itself")
	}
	effects, ok := p.hosts.reach(p.now, to.peer)
	if p.apply(effects); !ok {
		return
	}
	p.view.Sent(p.now, to.peer)
	m := Message{From: p.view.Self().Incarnation, To: to.incarnation, Body: body}
	p.out = append(p.out, Send{To: to.peer, Message: m})
}

// joined hears of a new member, or of a new life of one.
func (p *Peer) joined(m membership.Member) {
	p.out = append(p.out, membership.Joined{Member: m})
	p.apply(p.hosts.joined(p.now, m))
	p.thief.Joined(m)
	p.apply(p.stealing.spares(p.now, m.ID))
	p.mastership.changed()
	p.apply(p.opening.look(p.now))
	p.submissions.soon(p.now)
	p.apply(p.admission.comes(p.now))
}
