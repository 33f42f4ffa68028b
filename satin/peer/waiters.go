package peer

import (
	"slices"

	"satingrid/membership"
	"satingrid/steal"
)

// waiters are those who wait for a run, those who keep it whoever waits, and where they are.
type waiters struct {
	submissions []steal.Submission // that somebody waits by and that have not ended, sorted
	keeps       []steal.Submission // that keep it, sorted
	contacts    []Contact
}

// all are its submissions, those that keep it included.
func (w *waiters) all() []steal.Submission { return slices.Concat(w.submissions, w.keeps) }

// isWanted tells whether the run has not ended: somebody waits for it, or it is kept.
func (w *waiters) isWanted() bool { return len(w.submissions)+len(w.keeps) > 0 }

// isKept tells whether the run goes on, and its answer stays, whoever waits for it.
func (w *waiters) isKept() bool { return len(w.keeps) > 0 }

// waits tells whether somebody waits by one of the submissions.
func (w *waiters) waits(who membership.PeerID) bool {
	return slices.ContainsFunc(w.submissions, func(s steal.Submission) bool { return s.Submitter == who })
}

// enters takes one more submission, and tells whether that is news. Of more than there is room for
// the first stay, in the order that they are compared in: so two sides of a cut that had as many as
// there may be, each, come to the same.
func (w *waiters) enters(s steal.Submission) (news bool) {
	all := &w.submissions
	if s.Keeps {
		all = &w.keeps
	}
	at, known := slices.BinarySearchFunc(*all, s, steal.Submission.Compare)
	if known || at >= SubmissionsMax {
		return false
	}
	*all = slices.Insert((*all)[:min(len(*all), SubmissionsMax-1)], at, s)
	return true
}

// leaves forgets a submission that has ended.
func (w *waiters) leaves(ended steal.Submission) {
	isIt := func(s steal.Submission) bool { return s == ended }
	w.submissions = slices.DeleteFunc(w.submissions, isIt)
	w.keeps = slices.DeleteFunc(w.keeps, isIt)
}

// fitting are those of submissions that it has, or has room for beside all that it has.
func (w *waiters) fitting(all []steal.Submission) (fit []steal.Submission) {
	waits, keeps := len(w.submissions), len(w.keeps)
	for _, s := range all {
		have, n := w.submissions, &waits
		if s.Keeps {
			have, n = w.keeps, &keeps
		}
		if !slices.Contains(have, s) {
			if *n >= SubmissionsMax {
				continue
			}
			*n++
		}
		fit = append(fit, s)
	}
	return fit
}
