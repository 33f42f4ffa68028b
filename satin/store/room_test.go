package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/store"
)

// small is a store of 64 KiB.
func small(t *testing.T) (*store.Store, string) {
	folder := inMemory(t)
	o := options(t)
	o.Quota = 64 << 10
	return open(t, folder, o), folder
}

// onDisk is what the files of a folder take, as the quota counts it.
func onDisk(t *testing.T, folder string) (bytes int64) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		bytes += (info.Size() + 4095) / 4096 * 4096
	}
	return bytes
}

// The oldest run that has ended goes first, and one that has not ended is not touched for it.
func TestTheOldestEndedRunGoesFirst(t *testing.T) {
	s, folder := small(t)
	root := bytes.Repeat([]byte{'a'}, 16<<10)
	write(t, s, store.Batch{Run: key(1), Root: root})
	write(t, s, store.Batch{Run: key(2), Root: root, Lifetime: &store.Lifetime{Ended: true}})
	write(t, s, store.Batch{Run: key(3), Root: root, Lifetime: &store.Lifetime{Ended: true}})
	// 2 becomes the younger one
	write(t, s, store.Batch{Run: key(2), Record: []byte("again")})
	write(t, s, store.Batch{Run: key(4), Root: root, Lifetime: &store.Lifetime{Ended: true}})
	for run, want := range []bool{1: true, 2: true, 3: false, 4: true} {
		if all := recall(t, s, key(run)); (all.Root != nil) != want {
			t.Errorf("run %d: there: %v", run, !want)
		}
	}
	if got := sizes(t, s); got.Evicted != 1 || got.Used != onDisk(t, folder) || got.Used > 64<<10 {
		t.Errorf("%+v, %d on disk", got, onDisk(t, folder))
	}
}

// Then the cheapest results go, of all runs, and the best stays.
func TestTheCheapestResultsGoThen(t *testing.T) {
	s, folder := small(t)
	value := strings.Repeat("v", 1000)
	for run := range 2 {
		write(t, s, store.Batch{Run: key(run), Root: []byte("root"), Best: []byte("best")})
	}
	for n := range 150 {
		r := result(n, uint32(1000-n), value)
		if n%3 == 0 {
			r.Best = store.Digest([]byte("best"))
		}
		write(t, s, store.Batch{Run: key(n % 2), Results: []store.Result{r}})
		if got := sizes(t, s).Used; got > 64<<10 || got != onDisk(t, folder) {
			t.Fatalf("after %d results %d bytes, %d on disk", n, got, onDisk(t, folder))
		}
	}
	kept, cheapest := 0, uint32(1000)
	for run := range 2 {
		all := recall(t, s, key(run))
		if string(all.Best) != "best" || string(all.Root) != "root" {
			t.Errorf("%q", described(all))
		}
		kept += len(all.Results)
		for _, r := range all.Results {
			cheapest = min(cheapest, r.Cost)
		}
	}
	// the last one had room, as it was written then; those before are the dearest of all
	if kept < 40 || int(1000-cheapest)+1 < kept {
		t.Errorf("%d results are kept, of which the cheapest costs %d", kept, cheapest)
	}
	dear := 0
	for run := range 2 {
		for _, r := range recall(t, s, key(run)).Results {
			if r.Cost > 960 {
				dear++
			}
		}
	}
	if dear != 40 {
		t.Errorf("%d of the 40 dearest are there", dear)
	}
}

// A best goes only when no results are left, and no result that names one is there without it.
func TestABestGoesLast(t *testing.T) {
	s, _ := small(t)
	best := bytes.Repeat([]byte{'b'}, 30<<10)
	named := result(1, 1000, "named")
	named.Best = store.Digest(best)
	write(t, s, store.Batch{Run: key(1), Best: best, Results: []store.Result{named, result(2, 1, "cheap")}})
	write(t, s, store.Batch{Run: key(2), Root: bytes.Repeat([]byte{'r'}, 40<<10)})
	if all := recall(t, s, key(1)); all.Best != nil || len(all.Results) != 0 {
		t.Errorf("the best is there: %v, and %d results", all.Best != nil, len(all.Results))
	}
	if all := recall(t, s, key(2)); len(all.Root) != 40<<10 {
		t.Error("the root that it went for is not there")
	}
}

// Results that have no room drive no best out, and least of all the one that they name. What must
// be written does, and then no result is written that names it.
func TestNoBatchDrivesItsOwnBestOut(t *testing.T) {
	s, _ := small(t)
	best := bytes.Repeat([]byte{'b'}, 30<<10)
	write(t, s, store.Batch{Run: key(1), Best: best})
	named := result(1, 1000, strings.Repeat("v", 32<<10))
	named.Best = store.Digest(best)
	write(t, s, store.Batch{Run: key(1), Record: []byte("record"), Results: []store.Result{named}})
	if all := recall(t, s, key(1)); len(all.Results) != 0 || all.Best == nil || string(all.Record) != "record" {
		t.Errorf("%d results, the best is there: %v, record %q", len(all.Results), all.Best != nil, all.Record)
	}
	named.Bytes = []byte("short")
	write(t, s, store.Batch{Run: key(1), Root: bytes.Repeat([]byte{'r'}, 40<<10), Results: []store.Result{named}})
	if all := recall(t, s, key(1)); len(all.Results) != 0 || all.Best != nil || len(all.Root) != 40<<10 {
		t.Errorf("%d results, the best is there: %v, %d bytes of root", len(all.Results), all.Best != nil, len(all.Root))
	}
}

// A batch may have more results than the quota has room for: the dearest of all are there then,
// whether they were there or came with it.
func TestTheDearestOfABatchHaveRoom(t *testing.T) {
	s, folder := small(t)
	batch := func(from, cost int) store.Batch {
		b := store.Batch{Run: key(1), Root: []byte("root"), Record: []byte("record")}
		for n := range 100 {
			b.Results = append(b.Results, result(from+n, uint32(cost+n*37%100), strings.Repeat("v", 2000)))
		}
		return b
	}
	dearest := func(want uint32) (n int) {
		t.Helper()
		all := recall(t, s, key(1))
		if string(all.Root) != "root" || string(all.Record) != "record" {
			t.Errorf("%q", described(all))
		}
		for n, r := range all.Results {
			if r.Cost != want-uint32(n) {
				t.Fatalf("number %d costs %d, and %d is the dearest", n, r.Cost, want)
			}
		}
		if used := onDisk(t, folder); used > 64<<10 || len(all.Results) < 20 {
			t.Errorf("%d results, %d bytes", len(all.Results), used)
		}
		return len(all.Results)
	}
	write(t, s, batch(0, 1000))
	first := dearest(1099)
	write(t, s, batch(100, 500))
	if n := dearest(1099); n < first*3/4 { // an eighth of the quota goes at once
		t.Errorf("of %d results %d are there, though only cheaper ones came", first, n)
	}
	write(t, s, batch(200, 2000))
	dearest(2099)
	if got := sizes(t, s); got.Evicted == 0 {
		t.Errorf("%+v", got)
	}
}

// So it is with results that were found under two bests by turns: that is told of each of them.
func TestTheDearestOfTwoBestsHaveRoom(t *testing.T) {
	s, folder := small(t)
	b := store.Batch{Run: key(1), Best: []byte("best")}
	for n := range 4000 {
		r := result(n, uint32(n), "v")
		r.Best = key(n % 2)
		b.Results = append(b.Results, r)
	}
	write(t, s, b)
	all := recall(t, s, key(1)).Results
	for n, r := range all {
		if r.Cost != uint32(3999-n) {
			t.Fatalf("number %d costs %d", n, r.Cost)
		}
	}
	if used := onDisk(t, folder); used > 64<<10 || len(all) < 500 {
		t.Errorf("%d results, %d bytes", len(all), used)
	}
}

// Where nothing may go any more the error says so, and what is there stays.
func TestFull(t *testing.T) {
	s, _ := small(t)
	write(t, s, store.Batch{Run: key(1), Root: bytes.Repeat([]byte{'r'}, 50<<10)})
	for _, length := range []int{20 << 10, 70 << 10} {
		err := s.Write(store.Batch{Run: key(2), Root: make([]byte, length)})
		if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "give the store more room, or wait until one has ended") {
			t.Errorf("%v", err)
		}
	}
	if all := recall(t, s, key(1)); len(all.Root) != 50<<10 {
		t.Error("the root is gone")
	}
	if got := sizes(t, s); got.Runs != 1 || got.Evicted != 0 {
		t.Errorf("%+v", got)
	}
}

// There are only so many runs: a new one takes the place of one that has ended, and has none
// before. Those that are there go on.
func TestTooManyRuns(t *testing.T) {
	s := open(t, t.TempDir(), options(t))
	s.RunsMost(3)
	for n := range 3 {
		write(t, s, store.Batch{Run: key(n), Root: []byte("root"), Lifetime: &store.Lifetime{Ended: n == 1}})
	}
	write(t, s, store.Batch{Run: key(2), Record: []byte("record")})
	if got := sizes(t, s); got.Runs != 3 || got.Evicted != 0 {
		t.Fatalf("%+v", got)
	}
	write(t, s, store.Batch{Run: key(3), Root: []byte("root")})
	expect(t, s, key(1), "- - -")
	if err := s.Write(store.Batch{Run: key(4), Root: []byte("root")}); !errors.Is(err, store.ErrFull) {
		t.Errorf("%v", err)
	}
	write(t, s, store.Batch{Run: key(3), Record: []byte("record")})
	expect(t, s, key(3), "root record -")
}

// A store that is opened with less room than it takes gives up what is least missed.
func TestASmallerQuota(t *testing.T) {
	s, folder := small(t)
	for n := range 3 {
		write(t, s, store.Batch{Run: key(n), Root: make([]byte, 15<<10), Lifetime: &store.Lifetime{Ended: n < 2}})
	}
	s.Close()
	o := options(t)
	o.Quota = 40 << 10
	s = open(t, folder, o)
	if got := sizes(t, s); got.Runs != 2 || got.Used > o.Quota {
		t.Errorf("%+v", got)
	}
	s.Close()
	o.Quota = 8 << 10 // the one that has not ended takes more than that: it stays
	s = open(t, folder, o)
	if got := sizes(t, s); got.Runs != 1 || got.Used <= o.Quota {
		t.Errorf("%+v", got)
	}
}

// Prune frees what is no use: the file that was put aside, and what is no longer said.
func TestPrune(t *testing.T) {
	s, folder := small(t)
	for n := range 20 {
		write(t, s, store.Batch{Run: key(1), Best: bytes.Repeat([]byte{byte('a' + n)}, 1000)})
	}
	aside := filepath.Join(folder, "damaged.bad")
	if err := os.WriteFile(aside, make([]byte, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	before := onDisk(t, folder)
	freed, err := s.Prune()
	if err != nil || onDisk(t, folder) != 4096 || freed != before-4096 {
		t.Errorf("%d of %d are freed, %d left, %v", freed, before, onDisk(t, folder), err)
	}
	expect(t, s, key(1), "- - "+strings.Repeat("t", 1000))
}

// A file that is written anew is as long as what is in it, however much that is; and a value that
// is found to be wrong meanwhile is left out.
func TestALongFileIsWrittenAnew(t *testing.T) {
	folder := t.TempDir()
	long := func(n int) string { return fmt.Sprintf("value %d!%90d", n, n) }
	o, warned := options(t), 0
	o.Warn = func(string) { warned++ }
	s := open(t, folder, o)
	b := store.Batch{Run: key(1), Root: bytes.Repeat([]byte("r"), 2<<20), Best: []byte("best")}
	for n := range 3000 {
		b.Results = append(b.Results, result(n, 1, long(n)))
	}
	write(t, s, b)
	gone := store.Deletions{}
	for n := range 1000 {
		gone.Results = append(gone.Results, key(n))
	}
	write(t, s, store.Batch{Run: key(1), Delete: gone})
	spoil(t, folder, long(2000))
	freed, err := s.Prune()
	if err != nil || freed > 0 || warned != 1 { // the damaged file is beside it now
		t.Errorf("%d bytes are freed, %d warnings, %v", freed, warned, err)
	}
	if freed, err = s.Prune(); err != nil || freed < 2<<20 {
		t.Errorf("%d bytes are freed, %v", freed, err)
	}
	s.Close()
	all := recall(t, open(t, folder, options(t)), key(1))
	if len(all.Results) != 1999 || len(all.Root) != 2<<20 || string(all.Best) != "best" {
		t.Fatalf("%d results", len(all.Results))
	}
	there := map[store.Key]string{}
	for _, r := range all.Results {
		there[r.Key] = string(r.Bytes)
	}
	for n := range 3000 {
		want := long(n)
		if got, ok := there[key(n)]; ok != (n >= 1000 && n != 2000) || ok && got != want {
			t.Fatalf("result %d: %q", n, got)
		}
	}
}

// A thousand small runs leave no growth beyond the quota.
func TestManySmallRuns(t *testing.T) {
	s, folder := small(t)
	for n := range 1000 {
		write(t, s, store.Batch{Run: key(n), Root: []byte("root"), Lifetime: &store.Lifetime{Ended: true}})
	}
	if got := sizes(t, s); got.Runs != 16 || got.Evicted != 984 || onDisk(t, folder) != 64<<10 {
		t.Errorf("%+v, %d on disk", got, onDisk(t, folder))
	}
	expect(t, s, key(999), "root - -")
}

// A run that another build has left behind, and that has not ended, goes before this build's work
// is refused.
func TestOtherBuildsMakeRoom(t *testing.T) {
	folder := t.TempDir()
	o := options(t)
	o.Quota = 64 << 10
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: make([]byte, 50<<10)})
	s.Close()
	o.Build = "build 2"
	s = open(t, folder, o)
	write(t, s, store.Batch{Run: key(2), Root: make([]byte, 20<<10)})
	if got := sizes(t, s); got.Runs != 1 || got.Others != 0 || got.Evicted != 1 {
		t.Errorf("%+v", got)
	}
	if err := s.Write(store.Batch{Run: key(3), Root: make([]byte, 50<<10)}); !errors.Is(err, store.ErrFull) {
		t.Errorf("one of its own made room: %v", err)
	}
}
