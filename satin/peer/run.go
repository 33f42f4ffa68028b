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
	// in a record: those that somebody waits by, and as many that keep the run
	submissionsTold = 2 * SubmissionsMax
	RootMax         = 64 << 20
	TaskNameMax     = 256
	rootAlong       = 16 << 10
	fetchEvery      = 2 * time.Second
	answerGapMin    = time.Second
	answerGapMax    = 8 * time.Second
	// a master that was silent has so long to come back as another incarnation
	returnMax = time.Second
	heirMax   = 2 * time.Second // and an heir so long to take over
	epochMax  = membership.CounterMax
	// a record may come before its master's Hello; digests bring that within two seconds
	strangerMax = 3 * time.Second
	// what a slow link is trusted to carry before something is sent again
	bytesPerSecond = 4 << 20
)

// run is all that a peer keeps for a run, by what that has to do with.
type run struct {
	assignment          // what it is
	root       rootHere // … and what it begins with
	itsMaster           // who is its master
	waiters             // who waits for it, and who keeps it
	demand     demand   // … and whether they still do
	answering           // what it has come to
	panicking           // … or why it fails here
	poison     poison   // … and everywhere
	best       best
	look       lookup   // what of it is elsewhere
	facts      facts    // what its jobs tell each other
	disk       diskOf   // what the disk has of it
	extent     extent   // how far it is
	trust      trust    // at the master: whether another holds it
	handover   handover // at a leaver: whether its heir does
}

// assignment is what a run is: all agree on it, but for this peer's number.
type assignment struct {
	no       RunNo
	instance steal.Instance
	id       steal.Key // the instance's
	task     string
	terms    Terms
	shares   membership.Ceiling // up to which number an order of a share is believed
	asked    Asked
	made     time.Duration // when it was submitted, as all agree
}

// newAssignment is what a record says of a run that it is.
func newAssignment(now time.Duration, no RunNo, h *Head) assignment {
	a := assignment{
		no: no, instance: h.Run, id: h.Run.ID(), task: h.Task, terms: h.Terms.settled(), asked: h.Asked,
		made: now - time.Duration(h.Seconds)*time.Second,
	}
	a.shares.Over(0)
	if a.terms.ShareNo > membership.RaiseMax {
		a.terms.ShareNo = 0
	}
	return a
}

// isGiven takes terms that somebody else has told, or ordered, and tells whether others hold since.
func (a *assignment) isGiven(now time.Duration, terms Terms) (news bool) {
	return a.shares.Admits(now, terms.ShareNo) && a.terms.join(terms)
}

// isCancelled tells whether a tombstone says that the run was cancelled, for whoever waits for it.
func (a *assignment) isCancelled(t Tombstone) bool {
	return t.How == EndCancelled && t.Submission == a.instance.First
}

func (r *run) head(now time.Duration) Head {
	h := Head{
		Run: r.instance, Task: r.task, RootDigest: r.root.digest, RootBytes: r.root.size,
		Terms: r.terms, Epoch: r.epoch, Master: r.master, Submissions: r.all(), Contacts: slices.Clone(r.contacts), Deaths: r.poison.told(),
		Asked: r.asked, Seconds: secondsSince(r.made, now), Progress: r.extent.done,
	}
	if r.over {
		h.Answered, h.Failed = secondsSince(r.answered, now)+1, r.hasFailed()
	}
	return h
}

// sound tells whether a head from outside may be kept.
func (h *Head) sound() bool {
	return IsTask(h.Task) && h.RootBytes <= RootMax && h.Epoch.Number > 0 && h.Epoch.Number < epochMax &&
		h.Master.Sound() && h.Run.First.Submitter.Sound() && h.Asked.Sound()
}

// IsTask tells whether a text may be the name of a task, which people are shown.
func IsTask(name string) bool { return membership.IsPrintable(name, TaskNameMax) }

// stamp names the run's best for a message to a peer.
func (r *run) stamp(to membership.PeerID, i membership.Incarnation) steal.Stamp {
	return r.best.stamp(to, i)
}

// digest tells two states of a record apart.
func (r *run) digest() uint64 {
	h := fnv.New64a()
	h.Write(r.instance.Run[:])
	var b [8]byte
	over := uint64(0)
	if r.over && r.isKept() { // else it is about to end
		over = 1
	}
	for _, n := range []uint64{
		r.epoch.Number, r.epoch.Master.Join, r.epoch.Master.Random, uint64(r.terms.Share), r.terms.ShareNo, uint64(r.terms.Keep), over,
		uint64(len(r.keeps)),
	} {
		binary.LittleEndian.PutUint64(b[:], n)
		h.Write(b[:])
	}
	for _, all := range [][]steal.Submission{{r.instance.First}, r.submissions, r.keeps} {
		for _, s := range all {
			h.Write([]byte(s.Submitter))
			binary.LittleEndian.PutUint64(b[:], uint64(s.Nonce))
			h.Write(b[:])
		}
	}
	return h.Sum64()
}

// record is the run's record as it goes to all, with the root when that is small.
func (r *run) record(now time.Duration) Record {
	return Record{Head: r.head(now), Root: r.root.along()}
}

// recordFor is the record as it goes to one that lacks it, with the best, and with a big root when
// that is asked for.
func (r *run) recordFor(now time.Duration, to life, withRoot bool) Record {
	rec := r.record(now)
	if withRoot {
		rec.Root = r.root.bytes
	}
	rec.Best = r.best.stamp(to.peer, to.incarnation)
	return rec
}

// deadline is when something that is repeated for the run is due.
func (r *run) deadline() time.Duration {
	return min(r.answering.deadline(), r.demand.again, r.panicking.deadline(), r.facts.again, r.best.deadline(), r.look.deadline(),
		r.trust.again, r.handover.deadline(), r.root.deadline(), r.itsMaster.deadline())
}
