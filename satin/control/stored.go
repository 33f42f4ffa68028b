package control

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"satingrid/satin/store"
	"satingrid/steal"
)

// StoredRun is what a state folder has on disk of a run.
type StoredRun struct {
	Key steal.Key // of what it computes; beside another run that computes the same, its id
	Own bool      // this build of the program has stored it; it is of use to no other

	// what its record says: the root task's name, who asked for it and what it is. Where the
	// run was given up there is none, and all are ""
	Task, By, Label string
	Answered        bool // it has its answer, which is one of the results

	Root, Best bool // whether they are there
	Results    int
	Bytes      int64     // on disk
	Written    time.Time // last
	Until      time.Time // it is deleted then, if nothing else is written
}

// CheckedStore is what a look at all that is stored has found.
type CheckedStore = store.Checked

// ErrStoreBusy is the error of a store that a peer has open.
var ErrStoreBusy = store.ErrBusy

// StoredRuns are the runs that a state folder has on disk, those of other builds than one's own
// too, the first written first. A peer may be using it.
func StoredRuns(state, own string) ([]StoredRun, error) {
	found, err := store.Look(filepath.Join(state, storeFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []StoredRun
	for _, l := range found {
		r := StoredRun{
			Key: steal.Key(l.Key), Own: l.Build == own, Root: l.Root, Best: l.Best, Results: l.Results, Bytes: l.Bytes,
			Written: l.Written, Until: l.Until,
		}
		if rec, err := decodeRecord(l.Record); err == nil && rec.head.Asked.Sound() {
			h := &rec.head
			r.Task, r.By, r.Label, r.Answered = h.Task, h.Asked.By, h.Asked.Label, h.Answered > 0
		}
		all = append(all, r)
	}
	return all, err
}

// CheckStore reads all that a state folder has on disk of runs, and drops what is not what was
// written.
func CheckStore(state string) (found CheckedStore, err error) {
	err = withStore(state, func(s *store.Store) (err error) {
		if found, err = s.Check(); err != nil {
			return err
		}
		since, err := s.Sizes()
		found.Damaged = since.Damaged // what was found in opening it, too
		return err
	})
	return found, err
}

// PruneStore deletes what of it is of no use any more, and tells how many bytes on disk that were.
func PruneStore(state string) (freed int64, err error) {
	err = withStore(state, func(s *store.Store) (err error) {
		freed, err = s.Prune()
		return err
	})
	return freed, err
}

// withStore has a store open that no peer has open, with room for all that is in it.
func withStore(state string, do func(s *store.Store) error) error {
	folder := filepath.Join(state, storeFolder)
	if _, err := store.Look(folder); errors.Is(err, fs.ErrNotExist) {
		return nil // nor is there a folder afterwards
	}
	s, err := store.Open(folder, store.Options{Quota: math.MaxInt64})
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}
