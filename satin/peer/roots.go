package peer

import "satingrid/membership"

// Bounds of roots, which every peer and client keeps while their runs last, and decoded once more.
// Four of the largest, or as many smaller ones as there are runs, take half a gigabyte together.
const (
	rootsMax     = 256 << 20 // of all runs
	rootsFromMax = 128 << 20 // of the runs of one submitter, and of its own submissions, there
)

// rootsTold are the bytes of the roots of all runs known here, whether they have come or not, and
// of those among them that a submitter was the first to submit.
func (s *runs) rootsTold(by membership.PeerID) (all, from int) {
	for _, r := range s.all {
		all += int(r.rootBytes)
		if r.instance.First.Submitter == by {
			from += int(r.rootBytes)
		}
	}
	return all, from
}

// rootFits tells whether a run with such a root may be made: here is room for it, and its
// submitter has not filled that alone. A root that travels with its record always fits.
func (s *runs) rootFits(m Submit) bool {
	all, from := s.rootsTold(m.Submission.Submitter)
	n := len(m.Root)
	return n <= rootAlong || all+n <= rootsMax && from+n <= rootsFromMax
}

// mayHold tells whether there is room for the root of a run that somebody else has made. Only
// where a cut has healed can it be missing: each side has admitted as many as there may be. Then
// the run is computed by those who have its root, and fetched here when others have ended. One
// that this peer has submitted it holds anyway.
func (s *runs) mayHold(r *run) bool {
	return r.rootBytes <= rootAlong || s.ownRoot(r.rootDigest) != nil || s.rootsHeld()+int(r.rootBytes) <= rootsMax
}

// rootsHeld are the bytes of the big roots that have come.
func (s *runs) rootsHeld() (bytes int) {
	for _, r := range s.all {
		if r.root != nil && r.rootBytes > rootAlong {
			bytes += int(r.rootBytes)
		}
	}
	return bytes
}
