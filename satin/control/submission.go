package control

import (
	"sync/atomic"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// Submission is a submission of this process to the grid.
type Submission struct {
	clock Clock
	root  peer.Root
	read  func(steal.Result) (any, error) // the answer
	// this process's part of it, if any: it has the best
	run      atomic.Pointer[workers.Run]
	runStats *runStats
	over     chan struct{} // closed when the answer, or an error, is there

	since    atomic.Int64 // by the loop's clock, when it was submitted …
	took     atomic.Int64 // … and how long the answer took, once it has come
	nonce    steal.Nonce  // the loop's
	answered bool         // the loop's: the answer has come, and is being read
	isRead   bool         // so too …
	isWhole  bool         // … and its statistics are as whole as they will be
	unwatch  func() bool  // the loop's: its context is not looked at any more
	out      any          // written before over is closed
	err      error
}

func newSubmission(c Clock, root peer.Root, read func(steal.Result) (any, error)) *Submission {
	return &Submission{
		clock: c, root: root, read: read, runStats: newRunStats(c), over: make(chan struct{}),
	}
}

// end hands on what the submission came to.
func (u *Submission) end() {
	if u.unwatch != nil {
		u.unwatch()
	}
	close(u.over)
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

// Progress is how far its master has told that it is.
func (u *Submission) Progress() float64 {
	u.runStats.mu.Lock()
	defer u.runStats.mu.Unlock()
	return u.runStats.progress
}

// Stats are what its peers have told so far.
func (u *Submission) Stats() Stats {
	s := u.runStats.stats()
	took := time.Duration(u.took.Load())
	if took == 0 {
		took = u.clock.Now() - time.Duration(u.since.Load())
	}
	s.Seconds = took.Seconds()
	return s
}
