package peer

import (
	"math"
	"time"

	"satingrid/membership"
)

// Bounds of what people are told of who asked for a run, in bytes.
const (
	AskedByMax = 64
	LabelMax   = 200
)

// askedAtMax is a date, in seconds since 1970: in the year 9892.
const askedAtMax = 250_000_000_000

// Asked is what people are told of who asked for a run. It is that one's word, and nothing is
// decided by it.
type Asked struct {
	By    string // a person and a machine, as a rule
	At    int64  // in seconds since 1970, by the clock of who says it
	Label string // what it is, in words
}

// Sound tells whether it can be shown: short, printable and of a date that there is.
func (a Asked) Sound() bool {
	return membership.IsPrintable(a.By, AskedByMax) && membership.IsPrintable(a.Label, LabelMax) && a.At >= 0 && a.At < askedAtMax
}

// secondsSince is how long ago something was, as it travels. Others may have said that it was
// longer ago than can be said.
func secondsSince(at, now time.Duration) uint32 {
	return uint32(min(max(0, now-at)/time.Second, math.MaxUint32-1))
}
