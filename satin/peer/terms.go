package peer

import (
	"cmp"
)

// Bounds of what a run may be submitted under. What a submission does not say, or says beyond
// them, is the default.
const (
	ShareDefault = 100
	// a hundred times the default, so that the least has still a ten-thousandth of that
	ShareMax = 10_000

	// ResultCarried is how large a result each peer promises to every run. To those that ask
	// for more it promises what it was told, and then all carry that.
	ResultCarried = 64 << 20
)

// Terms are what a run is submitted under. They travel in the submission and in the run's record,
// so every peer keeps to them.
type Terms struct {
	ResultMax uint32 // bytes of a result of one of its jobs, its answer included
	// the share of its jobs returned by thieves that are executed again and compared; 0: none
	Verify float64
	Share  uint16 // of the workers, beside other runs
	Kept   bool   // it goes on when its submitter's process is seen to die
}

// settled are the terms with what was left out, or is beyond the bounds, filled in.
func (t Terms) settled() Terms {
	t.ResultMax = cmp.Or(t.ResultMax, ResultCarried)
	if !(t.Verify > 0 && t.Verify <= 1) {
		t.Verify = 0
	}
	if t.Share = cmp.Or(t.Share, ShareDefault); t.Share > ShareMax {
		t.Share = ShareDefault
	}
	return t
}

// fits tells whether a run under these terms may answer a submission under others: what its jobs
// may return, and how they are verified, is the same.
func (t Terms) fits(other Terms) bool {
	return t.ResultMax == other.ResultMax && t.Verify == other.Verify
}

// join takes what a further submission of a run asks for beside the first: more of the workers, or
// that it is kept. It tells whether that is news. The greater holds, so the order in which
// submissions are heard of does not matter.
func (t *Terms) join(other Terms) (news bool) {
	was := *t
	t.Share, t.Kept = max(t.Share, other.Share), t.Kept || other.Kept
	return *t != was
}
