package satin

import (
	"math"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

const (
	// partWorth is the worker time from which on a finished child is kept: below, encoding,
	// sending and finding it again costs as much as doing it again.
	partWorth = time.Millisecond

	// partBytesMax bounds one encoded result that is kept as a part.
	partBytesMax = 1 << 20

	// partBytesTotalMax bounds all parts that the workers of a peer keep. What comes beyond is
	// not kept, and would be done again after a loss.
	partBytesTotalMax = 256 << 20

	// A marked job keeps at most so many parts. A longer list is a flat loop of small children;
	// redoing some is cheaper than remembering all.
	partsMax = 4096
)

// part is a finished child of an unfinished job: what a copy, a will or an advert is made of.
type part struct {
	key    steal.Key
	result []byte        // nil when it is not kept: too cheap, too big, or an error
	cost   time.Duration // of workers, its descendants included; known also of what is not kept
}

// runPart is a part, and the run it belongs to.
type runPart struct {
	run *run
	part
}

// room is what the parts of a peer may take up.
type room struct{ bytes atomic.Int64 }

// take tells whether there is room for so many bytes of a part, and takes it.
func (r *room) take(n int) bool {
	if r.bytes.Add(int64(n)) > partBytesTotalMax {
		r.bytes.Add(int64(-n))
		return false
	}
	return true
}

// free gives back what was taken for a part.
func (r *room) free(x part) { r.bytes.Add(int64(-len(x.result))) }

// milliseconds is a cost as it travels.
func milliseconds(d time.Duration) uint32 { return uint32(min(d.Milliseconds(), math.MaxUint32)) }
