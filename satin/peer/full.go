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

// runsOfOne bounds the runs that one client has at a time: others find room beside it.
const runsOfOne = RunsMax / 2

// hasItsShare tells whether a client, which may be anybody, has as many runs as it may.
func (p *Peer) hasItsShare(submitter membership.PeerID) bool {
	if _, isMember := p.view.Member(submitter); isMember || submitter == p.conf.Member.ID {
		return false
	}
	return p.runs.firstOf(submitter) >= runsOfOne
}

// Full tells a submitter that there is no room for its run, or in its run for one who waits for it.
type Full struct {
	Nonce steal.Nonce
	Roots bool // for its root
}

func (Full) Kind() uint8 { return KindFull }

// makeRoom tells whether there is room for a run. Where there is not, those go
// first that are forsaken.
func (p *Peer) makeRoom(m Submit) bool {
	for p.runs.isFull() || !p.runs.rootFits(m) {
		if !p.giveUpForsaken() {
			return false
		}
	}
	return true
}

// giveUpForsaken ends, of the runs that this peer reigns over, the one that has waited longest with
// its answer for submitters none of whom is heard any more, or else one that nobody has vouched
// for. It is false when there is none.
func (p *Peer) giveUpForsaken() bool {
	var first *run
	for _, r := range p.runs.all {
		if r.master == p.conf.Member.ID && r.delivering && r.wanted.isForsaken(p.now, r.submissions, p.submissions.isOwn) && (first == nil || r.answered < first.answered) {
			first = r
		}
	}
	if first == nil {
		if first = p.unvouched(); first == nil {
			return false
		}
	}
	before := len(p.runs.all)
	var ended Ended
	for _, s := range first.submissions {
		ended.Submissions = append(ended.Submissions, Tombstone{Submission: s})
	}
	p.endedElsewhere("", ended)
	return len(p.runs.all) < before
}

// unvouchedMax is how long somebody has to say that a run is wanted of which there is no more than
// a record, when its place is needed: a submitter that is asked answers within seconds.
const unvouchedMax = 30 * time.Second

// unvouched is the oldest of the runs that this peer reigns over of which there is no more than
// somebody's record. None of its submitters has been heard.
func (p *Peer) unvouched() *run {
	for _, r := range p.runs.all {
		if r.master == p.conf.Member.ID && !r.vouched && r.answer == nil && !p.submissions.awaits(r.submissions) && p.now-r.since > unvouchedMax {
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
