package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"satingrid/satin/atomicfile"
)

const (
	// QuotaDefault is how many bytes on disk a store takes that is not told otherwise.
	QuotaDefault = 1 << 30

	// KeepDefault is for how long a run is kept after it was written to, and KeepMax the
	// longest that one may ask for: what is kept for ever is never looked at.
	KeepDefault = 7 * 24 * time.Hour
	KeepMax     = 366 * 24 * time.Hour

	// runsMax is how many runs there are at most: each takes 300 bytes of memory and a file
	runsMax = 16384

	// buildBytesMax is how long the name of a build may be; a digest takes 64
	buildBytesMax = 1024

	// valueMax is how long a value may be: longer than roots and results are
	valueMax = 1 << 30
)

var (
	// ErrBusy is the error of Open for a folder that a store has open, here or elsewhere.
	ErrBusy = errors.New("another process has it open")

	// ErrFull is the error of Write when there is no room within the quota, whatever goes.
	ErrFull = errors.New("the quota is used up by runs that have not ended")

	// ErrNoBest is the error of Write for a result that names a best while the run has none: it
	// was never written, or was damaged or evicted since. It is to be written with the result.
	ErrNoBest = errors.New("it names a best, and there is none")

	// ErrClosed is the error of all that is asked of a store after Close.
	ErrClosed = errors.New("it is closed")
)

// Options say what a store is for.
type Options struct {
	// identity of the program's build: runs of other builds are kept, and never returned
	Build string

	// bytes on disk that all takes, in blocks of 4 KiB; 0: QuotaDefault
	Quota int64

	// told once that something was damaged, and not to call the store; nil: nobody is told
	Warn func(text string)

	// wall-clock time, for expiry; nil: time.Now
	Now func() time.Time
}

// Store is an open folder. Its calls may be made by several goroutines, and wait for each other.
type Store struct {
	o      Options
	folder string

	mu   sync.Mutex          // protects all below, and the files
	lock *os.File            // nil: closed
	runs map[string]*runFile // by name of the file
	// also by that
	foreign map[string]foreignFile
	seen    int64 // the largest time, in nanoseconds
	counts  Counts
	warned  bool

	runsMost int   // how many runs there are at most
	tidyAt   int64 // a file that is smaller is left as it is
}

// tidyMin is how big a file is before it is looked through for what is no longer said.
const tidyMin = 256 << 10

// Counts are what happened since Open.
type Counts struct {
	Damaged int // values, batches and files that were not what was written, and are dropped
	Torn    int // files with an unfinished batch at their end: their process died
	Expired int // runs
	Evicted int // runs, results and bests that went to make room
}

// Open opens a store, whose folder need not be there. It looks through all files, but for most of
// their values.
//
// A folder that another process has open is refused with [ErrBusy], one that cannot be written with
// an error that says so.
func Open(folder string, o Options) (*Store, error) {
	if o.Quota == 0 {
		o.Quota = QuotaDefault
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.Quota < 0 || len(o.Build) > buildBytesMax {
		return nil, fmt.Errorf("store: a quota of %d bytes, or a build with a name of %d: that cannot be", o.Quota, len(o.Build))
	}
	s := &Store{o: o, folder: folder, runs: map[string]*runFile{}, foreign: map[string]foreignFile{}, runsMost: runsMax, tidyAt: tidyMin}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, s.explain(err)
	}
	lock, err := lockFile(filepath.Join(folder, "lock"))
	if err != nil {
		return nil, s.explain(err)
	}
	s.lock = lock
	if err := s.find(); err != nil {
		return nil, errors.Join(s.explain(err), lock.Close())
	}
	s.tell()
	return s, nil
}

// find knows the files that are there.
func (s *Store) find() error {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(s.folder, e.Name())
		switch {
		case !e.Type().IsRegular():
		case isUnfinished(e.Name()):
			err = os.Remove(path)
		case isRunFile(e.Name()):
			err = s.admit(path)
		}
		if err != nil {
			return err
		}
	}
	if err := s.expire(); err != nil {
		return err
	}
	s.shrink() // if it fails, all can be recalled, and Write says what is wrong
	return nil
}

// admit takes a file that was found.
func (s *Store) admit(path string) error {
	f, r, c, err := openRun(path)
	switch {
	case errors.Is(err, errOtherForm):
		return s.noteForeign(path)
	case errors.Is(err, errForeign):
		s.counts.Damaged++
		return os.Rename(path, s.asidePath())
	case err != nil:
		return err
	}
	f.Close()
	if c.damaged == 0 && c.end < r.size {
		s.counts.Torn++
		r.know(c, c.end)
		if err := r.cut(); err != nil {
			return err
		}
	}
	if c.damaged == 0 && c.empty() {
		return os.Remove(path)
	}
	s.seen = max(s.seen, r.written)
	s.runs[r.name()] = r
	if c.damaged == 0 {
		return nil
	}
	f, _, err = s.look(r)
	if f != nil {
		f.Close()
	}
	return err
}

// Close ends the use of the folder. What was written is there already.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil
	}
	lock := s.lock
	s.lock, s.runs, s.foreign = nil, nil, nil
	if err := lock.Close(); err != nil {
		return s.explain(err)
	}
	return nil
}

// enter begins a call, and the function that it returns ends it.
func (s *Store) enter() (leave func(), err error) {
	s.mu.Lock()
	if s.lock == nil {
		s.mu.Unlock()
		return nil, s.explain(ErrClosed)
	}
	return func() {
		s.tell()
		s.mu.Unlock()
	}, nil
}

// now is wall-clock time that never goes back: a clock that is set back stands still instead, until
// it has come where it was.
func (s *Store) now() int64 {
	s.seen = max(s.seen, s.o.Now().UnixNano())
	return s.seen
}

// run is that of a key of this build; nil: there is none.
func (s *Store) run(key Key) *runFile { return s.runs[fileName(key, s.o.Build)] }

// has tells whether a run is still there.
func (s *Store) has(r *runFile) bool { return s.runs[r.name()] == r }

// remove forgets a run, whose file may be written anew. It may be back after a loss of power.
func (s *Store) remove(r *runFile) error {
	delete(s.runs, r.name())
	r.size, r.tidied, r.best, r.unsettled = 0, 0, false, false
	if err := os.Remove(r.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Drop forgets a run of this build, for good.
func (s *Store) Drop(run Key) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	r := s.run(run)
	if r == nil {
		return nil
	}
	if err := s.remove(r); err != nil {
		return s.explain(err)
	}
	return s.explain(atomicfile.SyncFolder(s.folder))
}
