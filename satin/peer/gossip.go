package peer

import (
	"slices"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// listEntriesGiven bounds the lists that are given for one digest that differed: what is left
// follows with the next.
const listEntriesGiven = 4 * orphan.EntriesMax

// tickTable publishes what this peer holds now, or holds no more.
func (p *Peer) tickTable() {
	if p.now < p.table.Deadline() {
		return
	}
	for _, a := range p.table.Due(p.now) {
		for _, c := range a.Changes {
			if !c.Gone {
				p.stats.Advertised++
			}
		}
		p.publish(a)
	}
}

// orphanMessage takes a message about the table, or about results that are kept, from a member.
func (p *Peer) orphanMessage(from membership.Member, m Message) bool {
	switch b := m.Body.(type) {
	case orphan.Advert:
		p.advertised(from, b)
	case orphan.Versions:
		p.versions(from, b)
	case orphan.WantList:
		p.giveList(from.ID, m.From, b.Holder)
	case orphan.List:
		p.takeList(from.ID, b)
	case orphan.WantResult:
		p.resultWanted(from.ID, m.From, b)
	case orphan.ResultIs:
		p.resultIs(from, m, b)
	case orphan.Copy:
		p.keepCopy(from, m, b)
	case orphan.Copied:
		p.apply(p.copier.copied(p.now, life{from.ID, m.From}, b))
	case orphan.Uncovered:
		p.apply(p.copier.asked(life{from.ID, from.Incarnation}, b))
	case orphan.Covered:
		p.keeper.covered(p.now, life{from.ID, from.Incarnation}, b)
	case orphan.Will:
		p.inherit(from, m, b)
	case orphan.Willed:
		if p.leaving.willed(p.now, life{from.ID, m.From}, b) {
			p.tickLeave()
		}
	default:
		return false
	}
	return true
}

// advertised takes the changes of a member's list.
func (p *Peer) advertised(from membership.Member, a orphan.Advert) {
	if p.conf.NoFT {
		return
	}
	if p.table.Heard(from.ID, from.Incarnation, a) {
		p.wantList(from.ID, from.ID, from.Incarnation)
		return
	}
	for _, run := range a.Runs {
		p.entriesCame(run)
	}
}

// entriesCame has a run's new entries used, or dropped when it is over.
func (p *Peer) entriesCame(run steal.Instance) {
	if p.isOver(run) {
		p.table.Drop(run)
	} else if r := p.runs.find(run); r != nil {
		r.look.listed(p.now)
	}
}

// isOver tells whether a run has ended here. One that is not known yet may be about to come.
func (p *Peer) isOver(run steal.Instance) bool {
	if p.runs.find(run) != nil {
		return false
	}
	return p.tombstones.has(run.First)
}

// wantList asks one for the list of a holder that is present.
func (p *Peer) wantList(holder, from membership.PeerID, i membership.Incarnation) {
	if p.table.Want(p.now, holder) {
		p.sendTo(from, i, orphan.WantList{Holder: holder})
	}
}

// takeList takes the whole list of a holder, if it is present in that life. Others' word counts for
// it as much as its own: only a newer one is taken.
func (p *Peer) takeList(from membership.PeerID, l orphan.List) {
	if p.conf.NoFT || l.Holder == p.conf.Member.ID || !p.view.Has(l.Holder, l.Incarnation) || !p.table.Take(from, l) {
		return
	}
	for _, r := range l.Runs {
		p.entriesCame(r.Run)
	}
}

// compareLists tells one whose digest differs how new the lists are here.
func (p *Peer) compareLists(from membership.PeerID) {
	if m, ok := p.view.Member(from); ok && p.entered() && !p.conf.NoFT {
		p.sendTo(from, m.Incarnation, p.table.Versions())
	}
}

// versions hears how new the lists are at another, gives what is newer here and asks for the rest.
func (p *Peer) versions(from membership.Member, v orphan.Versions) {
	if p.conf.NoFT {
		return
	}
	v.All = v.All[:min(len(v.All), membership.SnapshotMax)]
	give, want := p.table.Compare(v, p.now < p.join.done+onItsWay)
	given := 0
	for _, holder := range give {
		if given < listEntriesGiven {
			given += p.giveList(from.ID, from.Incarnation, holder)
		}
	}
	for _, holder := range want {
		n := slices.IndexFunc(v.All, func(o orphan.Version) bool { return o.Holder == holder })
		if p.view.Has(holder, v.All[n].Incarnation) {
			p.wantList(holder, from.ID, from.Incarnation)
		}
	}
}

// giveList sends a holder's list, and tells how many entries that were.
func (p *Peer) giveList(to membership.PeerID, i membership.Incarnation, holder membership.PeerID) int {
	l, ok := p.table.List(holder)
	if !ok || holder == to {
		return 0
	}
	p.sendTo(to, i, l)
	n := 1
	for _, r := range l.Runs {
		n += len(r.Entries)
	}
	return n
}

// giveLists gives one that joins the whole table.
func (p *Peer) giveLists(to membership.PeerID, i membership.Incarnation) {
	if !p.entered() || p.conf.NoFT {
		return
	}
	for _, v := range p.table.Versions().All {
		p.giveList(to, i, v.Holder)
	}
}

// askStray asks who advertised results of a run that this peer has not heard of for its record.
// Where it has missed the run and its end, during a cut, it is told of the end, and forgets them:
// nobody's list would differ from its own, since all drop what is over without a word.
func (p *Peer) askStray() {
	if p.runs.isFull() {
		return
	}
	run, holder, ok := p.table.Stray(p.rounds, func(i steal.Instance) bool { return p.runs.find(i) != nil })
	if m, present := p.view.Member(holder); ok && present {
		p.sendTo(m.ID, m.Incarnation, Fetch{run})
	}
}

// dropKept forgets the results and entries of a run that has ended.
func (p *Peer) dropKept(r *run) {
	p.stops.runEnded(r.instance)
	p.store.Drop(r.instance)
	p.table.Drop(r.instance)
}
