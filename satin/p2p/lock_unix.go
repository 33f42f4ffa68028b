//go:build unix

package p2p

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile holds a file for as long as the process lives or the file is open.
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
