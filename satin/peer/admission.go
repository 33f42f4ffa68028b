package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// hopsMax is how often a submission is passed on: to the master, at worst by way of former ones.
const hopsMax = 4

// admission decides which submissions are taken here: by the master of their run, or by the oldest
// peer, where there is room.
type admission struct {
	outbox
	self      membership.PeerID
	resultMax uint32 // bytes of a result that this peer carries
	members   electorate
	others    answerHolders
	storing   *storing

	runs        *runs
	records     *records
	roots       *roots
	tombstones  *tombstones
	submissions *submissions
	mastership  *mastership
	endings     *endings
	hosts       *hosts
	leaving     *leaving
}

// hearSubmit takes a submission, as the master of its run or as the oldest peer, or
// passes it on to that one.
func (a *admission) hearSubmit(now time.Duration, from membership.PeerID, m Submit) []membership.Effect {
	if !IsTask(m.Task) || len(m.Root) > RootMax || !entered(a.members.Self()) || !m.Submission.Submitter.Sound() ||
		m.Submission.Keeps || !m.Asked.Sound() {
		return nil
	}
	m.Terms = a.settle(m.Terms)
	if over, some := a.tombstones.over(now, m.Submission); some {
		a.hosts.submitters(now, m.contact())
		a.tell(now, m.Submission.Submitter, over)
		return a.flush()
	}
	if a.tombstones.isCancelled(m.Of) {
		a.isCancelled(now, m)
		return a.flush()
	}
	r := a.runs.runFor(m)
	to := a.members.Self()
	if r != nil {
		if m.Joins != (steal.Key{}) {
			// it asks for the answer alone
			m.Terms = r.terms
			m.Terms.Keep = 0
		}
		a.heardOf(now, r, m, from)
		to, _ = a.members.Member(r.master)
	}
	if r == nil || to.ID == "" {
		to, _ = a.members.Oldest()
	}
	if to.ID == a.self {
		a.take(now, r, m)
	} else if m.Hops++; m.Hops <= hopsMax && to.ID != from {
		a.do(tells{to.ID, m})
	}
	return a.flush()
}

// isCancelled ends a submission of a run that was cancelled. Its submitter has not heard of that,
// and would start the run again.
func (a *admission) isCancelled(now time.Duration, m Submit) {
	a.hosts.submitters(now, m.contact())
	over := endOf(m.submissions(), EndCancelled)
	_, effects := a.endings.bury(now, over.Submissions)
	a.also(effects)
	a.tell(now, m.Submission.Submitter, over)
}

// take takes a submission of a run, which is made where there is none yet, or says why it cannot.
func (a *admission) take(now time.Duration, r *run, m Submit) {
	submitter, nonce := m.Submission.Submitter, m.Submission.Nonce
	// it may hold this peer dead, and have gone by way of another: then it is told where it is
	a.hosts.submitters(now, m.contact())
	switch {
	case m.Joins != steal.Key{} && (r == nil || r.root.isLost()):
		a.tell(now, submitter, NoRun{nonce, r != nil})
		return
	case r == nil && m.Root == nil:
		a.tell(now, submitter, NeedRoot{nonce})
		return
	case r == nil:
		itsShare := a.records.hasItsShare(submitter)
		if itsShare || !a.makeRoom(now, m) {
			a.tell(now, submitter, Full{Nonce: nonce, Roots: !itsShare && !a.runs.isFull()})
			return
		}
		var effects []membership.Effect
		r, effects = a.records.made(now, m)
		a.also(effects)
	case !slices.Contains(r.submissions, m.Submission) && len(r.fitting(m.submissions())) < len(m.submissions()):
		a.tell(now, submitter, Full{Nonce: nonce, Keeps: len(r.submissions) < SubmissionsMax})
		return
	}
	if !r.root.isHere() && m.Root == nil && a.runs.mayHold(r) {
		// a master may hold no more than the head, and the submitter may be the only one
		// left who has the root
		a.tell(now, submitter, NeedRoot{nonce})
	}
	a.also(a.roots.brought(now, r, m.RootDigest, m.Root))
	r.demand.vouched = true
	r.contactIs(m.contact())
	a.also(a.records.joins(now, r, m))
	a.tell(now, submitter, Accepted{Nonce: nonce, Run: r.instance, Master: r.master, Safe: a.isSafeStill(r)})
	a.entrust(now, r)
}

// heardOf notes that a submitter asks for a run, again perhaps.
func (a *admission) heardOf(now time.Duration, r *run, m Submit, from membership.PeerID) {
	if slices.Contains(r.submissions, m.Submission) {
		r.demand.heardFrom(now, m.Submission)
		if from == m.Submission.Submitter {
			a.runs.reached(from)
		}
		a.also(r.answering.sendBack(now, m.Submission, from, r.epoch))
	}
	if r.demand.vouch() {
		a.mastership.changed()
	}
	a.also(a.roots.brought(now, r, m.RootDigest, m.Root))
}

// tell sends to a submitter, which may be this peer.
func (a *admission) tell(now time.Duration, to membership.PeerID, body membership.Body) {
	if to != a.self {
		a.do(tells{to, body})
		return
	}
	switch b := body.(type) {
	case Accepted:
		a.also(a.submissions.accepted(now, b))
	case NoRun:
		a.also(a.submissions.notOn(b))
	case Full:
		a.also(a.submissions.hearFull(b))
	}
}

// settle fills in the terms of a submission. More than this peer carries is promised to nobody.
func (a *admission) settle(t Terms) Terms {
	t = t.settled()
	t.ShareNo = 0 // it is no order
	t.ResultMax = min(t.ResultMax, max(a.resultMax, ResultCarried))
	return t
}
