package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// foreignFile is one that another version of this package has written, for a build that may come
// back. It is kept as long as a run is by default, unless room is needed, and never read.
type foreignFile struct {
	size    int64
	written int64 // as the file system has it
}

// noteForeign knows such a file.
func (s *Store) noteForeign(path string) error {
	info, err := os.Stat(path)
	if err == nil {
		s.foreign[filepath.Base(path)] = foreignFile{info.Size(), info.ModTime().UnixNano()}
	}
	return err
}

// expireForeign removes those that were kept for as long as they should be.
func (s *Store) expireForeign(now int64) error {
	for name, f := range s.foreign {
		if now-f.written < int64(KeepDefault/time.Nanosecond) {
			continue
		}
		if err := s.dropForeign(name); err != nil {
			return err
		}
		s.counts.Expired++
	}
	return nil
}

// removeForeign removes all of them: nobody here can use what they say.
func (s *Store) removeForeign() {
	for name := range s.foreign {
		if s.dropForeign(name) == nil {
			s.counts.Evicted++
		}
	}
}

func (s *Store) dropForeign(name string) error {
	delete(s.foreign, name)
	if err := os.Remove(filepath.Join(s.folder, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
