package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// keptUntil is when its answer has been kept for long enough.
func (r *run) keptUntil() time.Duration {
	if !r.isDated {
		return steal.Never
	}
	return r.answered + r.terms.keep()
}

// prolong hears that one more asks for the run to be kept, for so long from now on, as the terms
// say.
func (r *run) prolong(now, keep time.Duration) {
	r.answered = max(r.answered, now+keep-r.terms.keep())
}

// outlived ends, at the master, or at a client where there is none any more, what keeps a run whose
// answer has been kept for long enough, or would have been, or whose root nobody has. Who has it
// kept, and is not heard any more, goes with that; a master that has taken over since knows only
// after a while who that is.
func (r *run) outlived(now time.Duration) []membership.Effect {
	until := r.keptUntil()
	if !r.root.isHere() && !r.isDated { // nobody has it but a disk, perhaps, that may come back
		until = r.since + max(r.terms.keep(), goneMax)
	}
	if !r.isKept() || now < until {
		return nil
	}
	var effects []membership.Effect
	over := slices.Clone(r.keeps)
	for _, s := range r.submissions {
		at, known := r.demand.heard[s]
		switch {
		case !slices.Contains(r.keeps, s.Kept()):
		case !known || now-at < goneMax:
			return nil
		default:
			over = append(over, s)
			effects = append(effects, tellsNoMore{r.no, s.Submitter})
		}
	}
	return append(effects, withdraws(endOf(over, EndWithdrawn)))
}

// tellsNoMore says that a submitter of a run is gone: nothing is to be told to it.
type tellsNoMore struct {
	run RunNo
	who membership.PeerID
}

// goneMax is how long a submitter is silent that will not come for an answer which was kept for it:
// one that lives repeats itself every five seconds.
const goneMax = DiedMax

// isSpare tells whether it has its answer and nobody waits for that: it is only kept.
func (r *run) isSpare() bool { return r.over && len(r.submissions) == 0 }

// hears takes what another's record says of how far the run is, and since when its answer is kept,
// and tells whether it has its answer since. A master knows better, but for what another master has
// promised. Ages are rounded up: what is told from one to the next must not grow younger.
func (r *run) hears(now time.Duration, self membership.PeerID, h *Head) (answered bool) {
	isOf, isMaster := h.Epoch == r.epoch, r.master == self
	if isOf && !isMaster {
		r.extent.heard(h.Progress)
		answered = h.Answered > 0 && !r.over
		if h.Answered > 0 {
			r.over, r.failed = true, h.Failed
		}
	}
	if h.Answered > 0 && !(isOf && isMaster) {
		r.answering.dates(now, h.Answered)
	}
	return answered
}

// begunAgain forgets what was told of the run under another master, and tells whether it had its
// answer: that one may have taken it along. How long it is to be kept stays: else a run would be
// computed again for nobody.
func (r *run) begunAgain() (answered bool) {
	r.extent = extent{}
	answered = r.over && r.answer == nil
	r.over = r.answer != nil
	return answered
}

// adds enters a submission, and tells whether that is news.
func (r *run) adds(s steal.Submission) bool {
	if !r.waiters.enters(s) {
		return false
	}
	if s.Keeps && !r.over {
		r.isDated = false // it is kept from the answer on that is being computed
	}
	return true
}

// removes forgets a submission that has ended.
func (r *run) removes(ended steal.Submission) {
	r.waiters.leaves(ended)
	r.answering.drops(ended)
}

// isTouched tells whether a tombstone is of one of the run's submissions, or of all.
func (r *run) isTouched(t Tombstone) bool {
	return r.isCancelled(t) || slices.Contains(r.all(), t.Submission)
}

// endOf says that submissions have ended just now, and how.
func endOf(all []steal.Submission, how Epitaph) (e Ended) {
	for _, s := range all {
		e.Submissions = append(e.Submissions, Tombstone{Submission: s, How: how})
	}
	return e
}

// submissions are those that it stands for: the one that somebody waits by and, where the run is to
// be kept, before it, one that keeps it.
func (m *Submit) submissions() []steal.Submission {
	if m.Terms.Keep == 0 {
		return []steal.Submission{m.Submission}
	}
	return []steal.Submission{m.Submission.Kept(), m.Submission}
}
