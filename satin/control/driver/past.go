package driver

import (
	"iter"
	"math"
	"slices"
	"time"

	"satingrid/membership/addresses"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Time goes on while a process does not run: what its folder and its store say is older by that,
// and none of it younger where a clock was set back.

// StoredRecord is what a store has of a run that was on: its record, in two parts.
type StoredRecord struct {
	Place  steal.Key     // where it is there
	Record peer.Record   // as it was written, which is without its root …
	Root   []byte        // … and this; nil where there is none
	Age    time.Duration // since it was written
	Starts uint8         // as peer.Recorded has it
}

// GoOn are the records with which a peer goes on: of the runs that are whole in its store, which
// gives the youngest first, as many as may be on at a time. The likeliest to be wanted was written
// last. They may be long, so no more are read. The oldest comes first, as runs are.
func GoOn(youngest iter.Seq[StoredRecord]) (all []peer.Recorded) {
	for s := range youngest {
		if rec, ok := s.whole(); ok {
			all = append(all, peer.Recorded{Record: rec, Place: s.Place, Starts: s.Starts})
		}
		if len(all) == peer.RunsMax {
			break
		}
	}
	slices.Reverse(all)
	return all
}

// whole is the record with its root, if both are what they were.
func (s StoredRecord) whole() (rec peer.Record, ok bool) {
	rec = s.Record
	if run := rec.Head.Run; s.Root == nil || run.Run != s.Place && run.ID() != s.Place {
		return rec, false
	}
	rec.Root = s.Root
	hasAged(&rec.Head, s.Age)
	return rec, peer.Vet(rec) == nil
}

// hasAged adds the time for which a record was nobody's but the disk's: how long its answer is kept
// goes on, or a node that starts again each day would keep it for ever.
func hasAged(h *peer.Head, by time.Duration) {
	add := func(to *uint32) {
		*to = uint32(min(int64(*to)+int64(max(0, by)/time.Second), math.MaxUint32))
	}
	if add(&h.Seconds); h.Answered > 0 {
		add(&h.Answered)
	}
}

// TombstoneAt is the tombstone of a submission that ended so long ago, by what a folder says.
func TombstoneAt(of steal.Submission, how peer.Epitaph, age time.Duration) peer.Tombstone {
	return peer.Tombstone{Submission: of, How: how, Seconds: uint32(min(max(age, 0), peer.KeepMax) / time.Second)}
}

// HasPast tells whether what a folder says of hosts names others than the one whose it is: that
// one's line has no time, as it never reached itself.
func HasPast(known []addresses.Known) bool {
	return slices.ContainsFunc(known, func(k addresses.Known) bool { return k.Age >= 0 })
}
