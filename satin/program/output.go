package program

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"satingrid/satin/atomicfile"
	"satingrid/satin/program/wording"
)

// Output is a file that an answer is kept in. It appears whole or not at all.
type Output struct {
	Name   string // as the user wrote it
	place  string // where it really is: behind a symbolic link
	direct bool   // a device or a pipe, which is written as it is
	anew   bool   // there was no such file
}

// OpenOutput finds out before anything is computed whether the file that a flag names can be
// written then. Errors begin with the flag, as "-o" or "--proof".
func OpenOutput(flag, name string) (*Output, error) {
	o := &Output{Name: name, place: name}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		o.place = real
	}
	info, err := os.Stat(o.place)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s %s is a folder: the name of a file is expected", flag, name)
	case err == nil && !info.Mode().IsRegular():
		o.direct = true
		return o, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s %w", flag, wording.Bare(err))
	}
	o.anew = err != nil
	if _, err := o.create(); err != nil {
		folder := filepath.Dir(o.place)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s %s: there is no folder %s", flag, name, folder)
		}
		return nil, fmt.Errorf("%s %s: folder %s cannot be written to: %w", flag, name, folder, cause(err))
	}
	DiscardUnfinished()
	return o, nil
}

// IsNew tells whether it is a file that was not there: what is written early is nobody's loss.
func (o *Output) IsNew() bool { return o.anew }

// unfinished is the file being written, for DiscardUnfinished.
var unfinished atomic.Pointer[atomicfile.File]

// DiscardUnfinished removes what is not complete. The second interrupt calls it from another
// goroutine.
func DiscardUnfinished() {
	if f := unfinished.Swap(nil); f != nil {
		f.Discard()
	}
}

// create begins the file. It is unfinished.
func (o *Output) create() (*atomicfile.File, error) {
	f, err := atomicfile.Create(o.place, 0o666)
	if err == nil {
		unfinished.Store(f)
	}
	return f, err
}

// Write writes what content does. Where that fails, the file is what it was before, or not there.
// A device or a pipe is written as it is.
func (o *Output) Write(content func(io.Writer) error) error {
	if o.direct {
		f, err := os.OpenFile(o.place, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(content(f), f.Close())
	}
	f, err := o.create()
	if err != nil {
		return err
	}
	defer DiscardUnfinished()
	w := bufio.NewWriter(f)
	if err := errors.Join(content(w), w.Flush()); err != nil {
		return err
	}
	return f.Replace()
}

// ReadFile reads a file. Its own errors are those of wording.Bare.
func ReadFile(name string, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return wording.Bare(err)
	}
	defer f.Close()
	// reading would say so of its first line
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a directory", name)
	}
	return read(f)
}

// cause is an error of the file system without name and call.
func cause(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
