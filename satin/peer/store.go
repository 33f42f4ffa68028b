package peer

import (
	"time"

	"satingrid/orphan"
	"satingrid/steal"
)

// Save has news of a run written to the disk: all of it, or nothing. [Peer.Saved] answers it, and
// at most one is open at a time; one that leaves says its last ones all the same, and hears of
// none.
type Save struct {
	Run steal.Key // what the run computes
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

// Forget has a run's record taken from the disk, and with All its best and results, too.
type Forget struct {
	Run steal.Key
	All bool
}

// WantStored asks what the disk has of a run. [Peer.Stored] answers it, and at most one is open at
// a time.
type WantStored struct {
	Run      RunNo
	Key      steal.Key // what the run computes
	BytesMax int       // of results, the dearest first: there is room for no more
}

// Stored is what the disk has of what a run computes, whatever instance it was found for.
type Stored struct {
	Run     steal.Key
	Unread  bool        // it could not be read: that is all that is known of it
	Best    steal.Stamp // with its value, or zero
	Results []StoredResult
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
