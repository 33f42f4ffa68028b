package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// records are what this peer hears of runs: it keeps those of which it learns, and gives their
// records to who lacks them.
type records struct {
	outbox
	self        membership.PeerID
	site        membership.Site
	failure     runFailure
	members     *membership.View
	runs        *runs
	roots       *roots
	tombstones  *tombstones
	submissions *submissions
	mastership  *mastership
	endings     *endings
	join        *joining
	hosts       *hosts
	copier      *copier
	table       *orphan.Table
	results     *orphan.Results
	leaving     *leaving
}

// tellsAnswer says that the master of a run does not know its answer, as it says itself, and that
// this peer has it.
type tellsAnswer struct{ run steal.Instance }

// hearRecord hears a record that was published, fetched or sent. It may say that its sender leaves:
// then this peer's heir may be asked anew.
func (s *records) hearRecord(now time.Duration, a *arrival, rec Record) []membership.Effect {
	s.leaving.hearRecord(a, rec)
	s.also(s.take(now, a.peer, a.as, rec))
	s.do(goesOn{})
	return s.flush()
}

// take takes a record that was published, fetched or sent.
func (s *records) take(now time.Duration, from membership.PeerID, by role, rec Record) []membership.Effect {
	var r *run
	var effects []membership.Effect
	if by == client {
		r, effects = s.learnFromClient(now, from, &rec.Head, rec.Root)
	} else if r, effects = s.learn(now, from, &rec.Head, rec.Root); r != nil {
		r.demand.lacked = lacked{}
	}
	if s.also(effects); r == nil {
		s.also(s.endings.tellOver(now, from, []Head{rec.Head}))
		return s.flush()
	}
	if who := lifeOf(s.members, from); by == member || r.isAlonesRun(from) {
		held, effects := r.best.take(now, who, rec.Best)
		if s.also(effects); !held {
			r.best.trial.awaits(rec.Best.Digest, who, steal.Key{})
		}
	}
	s.also(s.roots.want(now, r, from))
	if rec.Confirm > 0 && by == member {
		s.also(s.roots.confirm(now, r, holdAsker{from, rec.Confirm, rec.Leaver}))
	}
	s.do(unblocks{})
	return s.flush()
}

// learn takes a member's word on a run. Where a client alone has told of it, and otherwise, the run
// is learnt anew: a client may say what it likes of a run that another has submitted.
func (s *records) learn(now time.Duration, from membership.PeerID, h *Head, root []byte) (*run, []membership.Effect) {
	if r := s.runs.find(h.Run); r != nil && r.demand.hearsay && r.master != s.self && h.sound() {
		if r.demand.hearsay = false; !r.agrees(h) {
			s.also(s.endings.end(now, r))
		}
	}
	r, effects := s.merge(now, from, h, root)
	if r != nil && r.answer != nil && from == h.Master && h.Epoch == r.epoch && h.Answered == 0 {
		effects = append(effects, tellsAnswer{r.instance})
	}
	return r, effects
}

// agrees tells whether what is known of a run is what a record says, or older.
func (r *run) agrees(h *Head) bool {
	return r.task == h.Task && r.root.digest == h.RootDigest && r.root.size == h.RootBytes && r.terms == h.Terms.settled() &&
		(h.Epoch.Compare(r.epoch) > 0 || h.Epoch == r.epoch && h.Master == r.master)
}

// merge merges a record into what is known: submissions are united, the greater epoch holds. It is
// nil when the run has ended or there is no room for it.
func (s *records) merge(now time.Duration, from membership.PeerID, h *Head, root []byte) (*run, []membership.Effect) {
	if !h.sound() || s.tombstones.isCancelled(h.Run.First) {
		return nil, nil
	}
	live := s.tombstones.living(h.Submissions)
	r := s.runs.find(h.Run)
	if r == nil {
		if len(live) == 0 || s.runs.isFull() || !isCredible(h.Epoch) && !s.join.active {
			return nil, nil
		}
		r = s.begin(now, h)
	}
	for _, waits := range live {
		s.adds(now, r, waits)
	}
	if own := s.submissions.rootOf(r.root.digest); own != nil {
		s.also(s.roots.brought(now, r, r.root.digest, own))
	} else {
		s.also(s.roots.brought(now, r, h.RootDigest, root))
	}
	if r.assignment.isGiven(now, h.Terms.settled()) {
		s.termsChanged(now, r)
	}
	s.also(s.mastership.compareEpochs(now, from, r, h))
	if r.hears(now, s.self, h) {
		s.do(opens{})
		if r.root.isHere() {
			s.do(WantWork{r.no})
		}
	}
	r.poison.learn(now, h.Deaths)
	r.contactsAre(h.Contacts, from == r.master)
	s.hosts.submitters(now, h.Contacts...)
	if s.members.Lives(h.Master, h.Epoch.Master) {
		r.demand.vouched = true
	}
	s.mastership.changed()
	return r, s.flush()
}

// remembered takes a run's record from this peer's disk, before it looks for others. It is no more
// than a record: who waits for the run is asked before it starts, unless it is kept, and one that
// has ended since ends here when others say so. One of which this peer knows that goes.
func (s *records) remembered(now time.Duration, rec Recorded) []membership.Effect {
	r, effects := s.learn(now, "", &rec.Head, rec.Root)
	if s.also(effects); r == nil && len(s.tombstones.overOf(now, &rec.Head)) > 0 {
		s.do(Forget{Place: rec.Place, All: rec.Place != rec.Head.Run.Run})
	} else if r != nil {
		if was := r.disk.place; r.disk.remembered && was != rec.Place {
			// that one was not read once
			s.do(Forget{Place: was, All: true})
		}
		r.disk.remembered, r.disk.some, r.disk.place = true, true, rec.Place
		r.disk.root, r.disk.record = r.root.isHere(), r.digest()
		if rec.Head.Answered > 0 {
			r.answering.dates(now, rec.Head.Answered)
		}
	}
	return s.flush()
}

// learnFromClient takes a record from a client: a run that is not known here, or who else of its
// own waits for one that is.
func (s *records) learnFromClient(now time.Duration, from membership.PeerID, h *Head, root []byte) (*run, []membership.Effect) {
	told, r := *h, s.runs.find(h.Run)
	told.Deaths, told.Answered, told.Progress = nil, 0, 0
	if r != nil {
		told.Epoch, told.Master, told.Submissions, told.Contacts = r.epoch, r.master, nil, nil
		for _, waits := range h.Submissions[:min(len(h.Submissions), submissionsTold)] {
			if waits.Submitter == from {
				told.Submissions = append(told.Submissions, waits)
			}
		}
		for _, c := range h.Contacts[:min(len(h.Contacts), SubmissionsMax)] {
			if c.Submitter == from {
				told.Contacts = append(told.Contacts, c)
			}
		}
		told.Submissions = r.fitting(told.Submissions) // none goes for it
		if len(told.Submissions) == 0 {                // it has nothing to ask for
			told.Terms = r.terms
		}
	} else if !isCredible(h.Epoch) || entered(s.members.Self()) && !s.mayTell(from, h) {
		return nil, nil
	}
	is, effects := s.merge(now, from, &told, root)
	if r == nil && is != nil {
		is.demand.hearsay = h.Run.First.Submitter != from
	}
	return is, effects
}

// begin begins to keep a run.
func (s *records) begin(now time.Duration, h *Head) *run {
	r := &run{
		assignment: newAssignment(now, s.runs.next(), h),
		root:       rootHere{digest: h.RootDigest, size: h.RootBytes},
		itsMaster:  itsMaster{epoch: h.Epoch, master: h.Master, since: now},
		trust:      trust{again: steal.Never},
	}
	r.poison = poison{run: r.instance, failure: s.failure}
	r.best = best{run: r.instance, no: r.no, task: r.task, failure: s.failure, publishAt: steal.Never}
	r.answering = answering{
		self: s.self, of: r.instance, members: s.members, bestFor: r.best.stamp, keptBy: answerHolder{again: steal.Never},
	}
	r.panicking = panicking{of: r.instance, members: s.members}
	r.demand = demand{self: s.self, others: s.members, again: steal.Never, madeUp: isMadeUp(h.Epoch)}
	r.facts = facts{run: r.instance, no: r.no, again: steal.Never}
	r.look = lookup{
		run: r.instance, no: r.no, site: s.site, table: s.table, results: s.results, members: s.members, at: steal.Never,
	}
	s.copier.began(r.instance, r.no, r)
	s.mastership.began(now)
	r.epochs.Over(h.Epoch.Number)
	s.runs.add(r)
	s.do(Mastered{Run: r.no, Master: r.master, Epoch: r.epoch})
	return r
}

// made makes the record of a run that was submitted with its root, with this peer as its master.
func (s *records) made(now time.Duration, m Submit) (*run, []membership.Effect) {
	self := s.members.Self()
	all := s.tombstones.living(m.submissions())
	h := Head{
		Run: steal.Instance{Run: m.Run, First: all[0]}, Task: m.Task, RootDigest: m.RootDigest, RootBytes: uint32(len(m.Root)),
		Terms: m.Terms, Epoch: membership.Epoch{Number: 1, Master: self.Incarnation}, Master: self.ID, Asked: m.Asked,
	}
	r := s.begin(now, &h)
	for _, o := range all {
		r.adds(o)
	}
	r.contactIs(m.contact())
	s.hosts.submitters(now, m.contact())
	s.also(s.roots.came(now, r, m.Root))
	s.publish(r.record(now))
	return r, s.flush()
}

// joins notes that one more submission waits for a run, and asks for its terms.
func (s *records) joins(now time.Duration, r *run, m Submit) []membership.Effect {
	keeps := m.Terms.Keep > 0 && !slices.Contains(r.keeps, m.Submission.Kept())
	for _, o := range s.tombstones.living(m.submissions()) {
		s.adds(now, r, o)
	}
	if r.terms.join(m.Terms) {
		s.termsChanged(now, r)
	}
	if keeps && r.over {
		r.prolong(now, m.Terms.keep())
		s.publish(r.record(now))
	}
	return s.flush()
}

func (s *records) adds(now time.Duration, r *run, one steal.Submission) {
	if !r.adds(one) {
		return
	}
	// somebody asks for it anew, and may do so in each life
	if r.disk.pausedUntil > now+startGapMin {
		r.disk.pausedUntil = now + startGapMin
		s.mastership.changed()
	}
	if r.master == s.self {
		s.publish(r.record(now))
	}
	if r.delivering && !one.Keeps {
		s.also(r.answering.owe(now, one, r.epoch))
	}
}

// reshared tells the workers, and everybody, what share a run has been given here.
func (s *records) reshared(now time.Duration, r *run) []membership.Effect {
	s.termsChanged(now, r)
	if r.master != s.self {
		s.publish(r.record(now))
	}
	return s.flush()
}

// termsChanged tells the workers, and as the master everybody, what a run has been promised since.
func (s *records) termsChanged(now time.Duration, r *run) {
	if r.root.isHere() {
		s.do(ShareIs{Run: r.no, Share: r.terms.Share})
	}
	if r.master == s.self {
		s.publish(r.record(now))
	}
}

// hearFetch hears that a peer asks for a run's record, with root and best. It is sent that, or the
// tombstone.
func (s *records) hearFetch(now time.Duration, from membership.PeerID, f Fetch) []membership.Effect {
	if r := s.runs.find(f.Run); r != nil {
		s.do(tells{from, r.recordFor(now, lifeOf(s.members, from), true)})
	} else if over, some := s.tombstones.over(now, f.Run.First); some {
		s.do(tells{from, over})
	}
	return s.flush()
}

// mayTell tells whether a client may tell members of a run that is not known: one of its own, while
// it has neither as many nor as much as it may. Of others' it tells those who know of nobody else:
// it could make them up until there is no room.
func (s *records) mayTell(from membership.PeerID, h *Head) bool {
	return h.Run.First.Submitter == from && !s.hasItsShare(from) && s.runs.rootFitsBeside(from, int(h.RootBytes))
}

// hasItsShare tells whether a client, which may be anybody, has as many runs that compute as it
// may.
func (s *records) hasItsShare(submitter membership.PeerID) bool {
	if _, isMember := s.members.Member(submitter); isMember {
		return false
	}
	return s.runs.firstOf(submitter) >= runsOfOne
}
