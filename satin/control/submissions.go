package control

import (
	"fmt"

	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// submissions are those of this process that have not ended, as programs wait for them; the driver
// knows when which of them ends. The loop has them.
type submissions struct {
	all   map[steal.Nonce]*Submission
	post  func(do func())
	by    Goroutines
	runOf func(steal.Nonce) (peer.RunNo, bool) // once that is known
}

// add notes one that was submitted.
func (s *submissions) add(nonce steal.Nonce, u *Submission) {
	u.nonce = nonce
	s.all[nonce] = u
}

// has tells whether one has not ended.
func (s *submissions) has(u *Submission) bool { return s.all[u.nonce] == u }

// starts hears of a run here. Until it is known which instance is a submission's, any may be that
// computes its root.
func (s *submissions) starts(i steal.Instance, at *workers.Run) {
	for _, u := range s.all {
		if u.root.Run == i.Run {
			u.run.CompareAndSwap(nil, at)
		}
	}
}

// find looks for this process's parts of the runs that were asked for.
func (s *submissions) find(runs map[peer.RunNo]*runHere) {
	for nonce, u := range s.all {
		if no, ok := s.runOf(nonce); ok && runs[no] != nil {
			u.run.Store(&runs[no].at)
		}
	}
}

// reads has an answer read, beside the loop.
func (s *submissions) reads(nonce steal.Nonce, answer steal.Result, over func()) {
	u := s.all[nonce]
	s.by.Go(func() {
		out, err := u.read(answer)
		s.post(func() {
			u.out, u.err, u.isRead = out, err, true
			over()
		})
	})
}

// admitted hears that the grid has one.
func (s *submissions) admitted(e peer.Admitted) {
	if u := s.all[e.Nonce]; u != nil {
		u.isAdmitted(e.Run)
	}
}

// rooted hears that the root of a run has come that one is for.
func (s *submissions) rooted(e driver.Rooted) {
	if u := s.all[e.Nonce]; u != nil {
		u.joins.root = e.Root.Args
		close(u.joins.found)
	}
}

// ended hears what one has come to.
func (s *submissions) ended(nonce steal.Nonce, e driver.End) {
	u := s.all[nonce]
	switch e.How {
	case driver.Withdrawn:
		u.err = u.why
	case driver.Released:
		u.err = ErrReleased
	case driver.NotOn:
		u.err = ErrNoRun
	case driver.OtherTask:
		u.err = fmt.Errorf("satin: run %s is of task %s, and not of %s", u.joins.id.Short(), e.Task, u.joins.task)
	case driver.Bereft:
		u.err = fmt.Errorf("satin: %s was lost, and fault tolerance is off", e.Lost.Name)
	}
	u.last = told{e.Statistics, e.Progress}
	delete(s.all, nonce)
	u.end()
}

// end fails what was asked for and not answered when the loop ends. An answer that was read is one.
func (s *submissions) end(why error, known func(steal.Nonce) told) {
	for nonce, u := range s.all {
		delete(s.all, nonce)
		if !u.isRead {
			u.err = why
		}
		u.last = known(nonce)
		u.end()
	}
}
