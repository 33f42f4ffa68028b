package driver

import (
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Lives counts, of each run with which this peer has gone on from its disk, how many of its lives
// have done so, one after the other, with no result of it since: its root may end this process, and
// all that follow. The count is on the disk, beside the record, before anything of the run begins.
// By the runs' places there.
type Lives map[steal.Key]uint8

// livesMost is how far they are counted.
const livesMost = 100

// Begins hears that this life goes on with a run, and gives the count that its record is to have;
// false: its root is not executed any more.
func (l Lives) Begins(rec peer.Recorded) (count uint8, counts bool) {
	if rec.Head.Answered > 0 {
		return 0, false
	}
	l[rec.Place] = uint8(min(int(rec.Starts)+1, livesMost))
	return l[rec.Place], true
}

// Writes hears of a batch for a place, and gives the count that a record there is to have, and
// whether it has changed: with a result it begins anew.
func (l Lives) Writes(place steal.Key, results int) (count uint8, changed bool) {
	count, counted := l[place]
	if !counted || results == 0 {
		return count, false
	}
	delete(l, place)
	return 0, true
}
