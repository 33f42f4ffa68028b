package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// asideName is the file that was damaged last, for who wants to know what happened to it. There is
// only one.
const asideName = "damaged.bad"

func (s *Store) asidePath() string { return filepath.Join(s.folder, asideName) }

// look reads a run's file but for its values, and mends it first if it is damaged. It must be
// closed. Nothing is returned for a run that is no longer there.
func (s *Store) look(r *runFile) (*os.File, *contents, error) {
	f, c, err := r.look()
	switch {
	case errors.Is(err, errForeign):
		return nil, nil, s.putAside(r)
	case errors.Is(err, fs.ErrNotExist): // somebody has deleted it
		delete(s.runs, r.name())
		return nil, nil, nil
	case err != nil || c.damaged == 0 && c.end == r.size:
		return f, c, err
	}
	s.mend(r, f, c)
	if !s.has(r) {
		return nil, nil, nil
	}
	return r.look()
}

// mend writes a damaged file anew with what is right in it, and closes the old one. Where that
// fails the file stays: it is read all the same, and written behind the damage.
func (s *Store) mend(r *runFile, old *os.File, c *contents) {
	s.counts.Damaged += max(1, c.damaged)
	s.keepAside(r)
	r.know(c, r.size)
	if c.empty() {
		old.Close()
		s.remove(r)
		return
	}
	s.rewrite(r, old, c)
}

// rewrite writes a file anew without what is wrong in it, and closes the old one.
func (s *Store) rewrite(r *runFile, old *os.File, c *contents) error {
	f, wrong, err := r.anew(old, c)
	if wrong > 0 {
		s.counts.Damaged += wrong
		s.keepAside(r)
	}
	if err != nil {
		return err
	}
	return r.replace(f)
}

// keepAside keeps a damaged file, also when another takes its place. A file system without links
// keeps none.
func (s *Store) keepAside(r *runFile) {
	os.Remove(s.asidePath())
	os.Link(r.path, s.asidePath())
}

// putAside takes a file away of which nothing can be told.
func (s *Store) putAside(r *runFile) error {
	s.counts.Damaged++
	delete(s.runs, r.name())
	return os.Rename(r.path, s.asidePath())
}

// tell warns of damage, once.
func (s *Store) tell() {
	if s.counts.Damaged == 0 || s.warned {
		return
	}
	s.warned = true
	s.o.Warn(fmt.Sprintf("the store in %s was damaged: what is wrong is dropped, and computed again where it is needed; "+
		"look after the disk. The file that was hit last is kept beside it, as %s", s.folder, asideName))
}

// explain says what to do about an error.
func (s *Store) explain(err error) error {
	var advice string
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrBusy):
		advice = "end that one, or use another folder"
	case errors.Is(err, ErrFull):
		advice = "give the store more room, or wait until one has ended"
	case errors.Is(err, ErrNoBest):
		advice = "write that with it"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		advice = "the disk is full: make room on it, or give the store less"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "it must be a folder that may be written: chmod u+rwx it, or use another"
	default:
		return fmt.Errorf("store %s: %w", s.folder, err)
	}
	return fmt.Errorf("store %s: %w; %s", s.folder, err, advice)
}
