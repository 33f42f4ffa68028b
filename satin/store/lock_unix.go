//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// lockFile holds a file until it is closed or the process ends, however it does.
//
// A network file system that has no locks is refused with its error: two nodes that write one file
// would damage it.
//
// gofrs/flock v0.13.2 makes the same call. Where that fails on a network file system it opens the
// file for writing and asks once more: here it is open for writing before the first call.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrBusy
	}
	return nil, err
}
