package peer

import (
	"fmt"
	"slices"
	"time"

	"satingrid/steal"
)

// awayMax is how long the submitters of a run that has its answer may be unheard when its place is needed: sixty times the time in which they repeat themselves, and
// still enough for a machine to start again. Where there is room their answer is kept for UnheardMax.
const awayMax = 5 * time.Minute

// Full tells a submitter that there is no room for its run, or in its run for one who waits for it.
type Full struct{ Nonce uint64 }

func (Full) Kind() uint8 { return KindFull }

// makeRoom gives up, of the runs that this peer reigns over, the one that has waited longest with its answer for submitters none of whom is heard any
// more. It tells whether there is room now.
func (p *Peer) makeRoom() bool {
	if len(p.runs) < RunsMax {
		return true
	}
	var first *run
	for _, r := range p.runs {
		if r.master == p.conf.Member.ID && r.delivering && p.isForsaken(r) && (first == nil || r.answered < first.answered) {
			first = r
		}
	}
	if first == nil {
		return false
	}
	var ended Ended
	for _, s := range first.submissions {
		ended.Submissions = append(ended.Submissions, Tombstone{Submission: s})
	}
	p.endedElsewhere("", ended)
	return len(p.runs) < RunsMax
}

// isForsaken tells whether none of a run's submitters has been heard for long.
func (p *Peer) isForsaken(r *run) bool {
	return !slices.ContainsFunc(r.submissions, func(s steal.Submission) bool {
		at, known := r.heard[s]
		return !known || p.now-at < awayMax || s.Submitter == p.conf.Member.ID && p.own(s.Nonce) != nil
	})
}

// refused hears that there is no room for one of this peer's submissions: it ends.
func (p *Peer) refused(f Full) {
	s := p.own(f.Nonce)
	if s == nil || s.known {
		return
	}
	p.out = append(p.out, Deliver{Nonce: s.id.Nonce, Result: p.failure(s.root.Task, s.root.Run, "", fmt.Sprintf(
		"the grid has %d runs, or %d submissions of this one, which is all that it takes: submit again when one has ended; a run that has its answer and whose submitter is gone makes room after %v",
		RunsMax, SubmissionsMax, awayMax))})
	p.finish(s, "")
}

// givenUp is what a submitter is told whose submission somebody else has ended.
func givenUp() string {
	return fmt.Sprintf("the grid has given the run up: it had not heard of its submitter for %v, or for %v when others needed its place", UnheardMax, awayMax)
}
