package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// hopsMax is how often a submission is passed on: to the master, at worst by way of former ones.
const hopsMax = 4

// Submit asks for a run, and names the submission: Deliver will name it again.
func (p *Peer) Submit(now time.Duration, root Root) (nonce steal.Nonce, effects []Effect, err error) {
	p.begin(now)
	s, err := p.submissions.begin(root)
	if err != nil {
		return 0, p.end(), err
	}
	p.reports.submitted(s.id.Nonce, root.Run)
	p.submit(s)
	return s.id.Nonce, p.end(), nil
}

// Cancel withdraws a submission. Nothing will be delivered for it.
func (p *Peer) Cancel(now time.Duration, nonce steal.Nonce) []Effect {
	p.begin(now)
	p.apply(p.submissions.cancel(nonce))
	p.reports.cancelled(nonce)
	return p.end()
}

// submit sends submissions of this peer's own.
func (p *Peer) submit(all ...*submission) {
	for _, s := range all {
		p.apply(p.submissions.submit(p.now, s, !p.join.active))
	}
}

// submitted takes a submission, as the master of its run or as the oldest peer, or
// passes it on to that one.
func (p *Peer) submitted(from membership.PeerID, m Submit) {
	if len(m.Task) > TaskNameMax || len(m.Root) > RootMax || !p.entered() ||
		m.Submission.Submitter == "" || len(m.Submission.Submitter) > membership.IDBytesMax {
		return
	}
	m.Terms = p.settle(m.Terms)
	if over, some := p.tombstones.over(p.now, m.Submission); some {
		p.tell(m.Submission.Submitter, over)
		return
	}
	r := p.runs.runFor(m)
	to := p.view.Self()
	if r != nil {
		p.heardOf(r, m, from)
		to, _ = p.view.Member(r.master)
	}
	if r == nil || to.ID == "" {
		to, _ = p.view.Oldest()
	}
	switch {
	case to.ID != p.conf.Member.ID:
		if m.Hops++; m.Hops <= hopsMax && to.ID != from {
			p.send(to.ID, m)
		}
		return
	case r == nil && m.Root == nil:
		p.tell(m.Submission.Submitter, NeedRoot{m.Submission.Nonce})
		return
	case r == nil:
		itsShare := p.hasItsShare(m.Submission.Submitter)
		if itsShare || !p.makeRoom(m) {
			p.tell(m.Submission.Submitter, Full{Nonce: m.Submission.Nonce, Roots: !itsShare && !p.runs.isFull()})
			return
		}
		if r = p.newRun(m); r == nil {
			return
		}
	case len(r.submissions) >= SubmissionsMax && !slices.Contains(r.submissions, m.Submission):
		p.tell(m.Submission.Submitter, Full{Nonce: m.Submission.Nonce})
		return
	}
	p.rootFrom(r, m)
	r.vouched = true
	r.contactIs(m.contact())
	p.hosts.submitters(p.now, m.contact())
	p.addSubmission(r, m.Submission)
	if r.terms.join(m.Terms) {
		p.termsChanged(r)
	}
	p.tell(m.Submission.Submitter, Accepted{Nonce: m.Submission.Nonce, Run: r.instance, Master: r.master})
}

// rootFrom takes the root with a submission, or asks for it: a master may hold no more than the
// head, and the submitter may be the only one left who has the root.
func (p *Peer) rootFrom(r *run, m Submit) {
	switch {
	case r.root != nil || !p.runs.mayHold(r):
	case m.Root == nil:
		p.tell(m.Submission.Submitter, NeedRoot{m.Submission.Nonce})
	case len(m.Root) == int(r.rootBytes) && m.RootDigest == r.rootDigest:
		p.rootCame(r, m.Root)
	}
}

// tell sends to a submitter, which may be this peer.
func (p *Peer) tell(to membership.PeerID, body membership.Body) {
	if to != p.conf.Member.ID {
		p.send(to, body)
		return
	}
	switch b := body.(type) {
	case Accepted:
		p.submissions.accepted(p.now, b)
		p.reports.accepted(b.Nonce, b.Run)
	case Full:
		p.apply(p.submissions.refused(b))
	}
}

// newRun makes the record of a run that was submitted, with this peer as its master.
func (p *Peer) newRun(m Submit) *run {
	if m.Root == nil {
		return nil
	}
	self := p.view.Self()
	h := Head{
		Run: steal.Instance{Run: m.Run, First: m.Submission}, Task: m.Task, RootDigest: m.RootDigest, RootBytes: uint32(len(m.Root)),
		Terms: m.Terms, Epoch: membership.Epoch{Number: 1, Master: self.Incarnation}, Master: self.ID, Submissions: []steal.Submission{m.Submission},
	}
	r := p.keep(&h)
	r.submissions = h.Submissions
	r.contactIs(m.contact())
	p.hosts.submitters(p.now, m.contact())
	p.rootCame(r, m.Root)
	p.publish(r.record())
	return r
}

// addSubmission notes one more that waits for a run's answer.
func (p *Peer) addSubmission(r *run, s steal.Submission) {
	at, known := slices.BinarySearchFunc(r.submissions, s, steal.Submission.Compare)
	if known || len(r.submissions) >= SubmissionsMax {
		return
	}
	r.submissions = slices.Insert(r.submissions, at, s)
	if r.master == p.conf.Member.ID {
		p.publish(r.record())
	}
	if r.delivering {
		p.apply(r.answering.owe(p.now, s, r.epoch))
	}
}

// answered takes an answer to one of this peer's submissions, once the best that it names is here.
func (p *Peer) answered(from membership.PeerID, m Message, a Answer) {
	r := p.runs.find(a.Run)
	forSelf := a.To == "" || a.To == p.conf.Member.ID
	if r != nil && (!forSelf || p.submissions.own(a.Nonce) != nil) && !p.takeBest(r, from, m.From, a.Best) {
		if _, bad := r.best.trial.isSpoilt(a.Best.Digest); !bad {
			// the answer is its best, and is decoded where it is delivered
			p.hold(from, m, a.Run, a.Best)
			return
		}
	}
	if !forSelf {
		p.passAnswer(r, from, a)
		return
	}
	p.apply(p.submissions.answered(a.Nonce, a.Result, from))
}

// isWanted tells whether a run's root may be restarted, and asks where that is not known.
func (p *Peer) isWanted(r *run) bool {
	may, effects := r.wanted.mayStart(p.now, r.submissions, p.submissions.awaits(r.submissions))
	p.apply(effects)
	return may
}

// askedIfWanted answers for this peer's own submissions, and passes on what is asked of another.
func (p *Peer) askedIfWanted(from membership.PeerID, w Wanted) {
	if over, some := p.tombstones.over(p.now, w.Submission); some {
		p.send(from, over)
	} else if w.Submission.Submitter == p.conf.Member.ID {
		p.apply(p.submissions.askedIfWanted(from, w.Submission))
	} else if r := p.runs.awaitedBy(w.Submission); r != nil {
		p.apply(r.wanted.pass(w))
	}
}

// heardOf notes that a submitter asks for a run, again perhaps.
func (p *Peer) heardOf(r *run, m Submit, from membership.PeerID) {
	if slices.Contains(r.submissions, m.Submission) {
		r.wanted.asks(p.now, m.Submission)
		if from == m.Submission.Submitter {
			p.runs.reached(from)
		}
		p.apply(r.answering.sendBack(p.now, m.Submission, from, r.epoch))
	}
	if r.wanted.vouch() {
		p.mastership.due = true
	}
	if r.root == nil && m.Root != nil && m.RootDigest == r.rootDigest && len(m.Root) == int(r.rootBytes) && p.runs.mayHold(r) {
		p.rootCame(r, m.Root)
	}
}

// passAnswer passes an answer on to its submitter, which its sender may not reach.
func (p *Peer) passAnswer(r *run, from membership.PeerID, a Answer) {
	s := steal.Submission{Submitter: a.To, Nonce: a.Nonce}
	if over, some := p.tombstones.over(p.now, s); some {
		p.send(from, over)
		return
	}
	if r == nil || !slices.Contains(r.submissions, s) || from == a.To {
		return
	}
	r.between = true
	a.Best = r.best.stamp(a.To, lifeOf(p.view, a.To).incarnation)
	p.send(a.To, a)
}
