//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByOther tells whether a file is another user's than this process's. The system's own user
// may write everywhere as it is.
func ownedByOther(info fs.FileInfo) bool {
	of, ok := info.Sys().(*syscall.Stat_t)
	return ok && of.Uid != 0 && int(of.Uid) != os.Geteuid()
}
