package peer

import (
	"fmt"
	"time"

	"satingrid/steal"
)

// awayMax is how long the submitters of a run that has its answer may be unheard when its place is
// needed: sixty times the time in which they repeat themselves, and still enough for a machine to
// start again. Where there is room their answer is kept for UnheardMax.
const awayMax = 5 * time.Minute

// runsOfOne bounds the runs that one client has at a time: others find room beside it.
const runsOfOne = RunsMax / 2

// Full tells a submitter that there is no room for its run, or in its run for one who waits for it.
type Full struct {
	Nonce steal.Nonce
	Roots bool // for its root
}

func (Full) Kind() uint8 { return KindFull }

// makeRoom tells whether there is room for a run. Where there is not, those go
// first that are forsaken.
func (a *admission) makeRoom(now time.Duration, m Submit) bool {
	for a.runs.isFull() || !a.runs.rootFits(m) {
		if !a.giveUpForsaken(now) {
			return false
		}
	}
	return true
}

// giveUpForsaken ends, of the runs of which this peer is master, the one that has waited longest
// with its answer for submitters none of whom is heard any more, or else one that nobody has
// vouched for. It is false when there is none.
func (a *admission) giveUpForsaken(now time.Duration) bool {
	var first *run
	for _, r := range a.runs.all {
		if r.master == a.self && r.delivering && r.wanted.isForsaken(now, r.submissions, a.submissions.isOwn) && (first == nil || r.answered < first.answered) {
			first = r
		}
	}
	if first == nil {
		if first = a.unvouched(now); first == nil {
			return false
		}
	}
	before := len(a.runs.all)
	var ended Ended
	for _, s := range first.submissions {
		ended.Submissions = append(ended.Submissions, Tombstone{Submission: s})
	}
	a.also(a.endings.hearEnded(now, "", ended))
	return len(a.runs.all) < before
}

// unvouchedMax is how long somebody has to say that a run is wanted of which there is no more than
// a record, when its place is needed: a submitter that is asked answers within seconds.
const unvouchedMax = 30 * time.Second

// unvouched is the oldest run that this peer is master of, and knows by no more than somebody's
// record. None of its submitters has been heard.
func (a *admission) unvouched(now time.Duration) *run {
	for _, r := range a.runs.all {
		if r.master == a.self && !r.vouched && r.answer == nil && !a.submissions.awaits(r.submissions) && now-r.since > unvouchedMax {
			return r
		}
	}
	return nil
}

// givenUp is what a submitter is told whose submission somebody else has ended.
func givenUp() string {
	return fmt.Sprintf("the run was ended on the grid: somebody cancelled it there, or its submitter had not been heard for %v, for %v when others needed "+
		"its place, or for %v when it was seen to die", UnheardMax, awayMax, DiedMax)
}
