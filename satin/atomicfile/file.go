// Package atomicfile writes files that appear whole or not at all, and that are
// there after a loss of power once the call has returned.
//
// [Foreign] says whether a folder may hold what others put there.
//
// A file is written under another name in the same folder, a hidden one, and
// then gets its place: [Replace] takes that of a file that is there, [Add] only
// one that is free, so that of all who try the first wins. A [File] is one
// that is written bit by bit.
//
// # Why no library
//
// Three were tried. google/renameio v2.0.2 does not build for Windows, and its
// package maybe calls os.WriteFile there, after which half a file may be left.
// moby/sys/atomicwriter v0.1.0 and natefinch/atomic v1.0.1 build everywhere.
// But none of the three can leave the place to whoever was first, which is how
// a grid gets one secret and a host one identity; none syncs the folder, so
// that after a loss of power the old file may be back; and atomicwriter and
// atomic cannot take away what is unfinished when the program is interrupted.
//
// # Limitations
//
// What a process leaves behind that is killed while it writes is a hidden file,
// which nobody removes. On Windows a file that somebody has open cannot be
// replaced, and folders are not synced: the system has no way to.
package atomicfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// Private is the mode of a file that only its owner can read.
const Private fs.FileMode = 0o600

// namesMax is how many hidden names are tried. Each is one of four billion.
const namesMax = 100

// File is being written, and not in its place yet.
type File struct {
	*os.File
	place string
}

// Create begins a file that shall be at a place, whose folder must be there.
// The umask takes from its mode, as from that of any new file.
func Create(place string, mode fs.FileMode) (*File, error) {
	var f *os.File
	err := fs.ErrExist
	for n := 0; n < namesMax && errors.Is(err, fs.ErrExist); n++ {
		hidden := "." + filepath.Base(place) + "-" + strconv.FormatUint(uint64(rand.Uint32()), 36)
		hidden = filepath.Join(filepath.Dir(place), hidden)
		f, err = os.OpenFile(hidden, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	}
	if err != nil {
		return nil, err
	}
	return &File{f, place}, nil
}

// Discard takes away what is unfinished, and nothing of a file that has its
// place. Any goroutine may call it.
func (f *File) Discard() {
	f.Close()
	os.Remove(f.Name())
}

// Replace gives the file its place, and takes that of a file that is there.
func (f *File) Replace() error {
	defer f.Discard()
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.place); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(f.place))
}

// Add gives the file its place if that is free, and tells whether it was. An
// error may mean that the file system has no hard links.
func (f *File) Add() (bool, error) {
	defer f.Discard()
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return false, err
	}
	free, err := f.link()
	if err != nil || !free {
		return false, err
	}
	return true, SyncFolder(filepath.Dir(f.place))
}

// link is what one only can do, on a network file system too. The answer of a
// file server may be lost and the question repeated: then the place is taken by
// this very file.
func (f *File) link() (bool, error) {
	err := os.Link(f.Name(), f.place)
	if err == nil {
		return true, nil
	}
	mine, err1 := os.Stat(f.Name())
	there, err2 := os.Stat(f.place)
	switch {
	case err1 == nil && err2 == nil:
		return os.SameFile(mine, there), nil
	case errors.Is(err, fs.ErrExist):
		return false, nil
	}
	return false, err
}

// Replace writes a file, in the place of one that is there.
func Replace(place string, mode fs.FileMode, data []byte) error {
	f, err := written(place, mode, data)
	if err != nil {
		return err
	}
	return f.Replace()
}

// Add writes a file if there is none in its place, and tells whether it did.
func Add(place string, mode fs.FileMode, data []byte) (bool, error) {
	f, err := written(place, mode, data)
	if err != nil {
		return false, err
	}
	return f.Add()
}

func written(place string, mode fs.FileMode, data []byte) (*File, error) {
	f, err := Create(place, mode)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// SyncFolder has the names in a folder outlast a loss of power, and those that are gone stay so.
// Where that cannot be asked for, since the folder may only be written or its file system
// knows no such thing, the file is in its place and nothing more can be done.
func SyncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(name)
	if err == nil {
		err = errors.Join(folder.Sync(), folder.Close())
	}
	for _, cannot := range []error{fs.ErrPermission, errors.ErrUnsupported, syscall.EINVAL} {
		if errors.Is(err, cannot) {
			return nil
		}
	}
	return err
}
