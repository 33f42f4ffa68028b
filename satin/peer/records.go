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
	failure     failure
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
	store       *orphan.Store
}

// hearRecord takes a record that was published, fetched or sent.
func (s *records) hearRecord(now time.Duration, from membership.PeerID, by role, rec Record) []membership.Effect {
	var r *run
	var effects []membership.Effect
	if by == client {
		r, effects = s.learnFromClient(now, from, &rec.Head, rec.Root)
	} else if r, effects = s.learn(now, from, &rec.Head, rec.Root); r != nil {
		r.lacked = lacked{}
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
	s.do(unblocks{})
	return s.flush()
}

// learn merges a record into what is known: submissions are united, the greater epoch holds. It is
// nil when the run has ended or there is no room for it.
func (s *records) learn(now time.Duration, from membership.PeerID, h *Head, root []byte) (*run, []membership.Effect) {
	if !h.sound() {
		return nil, nil
	}
	live := s.tombstones.living(h.Submissions)
	r := s.runs.find(h.Run)
	if r == nil {
		if len(live) == 0 || s.runs.isFull() || h.Epoch.Number > membership.RaiseMax && !s.join.active {
			// no grid whose members can be believed comes to such an epoch
			return nil, nil
		}
		r = s.keep(now, h)
	}
	for _, waits := range live {
		s.adds(now, r, waits)
	}
	if own := s.submissions.rootOf(r.rootDigest); own != nil {
		s.also(s.roots.brought(now, r, r.rootDigest, own))
	} else {
		s.also(s.roots.brought(now, r, h.RootDigest, root))
	}
	if r.terms.join(h.Terms.settled()) {
		s.termsChanged(r)
	}
	s.also(s.mastership.compareEpochs(now, from, r, h))
	r.poison.learn(now, h.Deaths)
	r.contactsAre(h.Contacts, from == r.master)
	s.hosts.submitters(now, h.Contacts...)
	if s.members.Lives(h.Master, h.Epoch.Master) {
		r.vouched = true
	}
	s.mastership.due = true
	return r, s.flush()
}

// learnFromClient takes a record from a client: a run that is not known here, or who else of its
// own waits for one that is.
func (s *records) learnFromClient(now time.Duration, from membership.PeerID, h *Head, root []byte) (*run, []membership.Effect) {
	told := *h
	told.Deaths = nil
	if r := s.runs.find(h.Run); r != nil {
		told.Epoch, told.Master, told.Submissions, told.Contacts = r.epoch, r.master, nil, nil
		for _, waits := range h.Submissions[:min(len(h.Submissions), SubmissionsMax)] {
			if waits.Submitter == from {
				told.Submissions = append(told.Submissions, waits)
			}
		}
		for _, c := range h.Contacts[:min(len(h.Contacts), SubmissionsMax)] {
			if c.Submitter == from {
				told.Contacts = append(told.Contacts, c)
			}
		}
	} else if h.Epoch.Number > membership.RaiseMax || entered(s.members) && (h.Run.First.Submitter != from || s.hasItsShare(from)) {
		// of others' runs a client tells those who know of nobody else: it could make them
		// up until there is no room
		return nil, nil
	}
	return s.learn(now, from, &told, root)
}

// keep starts keeping a run.
func (s *records) keep(now time.Duration, h *Head) *run {
	r := &run{no: s.runs.next(), instance: h.Run, task: h.Task, rootDigest: h.RootDigest, rootBytes: h.RootBytes, terms: h.Terms.settled(),
		epoch: h.Epoch, master: h.Master, since: now}
	r.poison = poison{run: r.instance, failure: s.failure}
	r.best = best{run: r.instance, no: r.no, task: r.task, failure: s.failure, publishAt: steal.Never}
	r.answering = answering{
		self: s.self, of: r.instance, members: s.members, bestFor: r.best.stamp, keep: keeping{again: steal.Never},
	}
	r.panicking = panicking{of: r.instance, members: s.members}
	r.wanted = wanted{self: s.self, others: s.members, again: steal.Never}
	r.facts = facts{run: r.instance, no: r.no, again: steal.Never}
	r.look = lookup{
		run: r.instance, no: r.no, site: s.site, table: s.table, store: s.store, members: s.members, at: steal.Never,
	}
	s.copier.began(r.instance, r.no, r)
	s.mastership.supportAt = now
	r.epochs.Over(h.Epoch.Number)
	s.runs.add(r)
	s.do(Mastered{Run: r.no, Master: r.master, Epoch: r.epoch})
	return r
}

// made makes the record of a run that was submitted with its root, with this peer as its master.
func (s *records) made(now time.Duration, m Submit) (*run, []membership.Effect) {
	self := s.members.Self()
	h := Head{
		Run: steal.Instance{Run: m.Run, First: m.Submission}, Task: m.Task, RootDigest: m.RootDigest, RootBytes: uint32(len(m.Root)),
		Terms: m.Terms, Epoch: membership.Epoch{Number: 1, Master: self.Incarnation}, Master: self.ID, Submissions: []steal.Submission{m.Submission},
	}
	r := s.keep(now, &h)
	r.submissions = h.Submissions
	r.contactIs(m.contact())
	s.hosts.submitters(now, m.contact())
	s.also(s.roots.came(now, r, m.Root))
	s.publish(r.record())
	return r, s.flush()
}

// joins notes that one more submission waits for a run, and asks for its terms.
func (s *records) joins(now time.Duration, r *run, m Submit) []membership.Effect {
	s.adds(now, r, m.Submission)
	if r.terms.join(m.Terms) {
		s.termsChanged(r)
	}
	return s.flush()
}

func (s *records) adds(now time.Duration, r *run, waits steal.Submission) {
	at, known := slices.BinarySearchFunc(r.submissions, waits, steal.Submission.Compare)
	if known || len(r.submissions) >= SubmissionsMax {
		return
	}
	r.submissions = slices.Insert(r.submissions, at, waits)
	if r.master == s.self {
		s.publish(r.record())
	}
	if r.delivering {
		s.also(r.answering.owe(now, waits, r.epoch))
	}
}

// termsChanged tells the workers, and as the master everybody, what a run has been promised since.
func (s *records) termsChanged(r *run) {
	if r.root != nil {
		s.do(ShareIs{Run: r.no, Share: r.terms.Share})
	}
	if r.master == s.self {
		s.publish(r.record())
	}
}

// hearFetch sends a run's record to a peer that lacks it, or the tombstone.
func (s *records) hearFetch(now time.Duration, from membership.PeerID, f Fetch) []membership.Effect {
	if r := s.runs.find(f.Run); r != nil {
		s.do(tells{from, r.recordFor(lifeOf(s.members, from), true)})
	} else if over, some := s.tombstones.over(now, f.Run.First); some {
		s.do(tells{from, over})
	}
	return s.flush()
}

// hasItsShare tells whether a client, which may be anybody, has as many runs as it may.
func (s *records) hasItsShare(submitter membership.PeerID) bool {
	if _, isMember := s.members.Member(submitter); isMember {
		return false
	}
	return s.runs.firstOf(submitter) >= runsOfOne
}
