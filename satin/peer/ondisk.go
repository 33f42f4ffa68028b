package peer

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"satingrid/membership/backoff"
	"satingrid/orphan"
	"satingrid/steal"
)

// madeMax is how many results stay on the disk that this peer has made for others, and that they
// have: when it alone comes back, they are what it knows. The dearest stay, some hundred KB of a
// run.
const madeMax = 1024

// onDisk is how far it is known what the disk has of a run.
type onDisk uint8

const (
	notAsked   onDisk = iota
	isAsked           // the disk has not answered yet
	waitsToUse        // for the best, or for being a member
	isKnown
)

// diskOf is what the disk has of a run.
type diskOf struct {
	know       onDisk
	place      steal.Key     // where it is there; zero: it was not needed yet
	remembered bool          // the record came from there
	from       time.Duration // when the run's root came
	askAt      time.Duration // the disk is not asked before
	waits      Stored        // what is to be used
	some       bool          // there is something, or may be
	root       bool          // it has the root, …
	record     uint64        // … and a record of that digest
	best       steal.Key
	results    []storedKey // by key
	due        bool        // the workers have listed their parts since
	done       bool        // a submission of the run was answered

	resumed     time.Duration // see Report
	pausedUntil time.Duration // its root waits while nobody else is here: see StartsAfter
}

// After how many lives that a run may have ended its root waits, and for how long at first and at
// most.
const (
	startsFree  = 3
	startGapMin = time.Minute
	startGapMax = time.Hour
)

// pause has those roots wait of which one may have ended this peer again and again, one after
// the other: so each is alone for a while, and another is the first in each life.
func (s *runs) pause(now time.Duration, all []Recorded) {
	var paused []Recorded
	for _, rec := range all {
		if StartsAfter(rec.Starts) > 0 && s.find(rec.Head.Run) != nil {
			paused = append(paused, rec)
		}
	}
	for i, rec := range paused {
		turn := (i+int(rec.Starts))%len(paused) + 1
		d := &s.find(rec.Head.Run).disk
		d.pausedUntil = max(d.pausedUntil, now+time.Duration(turn)*StartsAfter(rec.Starts))
	}
}

// StartsAfter is how long a peer that is alone waits with a root that so many of its lives have
// gone on with, and ended without a result of it: that may be what has ended them. It never gives
// up: a long job may well lose its machine again and again.
func StartsAfter(starts uint8) time.Duration {
	if starts <= startsFree {
		return 0
	}
	return backoff.New(startGapMin, startGapMax).After(int(starts - startsFree - 1))
}

// storedKey is a result that the disk has.
type storedKey struct {
	key   steal.Key
	cost  uint32
	found bool // it was there before: it stays as long as the run
	made  bool // for another
}

func compareKeys(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) }

func (d *diskOf) find(key steal.Key) (int, bool) {
	return slices.BinarySearchFunc(d.results, key, func(s storedKey, k steal.Key) int { return compareKeys(s.key, k) })
}

// add notes that some more are there. What is known of one already stays so.
func (d *diskOf) add(more ...storedKey) {
	if len(more) == 0 {
		return
	}
	d.results = append(d.results, more...)
	slices.SortStableFunc(d.results, func(a, b storedKey) int { return compareKeys(a.key, b.key) })
	d.results = slices.CompactFunc(d.results, func(a, b storedKey) bool { return a.key == b.key })
}

// found tells whether the disk had a result before: it was executed for another submission.
func (d *diskOf) found(key steal.Key) bool {
	n, ok := d.find(key)
	return ok && d.results[n].found
}

// has notes that a batch is written.
func (d *diskOf) has(b *saving) {
	if b.Record != nil {
		d.root, d.record = true, b.record
	}
	if b.Best.Value != nil {
		d.best = b.Best.Digest
	}
	var more []storedKey
	for _, x := range b.Results {
		more = append(more, storedKey{key: x.Key, cost: x.Result.Cost})
	}
	d.add(more...)
	d.results = slices.DeleteFunc(d.results, func(x storedKey) bool { return hasKey(b.Gone, x.key) })
	d.due = d.due || b.rest
}

// inVain are those that the disk has and that are of no use beside the present ones.
func (d *diskOf) inVain(current []orphan.Part) (gone []steal.Key) {
	var made []storedKey
	for _, x := range d.results {
		_, is := slices.BinarySearchFunc(current, x.key, func(p orphan.Part, k steal.Key) int { return compareKeys(p.Key, k) })
		switch {
		case is || x.found:
		case x.made:
			made = append(made, x)
		default:
			gone = append(gone, x.key)
		}
	}
	if len(made) > madeMax {
		slices.SortFunc(made, func(a, b storedKey) int { return cmp.Or(cmp.Compare(b.cost, a.cost), compareKeys(a.key, b.key)) })
		for _, x := range made[madeMax:] {
			gone = append(gone, x.key)
		}
		slices.SortFunc(gone, compareKeys)
	}
	return gone
}
