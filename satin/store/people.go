package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Listed is a run as people want to see it.
type Listed struct {
	StoredRun
	Record     []byte // nil: there is none, and only others' word was kept
	Root, Best bool
	Results    int
}

// List is all that is there, other builds' too, the first written first. It looks through all
// files.
func (s *Store) List() ([]Listed, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := s.expire(); err != nil {
		return nil, s.explain(err)
	}
	var all []Listed
	for _, r := range s.sorted() {
		err := s.reading(r, func(f io.ReaderAt, c *contents) { all = append(all, c.list(f, r)) })
		if err != nil {
			return nil, s.explain(err)
		}
	}
	return all, nil
}

func (c *contents) list(f io.ReaderAt, r *runFile) Listed {
	l := Listed{StoredRun: r.describe(), Results: len(c.results)}
	l.Record = c.read(f, r.size, c.slots[kindRecord])
	l.Root, l.Best = c.slots[kindRoot].there(), c.slots[kindBest].there()
	return l
}

// Look is List of a folder that another process may have open, or that cannot be written. It
// changes nothing: what is damaged is left out, and what has expired is there with its time.
func Look(folder string) ([]Listed, error) {
	s := &Store{folder: folder}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, s.explain(err)
	}
	var all []Listed
	for _, e := range entries {
		if !e.Type().IsRegular() || !isRunFile(e.Name()) {
			continue
		}
		f, r, c, err := openRun(filepath.Join(folder, e.Name()))
		switch {
		case errors.Is(err, errForeign) || errors.Is(err, errOtherForm) || errors.Is(err, fs.ErrNotExist):
			continue // it is none, or has gone meanwhile
		case err != nil:
			return nil, s.explain(err)
		}
		all = append(all, c.list(f, r))
		f.Close()
	}
	slices.SortFunc(all, func(a, b Listed) int { return a.Written.Compare(b.Written) })
	return all, nil
}

// Sizes are how much there is.
type Sizes struct {
	Used, Quota int64 // bytes on disk
	Runs        int   // of this build
	Others      int   // of others, those that another version of this package has written too
	Counts
}

// Sizes tells how much there is, and what happened since Open.
func (s *Store) Sizes() (Sizes, error) {
	leave, err := s.enter()
	if err != nil {
		return Sizes{}, err
	}
	defer leave()
	sizes := Sizes{Used: s.used(), Quota: s.o.Quota, Counts: s.counts}
	for _, r := range s.runs {
		if r.build == s.o.Build {
			sizes.Runs++
		} else {
			sizes.Others++
		}
	}
	sizes.Others += len(s.foreign)
	return sizes, nil
}

// Checked is what Check found.
type Checked struct {
	Runs, Values int
	Bytes        int64 // of values
	Damaged      int   // values and batches that were wrong, and are gone now
}

// Check reads everything, and drops what is not what was written.
func (s *Store) Check() (Checked, error) {
	leave, err := s.enter()
	if err != nil {
		return Checked{}, err
	}
	defer leave()
	var all Checked
	before := s.counts.Damaged
	for _, r := range s.sorted() {
		err := s.reading(r, func(f io.ReaderAt, c *contents) {
			all.Runs++
			for _, i := range c.items() {
				if c.holds(i) && c.read(f, r.size, i) != nil {
					all.Values++
					all.Bytes += int64(i.length)
				}
			}
		})
		if err != nil {
			return all, s.explain(err)
		}
	}
	all.Damaged = s.counts.Damaged - before
	return all, nil
}

// Prune frees what is no use to anybody, and tells how many bytes on disk that were: runs that have
// expired, what is written and no longer said, and what was put aside because it was damaged.
func (s *Store) Prune() (freed int64, err error) {
	leave, err := s.enter()
	if err != nil {
		return 0, err
	}
	defer leave()
	before := s.used()
	os.Remove(s.asidePath())
	if err := s.expire(); err != nil {
		return 0, s.explain(err)
	}
	for _, r := range s.sorted() {
		if err := s.prune(r); err != nil {
			return before - s.used(), s.explain(err)
		}
	}
	return before - s.used(), nil
}

func (s *Store) prune(r *runFile) error {
	f, c, err := s.look(r)
	if f == nil || err != nil {
		return err
	}
	if onDisk(c.size()) == onDisk(r.size) {
		return f.Close()
	}
	return s.rewrite(r, f, c)
}
