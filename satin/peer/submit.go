package peer

import (
	"errors"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Times and bounds of submissions.
const (
	submitGapMin = 500 * time.Millisecond
	submitGapMax = 5 * time.Second
	comeTogether = 50 * time.Millisecond // who come within that count as come together
	// a submission is passed on so often: to the master, at worst by way of former ones
	hopsMax = 4
	// delivered answers that are kept to be compared with later ones
	answersMax = 256
)

// ErrTooMany is what Submit returns when there are too many unanswered submissions.
var ErrTooMany = errors.New("satin: too many runs submitted at once; wait for an answer first")

// submission is one of this peer's own, until it is answered or cancelled.
type submission struct {
	id     steal.Submission
	root   Root
	bare   bool // the root has been sent: repeats go without it
	known  bool // accepted: as part of run, which has this master
	run    steal.Instance
	master membership.PeerID
	tries  int
	again  time.Duration
	gap    time.Duration
}

// delivered is an answer that was accepted.
type delivered struct {
	nonce  steal.Nonce
	task   string
	result steal.Result // with its bytes, or their sum when they are many
}

// Submit asks for a run, and names the submission: Deliver will name it again.
func (p *Peer) Submit(now time.Duration, root Root) (nonce steal.Nonce, effects []Effect, err error) {
	p.begin(now)
	if len(p.mine) >= SubmissionsMax {
		return 0, p.end(), ErrTooMany
	}
	if err := p.submittable(root); err != nil {
		return 0, p.end(), err
	}
	if root.Args == nil {
		root.Args = []byte{}
	}
	root.Terms = root.Terms.settled()
	s := &submission{id: steal.Submission{Submitter: p.conf.Member.ID, Nonce: steal.Nonce(p.rng.Uint64())}, root: root}
	s.gap = submitGapMin
	p.mine = append(p.mine, s)
	p.submit(s)
	return s.id.Nonce, p.end(), nil
}

// Cancel withdraws a submission. Nothing will be delivered for it.
func (p *Peer) Cancel(now time.Duration, nonce steal.Nonce) []Effect {
	p.begin(now)
	if s := p.own(nonce); s != nil {
		p.finish(s, "")
	}
	return p.end()
}

// RunOf is the run that one of this peer's submissions belongs to, once that is known
// and its record is here.
func (p *Peer) RunOf(nonce steal.Nonce) (RunNo, bool) {
	if s := p.own(nonce); s != nil && s.known {
		if r := p.run(s.run); r != nil {
			return r.no, true
		}
	}
	return 0, false
}

func (p *Peer) own(nonce steal.Nonce) *submission {
	for _, s := range p.mine {
		if s.id.Nonce == nonce {
			return s
		}
	}
	return nil
}

// bareMessage is what is sent for a submission, without the root.
func (p *Peer) bareMessage(s *submission) Submit {
	return Submit{Submission: s.id, Run: s.root.Run, Task: s.root.Task, RootDigest: s.root.Digest, Terms: s.root.Terms,
		Addrs: p.conf.Member.Addrs}
}

// submit sends a submission to where it should be heard: the master, or the oldest; when they stay
// silent, every other time to anybody, who may reach them.
func (p *Peer) submit(s *submission) {
	s.again = p.now + s.gap
	s.gap = min(2*s.gap, submitGapMax)
	m := p.bareMessage(s)
	to, ok := p.view.Oldest()
	if master, present := p.view.Member(s.master); s.known && present {
		to = master
	}
	if s.tries++; s.tries%2 == 0 && to.ID != p.conf.Member.ID {
		to, ok = p.view.Draw()
		// Nobody that this peer hears of has the root: the link to the oldest, which would ask
		// for it, may be dead.
		s.bare = s.bare && (s.known || p.runFor(m) != nil)
	}
	if !s.bare {
		m.Root = s.root.Args
		s.again += timeFor(len(m.Root))
	}
	switch {
	case !ok || p.join.active:
		return // nobody is there yet
	case to.ID == p.conf.Member.ID:
		m.Root = s.root.Args
		p.submitted(p.conf.Member.ID, m)
	default:
		s.bare = true
		p.send(to.ID, m)
	}
}

// submitNow sends all that waited for a grid.
func (p *Peer) submitNow() {
	for _, s := range slices.Clone(p.mine) {
		s.gap = submitGapMin
		p.submit(s)
	}
}

// submitSoon does so now that somebody has come, where nobody who is here is known to have taken
// it: whoever had may have died before another had heard of the run. Who learns of many members
// at once submits once.
func (p *Peer) submitSoon() {
	for _, s := range p.mine {
		if _, present := p.view.Member(s.master); !s.known || !present {
			s.again = min(s.again, p.now+comeTogether)
			s.gap = submitGapMin
		}
	}
}

func (p *Peer) tickSubmissions() {
	for _, s := range slices.Clone(p.mine) {
		if p.now >= s.again {
			p.submit(s)
		}
	}
}

func (p *Peer) submissionsDeadline() time.Duration {
	at := steal.Never
	for _, s := range p.mine {
		at = min(at, s.again)
	}
	return at
}

// submitted takes a submission, as the master of its run or as the oldest peer, or
// passes it on to that one.
func (p *Peer) submitted(from membership.PeerID, m Submit) {
	if len(m.Task) > TaskNameMax || len(m.Root) > RootMax || !p.entered() ||
		m.Submission.Submitter == "" || len(m.Submission.Submitter) > membership.IDBytesMax {
		return
	}
	m.Terms = p.settle(m.Terms)
	if _, dead := p.graves.sort([]steal.Submission{m.Submission}); len(dead) > 0 {
		p.tell(m.Submission.Submitter, Ended{p.graves.ages(p.now, dead)})
		return
	}
	r := p.runFor(m)
	p.heardOf(r, m, from)
	to := p.view.Self()
	if r != nil {
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
			p.tell(m.Submission.Submitter, Full{Nonce: m.Submission.Nonce, Roots: !itsShare && len(p.runs) < RunsMax})
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
	p.submitterAt(r, Contact{m.Submission.Submitter, m.Addrs})
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
	case r.root != nil || !p.mayHold(r):
	case m.Root == nil:
		p.tell(m.Submission.Submitter, NeedRoot{m.Submission.Nonce})
	case len(m.Root) == int(r.rootBytes) && m.RootDigest == r.rootDigest:
		p.rootCame(r, m.Root)
	}
}

// runFor is the run that a submission belongs to, or may join.
func (p *Peer) runFor(m Submit) *run {
	for _, r := range p.runs {
		if slices.Contains(r.submissions, m.Submission) {
			return r
		}
	}
	for _, r := range p.runs {
		if r.instance.Run == m.Run && r.rootDigest == m.RootDigest && r.task == m.Task && r.terms.fits(m.Terms) {
			return r
		}
	}
	return nil
}

// tell sends to a submitter, which may be this peer.
func (p *Peer) tell(to membership.PeerID, body membership.Body) {
	if to != p.conf.Member.ID {
		p.send(to, body)
		return
	}
	switch b := body.(type) {
	case Accepted:
		p.accepted(b)
	case Full:
		p.refused(b)
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
	p.submitterAt(r, Contact{m.Submission.Submitter, m.Addrs})
	p.rootCame(r, m.Root)
	p.publish(p.recordFor(r, false, "", membership.Incarnation{}))
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
		p.publish(p.recordFor(r, false, "", membership.Incarnation{}))
	}
	if r.delivering {
		p.owe(r, s)
	}
}

// accepted hears that a run is under way for a submission.
func (p *Peer) accepted(a Accepted) {
	if s := p.own(a.Nonce); s != nil {
		s.known, s.run, s.master = true, a.Run, a.Master
		s.gap = submitGapMax
		s.again = p.now + s.gap
	}
}

// rootNeeded sends the root to whoever needs it. Repeats go on as they would: the master that they
// go to may be dead, and this peer not know it.
func (p *Peer) rootNeeded(from membership.PeerID, n NeedRoot) {
	if s := p.own(n.Nonce); s != nil {
		m := p.bareMessage(s)
		m.Root = s.root.Args
		p.send(from, m)
	}
}

// answered takes an answer to one of this peer's submissions, once the best that it names is here.
func (p *Peer) answered(from membership.PeerID, m Message, a Answer) {
	r := p.run(a.Run)
	forSelf := a.To == "" || a.To == p.conf.Member.ID
	if r != nil && (!forSelf || p.own(a.Nonce) != nil) && !p.takeBest(r, from, m.From, a.Best) {
		if _, bad := r.best.trial.isSpoilt(a.Best.Digest); !bad { // the answer is its best, and is decoded where it is delivered
			p.hold(from, m, a.Run, a.Best)
			return
		}
	}
	if !forSelf {
		p.passAnswer(r, from, a)
		return
	}
	p.accept(a.Nonce, a.Result, from, r)
}

// accept delivers the first answer and compares later ones with it. All are acknowledged; so is the
// answer to a submission that is not known here, which nobody waits for any more.
func (p *Peer) accept(nonce steal.Nonce, result steal.Result, from membership.PeerID, r *run) {
	if s := p.own(nonce); s != nil {
		p.out = append(p.out, Deliver{Nonce: nonce, Result: result})
		if len(p.answers) == answersMax {
			p.answers = p.answers[1:]
		}
		p.answers = append(p.answers, delivered{nonce, s.root.Task, short(result)})
		p.finish(s, from)
		return
	}
	for _, d := range p.answers {
		if d.nonce == nonce && p.contradicts(d, short(result)) {
			p.differ(nonce)
		}
	}
	if from != p.conf.Member.ID {
		p.send(from, Ended{[]Tombstone{{Submission: steal.Submission{Submitter: p.conf.Member.ID, Nonce: nonce}}}})
	}
}

// finish ends one of this peer's submissions, answered by a peer or cancelled, and says so to all.
func (p *Peer) finish(s *submission, answeredBy membership.PeerID) {
	if p.planted(PlantNoFence) && answeredBy != "" {
		return
	}
	p.mine = slices.DeleteFunc(p.mine, func(o *submission) bool { return o == s })
	ended := Ended{[]Tombstone{{Submission: s.id}}}
	p.bury(ended.Submissions)
	p.publish(ended)
	if answeredBy == "" {
		answeredBy = s.master
	}
	if answeredBy != "" && answeredBy != p.conf.Member.ID {
		p.send(answeredBy, ended)
	}
}

// awaits tells whether this peer waits for the answer of a run.
func (p *Peer) awaits(r *run) bool {
	return slices.ContainsFunc(p.mine, func(s *submission) bool { return slices.Contains(r.submissions, s.id) })
}
