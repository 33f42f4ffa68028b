package control

import (
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/store"
	"satingrid/steal"
)

// restarts are the runs with which this peer has gone on from its disk, and of which it has stored
// no result since, by their places. Each such life is counted on the disk before anything of a run
// begins: its root may end this process, and all that follow.
type restarts map[steal.Key]recordOnDisk

// recordOnDisk is the record of a run as it was written last.
type recordOnDisk struct {
	head   peer.Head
	at     time.Time
	starts uint8
}

// startsMost is how far they are counted.
const startsMost = 100

// bytes are what a store has of it.
func (r recordOnDisk) bytes() []byte { return encodeRecord(r.head, r.starts, r.at) }

// begun counts a life with a run, and makes the record that says so.
func (s restarts) begun(rec peer.Recorded, at time.Time) store.Batch {
	is := recordOnDisk{rec.Head, at, uint8(min(int(rec.Starts)+1, startsMost))}
	s[rec.Place] = is
	return store.Batch{Run: store.Key(rec.Place), Record: is.bytes(), Lifetime: &store.Lifetime{Held: true}}
}

// written adds to a batch for a place what it makes of the record: a new one counts on, and with a
// result the count begins anew.
func (s restarts) written(place steal.Key, head *peer.Head, results int, at time.Time, b *store.Batch) {
	is, counted := s[place]
	if head != nil {
		is.head, is.at = *head, at
	}
	if counted && results > 0 {
		is.starts = 0
		delete(s, place)
	} else if counted {
		s[place] = is
	}
	if head != nil || counted && results > 0 {
		b.Record = is.bytes()
	}
}

// ends are the records of those that did not end this process: it ends in order.
func (s restarts) ends() (all []store.Batch) {
	for place, is := range s {
		is.starts = 0
		all = append(all, store.Batch{Run: store.Key(place), Record: is.bytes()})
	}
	return all
}
