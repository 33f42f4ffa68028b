package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestForeign: a folder is nobody else's when its owner is this user and its mode lets nobody else
// write in it.
func TestForeign(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the modes of this system do not tell")
	}
	dir := t.TempDir()
	for mode, says := range map[os.FileMode]string{
		0o700: "", 0o755: "", 0o770: "chmod go-w " + dir, 0o702: "chmod go-w " + dir,
	} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		got := Foreign(dir)
		if (says == "") != (got == "") || !strings.HasSuffix(got, says) || IsOpen(dir) != (says != "") {
			t.Errorf("%v: it says %q, wanted %q", mode, got, says)
		}
	}
	if got := Foreign(filepath.Join(dir, "none")); got != "" {
		t.Errorf("a folder that is not there: %q", got)
	}
}

func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: a folder cannot be given to another user")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, -1); err != nil {
		t.Fatal(err)
	}
	if got := Foreign(dir); !strings.Contains(got, "another user") || IsOpen(dir) {
		t.Errorf("another's folder with mode 0700: %q", got)
	}
}
