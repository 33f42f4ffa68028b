package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// holds says what a file must hold, and that its folder has no other.
func holds(t *testing.T, place, text string) {
	t.Helper()
	if data, err := os.ReadFile(place); err != nil || string(data) != text {
		t.Errorf("%s holds %q, %v; want %q", place, data, err, text)
	}
	if all, err := os.ReadDir(filepath.Dir(place)); err != nil || len(all) != 1 {
		t.Errorf("the folder has %v, %v", all, err)
	}
}

func TestReplace(t *testing.T) {
	place := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"one", "another", ""} {
		if err := Replace(place, Private, []byte(text)); err != nil {
			t.Fatal(err)
		}
		holds(t, place, text)
	}
	if runtime.GOOS == "windows" {
		return // which has no such modes
	}
	if info, err := os.Stat(place); err != nil || info.Mode() != Private {
		t.Errorf("%v, %v", info, err)
	}
}

// TestReplaceTogether: readers find one of the files that were written, whole.
func TestReplaceTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is being read cannot be replaced here")
	}
	place := filepath.Join(t.TempDir(), "f")
	text := func(n int) string { return fmt.Sprintf("%*d", 1<<16, n) }
	if err := Replace(place, Private, []byte(text(0))); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for range 10 {
				if err := Replace(place, Private, []byte(text(n))); err != nil {
					t.Error(err)
				}
				if data, err := os.ReadFile(place); err != nil || len(data) != 1<<16 {
					t.Errorf("%d bytes, %v", len(data), err)
				}
			}
		})
	}
	all.Wait()
	if data, _ := os.ReadFile(place); len(data) == 1<<16 {
		holds(t, place, string(data))
	}
}

// TestAdd: of many the first wins, and all know.
func TestAdd(t *testing.T) {
	place := filepath.Join(t.TempDir(), "f")
	var all sync.WaitGroup
	var won atomic.Pointer[string]
	for n := range 16 {
		all.Go(func() {
			text := fmt.Sprint(n)
			first, err := Add(place, Private, []byte(text))
			if err != nil {
				t.Error(err)
			}
			if first && won.Swap(&text) != nil {
				t.Error("two were first")
			}
		})
	}
	all.Wait()
	if won.Load() == nil {
		t.Fatal("nobody was first")
	}
	holds(t, place, *won.Load())
}

// TestAddAgain is what a file server's lost answer looks like: the place is
// taken, by this very file.
func TestAddAgain(t *testing.T) {
	place := filepath.Join(t.TempDir(), "f")
	f, err := Create(place, Private)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(f.Name(), place); err != nil {
		t.Skip("no hard links here: ", err)
	}
	if first, err := f.Add(); err != nil || !first {
		t.Errorf("%v, %v", first, err)
	}
	holds(t, place, "")
}

// TestDiscard leaves what was there, whoever discards, and whenever.
func TestDiscard(t *testing.T) {
	place := filepath.Join(t.TempDir(), "f")
	if err := Replace(place, Private, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := Create(place, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("new")
	f.Discard()
	holds(t, place, "old")
	if err := f.Replace(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("what was discarded is written: %v", err)
	}
	holds(t, place, "old")

	if f, err = Create(place, 0o666); err != nil {
		t.Fatal(err)
	}
	f.WriteString("new")
	if err := f.Replace(); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	holds(t, place, "new")
}

func TestNoFolder(t *testing.T) {
	place := filepath.Join(t.TempDir(), "none", "f")
	if err := Replace(place, Private, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Add(place, Private, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestPlaceTaken: a folder in the place is no file to be replaced.
func TestPlaceTaken(t *testing.T) {
	folder := t.TempDir()
	place := filepath.Join(folder, "f")
	if err := os.Mkdir(place, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(place, Private, nil); err == nil {
		t.Error("a folder was replaced")
	}
	if first, err := Add(place, Private, nil); first || err != nil {
		t.Errorf("%v, %v", first, err)
	}
	if all, _ := os.ReadDir(folder); len(all) != 1 {
		t.Errorf("left behind: %v", all)
	}
}
