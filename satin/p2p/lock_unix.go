//go:build unix

package p2p

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile holds a file for as long as the process lives or the file is open.
//
// gofrs/flock v0.13.2 makes the same call. Where that fails on a network file
// system it opens the file for writing and asks the file server, and a start
// could wait for a server that has no lock service. A second process with this
// identity is found out all the same: see [Twin].
func lockFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("p2p: identity: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, ErrStateBusy
	}
	// Some network file systems have no locks; the identity works without.
	return f, nil
}
