package program_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/program"
	"satingrid/satin/program/programtest"
)

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// TestKeep writes a file anew, over an old one and behind a link, and leaves nothing else in the
// folder.
func TestKeep(t *testing.T) {
	folder := t.TempDir()
	name, link := filepath.Join(folder, "out"), filepath.Join(folder, "link")
	for _, c := range []struct{ name, text string }{{name, "first"}, {name, "second"}, {link, "third"}} {
		if c.name == link {
			if err := os.Symlink(name, link); err != nil {
				t.Skip("no symbolic links here: ", err)
			}
		}
		o, err := program.OpenOutput("-o", c.name)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Write(says(c.text)); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(name); string(text) != c.text {
			t.Errorf("%s has %q (%v), wanted %q", c.name, text, err, c.text)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is gone: %v", err)
	}
	programtest.Alone(t, folder, "link", "out")
}

// TestKeepFails breaks off in the middle: the old file stays.
func TestKeepFails(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "out")
	os.WriteFile(name, []byte("old"), 0o644)
	o, err := program.OpenOutput("-o", name)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err = o.Write(func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("new", 10_000))
		return broken
	})
	if text, _ := os.ReadFile(name); !errors.Is(err, broken) || string(text) != "old" {
		t.Errorf("%v, and the file has %q", err, text)
	}
	programtest.Alone(t, folder, "out")
}

// TestKeepInterrupted is what the second interrupt does while a file is being written.
func TestKeepInterrupted(t *testing.T) {
	folder := t.TempDir()
	o, err := program.OpenOutput("-o", filepath.Join(folder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	o.Write(func(io.Writer) error {
		program.DiscardUnfinished()
		programtest.Alone(t, folder)
		return nil
	})
	programtest.Alone(t, folder)
}

func TestOutputRefused(t *testing.T) {
	folder := t.TempDir()
	closed := "/sys" // root may write to any other folder
	if os.Getuid() != 0 {
		closed = filepath.Join(folder, "closed")
		os.Mkdir(closed, 0o555)
	}
	for name, want := range map[string]string{
		filepath.Join(folder, "missing", "out"): "there is no folder " + filepath.Join(folder, "missing"),
		filepath.Join(closed, "out"):            "cannot be written to: permission denied",
		folder:                                  "is a folder",
	} {
		if _, err := program.OpenOutput("-o", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, wanted %s", name, err, want)
		}
	}
	if o, err := program.OpenOutput("-o", os.DevNull); err != nil || o.Write(says("gone")) != nil {
		t.Errorf("%s: %v", os.DevNull, err)
	}
}
