package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// runs are those that are on, the oldest first.
type runs struct {
	all     []*run
	last    RunNo                         // the number of the youngest, which may have ended
	ownRoot func(digest steal.Key) []byte // of one of this peer's submissions, or nil
	// whether another holds one of them: no number comes again, though a run does
	questions questions
}

// next is the number of one more run.
func (s *runs) next() RunNo {
	s.last++
	return s.last
}

func (s *runs) add(r *run) { s.all = append(s.all, r) }

func (s *runs) end(r *run) {
	s.all = slices.DeleteFunc(s.all, func(o *run) bool { return o == r })
}

// first is the oldest of which something holds, or nil.
func (s *runs) first(holds func(*run) bool) *run {
	if at := slices.IndexFunc(s.all, holds); at >= 0 {
		return s.all[at]
	}
	return nil
}

// find is the one with that instance, or nil.
func (s *runs) find(i steal.Instance) *run {
	return s.first(func(r *run) bool { return r.instance == i })
}

// numbered is the one with that number, or nil.
func (s *runs) numbered(no RunNo) *run {
	return s.first(func(r *run) bool { return r.no == no })
}

// executing is the one whose root executes here as that borrowed job, or nil.
func (s *runs) executing(root steal.Borrow) *run {
	return s.first(func(r *run) bool { return root != 0 && r.root.borrow == root })
}

// rootOf is what was submitted for the one with that id; without arguments while they have not
// come.
func (s *runs) rootOf(id steal.Key) (root Root, known bool) {
	r := s.withID(id)
	if r == nil {
		return Root{}, false
	}
	terms := r.terms
	terms.Keep, terms.ShareNo = 0, 0
	return Root{Run: r.instance.Run, Task: r.task, Args: r.root.bytes, Digest: r.root.digest, Terms: terms, Asked: r.asked}, true
}

// withID is the one with that id, or nil.
func (s *runs) withID(id steal.Key) *run {
	return s.first(func(r *run) bool { return r.id == id })
}

// awaitedBy is the one that a submission waits for, or nil.
func (s *runs) awaitedBy(id steal.Submission) *run {
	return s.first(func(r *run) bool { return slices.Contains(r.submissions, id) })
}

// submitters are those who wait for the one with that number; nil when it is not on.
func (s *runs) submitters(no RunNo) []membership.PeerID {
	r := s.numbered(no)
	if r == nil {
		return nil
	}
	all := []membership.PeerID{}
	for _, waits := range r.submissions {
		if !slices.Contains(all, waits.Submitter) {
			all = append(all, waits.Submitter)
		}
	}
	return all
}

// runFor is the one that a submission belongs to, or may join, or nil.
func (s *runs) runFor(m Submit) *run {
	if r := s.awaitedBy(m.Submission); r != nil {
		return r
	}
	if m.Joins != (steal.Key{}) {
		return s.withID(m.Joins)
	}
	return s.first(func(r *run) bool {
		return r.instance.Run == m.Run && r.root.digest == m.RootDigest && r.task == m.Task && r.terms.fits(m.Terms)
	})
}

// compute tells whether there are some that have no answer yet: nobody has jobs of the others.
func (s *runs) compute() bool {
	return s.first((*run).computes) != nil
}

// computes tells whether somebody may have jobs of it.
func (r *run) computes() bool { return !r.over || !r.isKept() }

// isFull tells whether there are as many as there may be.
func (s *runs) isFull() bool { return len(s.all) >= RunsMax }

// firstOf is how many compute whose first submission is somebody's.
func (s *runs) firstOf(submitter membership.PeerID) (n int) {
	for _, r := range s.all {
		if r.instance.First.Submitter == submitter && !r.isSpare() {
			n++
		}
	}
	return n
}

// roots are those that execute here.
func (s *runs) roots() (all []steal.Borrow) {
	for _, r := range s.all {
		if r.root.borrow != 0 {
			all = append(all, r.root.borrow)
		}
	}
	return all
}

// heads are their records without the roots.
func (s *runs) heads(now time.Duration) (all []Head) {
	for _, r := range s.all {
		all = append(all, r.head(now))
	}
	return all
}

// digest tells two states of their records apart, in whatever order they stand.
func (s *runs) digest() (sum uint64) {
	for _, r := range s.all {
		sum += r.digest()
	}
	return sum
}

// promised is how large a result may be that one of them was promised.
func (s *runs) promised() (bytes uint32) {
	for _, r := range s.all {
		bytes = max(bytes, r.terms.ResultMax)
	}
	return bytes
}

// deadline is when something that is repeated for one of them is due.
func (s *runs) deadline() time.Duration {
	at := steal.Never
	for _, r := range s.all {
		at = min(at, r.deadline())
	}
	return at
}
