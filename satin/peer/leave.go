package peer

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times of leaving.
const (
	// an heir that has not acknowledged for so long is left for another
	heirWait   = 3 * time.Second
	willGapMin = 500 * time.Millisecond
)

// Left is the effect that this peer has left: its process may end. Heir has what it kept; "":
// nobody. Lost is how many results nobody has acknowledged, because the deadline came first or
// nobody was there. Jobs is how many jobs were borrowed or lent, or roots, and are not settled.
// Runs is how many are to be kept, and its heir, or its disk where nobody is there, does not have.
type Left struct {
	Heir membership.PeerID
	Lost int
	Jobs int
	Runs int
}

// InOrder tells whether nothing was left undone.
func (l Left) InOrder() bool { return l.Lost == 0 && l.Jobs == 0 && l.Runs == 0 }

// leaving decides how a peer leaves: who its heir is, and what goes there when.
type leaving struct {
	outbox
	self    membership.PeerID
	home    membership.Site // this peer's
	members members
	results *orphan.Results
	keeper  *keeper
	best    func(steal.Instance, life) (stamp steal.Stamp, on bool) // of a run, if it goes on
	jobs    func() int                                              // that are not settled
	runs    func(heir life) int                                     // that it should hold, too
	lots    *rand.Rand
	leavers []life // that have asked this peer to be their heir
	departure
}

// departure is one leave.
type departure struct {
	active bool
	until  time.Duration
	// from then on what there is is handed on, though jobs are still computing
	hurry  time.Duration
	site   membership.Site // where the heir should be; "": anywhere
	bound  bool            // this peer leaves only while somebody stays there …
	met    bool            // … and has answered since
	pingAt time.Duration   // when they are asked again
	heir   life
	tried  []membership.PeerID // heirs that did not acknowledge
	// what the heir has, or has no use for; whether as an orphan's
	givenToHeir map[*orphan.Item]bool
	will        *orphan.Will
	items       []*orphan.Item // in will
	asked       bool           // to hold runs and keep answers, …
	askedBytes  int            // … of so many bytes
	number      uint64
	since       time.Duration
	again       time.Duration
	gap         backoff.Backoff
	portion
}

// What a leave comes to.
type (
	leaves    Left     // this peer goes, now
	stays     struct{} // it does not leave after all
	handsOver struct{} // the heir has all results: the runs and their answers are next
)

// draws hears by which source it draws from now on.
func (l *leaving) draws(lots *rand.Rand) { l.lots = lots }

// isOn tells whether this peer is leaving.
func (l *leaving) isOn() bool { return l.active }

// begin begins a leave by a deadline, with an heir at a site if there is one.
func (l *leaving) begin(now, deadline time.Duration, site membership.Site, bound bool) {
	l.departure = departure{
		active: true, until: deadline, hurry: now + (deadline-now)/2, site: site, bound: bound,
		givenToHeir: map[*orphan.Item]bool{}, again: steal.Never,
	}
}

// shorten hears that it is to leave earlier, or whoever stays.
func (l *leaving) shorten(now, deadline time.Duration, bound bool) {
	l.bound = l.bound && bound
	l.until = min(l.until, deadline)
	l.hurry = min(l.hurry, now+(l.until-now)/2)
}

// off forgets the leave: this peer stays.
func (l *leaving) off() { l.departure = departure{} }

// isWoundDown tells whether no job is left here, and all that was returned is acknowledged.
func (l *leaving) isWoundDown() bool { return l.jobs() == 0 }

// tick goes on with leaving as far as it goes.
func (l *leaving) tick(now time.Duration) []membership.Effect {
	l.goOn(now)
	return l.flush()
}

func (l *leaving) goOn(now time.Duration) {
	switch {
	case !l.active:
		return
	case l.bound && l.isOff(now):
		l.do(stays{})
		return
	case now >= l.until:
		l.leave(l.heir.peer) // in order or not: what is lost is what a crash loses
		return
	case now < l.hurry && !l.isWoundDown():
		return
	}
	l.greetSite(now)
	if l.needsHeir(now) {
		l.chooseHeir(now)
	}
	switch {
	case l.heir == (life{}) && l.members.Len() == 0 && l.isWoundDown():
		// nobody could be an heir, now or soon: the last to leave waits for those that
		// leave to it
		l.leave("")
	case l.heir == (life{}):
	case l.will != nil && now >= l.again:
		l.sendWill(now)
	case l.will == nil && l.nextWill(now):
		l.sendWill(now)
	case l.will == nil:
		l.do(handsOver{})
	}
}

// answered hears of how many bytes the runs and answers are that the heir does not have yet, and
// whether it has all of them.
func (l *leaving) answered(now time.Duration, bytes int, all bool) []membership.Effect {
	if !all && !l.asked {
		l.since = now
	}
	l.asked, l.askedBytes = !all, bytes
	if all && l.isWoundDown() && l.maySettle() {
		l.leave(l.heir.peer)
	}
	return l.flush()
}

// heirHeard hears that somebody holds a run, or keeps an answer. An heir that answers has time for
// what is left. New runs give it none: it may answer nothing.
func (l *leaving) heirHeard(now time.Duration, who life) {
	if l.asked && who == l.heir {
		l.since = now
	}
}

// hearRecord hears of a record by which a leaver asks its heir whether it holds the run: its sender
// leaves.
func (l *leaving) hearRecord(a *arrival, rec Record) {
	if rec.Leaver && a.as == member {
		l.toldThatItLeaves(a.life)
	}
}

// toldThatItLeaves hears that somebody leaves, as a will, or a record that asks its heir, tells.
// That may come before its word of it. So of two that are each other's heir one knows, before it
// helps the other to go.
func (l *leaving) toldThatItLeaves(who life) {
	l.leavers = slices.DeleteFunc(l.leavers, func(o life) bool { return !l.members.Has(o.peer, o.incarnation) })
	if !slices.Contains(l.leavers, who) {
		l.leavers = append(l.leavers, who)
	}
}

// leavesUnknown tells of one that leaves, and has not told for how long it is there.
func (l *leaving) leavesUnknown(m *membership.Member) bool {
	return m.State != membership.Leaving && slices.Contains(l.leavers, life{m.ID, m.Incarnation})
}

// needsHeir tells whether another heir must be found: there is none, or it is gone, or does not
// answer, or is leaving itself and has nothing yet, or may leave to this peer.
func (l *leaving) needsHeir(now time.Duration) bool {
	m, ok := l.members.Member(l.heir.peer)
	switch {
	case !ok || m.Incarnation != l.heir.incarnation:
		return true
	case l.leavesUnknown(&m), m.State == membership.Leaving && !isLater(&m, l.members.Self()):
		return true // of two that leave one waits for the other
	case l.will != nil || l.asked:
		return now-l.since >= heirWait+l.patience(willSize(l.will)+l.askedBytes)
	}
	return m.State == membership.Leaving && len(l.givenToHeir) == 0
}

// deadline is when tick has something to do by itself.
func (l *leaving) deadline(now time.Duration) time.Duration {
	if !l.active {
		return steal.Never
	}
	at := min(l.until, l.again)
	if l.bound {
		at = min(at, l.stayDeadline(now))
	}
	if now < l.hurry {
		at = min(at, l.hurry)
	}
	return at
}

// leave says that this peer goes: the others run the crash path at once, and the heir follows it as
// master.
func (l *leaving) leave(heir membership.PeerID) {
	lost := 0
	for _, i := range l.results.All() {
		asOrphan, handed := l.givenToHeir[i]
		handed = handed && (asOrphan || !i.Orphan)
		if _, wanted := bequest(i, heir); wanted && !handed {
			lost++
		}
	}
	to := lifeOf(l.members, heir)
	left := Left{Heir: heir, Lost: lost, Jobs: l.jobs(), Runs: l.runs(to)}
	if !left.InOrder() {
		l.owe()
	}
	l.do(leaves(left))
}

// goes hears that this peer goes at once.
func (l *leaving) goes(heir membership.PeerID) []membership.Effect {
	l.leave(heir)
	return l.flush()
}

// owe says that not all was handed over, before the others hear that this peer has left. Gossip may
// bring that first, so it is published, too.
func (l *leaving) owe() {
	for m := range l.members.Present() {
		l.send(life{m.ID, m.Incarnation}, Late{})
	}
	l.publish(Late{})
}

// chooseHeir draws who gets the will: at the site that was asked for, else in this site, else in
// any, of those that stay. When all are leaving it is the one that has the most time.
func (l *leaving) chooseHeir(now time.Duration) {
	if l.will != nil || l.asked {
		l.tried = append(l.tried, l.heir.peer)
	}
	l.heir, l.will, l.items, l.again, l.asked, l.askedBytes, l.portion = life{}, nil, nil, steal.Never, false, 0, portion{}
	clear(l.givenToHeir)
	var best []membership.Member
	rank := 0
	for m := range l.members.Present() {
		n := 1
		switch {
		case m.State == membership.Leaving, l.leavesUnknown(m):
			continue
		case m.Site == l.site:
			n = 3
		case m.Site == l.home:
			n = 2
		}
		if !slices.Contains(l.tried, m.ID) {
			n += 3
		}
		if n > rank {
			rank, best = n, best[:0]
		}
		if n == rank {
			best = append(best, *m)
		}
	}
	if len(best) > 0 {
		m := best[l.lots.IntN(len(best))]
		l.heir = life{m.ID, m.Incarnation}
	} else if m, ok := l.lastLeaver(); ok && m.ID != l.self {
		l.heir = life{m.ID, m.Incarnation}
	}
	l.since = now
}

// lastLeaver is, when all are leaving, the one that has the most time; all agree on it, as its
// record says how much that is.
func (l *leaving) lastLeaver() (last membership.Member, ok bool) {
	last = l.members.Self()
	if last.State != membership.Leaving {
		return membership.Member{}, false
	}
	for m := range l.members.Present() {
		if m.State != membership.Leaving {
			return membership.Member{}, false
		}
		if isLater(m, last) {
			last = *m
		}
	}
	return last, true
}

// isLater tells whether one that leaves has more time than another.
func isLater(m *membership.Member, than membership.Member) bool {
	return m.Grace > than.Grace || m.Grace == than.Grace && m.ID > than.ID
}
