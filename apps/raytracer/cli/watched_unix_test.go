//go:build unix

package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/await"
	"satingrid/satin/program/programtest"
)

// TestPictureWatched looks at the file while the picture is made. At every moment it is whole.
func TestPictureWatched(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "out.png")
	var said bytes.Buffer
	c := programtest.Command(append(endless[:len(endless):len(endless)], "--watch", "--workers", "1", "-o", file)...)
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	await.UntilOr(t, func() bool {
		err := pictureIn(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return err == nil
	}, func() string { return "there is no sketch" })
	c.Process.Signal(os.Interrupt)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != 130 || !strings.Contains(said.String(), ": interrupted after ") {
		t.Errorf("exit %d, it said %q", code, &said)
	}
	if err := pictureIn(file); err != nil {
		t.Error(err)
	}
	programtest.Alone(t, folder, "out.png")
}
