package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/store"
)

// Look sees what List does while a node has the folder open, and changes nothing: not what is
// damaged, nor what is not yet written whole.
func TestLook(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Record: []byte("record"), Best: []byte("best")})
	write(t, s, store.Batch{Run: key(1), Results: []store.Result{result(1, 1, "a"), result(2, 2, "b")}})
	write(t, s, store.Batch{Run: key(2), Root: []byte("other"), Lifetime: &store.Lifetime{Ended: true}})
	want, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	got, err := store.Look(folder)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 2 || got[0].Results != 2 {
		t.Errorf("%+v, wanted %+v, %v", got, want, err)
	}
	// in the middle of a batch, and beside what is no run
	all := files(t, folder)
	for name, b := range all {
		if strings.HasPrefix(name, key(1).String()) {
			all[name] = b[:len(b)-1]
		}
	}
	all[strings.Repeat("0", 32)+"-"+strings.Repeat("1", 16)+".run"] = []byte("not ours")
	put(t, folder, all)
	got, err = store.Look(folder)
	if err != nil || len(got) != 2 || got[0].Results != 0 || string(got[0].Record) != "record" || !got[1].Root {
		t.Errorf("%+v, %v", got, err)
	}
	if !maps.EqualFunc(all, files(t, folder), func(a, b []byte) bool { return string(a) == string(b) }) {
		t.Error("a file has changed")
	}
	if _, err := store.Look(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
