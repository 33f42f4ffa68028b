package peer

import (
	"cmp"
	"time"
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

	// KeepMax is how long a run may be kept: who asks for more has as much.
	KeepMax = 7 * 24 * time.Hour
)

// Terms are what a run is submitted under. They travel in the submission and in the run's record,
// so every peer keeps to them.
type Terms struct {
	ResultMax uint32 // bytes of a result of one of its jobs, its answer included
	// the share of its jobs returned by thieves that are executed again and compared; 0: none
	Verify float64
	Share  uint16 // of the workers, beside other runs
	// it uses nothing of former runs of the same root, neither what disks have of them nor an
	// answer; those that are Fresh themselves it may join
	Fresh bool

	// the number of the order that gave it this share; 0: it is what submissions ask for
	ShareNo uint64 `cbor:",omitempty"`
	// in seconds, how long its answer is kept, and it goes on whatever becomes of who has
	// submitted it; 0: it is for its submitter, and ends with that one
	Keep uint32 `cbor:",omitempty"`
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
	t.Keep = min(t.Keep, uint32(KeepMax/time.Second))
	return t
}

// fits tells whether a run under these terms may answer a submission under others: what its jobs
// may return, and how they are verified, is the same, and it uses nothing of former runs where that
// is not wanted.
func (t Terms) fits(other Terms) bool {
	return t.ResultMax == other.ResultMax && t.Verify == other.Verify && (t.Fresh || !other.Fresh)
}

// join takes what another record of a run, or a further submission of it, says beside these terms,
// and tells whether that is news. Of two shares that of the later order holds, of two of one order
// the greater; a run is kept for the longest that anybody asks for. So it does not matter what is
// heard of first.
func (t *Terms) join(other Terms) (news bool) {
	was := *t
	if order := cmp.Or(cmp.Compare(other.ShareNo, t.ShareNo), cmp.Compare(other.Share, t.Share)); order > 0 {
		t.Share, t.ShareNo = other.Share, other.ShareNo
	}
	t.Keep = max(t.Keep, other.Keep)
	return *t != was
}

// keep is how long an answer is kept.
func (t Terms) keep() time.Duration { return time.Duration(t.Keep) * time.Second }
