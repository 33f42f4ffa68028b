//go:build !unix

package atomicfile

import "io/fs"

// ownedByOther is not told by this system's modes.
func ownedByOther(fs.FileInfo) bool { return false }
