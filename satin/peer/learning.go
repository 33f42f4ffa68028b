package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// learning takes in what others know, in a Snapshot: a peer or client enters with a member's, and
// what it has missed since it finds there.
type learning struct {
	outbox
	client      bool
	view        knownMembers
	join        *joining
	entering    *entering
	runs        *runs
	records     *records
	roots       *roots
	endings     *endings
	submissions *submissions
	hosts       *hosts
	thief       *steal.Thief
}

// knownMembers is what is known of members; it is a [membership.View].
type knownMembers interface {
	Self() membership.Member
	Member(membership.PeerID) (membership.Member, bool)
	Lives(membership.PeerID, membership.Incarnation) bool
	Oldest() (membership.Member, bool)
	Adopt(now time.Duration, all []membership.Member, bars []membership.Bar) []membership.Effect
}

// What is done with a Snapshot after each other.
type (
	// knows says that a member's word on who is here has been taken: what it knows of runs is
	// next.
	knows struct {
		from membership.PeerID
		s    Snapshot
	}

	// comesIn says that what it knows of runs has been taken, too: with that, one that is on
	// its way in comes in.
	comesIn struct {
		knows
		lacking []*run // whose roots are asked for then
	}

	// replies says that all was taken: who has sent it may want the same in return.
	replies knows
)

// hearSnapshot hears what another knows of members and runs, and takes of it what one of its role
// may tell.
func (l *learning) hearSnapshot(now time.Duration, from membership.PeerID, by role, s Snapshot) []membership.Effect {
	if by == client {
		l.fromClient(now, from, s)
		l.do(replies{from, s})
		return l.flush()
	}
	all := s.Members[:min(len(s.Members), membership.SnapshotMax)]
	for _, m := range all {
		l.hosts.member(now, m, false)
	}
	l.also(l.view.Adopt(now, all, s.Bars))
	l.do(knows{from, s})
	return l.flush()
}

// runsOf takes what a member knows of runs.
func (l *learning) runsOf(now time.Duration, k knows) []membership.Effect {
	var lacking []*run
	l.bury(now, k.from, k.s.Ended, k.s.Heads)
	for n := range k.s.Heads[:min(len(k.s.Heads), RunsMax)] {
		r, effects := l.records.learn(now, k.from, &k.s.Heads[n], nil)
		l.also(effects)
		switch {
		case r == nil || r.root.isHere():
		case l.join.active && !r.root.isBig():
			r.root.isToCome(now)
		default:
			lacking = append(lacking, r)
		}
	}
	l.dropUnknown(now, k.from, k.s)
	l.do(comesIn{k, lacking})
	return l.flush()
}

// comeIn has this peer enter, if it was on its way in and was not just found to be barred.
func (l *learning) comeIn(now time.Duration, k comesIn, barred bool) []membership.Effect {
	if l.isFull(now, k) {
		l.join.noSeat()
		l.do(Stranded{Full: true})
		return l.flush()
	}
	if l.join.active && !barred {
		l.also(l.entering.letIn(now))
		if m, ok := l.view.Member(k.from); ok {
			l.thief.Prefer(m)
		}
	}
	for _, r := range k.lacking {
		l.also(l.roots.want(now, r, k.from))
	}
	l.do(replies(k.knows))
	return l.flush()
}

// isFull tells whether the grid has no seat for this peer, which is on its way in, or in.
func (l *learning) isFull(now time.Duration, k comesIn) bool {
	if l.join.active {
		return l.join.hasNoSeat(k.s.Members)
	}
	by, ok := l.view.Member(k.from)
	if l.client || l.join.stranded || !ok || k.s.About&AboutMembers == 0 {
		return false
	}
	self := l.view.Self()
	return l.join.losesSeat(now, &self, &by, k.s.Members)
}

// fromClient takes what a client has sent: the runs that it holds, and for one that joins whom else
// to ask.
func (l *learning) fromClient(now time.Duration, from membership.PeerID, s Snapshot) {
	l.bury(now, from, ownEnds(from, s.Ended), s.Heads)
	for n := range s.Heads[:min(len(s.Heads), RunsMax)] {
		r, effects := l.records.learnFromClient(now, from, &s.Heads[n], nil)
		l.also(effects)
		switch {
		case r == nil || r.root.isHere():
		case l.join.active:
			r.root.isToCome(now)
		default:
			l.also(l.roots.want(now, r, from))
		}
	}
	if l.join.active {
		l.also(l.join.named(now, s.Members))
	}
}

// bury takes which submissions have ended, and tells which of those that are brought up have.
func (l *learning) bury(now time.Duration, from membership.PeerID, ended []Tombstone, heads []Head) {
	_, effects := l.endings.bury(now, ended)
	l.also(effects)
	l.also(l.endings.tellOver(now, from, heads))
}

// dropUnknown forgets the runs of others that are in no snapshot of a member for long. Who is
// master of a run tells when that is over, or withdraws it. But a run may be made up, by a client
// or by a member that is gone, and name a master that never hears of it, as nobody believes its
// epoch: who holds it would for ever.
func (l *learning) dropUnknown(now time.Duration, from membership.PeerID, s Snapshot) {
	if l.join.active || s.About&AboutRuns == 0 {
		return
	}
	for _, r := range slices.Clone(l.runs.all) {
		known := slices.ContainsFunc(s.Heads, func(h Head) bool { return h.Run == r.instance })
		switch by, counts := l.judge(r); {
		case known || l.submissions.awaits(r.submissions) || !counts:
			r.demand.lacked = lacked{}
		case r.demand.lacked.hears(now, from, by):
			l.also(l.endings.end(now, r))
		}
	}
}

// judge is by whose word a run is not known, if any counts.
//
// While its master lives that one's alone does: a client stands between the sides of a cut, and may
// be the only one to hold what one side is to have from the other when that has died. Where it does
// not live, members see to it that another succeeds it; but who is in the grid believes nobody that
// tells it of a run with an epoch far above all others, as one that joins must, and takes no such
// run over.
func (l *learning) judge(r *run) (by membership.PeerID, counts bool) {
	switch oldest, some := l.view.Oldest(); {
	case l.view.Lives(r.master, r.epoch.Master):
		return r.master, true
	case l.client:
		return anyMember, true
	default:
		return oldest.ID, some && !isCredible(r.epoch)
	}
}

// successionsMax is how often masters of a run follow each other, at the most, from an epoch that
// is believed on: who did not know the run must believe the last of them, too.
const successionsMax = 1 << 16

// isCredible tells whether the epoch of a run that is not known is believed: no grid whose members
// can be believed comes to one above that.
func isCredible(e membership.Epoch) bool { return e.Number <= membership.RaiseMax+successionsMax }

// isMadeUp tells whether no grid whose members can be believed comes to such an epoch by itself. A
// run that is known may have been raised to it; one that is first heard of under it is doubted.
func isMadeUp(e membership.Epoch) bool { return e.Number > membership.RaiseMax }
