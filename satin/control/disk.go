package control

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/store"
	"satingrid/steal"
)

// storeFolder is where a peer has its store, in its state folder.
const storeFolder = "store"

// diskOpensWithin is how long a peer that starts waits for its disk.
const diskOpensWithin = 10 * time.Second

var errDiskHangs = errors.New("the disk does not answer")

// disk is what a peer has of runs in its state folder, on the driver's side. It is read and written
// beside the loop, one thing after another: see diskQueue.
type disk struct {
	store *store.Store
	date  func() time.Time
	log   *slog.Logger
	post  func(do func())
	queue diskQueue
	begun restarts
	// what was written since the store was opened, and how long that took; of the one that is
	// at the disk
	batches int
	took    time.Duration
	// tells whether this peer leaves, on the loop: what is written then is the last; nil: it
	// does not yet
	leaves func() bool

	// that nothing can be written, or read, is said once, that a record is none, and that
	// what is written last is lost
	unwritten, unread, unknown, lost sync.Once
}

var _ driver.Disk = (*disk)(nil)

// openDisk opens the store of a peer that is to have one, and reads the records of the runs that
// were on; nil when it has none, or must go on without.
func openDisk(ctx context.Context, c *Config, post func(do func()), by Goroutines) (*disk, []peer.Recorded) {
	if c.State == "" || c.Client || c.NoFT || c.Store < 0 {
		return nil, nil
	}
	build, err := c.Build()
	if err != nil {
		return nil, nil // the handshake says so
	}
	d := &disk{date: c.Clock.Date, log: c.log(), post: post, begun: newRestarts()}
	d.queue = diskQueue{clock: c.Clock, by: by, hung: func() { d.say(errDiskHangs) }}
	runs, err := d.open(ctx, func() (*store.Store, error) {
		return store.Open(filepath.Join(c.State, storeFolder), store.Options{
			Build: build, Quota: c.Store, Now: c.Clock.Date,
			Warn: func(text string) { d.log.Warn(text) },
		})
	})
	if err != nil {
		d.log.Warn("what this peer finishes of runs is not stored; it goes on in memory", "error", err)
		return nil, nil
	}
	return d, runs
}

// open opens the store and reads the records, in time or not at all.
func (d *disk) open(ctx context.Context, open func() (*store.Store, error)) ([]peer.Recorded, error) {
	ctx, stop := within(ctx, d.queue.clock, diskOpensWithin)
	defer stop()
	read, failed := make(chan []peer.Recorded), make(chan error, 1)
	d.queue.by.Go(func() {
		s, err := open()
		if err != nil {
			failed <- err
			return
		}
		d.store = s
		select {
		case read <- d.records():
		case <-ctx.Done():
			d.close() // nothing of them has begun
		}
	})
	select {
	case runs := <-read:
		return runs, nil
	case err := <-failed:
		return nil, err
	case <-ctx.Done():
		return nil, errDiskHangs
	}
}

// records are those with which a peer goes on. They are on again, and are not to expire meanwhile.
func (d *disk) records() []peer.Recorded {
	all := driver.GoOn(d.runs())
	for _, rec := range all {
		d.say(d.write(d.begun.begun(rec, d.date())))
		if wait := waitOf(rec); wait > 0 {
			d.log.Warn("this peer has ended again and again while a run was on of which nothing was finished, which may be why: its root "+
				"waits while nobody else is here, and cancelling it ends it", "run", rec.Head.Run.ID().Short(), "ends", rec.Starts, "for", wait)
		}
	}
	return all
}

// runs are those that were on when the last process ended, the youngest first.
func (d *disk) runs() iter.Seq[driver.StoredRecord] {
	return func(yield func(driver.StoredRecord) bool) {
		runs, err := d.store.Runs()
		if err != nil {
			d.log.Warn("which runs were on cannot be read", "error", err)
		}
		for _, r := range slices.Backward(runs) {
			if s, ok := d.run(r); ok && !yield(s) {
				return
			}
		}
	}
}

// run is what the store has of one, if it can be read.
func (d *disk) run(r store.StoredRun) (s driver.StoredRecord, ok bool) {
	if r.Ended {
		return s, false
	}
	found, err := d.store.Recall(r.Key, 0)
	if err != nil || found.Record == nil {
		return s, false
	}
	rec, err := decodeRecord(found.Record)
	if err != nil {
		d.unknown.Do(func() {
			d.log.Warn("a run that was on cannot go on: another version has written its record", "run", steal.Key(r.Key).Short(), "error", err)
		})
		return s, false
	}
	return driver.StoredRecord{
		Place: steal.Key(r.Key), Record: peer.Record{Head: rec.head}, Root: found.Root, Age: d.date().Sub(rec.at), Starts: rec.starts,
	}, true
}

// Save writes a batch. One that is the last is not given up, though the disk does not answer: it
// may yet, before the process ends.
func (d *disk) Save(s peer.Save, over func(ok bool)) {
	last := d.leaves != nil && d.leaves()
	o := &diskOrder{do: func() func() {
		err := d.write(d.batch(s))
		d.say(err)
		if err != nil && last {
			d.lost.Do(func() {
				d.log.Warn("what this peer has of runs cannot be stored as it leaves: the next start here does not have it", "error", err)
			})
		}
		return func() { d.post(func() { over(err == nil) }) }
	}}
	if !last {
		o.givenUp = func() { d.post(func() { over(false) }) }
	}
	d.queue.give(o)
}

// write writes a batch, and notes how long that takes: nobody waits for it but the disk.
func (d *disk) write(b store.Batch) error {
	began := d.queue.clock.Now()
	err := d.store.Write(b)
	d.batches++
	d.took += d.queue.clock.Now() - began
	return err
}

// batch is what is to be written, as the store has it.
func (d *disk) batch(s peer.Save) store.Batch {
	b := store.Batch{Run: store.Key(s.Place), Best: s.Best.Value}
	var head *peer.Head
	if s.Record != nil {
		// its root is not part of it: it is written once
		head = &s.Record.Head
		b.Root, b.Lifetime = s.Record.Root, &store.Lifetime{Held: true}
	}
	d.begun.written(s.Place, head, len(s.Results), d.date(), &b)
	for _, k := range s.Gone {
		b.Delete.Results = append(b.Delete.Results, store.Key(k))
	}
	for _, x := range s.Results {
		b.Results = append(b.Results, store.Result{
			Key: store.Key(x.Key), Outcome: uint8(x.Result.Outcome), Choosing: x.Result.Choosing,
			Cost: x.Result.Cost, Best: store.Key(s.Best.Digest), Verify: s.Verify, Bytes: x.Result.Bytes,
		})
	}
	return b
}

// say tells, once, that nothing can be written.
func (d *disk) say(err error) {
	if err == nil {
		return
	}
	d.unwritten.Do(func() {
		d.log.Warn("what this peer finishes of runs cannot be stored; it goes on in memory, and tries again",
			"error", err)
	})
}

// Forget takes a run off: what is left of one that was given up is among the first to go. It waits
// for a disk that does not answer: what is there would go on with the next process.
func (d *disk) Forget(f peer.Forget) {
	d.queue.give(&diskOrder{do: func() func() {
		d.begun.forget(f.Place)
		if f.All {
			d.say(d.store.Drop(store.Key(f.Place)))
		} else {
			d.say(d.write(store.Batch{
				Run: store.Key(f.Place), Delete: store.Deletions{Record: true, Root: true}, Lifetime: &store.Lifetime{Ended: true},
			}))
		}
		d.log.Debug("a run is off the disk; written so far", "batches", d.batches, "seconds", d.took.Seconds())
		return func() {}
	}})
}

// Recall reads what there is in a place.
func (d *disk) Recall(place steal.Key, bytesMax int, over func(found peer.Stored)) {
	tell := func(found peer.Stored) { d.post(func() { over(found) }) }
	d.queue.give(&diskOrder{
		do: func() func() {
			found := d.read(place, bytesMax)
			return func() { tell(found) }
		},
		givenUp: func() { tell(peer.Stored{Place: place, Unread: true}) },
	})
}

// read is what there is in a place, as the machine has it.
func (d *disk) read(place steal.Key, bytesMax int) peer.Stored {
	all, err := d.store.Recall(store.Key(place), int64(bytesMax))
	if err != nil {
		d.unread.Do(func() {
			d.log.Warn("what is stored of a run cannot be read, and is not used; it is tried again", "run", place.Short(), "error", err)
		})
	}
	found := peer.Stored{Place: place, Unread: err != nil}
	if all.Best != nil {
		found.Best = steal.StampOf(all.Best)
	}
	for _, x := range all.Results {
		r := peer.StoredResult{Best: steal.Key(x.Best), Verify: x.Verify}
		r.Key = steal.Key(x.Key)
		r.Result = steal.Result{
			Outcome: steal.Outcome(x.Outcome), Choosing: x.Choosing, Cost: x.Cost, Bytes: x.Bytes,
		}
		found.Results = append(found.Results, r)
	}
	return found
}

// close ends the use of the store, when nothing is written any more.
func (d *disk) close() {
	if d == nil {
		return
	}
	for _, b := range d.begun.ends() {
		d.say(d.write(b))
	}
	d.store.Close()
}
