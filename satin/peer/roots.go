package peer

import (
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds of roots, which every peer and client keeps while their runs last, and decoded once more.
// Four of the largest, or as many smaller ones as there are runs, take half a gigabyte together.
const (
	rootsMax     = 256 << 20 // of all runs
	rootsFromMax = 128 << 20 // of the runs of one submitter, and of its own submissions, there
)

// rootsTold are the bytes of the roots of all runs known here, whether they have come or not, and
// of those among them that a submitter was the first to submit.
func (s *runs) rootsTold(by membership.PeerID) (all, from int) {
	for _, r := range s.all {
		all += int(r.root.size)
		if r.instance.First.Submitter == by {
			from += int(r.root.size)
		}
	}
	return all, from
}

// rootFits tells whether a run with such a root may be made: here is room for it, and its
// submitter has not filled that alone. A root that travels with its record always fits.
func (s *runs) rootFits(m Submit) bool {
	all, _ := s.rootsTold(m.Submission.Submitter)
	n := len(m.Root)
	return n <= rootAlong || all+n <= rootsMax && s.rootFitsBeside(m.Submission.Submitter, n)
}

// rootFitsBeside tells whether a root of so many bytes fits beside the others of its submitter.
func (s *runs) rootFitsBeside(submitter membership.PeerID, n int) bool {
	_, from := s.rootsTold(submitter)
	return n <= rootAlong || from+n <= rootsFromMax
}

// mayHold tells whether there is room for the root of a run that somebody else has made. Only
// where a cut has healed can it be missing: each side has admitted as many as there may be. Then
// the run is computed by those who have its root, and fetched here when others have ended. One
// that this peer has submitted it holds anyway.
func (s *runs) mayHold(r *run) bool {
	return !r.root.isBig() || s.ownRoot(r.root.digest) != nil || s.rootsHeld()+int(r.root.size) <= rootsMax
}

// rootsHeld are the bytes of the big roots that have come.
func (s *runs) rootsHeld() (bytes int) {
	for _, r := range s.all {
		if r.root.isHere() && r.root.isBig() {
			bytes += int(r.root.size)
		}
	}
	return bytes
}

// roots are those of the runs that are on: they come here, are asked for, and are given.
type roots struct {
	outbox
	self        membership.PeerID
	rng         *rand.Rand
	members     askable
	runs        *runs
	mastership  *mastership
	contributed *contributions
	opening     *opening
	storing     *storing
	stats       func() Crossed
}

// came makes a run known to the workers.
func (o *roots) came(now time.Duration, r *run, root []byte) []membership.Effect {
	r.root.bytes = root
	o.do(StartRun{Run: r.no, Instance: r.instance, Task: r.task, Root: root, Terms: r.terms})
	o.contributed.began(now, r.no, r.instance, o.stats())
	o.storing.began(now, r)
	o.also(r.best.opens(now))
	o.do(unblocks{})
	o.mastership.changed()
	o.also(o.opening.look(now))
	r.look.listed(now)
	if r.root.asker != (holdAsker{}) {
		o.also(o.confirm(now, r, r.root.asker))
	}
	return o.flush()
}

// confirm tells one that asks for it that this peer holds a run, as soon as its root is here.
func (o *roots) confirm(now time.Duration, r *run, by holdAsker) []membership.Effect {
	if !r.root.isHere() {
		r.root.asker = by
		return nil
	}
	r.root.asker = holdAsker{}
	if by.leaver {
		r.handover.relied(now)
	}
	o.do(tells{by.id, Holds{r.instance, by.number}})
	return o.flush()
}

// brought takes the root that came with a record or a submission, if it is missing and is the
// right one.
func (o *roots) brought(now time.Duration, r *run, digest steal.Key, root []byte) []membership.Effect {
	if !r.root.lacks(digest, root) || !o.runs.mayHold(r) {
		return nil
	}
	return o.came(now, r, root)
}

// want asks for a root that has not come, the one that told of the run first.
func (o *roots) want(now time.Duration, r *run, from membership.PeerID) []membership.Effect {
	if r.root.isDue(now) && o.runs.mayHold(r) {
		r.root.asked(now)
		o.do(tells{from, Fetch{r.instance}})
	}
	return o.flush()
}

// tick asks the master again for a root that has not come, or a drawn member: any may have it.
func (o *roots) tick(now time.Duration, r *run) []membership.Effect {
	if !r.root.isDue(now) {
		return nil
	}
	r.root.asked(now)
	if !o.runs.mayHold(r) {
		return nil
	}
	r.root.fetches++
	if m, ok := o.members.Member(r.master); ok && m.ID != o.self && o.rng.IntN(2) == 0 {
		o.do(tells{m.ID, Fetch{r.instance}})
	} else if m, ok := o.members.Draw(); ok && o.rng.IntN(4) > 0 {
		o.do(tells{m.ID, Fetch{r.instance}})
	} else if len(r.submissions) > 0 { // the submitter keeps it, whoever has died
		s := r.submissions[o.rng.IntN(len(r.submissions))]
		if s.Submitter != o.self {
			o.do(tells{s.Submitter, NeedRoot{s.Nonce}})
		}
	}
	return o.flush()
}
