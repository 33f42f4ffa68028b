//go:build !unix

package p2p

import "os"

// lockFile does not lock. Windows' locks keep others from reading what is locked
// (LockFileEx, as gofrs/flock v0.13.2 uses it, of the first byte), so that a
// command could not tell the identity of the host that runs; it would take a
// file of its own, which no machine of this project's checks could try. A second
// process with this identity is found out all the same: see [Twin].
func lockFile(path string) (*os.File, error) { return os.Open(path) }
