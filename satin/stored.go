package satin

import (
	"satingrid/satin/build"
	"satingrid/satin/control"
)

// StoredRun is what a state folder has on disk of a run.
type StoredRun = control.StoredRun

// CheckedStore is what [CheckStore] has found.
type CheckedStore = control.CheckedStore

// ErrStoreBusy is the error of [CheckStore] and [PruneStore] while a peer uses the folder.
var ErrStoreBusy = control.ErrStoreBusy

// StoredRuns are the runs that a peer has on disk with this state folder, as Config.Store says,
// whatever build of whatever program has stored them, the first written first. A peer may be using
// the folder. One that has none has no runs.
func StoredRuns(state string, app App) ([]StoredRun, error) {
	g, err := newRegistry(app)
	if err != nil {
		return nil, err
	}
	own, err := g.stored(build.This)
	if err != nil {
		return nil, err
	}
	return control.StoredRuns(state, own)
}

// CheckStore reads all that is on disk there, and drops what is not what was written: peers would
// not have used it.
func CheckStore(state string) (CheckedStore, error) { return control.CheckStore(state) }

// PruneStore deletes what is of no use there any more, and tells how many bytes on disk that were:
// runs that have expired, what others have replaced, a damaged file that was put aside.
func PruneStore(state string) (freed int64, err error) { return control.PruneStore(state) }
