//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"satingrid/satin/await"

	"satingrid/satin/program/programtest"
)

// TestPictureWatched looks at the file while the picture is made. At every moment it is whole.
func TestPictureWatched(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "out.png")
	c := exec.Command(binary, append(endless[:len(endless):len(endless)], "--watch", "-o", file)...)
	c, said := underway(t, c, "satin: running raytracer\n")
	await.UntilOr(t, func() bool {
		err := pictureIn(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return err == nil
	}, func() string { return "there is no sketch" })
	c.Process.Signal(os.Interrupt)
	end(t, c, said, 130, "satin: interrupted after ")
	if err := pictureIn(file); err != nil {
		t.Error(err)
	}
	programtest.Alone(t, folder, "out.png")
}
