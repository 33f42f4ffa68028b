package atomicfile

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// Foreign says who else may write in a folder, and what to do about that; "" where nobody else
// may, or where there is no such folder. What is found in such a folder may be somebody else's: it
// is an error where a secret or an identity is kept.
func Foreign(dir string) string {
	info, err := os.Stat(dir)
	switch {
	case err != nil || !info.IsDir():
		return ""
	case isOpen(info):
		return fmt.Sprintf("others may write in %s: chmod go-w %s", dir, dir)
	case ownedByOther(info):
		return fmt.Sprintf("others may write in %s, whose owner is another user: chown it", dir)
	}
	return ""
}

// IsOpen tells whether a folder's mode lets others write in it than its owner.
func IsOpen(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && isOpen(info)
}

func isOpen(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0
}
