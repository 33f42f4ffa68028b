package store

import (
	"errors"
	"os"
	"syscall"
)

// errSharing is ERROR_SHARING_VIOLATION.
const errSharing = syscall.Errno(32)

// lockFile holds a file until it is closed or the process ends: nobody else can open it.
//
// gofrs/flock v0.13.2 opens a file that others may open, too, and locks its first byte. Here to
// open it is to have it: there is no second call that may fail.
func lockFile(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const nobody = 0
	file, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, nobody, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errSharing) {
		return nil, ErrBusy
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(file), path), nil
}
