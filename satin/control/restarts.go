package control

import (
	"time"

	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/store"
	"satingrid/steal"
)

// restarts writes to the disk what [driver.Lives] counts, with the records of these runs as they
// were written last.
type restarts struct {
	lives driver.Lives
	last  map[steal.Key]recordOnDisk
}

func newRestarts() restarts { return restarts{driver.Lives{}, map[steal.Key]recordOnDisk{}} }

// recordOnDisk is the record of a run as it was written last.
type recordOnDisk struct {
	head   peer.Head
	at     time.Time
	starts uint8
}

// bytes are what a store has of it.
func (r recordOnDisk) bytes() []byte { return encodeRecord(r.head, r.starts, r.at) }

// waitOf is how long the root of a run waits with which this peer goes on, at least, while nobody
// else is here; 0: it does not.
func waitOf(rec peer.Recorded) time.Duration {
	if rec.Head.Answered > 0 {
		return 0
	}
	return peer.StartsAfter(rec.Starts)
}

// begun is what is written when this peer goes on with a run.
func (s restarts) begun(rec peer.Recorded, at time.Time) store.Batch {
	b := store.Batch{Run: store.Key(rec.Place), Lifetime: &store.Lifetime{Held: true}}
	if count, counts := s.lives.Begins(rec); counts {
		is := recordOnDisk{rec.Head, at, count}
		s.last[rec.Place] = is
		b.Record = is.bytes()
	}
	return b
}

// written adds to a batch for a place what it makes of the record.
func (s restarts) written(place steal.Key, head *peer.Head, results int, at time.Time, b *store.Batch) {
	is, counted := s.last[place]
	if head != nil {
		is.head, is.at = *head, at
	}
	count, changed := s.lives.Writes(place, results)
	is.starts = count
	switch {
	case changed:
		delete(s.last, place)
	case counted:
		s.last[place] = is
	}
	if head != nil || changed {
		b.Record = is.bytes()
	}
}

// forget hears that there is nothing in a place any more.
func (s restarts) forget(place steal.Key) {
	delete(s.lives, place)
	delete(s.last, place)
}

// ends are the records of those that did not end this process: it ends in order.
func (s restarts) ends() (all []store.Batch) {
	for place, is := range s.last {
		is.starts = 0
		all = append(all, store.Batch{Run: store.Key(place), Record: is.bytes()})
	}
	return all
}
