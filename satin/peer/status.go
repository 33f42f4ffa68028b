package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// RunState is what a run is doing.
type RunState uint8

// The states of a run.
const (
	Computing RunState = iota
	Waiting            // for a master: the one that it had is gone
	Answered           // its answer is kept, or on its way
	Failed             // so is the error that it came to
)

// RunStatus is a run as a person may see it.
type RunStatus struct {
	Run      RunNo
	Instance steal.Instance
	ID       steal.Key // the instance's
	Task     string
	State    RunState
	Master   membership.PeerID
	Epoch    membership.Epoch
	Waits    int // submissions that somebody waits by and that have not been answered
	Terms    Terms
	Asked    Asked
	Age      time.Duration // since it was submitted
	Kept     time.Duration // for how long its answer will still be there, if it is kept
	Progress float64       // from 0 to 1, as its master has told
	Best     steal.Key     // the digest of its best, as far as it is known here; zero: none
}

// status is the run as this peer knows it.
func (r *run) status(now time.Duration, among interface {
	Lives(membership.PeerID, membership.Incarnation) bool
}) RunStatus {
	s := RunStatus{
		Run: r.no, Instance: r.instance, ID: r.id, Task: r.task, Master: r.master, Epoch: r.epoch, Waits: len(r.submissions),
		Terms: r.terms, Asked: r.asked, Age: now - r.made, Progress: r.extent.share(),
		Best: r.best.digest,
	}
	switch {
	case r.over || r.answer != nil:
		if s.State = Failed; !r.hasFailed() {
			s.State, s.Progress = Answered, 1
		}
		if r.isKept() {
			s.Kept = max(0, r.keptUntil()-now)
		}
	case !among.Lives(r.master, r.epoch.Master):
		s.State = Waiting
	}
	return s
}
