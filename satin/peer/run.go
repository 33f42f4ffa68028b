package peer

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds and times of runs. A root up to rootAlong is published with its record; a bigger
// one is fetched by each.
const (
	RunsMax        = 64 // at a time, in the whole grid
	SubmissionsMax = 64 // of one run, and by one submitter, at a time
	RootMax        = 64 << 20
	TaskNameMax    = 256
	rootAlong      = 16 << 10
	fetchEvery     = 2 * time.Second
	answerGapMin   = time.Second
	answerGapMax   = 8 * time.Second
	// a master that was silent has so long to come back as another incarnation
	returnMax = time.Second
	heirMax   = 2 * time.Second // and an heir so long to take over
	epochMax  = membership.CounterMax
	// a record may come before its master's Hello; digests bring that within two seconds
	strangerMax = 3 * time.Second
	// what a slow link is trusted to carry before something is sent again
	bytesPerSecond = 4 << 20
)

// run is all that a peer keeps for a run.
type run struct {
	no          RunNo
	instance    steal.Instance
	task        string
	rootDigest  steal.Key
	rootBytes   uint32
	terms       Terms
	root        []byte // nil until it has come
	epoch       membership.Epoch
	reigns      membership.Ceiling // up to which number an epoch is believed
	master      membership.PeerID
	submissions []steal.Submission // that have not ended, sorted
	best        best
	look        lookup
	fetchAt     time.Duration // when to ask for the root again
	rootBorrow  steal.Borrow  // the root is executing here
	answering
	panicking
	// the greatest epoch number heard of, held by a master that is dead to this side
	above uint64
	// when a master that is not known here counts as gone; 0: it is known
	strangerAt time.Duration
	lookAt     time.Duration // when to look at the master again; 0: when something changes
	// the greatest epoch number that was heard of when this peer's reign began
	over     uint64
	since    time.Duration // when the present epoch was heard of
	lacked   lacked        // at a client
	reign    reign         // at the master
	wanted                 // who waits for it
	poison   poison
	contacts []Contact
	facts    facts
}

func (r *run) head() Head {
	return Head{
		Run: r.instance, Task: r.task, RootDigest: r.rootDigest, RootBytes: r.rootBytes,
		Terms: r.terms, Epoch: r.epoch, Master: r.master, Submissions: slices.Clone(r.submissions), Contacts: slices.Clone(r.contacts), Deaths: r.poison.told(),
	}
}

// sound tells whether a head from outside may be kept.
func (h *Head) sound() bool {
	return len(h.Task) <= TaskNameMax && h.RootBytes <= RootMax && h.Epoch.Number > 0 && h.Epoch.Number < epochMax &&
		len(h.Master) <= membership.IDBytesMax && len(h.Run.First.Submitter) <= membership.IDBytesMax
}

// stamp names the run's best for a message to a peer.
func (r *run) stamp(to membership.PeerID, i membership.Incarnation) steal.Stamp {
	return r.best.stamp(to, i)
}

// digest tells two states of a record apart.
func (r *run) digest() uint64 {
	h := fnv.New64a()
	h.Write(r.instance.Run[:])
	var b [8]byte
	kept := uint64(0)
	if r.terms.Kept {
		kept = 1
	}
	for _, n := range []uint64{uint64(r.epoch.Number), uint64(r.epoch.Master.Join), r.epoch.Master.Random, uint64(r.terms.Share), kept} {
		binary.LittleEndian.PutUint64(b[:], n)
		h.Write(b[:])
	}
	for _, s := range append([]steal.Submission{r.instance.First}, r.submissions...) {
		h.Write([]byte(s.Submitter))
		binary.LittleEndian.PutUint64(b[:], uint64(s.Nonce))
		h.Write(b[:])
	}
	return h.Sum64()
}

// record is the run's record as it goes to all, with the root when that is small.
func (r *run) record() Record {
	rec := Record{Head: r.head()}
	if len(r.root) <= rootAlong {
		rec.Root = r.root
	}
	return rec
}

// recordFor is the record as it goes to one that lacks it, with the best, and with a big root when
// that is asked for.
func (r *run) recordFor(to life, withRoot bool) Record {
	rec := r.record()
	if withRoot {
		rec.Root = r.root
	}
	rec.Best = r.best.stamp(to.peer, to.incarnation)
	return rec
}

// record takes a record that was published, fetched or sent.
func (p *Peer) record(from membership.PeerID, by role, rec Record) {
	var r *run
	if by == client {
		r = p.learnFromClient(from, &rec.Head, rec.Root)
	} else {
		if r = p.learn(from, &rec.Head, rec.Root); r != nil {
			r.lacked = lacked{}
		}
	}
	if r == nil {
		p.tellOver(from, []Head{rec.Head})
		return
	}
	if who := lifeOf(p.view, from); (by == member || r.isAlonesRun(from)) && !p.takeBest(r, from, who.incarnation, rec.Best) {
		r.best.trial.awaits(rec.Best.Digest, who, steal.Key{})
	}
	p.wantRoot(r, from)
	p.unblocked = true
}

// wantRoot asks for a root that has not come, the one that told of the run first.
func (p *Peer) wantRoot(r *run, from membership.PeerID) {
	if r.root == nil && p.now >= r.fetchAt && p.runs.mayHold(r) {
		r.fetchAt = p.now + fetchEvery + timeFor(int(r.rootBytes))
		p.send(from, Fetch{r.instance})
	}
}

// learn merges a record into what is known: submissions are united, the greater epoch holds. It is
// nil when the run has ended or there is no room for it.
func (p *Peer) learn(from membership.PeerID, h *Head, root []byte) *run {
	if !h.sound() {
		return nil
	}
	live := p.tombstones.living(h.Submissions)
	r := p.runs.find(h.Run)
	if r == nil {
		if len(live) == 0 || p.runs.isFull() || h.Epoch.Number > membership.RaiseMax && !p.join.active {
			return nil // no grid whose members can be believed comes to such an epoch
		}
		r = p.keep(h)
	}
	for _, s := range live {
		p.addSubmission(r, s)
	}
	if r.root == nil {
		if h.RootDigest != r.rootDigest {
			root = nil
		}
		if own := p.submissions.rootOf(r.rootDigest); own != nil {
			root = own
		}
		if root != nil && len(root) == int(r.rootBytes) && p.runs.mayHold(r) {
			p.rootCame(r, root)
		}
	}
	if r.terms.join(h.Terms.settled()) {
		p.termsChanged(r)
	}
	p.apply(p.mastership.compareEpochs(p.now, from, r, h))
	r.poison.learn(p.now, h.Deaths)
	r.contactsAre(h.Contacts, from == r.master)
	p.hosts.submitters(p.now, h.Contacts...)
	if p.view.Lives(h.Master, h.Epoch.Master) {
		r.vouched = true
	}
	p.mastership.due = true
	return r
}

// keep starts keeping a run.
func (p *Peer) keep(h *Head) *run {
	r := &run{no: p.runs.next(), instance: h.Run, task: h.Task, rootDigest: h.RootDigest, rootBytes: h.RootBytes, terms: h.Terms.settled(),
		epoch: h.Epoch, master: h.Master, since: p.now}
	r.poison = poison{run: r.instance, failure: p.conf.failure}
	r.best = best{
		run: r.instance, no: r.no, task: r.task, failure: p.conf.failure, publishAt: steal.Never,
	}
	r.answering = answering{
		self: p.conf.Member.ID, of: r.instance, members: p.view, bestFor: r.best.stamp, keep: keeping{again: steal.Never},
	}
	r.panicking = panicking{of: r.instance, members: p.view}
	r.wanted = wanted{self: p.conf.Member.ID, others: p.view, again: steal.Never}
	r.facts = facts{run: r.instance, no: r.no, again: steal.Never}
	r.look = lookup{
		run: r.instance, no: r.no, site: p.conf.Member.Site, table: p.table, store: p.store, members: p.view,
		at: steal.Never,
	}
	p.copier.began(r.instance, r.no, r)
	p.mastership.followAt = p.now
	r.reigns.Over(h.Epoch.Number)
	p.runs.add(r)
	p.out = append(p.out, Mastered{Run: r.no, Master: r.master, Epoch: r.epoch})
	return r
}

// rootCame makes the run known to the workers.
func (p *Peer) rootCame(r *run, root []byte) {
	r.root = root
	p.out = append(p.out, StartRun{Run: r.no, Instance: r.instance, Task: r.task, Root: root, Terms: r.terms})
	p.did.began(p.now, r.no, r.instance, p.sight.Stats())
	p.apply(r.best.opens(p.now))
	p.unblocked, p.mastership.due = true, true
	p.opened()
	r.look.listed(p.now)
}

// fetched sends a run's record to a peer that lacks it, or the tombstone.
func (p *Peer) fetched(from membership.PeerID, f Fetch) {
	if r := p.runs.find(f.Run); r != nil {
		p.send(from, r.recordFor(lifeOf(p.view, from), true))
	} else if over, some := p.tombstones.over(p.now, f.Run.First); some {
		p.send(from, over)
	}
}

// endRun drops all that is kept for a run, in one step.
func (p *Peer) endRun(r *run) {
	p.ledger.Drop(r.instance)
	p.stops.runEnded(r.instance)
	p.store.Drop(r.instance)
	p.table.Drop(r.instance)
	p.verifier.ended(r.instance)
	p.copier.ended(r.instance)
	p.keeper.ended(r.instance)
	p.thief.Ended(r.instance)
	p.held.ended(r.instance)
	p.did.ended(r.no)
	p.runs.end(r)
	if r.root != nil {
		p.out = append(p.out, EndRun{r.no})
	}
	p.opened()
}

// tickRuns repeats what has not been acknowledged: answers, failures, requests for roots.
func (p *Peer) tickRuns() {
	for _, r := range slices.Clone(p.runs.all) { // a delivery to this peer itself may end a run
		if r.root == nil && p.now >= r.fetchAt {
			p.fetchRoot(r)
		}
		for n := 0; n < len(r.deliveries); n++ {
			if p.now >= r.deliveries[n].again {
				p.apply(r.answering.deliver(p.now, n, r.epoch))
			}
		}
		if r.failure != nil && p.now >= r.failAt {
			p.failed(r, *r.failure)
		}
		if p.now >= r.keep.again && len(r.submissions) > 0 {
			p.apply(r.answering.sendKeep(p.now, r.epoch))
		}
		if r.lookAt != 0 && p.now >= r.lookAt {
			r.lookAt, p.mastership.due = 0, true
		}
		p.apply(r.wanted.tick(p.now, r.master == p.conf.Member.ID, r.submissions))
		if r.master == p.conf.Member.ID {
			p.apply(r.wanted.unheard(p.now, r.submissions, p.submissions.isOwn, r.terms.Kept))
		}
		p.apply(r.facts.tick(p.now))
		p.apply(r.best.tick(p.now))
	}
}

// fetchRoot asks the master for the root, or a drawn member: any may have it.
func (p *Peer) fetchRoot(r *run) {
	r.fetchAt = p.now + fetchEvery + timeFor(int(r.rootBytes))
	if !p.runs.mayHold(r) {
		return
	}
	if m, ok := p.view.Member(r.master); ok && m.ID != p.conf.Member.ID && p.rng.IntN(2) == 0 {
		p.send(m.ID, Fetch{r.instance})
	} else if m, ok := p.view.Draw(); ok && p.rng.IntN(4) > 0 {
		p.send(m.ID, Fetch{r.instance})
	} else if len(r.submissions) > 0 { // the submitter keeps it, whoever has died
		s := r.submissions[p.rng.IntN(len(r.submissions))]
		if s.Submitter != p.conf.Member.ID {
			p.send(s.Submitter, NeedRoot{s.Nonce})
		}
	}
}

// deadline is when something that is repeated for the run is due.
func (r *run) deadline() time.Duration {
	at := min(r.keep.again, r.wanted.again, r.panicking.deadline(), r.facts.again, r.best.deadline(), r.look.deadline())
	if r.root == nil {
		at = min(at, r.fetchAt)
	}
	for _, d := range r.deliveries {
		at = min(at, d.again)
	}
	if r.lookAt != 0 {
		at = min(at, r.lookAt)
	}
	return at
}
