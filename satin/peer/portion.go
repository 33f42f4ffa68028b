package peer

import (
	"time"
)

// How much of what is handed on, or copied, one message brings: as much as the link carried in
// about a second, so that a receiver that does not answer is told apart from a slow link soon.
const (
	portionMin  = 256 << 10
	portionMax  = 4 << 20
	portionTime = time.Second

	// bytes in a second that a link carries on which one long result is not given up
	slowestLink = 512 << 10
)

// portion is what the next message may bring; the zero value is the least. One result may be
// longer, and goes alone.
type portion struct{ grown int }

func (q *portion) bytes() int { return portionMin << q.grown }

// took hears how long a message of so many bytes took until it was acknowledged.
func (q *portion) took(bytes int, d time.Duration) {
	switch {
	case d > 2*portionTime && q.grown > 0:
		q.grown--
	case d < portionTime && 2*bytes > q.bytes() && q.bytes() < portionMax:
		q.grown++
	}
}

// patience is how long the bytes of a message may be on their way before its receiver is given up.
func (q *portion) patience(bytes int) time.Duration {
	if bytes <= q.bytes() {
		return timeFor(bytes)
	}
	return time.Duration(bytes) * time.Second / slowestLink
}

// timeFor is how long so many bytes may be on their way.
func timeFor(bytes int) time.Duration {
	return time.Duration(bytes) * time.Second / bytesPerSecond
}
