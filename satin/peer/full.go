package peer

import (
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// awayMax is how long the submitters of a run that has its answer may be unheard when its place is
// needed: sixty times the time in which they repeat themselves, and still enough for a machine to
// start again. Where there is room their answer is kept for UnheardMax.
const awayMax = 5 * time.Minute

// answersKeptMax bounds the bytes of the answers that are kept here, as those of roots are bounded.
const answersKeptMax = rootsMax

// runsOfOne bounds the runs that one client has at a time: others find room beside it.
const runsOfOne = RunsMax / 2

// Full tells a submitter that there is no room for its run, or in its run for one who waits for it.
type Full struct {
	Nonce steal.Nonce
	Roots bool // for its root
	Keeps bool // beside all that keep its run
}

func (Full) Kind() uint8 { return KindFull }

// why is what a submitter is told that has a root of so many bytes.
func (f Full) why(rootBytes int) string {
	what := fmt.Sprintf("the grid has %d runs, or %d of one submitter, or %d submissions of this one, which is all that it takes",
		RunsMax, runsOfOne, SubmissionsMax)
	switch {
	case f.Keeps:
		return fmt.Sprintf("the run is on, and kept for %d submissions, which is all that it takes: "+
			"ask for its answer by the run's id, or submit it without having it kept", SubmissionsMax)
	case f.Roots:
		what = fmt.Sprintf("the root is %d MiB, and the roots of all runs of the grid may be %d MiB together, those of one submitter %d",
			rootBytes>>20, rootsMax>>20, rootsFromMax>>20)
	}
	return fmt.Sprintf(
		"%s: submit again when one has ended; a run that has its answer and whose submitter is gone makes room after %v", what, awayMax)
}

// makeRoom tells whether there is room for a run. Where there is not, those go first that are
// forsaken; of a submitter that has as many big roots as one may have, only its own.
func (a *admission) makeRoom(now time.Duration, m Submit) bool {
	for a.runs.isFull() || !a.runs.rootFits(m) {
		by := membership.PeerID("") // anybody's
		if !a.runs.isFull() && !a.runs.rootFitsBeside(m.Submission.Submitter, len(m.Root)) {
			by = m.Submission.Submitter
		}
		if !a.giveUpForsaken(now, by) {
			return false
		}
	}
	return true
}

// giveUpForsaken ends, of the runs of one submitter, or of all, that have their answers for
// submitters none of whom is heard any more, the one whose answer has been kept for long enough, or
// will have been first; or else one that nobody has vouched for. It is false when there is none.
func (a *admission) giveUpForsaken(now time.Duration, by membership.PeerID) bool {
	first := a.forsaken(now, func(r *run) bool { return by == "" || r.instance.First.Submitter == by })
	if first == nil {
		if first = a.unvouched(now, by); first == nil {
			return false
		}
	}
	before := len(a.runs.all)
	a.also(a.endings.cancel(now, first, first.givesUp()))
	return len(a.runs.all) < before
}

// forsaken is, of those runs, the forsaken one whose answer has been kept for long enough, or will
// have been first; nil when there is none.
func (a *admission) forsaken(now time.Duration, of func(*run) bool) (first *run) {
	for _, r := range a.runs.all {
		if of(r) && a.isForsaken(now, r) && (first == nil || r.keptUntil() < first.keptUntil()) {
			first = r
		}
	}
	return first
}

// givesUp is how a run ends whose place is needed.
func (r *run) givesUp() Epitaph {
	if r.isKept() && r.over {
		return EndDisplaced
	}
	return EndWithdrawn
}

// fills says that an answer has come that is kept here.
type fills struct{}

// boundAnswers ends, where the answers that are kept here have become too many bytes, the runs of
// which nobody waits for one, those first that will have been kept for long enough first.
func (a *admission) boundAnswers(now time.Duration) []membership.Effect {
	for a.runs.answersKept() > answersKeptMax {
		first := a.forsaken(now, func(r *run) bool { return r.answer != nil })
		if first == nil {
			break
		}
		a.also(a.endings.cancel(now, first, first.givesUp()))
	}
	return a.flush()
}

// answersKept are the bytes of the answers here of runs that are kept.
func (s *runs) answersKept() (bytes int) {
	for _, r := range s.all {
		if r.answer != nil && r.isKept() {
			bytes += len(r.answer.Bytes)
		}
	}
	return bytes
}

// isForsaken tells whether a run has its answer for submitters none of whom is heard any more. Of
// one that has another master it is known only that its answer is kept, and for nobody.
func (a *admission) isForsaken(now time.Duration, r *run) bool {
	if r.master != a.self {
		return r.isSpare() && r.isKept()
	}
	return r.delivering && r.demand.isForsaken(now, r.submissions, a.submissions.isOwn)
}

// unvouchedMax is how long somebody has to say that a run is wanted of which there is no more than
// a record, when its place is needed: a submitter that is asked answers within seconds.
const unvouchedMax = 30 * time.Second

// unvouched is the oldest run, of one submitter or of all, that this peer is master of, and knows
// by no more than somebody's record. None of its submitters has been heard; that it is to be kept
// only a client says.
func (a *admission) unvouched(now time.Duration, by membership.PeerID) *run {
	return a.runs.first(func(r *run) bool {
		isOf := by == "" || r.instance.First.Submitter == by
		told := r.demand.vouched || r.isKept() && !r.demand.hearsay || a.submissions.awaits(r.submissions)
		return isOf && r.master == a.self && !told && r.answer == nil && now-r.since > unvouchedMax
	})
}

// givenUp is what a submitter is told whose submission somebody else has ended.
func givenUp(how Epitaph) string {
	if how == EndCancelled {
		return "the run was cancelled on the grid, for all who waited for it"
	}
	return fmt.Sprintf("the run was ended on the grid: somebody cancelled it there, or its submitter had not been heard for %v, for %v when others needed "+
		"its place, or for %v when it was seen to die", UnheardMax, awayMax, DiedMax)
}
