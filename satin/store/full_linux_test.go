package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"satingrid/satin/store"
)

// tinyDisk is a disk of its own, of so many bytes.
func tinyDisk(t *testing.T, size string) string {
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk needs root and leave to mount: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

// A disk that is full is an error that says what to do. What was written before is there, and
// there is more to come when it has room again.
func TestFullDisk(t *testing.T) {
	disk := tinyDisk(t, "256k")
	s := open(t, filepath.Join(disk, "store"), options(t))
	value, written := strings.Repeat("v", 3000), 0
	write(t, s, store.Batch{Run: key(1), Best: []byte("best")})
	var err error
	for ; err == nil; written++ {
		named := result(written, 1, value)
		named.Best = store.Digest([]byte("best"))
		err = s.Write(store.Batch{Run: key(1), Results: []store.Result{named}})
	}
	written--
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: make room on it, or give the store less") {
		t.Fatalf("%v", err)
	}
	if written < 50 {
		t.Fatalf("%d results of 3,000 bytes fill 256 KiB", written)
	}
	// a new run finds no room either
	if err := s.Write(store.Batch{Run: key(2), Root: make([]byte, 20000)}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if all := recall(t, s, key(1)); len(all.Results) != written || string(all.Best) != "best" {
		t.Errorf("%d results are there of %d", len(all.Results), written)
	}
	s.Close()
	s = open(t, filepath.Join(disk, "store"), options(t))
	if got := sizes(t, s); got.Torn+got.Damaged != 0 || len(recall(t, s, key(1)).Results) != written {
		t.Errorf("%+v", got)
	}
	if err := s.Drop(key(1)); err != nil {
		t.Fatal(err)
	}
	write(t, s, store.Batch{Run: key(2), Root: make([]byte, 20000)})
}

// A value is damaged on a disk with no room to write the file anew: it is not returned, the others
// are, and the store can be written behind it as soon as there is room.
func TestDamageOnAFullDisk(t *testing.T) {
	disk := tinyDisk(t, "256k")
	o, warned := options(t), 0
	o.Warn = func(string) { warned++ }
	s := open(t, disk, o)
	write(t, s, store.Batch{Run: key(1), Results: []store.Result{result(1, 1, strings.Repeat("v", 100_000)), result(2, 2, strings.Repeat("damaged", 20))}})
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	spoil(t, disk, "damaged")
	ballast := filepath.Join(disk, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	for range 2 {
		if all := recall(t, s, key(1)); len(all.Results) != 1 || string(all.Root) != "root" {
			t.Errorf("%d results", len(all.Results))
		}
	}
	os.Remove(ballast)
	write(t, s, store.Batch{Run: key(1), Root: []byte("new")})
	if all := recall(t, s, key(1)); len(all.Results) != 1 || string(all.Root) != "new" || warned != 1 {
		t.Errorf("%d results, %d warnings", len(all.Results), warned)
	}
}

// A best is damaged on a disk with no room to write the file anew. Then what named it stays unused,
// also when there is another best, which need not be better.
func TestAnotherBestOnAFullDisk(t *testing.T) {
	disk := tinyDisk(t, "256k")
	o := options(t)
	o.Warn = func(string) {}
	s := open(t, disk, o)
	named := result(1, 1, strings.Repeat("v", 100_000))
	named.Best = store.Digest(theBest)
	write(t, s, store.Batch{Run: key(1), Best: theBest, Results: []store.Result{named, result(2, 2, "free")}})
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	spoil(t, disk, "the best")
	ballast := filepath.Join(disk, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	expect(t, s, key(1), "root - - 2:free")
	os.Remove(ballast)
	write(t, s, store.Batch{Run: key(1), Best: []byte("worse")})
	if all := recall(t, s, key(1)); len(all.Results) != 1 || string(all.Best) != "worse" {
		t.Errorf("%d results are there with the best %q", len(all.Results), all.Best)
	}
}

// A folder on a disk that may only be read is refused, and the error says what to do.
func TestReadOnlyFolder(t *testing.T) {
	disk := tinyDisk(t, "64k")
	folder := filepath.Join(disk, "store")
	s := open(t, folder, options(t))
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	s.Close()
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("a disk cannot be made read-only here: ", err)
	}
	_, err := store.Open(folder, options(t))
	if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), "it must be a folder that may be written") {
		t.Errorf("%v", err)
	}
}
