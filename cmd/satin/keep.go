package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// output is a file that an answer is kept in. It appears whole or not at all: it is written beside its place,
// under another name, and renamed when it is complete.
type output struct {
	name   string // as the user wrote it
	place  string // where it really is: behind a symbolic link
	direct bool   // a device or a pipe, which is written as it is
}

// openOutput finds out before anything is computed whether the file can be written then.
func openOutput(name string) (*output, error) {
	o := &output{name: name, place: name}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		o.place = real
	}
	info, err := os.Stat(o.place)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("-o %s is a folder: the name of a file is expected", name)
	case err == nil && !info.Mode().IsRegular():
		o.direct = true
		return o, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("-o %w", bare(err))
	}
	f, err := o.create()
	if err != nil {
		folder := filepath.Dir(o.place)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("-o %s: there is no folder %s", name, folder)
		}
		return nil, fmt.Errorf("-o %s: folder %s cannot be written to: %w", name, folder, cause(err))
	}
	f.Close()
	discardUnfinished()
	return o, nil
}

// unfinished is the file being written, for discardUnfinished.
var unfinished atomic.Pointer[string]

// discardUnfinished removes what is not complete. The second interrupt calls it from another goroutine.
func discardUnfinished() {
	if name := unfinished.Swap(nil); name != nil {
		os.Remove(*name)
	}
}

// create creates the file under the name that it has while it is not complete.
func (o *output) create() (*os.File, error) {
	name := filepath.Join(filepath.Dir(o.place), fmt.Sprintf(".%s.%d", filepath.Base(o.place), os.Getpid()))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		unfinished.Store(&name)
	}
	return f, err
}

// write writes the file.
func (o *output) write(content func(io.Writer) error) error {
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
	defer discardUnfinished()
	w := bufio.NewWriter(f)
	if err := errors.Join(content(w), w.Flush(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), o.place); err != nil {
		return err
	}
	unfinished.Store(nil)
	return nil
}

// bare is an error of the file system without the name of the call that failed: "x.obj: no such file or directory".
func bare(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

// cause is an error of the file system without name and call.
func cause(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
