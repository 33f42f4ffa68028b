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

// run is all that a peer keeps for a run.
type run struct {
	no          RunNo
	instance    steal.Instance
	id          steal.Key // the instance's
	task        string
	rootDigest  steal.Key
	rootBytes   uint32
	terms       Terms
	root        []byte // nil until it has come
	epoch       membership.Epoch
	epochs      membership.Ceiling // up to which number an epoch is believed
	master      membership.PeerID
	submissions []steal.Submission // that somebody waits by and that have not ended, sorted
	keeps       []steal.Submission // that keep it, sorted
	hearsay     bool               // only a client has told of it, and not its own
	madeUp      bool               // perhaps: it was first heard of under such an epoch
	best        best
	look        lookup
	fetchAt     time.Duration // when to ask for the root again
	fetches     int           // how often it was asked for in vain
	rootBorrow  steal.Borrow  // the root is executing here
	answering
	panicking
	// the greatest epoch number heard of, held by a master that is dead to this side
	above uint64
	// when a master that is not known here counts as gone; 0: it is known
	strangerAt time.Duration
	lookAt     time.Duration // when to look at the master again; 0: when something changes
	// the greatest epoch number that was heard of when this peer became master
	heardOf  uint64
	since    time.Duration // when the present epoch was heard of
	lacked   lacked        // at a client
	support  support       // at the master
	wanted                 // who waits for it
	poison   poison
	contacts []Contact
	facts    facts
	disk     diskOf
	shares   membership.Ceiling // up to which number an order of a share is believed
	trust    trust              // at the master
	handing  handing            // at a leaver
	asksHold holdAsker          // who is to be told when the root has come; zero: nobody
	asked    Asked
	made     time.Duration // when it was submitted, as all agree
	extent   extent        // how far it is
}

// all are its submissions, those that keep it included.
func (r *run) all() []steal.Submission { return slices.Concat(r.submissions, r.keeps) }

// isWanted tells whether it has not ended: somebody waits for it, or it is kept.
func (r *run) isWanted() bool { return len(r.submissions)+len(r.keeps) > 0 }

func (r *run) head(now time.Duration) Head {
	h := Head{
		Run: r.instance, Task: r.task, RootDigest: r.rootDigest, RootBytes: r.rootBytes,
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
	for _, s := range append([]steal.Submission{r.instance.First}, r.all()...) {
		h.Write([]byte(s.Submitter))
		binary.LittleEndian.PutUint64(b[:], uint64(s.Nonce))
		h.Write(b[:])
	}
	return h.Sum64()
}

// record is the run's record as it goes to all, with the root when that is small.
func (r *run) record(now time.Duration) Record {
	rec := Record{Head: r.head(now)}
	if len(r.root) <= rootAlong {
		rec.Root = r.root
	}
	return rec
}

// recordFor is the record as it goes to one that lacks it, with the best, and with a big root when
// that is asked for.
func (r *run) recordFor(now time.Duration, to life, withRoot bool) Record {
	rec := r.record(now)
	if withRoot {
		rec.Root = r.root
	}
	rec.Best = r.best.stamp(to.peer, to.incarnation)
	return rec
}

// deadline is when something that is repeated for the run is due.
func (r *run) deadline() time.Duration {
	at := min(r.keptBy.again, r.brought.deadline(), r.wanted.again, r.panicking.deadline(), r.facts.again, r.best.deadline(), r.look.deadline(), r.trust.again, r.handing.deadline())
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
