//go:build !unix

package p2p

import "os"

// lockFile does not lock: the system has no advisory locks that end with the
// process, and a stale lock would be worse than none.
func lockFile(path string) (*os.File, error) { return os.Open(path) }
