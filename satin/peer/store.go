package peer

import (
	"time"

	"satingrid/orphan"
	"satingrid/steal"
)

// Each run that is on has a place of its own on the disk. It is named by what the run computes, so
// that whoever computes the same later finds what is there. Where another run has that place, under
// other terms, it is named by the run's id, and goes with the run.

// Save has news of a run written to its place: all of it, or nothing. [Peer.Saved] answers it, and
// at most one is open at a time; one that leaves says its last ones all the same, and hears of
// none.
type Save struct {
	Place steal.Key
	// what another start needs to go on with it: without the root where that is there, nil
	// where nothing of it has changed
	Record *Record
	// the best under which all results here were found. Its value takes the place of the one
	// that is there; nil: that one is this, or there is none
	Best    steal.Stamp
	Results []orphan.Part
	Verify  float32     // the share of lent jobs that was verified where these were found
	Gone    []steal.Key // results that others have replaced
}

// storedBytesMax is how many bytes of results are read that are in memory at a time, of all runs,
// with those that are kept for others: no more are kept.
const storedBytesMax = orphan.BytesMax

// Forget has the record taken from a place on the disk, and with All the best and results, too.
type Forget struct {
	Place steal.Key
	All   bool
}

// WantStored asks what the disk has in the place of a run. [Peer.Stored] answers it, and at most
// one is open at a time.
type WantStored struct {
	Run      RunNo
	Place    steal.Key
	BytesMax int // of results, the dearest first: there is room for no more
}

// Stored is what the disk has in a place, whatever instance it was found for.
type Stored struct {
	Place   steal.Key
	Unread  bool        // it could not be read: that is all that is known of it
	Best    steal.Stamp // with its value, or zero
	Results []StoredResult
}

// Recorded is a run's record, with its root, as it was found in a place on the disk.
type Recorded struct {
	Record
	Place steal.Key
	// how many lives of this peer have gone on with it, one after the other, and ended without
	// a result of it: not in order
	Starts uint8
}

// Resumed tells that so many results of a run, of so much work, were on the disk and are used.
type Resumed struct {
	Run     RunNo
	Results int
	Saved   time.Duration
}

// StoredResult is a result, and the best that this peer held when it was written. The one that is
// stored is that one, or a better one.
type StoredResult struct {
	orphan.Part
	Best   steal.Key
	Verify float32 // as in the Save that wrote it
}
