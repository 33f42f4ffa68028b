package control

import (
	"sync/atomic"

	"satingrid/satin/control/statistics"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// Submission is a submission of this process to the grid.
type Submission struct {
	loop  *Loop
	root  peer.Root
	joins *joins                          // the run that it is for, when that was on before
	read  func(steal.Result) (any, error) // the answer
	// this process's part of it, if any: it has the best
	run      atomic.Pointer[workers.Run]
	admitted chan struct{} // closed when the grid has it
	id       atomic.Pointer[steal.Key]
	over     chan struct{} // closed when the answer, or an error, is there

	nonce  steal.Nonce // the loop's
	isRead bool        // so too: the answer has been read
	why    error       // so too: it is withdrawn because of that

	// its context is not looked at any more; set beside the loop, which may have ended
	unwatch atomic.Pointer[func() bool]

	// written before over is closed
	out  any
	err  error
	last told
}

// told is what is told of a submission.
type told struct {
	stats    statistics.Stats
	progress float64
}

func newSubmission(l *Loop, root peer.Root, read func(steal.Result) (any, error)) *Submission {
	return &Submission{loop: l, root: root, read: read, admitted: make(chan struct{}), over: make(chan struct{})}
}

// end hands on what the submission came to.
func (u *Submission) end() {
	close(u.over)
	if unwatch := u.unwatch.Load(); unwatch != nil {
		(*unwatch)()
	}
}

// isWatchedBy takes how its context is not looked at any more, and sees to it when it is over.
func (u *Submission) isWatchedBy(unwatch func() bool) {
	u.unwatch.Store(&unwatch)
	select {
	case <-u.over:
		unwatch()
	default:
	}
}

// isAdmitted hears that the grid has it, as part of a run.
func (u *Submission) isAdmitted(run steal.Instance) {
	id := run.ID()
	if u.id.Swap(&id) == nil {
		close(u.admitted)
	}
}

// Admitted is closed when the grid has it. If it is to be kept, the death of no one process loses
// it then.
func (u *Submission) Admitted() <-chan struct{} { return u.admitted }

// ID is the run's id; zero while that is not known.
func (u *Submission) ID() (id steal.Key) {
	if known := u.id.Load(); known != nil {
		id = *known
	}
	return id
}

// Done is closed when the answer, or an error, is there.
func (u *Submission) Done() <-chan struct{} { return u.over }

// Answer is what came of it, once that is there.
func (u *Submission) Answer() (any, error) { return u.out, u.err }

// Best is the best so far that is known here, or nil.
func (u *Submission) Best() any {
	if r := u.run.Load(); r != nil {
		return (*r).Best()
	}
	return nil
}

// told asks the loop, which ends all submissions before it ends.
func (u *Submission) told() told {
	select {
	case <-u.over:
		return u.last
	default:
	}
	now := make(chan told, 1)
	u.loop.post(func() {
		if stats, progress, ok := u.loop.driver.Statistics(u.nonce); ok {
			now <- told{stats, progress}
		}
	})
	select {
	case t := <-now:
		return t
	case <-u.over:
		return u.last
	}
}

// Progress is how far its master has told that it is.
func (u *Submission) Progress() float64 { return u.told().progress }

// Stats are what its peers have told so far; when it has ended, by then.
func (u *Submission) Stats() statistics.Stats { return u.told().stats }
