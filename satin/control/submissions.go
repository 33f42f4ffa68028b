package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// submissions are those of this process that have not ended. The loop has them.
type submissions struct {
	all   map[steal.Nonce]*Submission
	post  func(do func())
	by    Goroutines
	runOf func(steal.Nonce) (peer.RunNo, bool) // once that is known
}

// add notes one that was submitted.
func (s *submissions) add(nonce steal.Nonce, u *Submission) {
	u.nonce = nonce
	u.since.Store(int64(u.clock.Now()))
	s.all[nonce] = u
}

// has tells whether one has not ended.
func (s *submissions) has(u *Submission) bool { return s.all[u.nonce] == u }

// of are those that wait for a run's answer.
func (s *submissions) of(no peer.RunNo) (all []*Submission) {
	for nonce, u := range s.all {
		if its, ok := s.runOf(nonce); ok && its == no {
			all = append(all, u)
		}
	}
	return all
}

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

// joined, lost and mastered hear what the statistics tell of.

func (s *submissions) joined(m membership.Member) {
	for _, u := range s.all {
		u.runStats.joined(m)
	}
}

func (s *submissions) lost(e membership.Lost, how membership.How) {
	for _, u := range s.all {
		u.runStats.lost(e, how)
	}
}

func (s *submissions) mastered(no peer.RunNo, id membership.PeerID, name string) {
	for _, u := range s.of(no) {
		u.runStats.mastered(id, name)
	}
}

// reported takes what a peer has told of a run of this process.
func (s *submissions) reported(e peer.Reported) {
	if u := s.all[e.Nonce]; u != nil {
		u.runStats.take(e.From, e.Report)
	}
}

// deliver takes an answer. It is handed on when it has been read, beside the loop, and the machine
// says that no more statistics are worth waiting for.
func (s *submissions) deliver(e peer.Deliver) {
	u := s.all[e.Nonce]
	if u == nil {
		return
	}
	if e.Result.Outcome == steal.Value {
		u.runStats.answered(time.Duration(e.Result.Cost) * time.Millisecond)
	}
	u.answered = true
	u.took.Store(int64(u.clock.Now()) - u.since.Load())
	s.by.Go(func() {
		out, err := u.read(e.Result)
		s.post(func() {
			u.out, u.err, u.isRead = out, err, true
			s.handOn(u)
		})
	})
}

// allReported hears that an answer's statistics are as whole as they will be.
func (s *submissions) allReported(e peer.AllReported) {
	if u := s.all[e.Nonce]; u != nil {
		u.isWhole = true
		s.handOn(u)
	}
}

// handOn hands an answer on, if that is due.
func (s *submissions) handOn(u *Submission) {
	if u.isRead && u.isWhole && s.has(u) {
		delete(s.all, u.nonce)
		u.end()
	}
}

// withdraw fails a submission, unless it has ended or its answer is being read.
func (s *submissions) withdraw(u *Submission, why error) bool {
	if !s.has(u) || u.answered {
		return false
	}
	delete(s.all, u.nonce)
	u.err = why
	u.end()
	return true
}

// end fails what was asked for and not answered when the loop ends.
func (s *submissions) end(why error) {
	for nonce, u := range s.all {
		delete(s.all, nonce)
		if !u.isRead {
			u.err = why
		}
		u.end()
	}
}
