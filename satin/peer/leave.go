package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times of leaving.
const (
	heirWait   = 3 * time.Second // an heir that has not acknowledged for so long is left for another
	willGapMin = 500 * time.Millisecond
)

// Left is the effect that this peer has left: its process may end. Heir has what it kept; "": nobody. Lost is how many results nobody has acknowledged, because the deadline
// came first or nobody was there.
type Left struct {
	Heir membership.PeerID
	Lost int
}

// leaving is a peer on its way out.
type leaving struct {
	active bool
	until  time.Duration
	hurry  time.Duration   // from then on what there is is handed on, though jobs are still computing
	site   membership.Site // where the heir should be; "": anywhere
	bound  bool            // this peer leaves only while somebody stays there …
	met    bool            // … and has answered since
	pingAt time.Duration   // when they are asked again
	heir   life
	tried  []membership.PeerID   // heirs that did not acknowledge
	handed map[*orphan.Item]bool // what the heir has, or has no use for; whether as an orphan's
	out    *orphan.Will
	items  []*orphan.Item // in out
	asked  bool           // to keep answers
	number uint64
	since  time.Duration
	again  time.Duration
	gap    time.Duration
	portion
}

// Leave makes this peer leave in order, at the latest at the deadline, with an heir at heirSite if there is one. It is a crash with a will, on the same
// path: jobs are withdrawn like orphans. The effect [Left] says when all is done. Called again, it may only shorten the deadline.
func (p *Peer) Leave(now, deadline time.Duration, heirSite membership.Site) []Effect {
	p.begin(now)
	p.beginLeave(deadline, heirSite, false)
	return p.end()
}

func (p *Peer) beginLeave(deadline time.Duration, heirSite membership.Site, bound bool) {
	l := &p.leaving
	switch {
	case l.active:
		l.bound = l.bound && bound
		l.until = min(l.until, deadline)
		l.hurry = min(l.hurry, p.now+(l.until-p.now)/2)
	case bound && p.isDeserted(heirSite, false):
		p.out = append(p.out, Stayed{})
	case !p.entered():
		p.leave("")
	default:
		*l = leaving{active: true, until: deadline, hurry: p.now + (deadline-p.now)/2, site: heirSite, bound: bound, handed: map[*orphan.Item]bool{}, again: steal.Never}
		p.startLeaving()
	}
	p.tickLeave()
}

// startLeaving is steps 1 to 3 of a leave: nothing is asked for or lent any more, everybody is told, and what was borrowed is withdrawn. A job that is
// computing and returns before it is told is returned as ever; one that was told, or never started, is handed back when the workers say so.
func (p *Peer) startLeaving() {
	p.apply(p.view.Leaving(p.leaving.until - p.now))
	p.opened()
	p.apply(p.victim.Working(p.now, false))
	p.forgetHalted()
	for _, b := range p.ledger.Borrowings() {
		p.halt(b)
	}
	p.apply(p.verifier.leave())
	for _, r := range p.runs {
		if r.rootBorrow != 0 {
			p.halt(r.rootBorrow)
		}
	}
}

// askNoLeaver keeps the thief from asking one that lends nothing any more.
func (p *Peer) askNoLeaver(id membership.PeerID) {
	if m, ok := p.view.Member(id); ok && m.State == membership.Leaving && id != p.conf.Member.ID {
		p.apply(p.thief.Lost(p.now, m))
	}
}

// stopped hears, while this peer leaves, that a job which it withdrew will not finish: its owner gets it back. A root waits for its next master.
func (p *Peer) stopped(borrow steal.Borrow) {
	for _, r := range p.runs {
		if r.rootBorrow == borrow {
			r.rootBorrow = 0
			p.succession = p.succession || !p.leaving.active
		}
	}
	p.apply(p.ledger.HandBack(borrow))
}

// tickLeave goes on with leaving as far as it goes.
func (p *Peer) tickLeave() {
	l := &p.leaving
	switch {
	case !l.active || p.gone:
		return
	case l.bound && p.isOff():
		p.stay()
		return
	case p.now >= l.until:
		p.leave(l.heir.peer) // in order or not: what is lost is what a crash loses
		return
	case p.now < l.hurry && !p.isWoundDown():
		return
	}
	p.greetSite()
	if p.needsHeir() {
		p.chooseHeir()
	}
	switch {
	case l.heir == (life{}) && p.isLast() && p.isWoundDown():
		p.leave("")
	case l.heir == (life{}):
	case l.out != nil && p.now >= l.again:
		p.sendWill()
	case l.out == nil && p.nextWill():
		p.sendWill()
		if p.planted(PlantLeaveUnacked) {
			p.leave(l.heir.peer)
		}
	case l.out == nil && p.answersKept() && p.isWoundDown() && p.maySettle():
		p.leave(l.heir.peer)
	}
}

// needsHeir tells whether another heir must be found: there is none, or it is gone, or does not answer, or is leaving itself and has nothing yet.
func (p *Peer) needsHeir() bool {
	l := &p.leaving
	m, ok := p.view.Member(l.heir.peer)
	switch {
	case !ok || m.Incarnation != l.heir.incarnation:
		return true
	case l.out != nil || l.asked:
		return p.now-l.since >= heirWait+l.patience(willSize(l.out))
	}
	return m.State == membership.Leaving && len(l.handed) == 0
}

// isWoundDown tells whether no job is left here, and all that was returned is acknowledged.
func (p *Peer) isWoundDown() bool {
	return p.ledger.Borrowed() == 0 && p.ledger.Lent() == 0 && len(p.orphans) == 0 &&
		!slices.ContainsFunc(p.runs, func(r *run) bool { return r.rootBorrow != 0 })
}

// leaveDeadline is when tickLeave has something to do by itself.
func (p *Peer) leaveDeadline() time.Duration {
	if !p.leaving.active {
		return steal.Never
	}
	at := min(p.leaving.until, p.leaving.again)
	if p.leaving.bound {
		at = min(at, p.stayDeadline())
	}
	if p.now < p.leaving.hurry {
		at = min(at, p.leaving.hurry)
	}
	return at
}

// Heir is the peer to which this one hands what it has, while it is leaving and has chosen one.
func (p *Peer) Heir() membership.PeerID { return p.leaving.heir.peer }

// leave is step 5: the others run the crash path at once, and the heir follows this peer as master.
func (p *Peer) leave(heir membership.PeerID) {
	lost := 0
	for _, i := range p.store.All() {
		asOrphan, handed := p.leaving.handed[i]
		handed = handed && (asOrphan || !i.Orphan)
		if _, wanted := bequest(i, heir); wanted && !handed {
			lost++
		}
	}
	p.apply(p.view.Leave(heir))
	p.out = append(p.out, Left{Heir: heir, Lost: lost})
	p.gone = true
}

// chooseHeir draws who gets the will: at the site that was asked for, else in this site, else in any, of those that stay. When all are leaving it is
// the one that has the most time.
func (p *Peer) chooseHeir() {
	l := &p.leaving
	if l.out != nil || l.asked {
		l.tried = append(l.tried, l.heir.peer)
	}
	l.heir, l.out, l.items, l.again, l.asked, l.portion = life{}, nil, nil, steal.Never, false, portion{}
	clear(l.handed)
	var best []membership.Member
	rank := 0
	for _, m := range p.view.Others(nil) {
		n := 1
		switch {
		case m.State == membership.Leaving:
			continue
		case m.Site == l.site:
			n = 3
		case m.Site == p.conf.Member.Site:
			n = 2
		}
		if !slices.Contains(l.tried, m.ID) {
			n += 3
		}
		if n > rank {
			rank, best = n, best[:0]
		}
		if n == rank {
			best = append(best, m)
		}
	}
	if len(best) > 0 {
		m := best[p.lots.IntN(len(best))]
		l.heir = life{m.ID, m.Incarnation}
	} else if m, ok := p.lastLeaver(); ok && m.ID != p.conf.Member.ID {
		l.heir = life{m.ID, m.Incarnation}
	}
	l.since = p.now
}

// lastLeaver is, when all are leaving, the one that has the most time; all agree on it, as its record says how much that is.
func (p *Peer) lastLeaver() (last membership.Member, ok bool) {
	for _, m := range append(p.view.Others(nil), p.view.Self()) {
		if m.State != membership.Leaving {
			return membership.Member{}, false
		}
		if !ok || m.Grace > last.Grace || m.Grace == last.Grace && m.ID > last.ID {
			last, ok = m, true
		}
	}
	return last, ok
}

// isLast tells whether nobody is there who could be an heir, now or soon: the last to leave waits for those that leave to it.
func (p *Peer) isLast() bool { return len(p.view.Others(nil)) == 0 }

// nextWill makes the next part of the will of what the heir does not have yet, and tells whether there was any.
func (p *Peer) nextWill() bool {
	l := &p.leaving
	size := 0
	for _, i := range p.store.All() {
		if asOrphan, ok := l.handed[i]; ok && (asOrphan || !i.Orphan) || l.out != nil && i.Run != l.out.Run {
			continue
		}
		b, wanted := bequest(i, l.heir.peer)
		if !wanted {
			l.handed[i] = i.Orphan
			continue
		}
		size += len(i.Result.Bytes)
		if l.out == nil {
			l.number++
			l.out = &orphan.Will{Run: i.Run, Number: l.number}
		} else if size > l.bytes() || len(l.items) == orphan.PartsMax {
			break
		}
		l.out.Items = append(l.out.Items, b)
		l.items = append(l.items, i)
	}
	l.since, l.gap = p.now, willGapMin
	return l.out != nil
}

// bequest is what an heir is given of a result. What was kept for the heir itself is of no use to it.
func bequest(i *orphan.Item, heir membership.PeerID) (orphan.Bequest, bool) {
	b := orphan.Bequest{Part: orphan.Part{Key: i.Key, Result: i.Result}, Orphan: i.Orphan}
	for _, c := range i.Claims {
		if c.Owner == heir {
			continue
		}
		if c.Why == orphan.ForCopy {
			c.Why = orphan.ForWill
		}
		b.Claims = append(b.Claims, c)
	}
	return b, b.Orphan || len(b.Claims) > 0
}

func willSize(w *orphan.Will) (size int) {
	if w == nil {
		return 0
	}
	for _, i := range w.Items {
		size += len(i.Result.Bytes)
	}
	return size
}

// sendWill sends what is out, for the first time or again.
func (p *Peer) sendWill() {
	l := &p.leaving
	r := p.run(l.out.Run)
	if r == nil { // it has ended
		l.out, l.items, l.again = nil, nil, steal.Never
		p.tickLeave()
		return
	}
	l.again = p.now + l.gap + timeFor(willSize(l.out))
	l.gap *= 2
	l.out.Best = r.best.stamp(l.heir.peer, l.heir.incarnation)
	p.sendTo(l.heir.peer, l.heir.incarnation, *l.out)
}

// willed hears that the heir has what was sent last.
func (p *Peer) willed(from life, w orphan.Willed) {
	l := &p.leaving
	if l.out == nil || from != l.heir || w.Number != l.out.Number {
		return
	}
	for n, i := range l.items {
		l.handed[i] = l.out.Items[n].Orphan // an orphan's since then must be handed on as such, so that the heir advertises it
	}
	l.took(willSize(l.out), p.now-l.since)
	l.out, l.items, l.again = nil, nil, steal.Never
	p.tickLeave()
}

// answersKept has the answers that this peer is delivering kept by its heir, who delivers them from now on, and tells whether they are.
func (p *Peer) answersKept() bool {
	all := true
	heir := p.leaving.heir
	for _, r := range p.runs {
		if !r.delivering || len(r.submissions) == 0 {
			continue
		}
		if k := &r.keep; k.by != heir.peer || k.incarnation != heir.incarnation {
			*k = keeping{by: heir.peer, incarnation: heir.incarnation, gap: answerGapMin + timeFor(len(r.answer.Bytes))}
			p.sendKeep(r)
			p.leaving.asked, p.leaving.since = true, p.now
		}
		all = all && r.keep.again == steal.Never
	}
	p.leaving.asked = p.leaving.asked && !all
	return all
}

// inherit takes what a leaver hands on, once the best that it was found under is here. A run that is not known here may be one of which the only submission that
// was known has ended: the leaver, which has it, tells of the others, or hears that there are none.
func (p *Peer) inherit(from membership.Member, m Message, w orphan.Will) {
	r := p.run(w.Run)
	switch {
	case p.conf.NoFT, p.planted(PlantHeirDropsWill):
	case r == nil || r.root == nil || !p.takeBest(r, from.ID, m.From, w.Best):
		p.hold(from.ID, m, w.Run, w.Best)
		return
	default:
		for _, b := range w.Items[:min(len(w.Items), orphan.PartsMax)] {
			p.inheritOne(w.Run, b)
		}
		r.look.listed(p.now)
	}
	p.sendTo(from.ID, from.Incarnation, orphan.Willed{Number: w.Number})
}

// inheritOne keeps a result for those for whom the leaver kept it. When such a one is gone it is an orphan's.
func (p *Peer) inheritOne(run steal.Instance, b orphan.Bequest) {
	if !isWorth(b.Result) {
		return
	}
	isOrphan := b.Orphan
	for _, c := range b.Claims[:min(len(b.Claims), orphan.ClaimsMax)] {
		switch {
		case c.Owner == p.conf.Member.ID:
		case p.view.Has(c.Owner, c.Incarnation):
			p.store.Claim(p.now, run, b.Key, b.Result, c)
		default:
			isOrphan = true
		}
	}
	if isOrphan {
		p.store.Orphan(p.now, run, b.Key, b.Result)
	}
}
