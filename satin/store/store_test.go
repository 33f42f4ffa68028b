package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/store"
)

// clock is wall-clock time as a test wants it.
type clock struct{ t time.Time }

func newClock() *clock { return &clock{time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time { return c.t }

// options are those of tests: nothing is expected to be damaged.
func options(t testing.TB) store.Options {
	return store.Options{Build: "build 1", Warn: func(text string) { t.Errorf("warned: %s", text) }}
}

func open(t testing.TB, folder string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t testing.TB, s *store.Store, b store.Batch) {
	t.Helper()
	if err := s.Write(b); err != nil {
		t.Fatal(err)
	}
}

func recall(t testing.TB, s *store.Store, run store.Key) store.Recalled {
	t.Helper()
	all, err := s.Recall(run, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func sizes(t testing.TB, s *store.Store) store.Sizes {
	t.Helper()
	all, err := s.Sizes()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func key(n int) (k store.Key) { return store.Digest(fmt.Append(nil, n)) }

func result(n int, cost uint32, value string) store.Result {
	return store.Result{Key: key(n), Cost: cost, Bytes: []byte(value)}
}

// described is what is recalled in short: root, record, best and results.
func described(all store.Recalled) string {
	var b strings.Builder
	for _, v := range [][]byte{all.Root, all.Record, all.Best} {
		if v == nil {
			b.WriteString("- ")
		} else {
			fmt.Fprintf(&b, "%s ", v)
		}
	}
	for _, r := range all.Results {
		fmt.Fprintf(&b, "%d:%s ", r.Cost, r.Bytes)
	}
	return strings.TrimSpace(b.String())
}

func expect(t testing.TB, s *store.Store, run store.Key, want string) {
	t.Helper()
	if got := described(recall(t, s, run)); got != want {
		t.Errorf("run %v: %q, wanted %q", run, got, want)
	}
}

// A run is written, its process ends, and the next one recalls it.
func TestARunOutlivesItsProcess(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "by", "Open")
	s := open(t, folder, options(t))
	best := []byte("best")
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Record: []byte("record"), Lifetime: &store.Lifetime{Keep: time.Hour}})
	named := store.Result{
		Key: key(12), Outcome: 2, Choosing: true, Cost: 70, Best: store.Digest(best), Verify: 0.3, Bytes: []byte("b"),
	}
	write(t, s, store.Batch{Run: key(1), Best: best, Results: []store.Result{result(11, 5, "a"), named, result(13, 9, "")}})
	write(t, s, store.Batch{Run: key(2), Root: []byte("other"), Lifetime: &store.Lifetime{Ended: true}})
	s.Close()

	s = open(t, folder, options(t))
	all := recall(t, s, key(1))
	if got := described(all); got != "root record best 70:b 9: 5:a" || all.BestDigest != store.Digest(best) || all.Left != 0 {
		t.Errorf("%q, best %v, %d left", got, all.BestDigest, all.Left)
	}
	if got := all.Results[0]; got.Key != named.Key || got.Outcome != 2 || !got.Choosing || got.Best != named.Best || got.Verify != 0.3 {
		t.Errorf("recalled %+v, wanted %+v", got, named)
	}
	expect(t, s, key(2), "other - -")
	expect(t, s, key(3), "- - -")
	runs, err := s.Runs()
	if err != nil || len(runs) != 2 {
		t.Fatal(runs, err)
	}
	first, second := runs[0], runs[1]
	if first.Key != key(1) || first.Ended || first.Until.Sub(first.Written) != time.Hour {
		t.Errorf("%+v", first)
	}
	if second.Key != key(2) || !second.Ended || second.Until.Sub(second.Written) != store.KeepDefault {
		t.Errorf("%+v", second)
	}
}

// Terms stay as they were until they are given anew, and so do values.
func TestWhatABatchDoesNotSayStays(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Lifetime: &store.Lifetime{Keep: time.Hour, Ended: true}})
	write(t, s, store.Batch{Run: key(1), Results: []store.Result{result(1, 1, "a"), result(2, 2, "b")}})
	write(t, s, store.Batch{Run: key(1), Results: []store.Result{result(1, 3, "c")}, Delete: store.Deletions{Results: []store.Key{key(2)}}})
	s.Close()
	s = open(t, folder, options(t))
	expect(t, s, key(1), "root - - 3:c")
	if runs, err := s.Runs(); err != nil || !runs[0].Ended || runs[0].Until.Sub(runs[0].Written) != time.Hour {
		t.Errorf("%+v, %v", runs, err)
	}
	// deletions come before what the same batch writes
	write(t, s, store.Batch{Run: key(1), Root: []byte("new"), Delete: store.Deletions{Root: true, Results: []store.Key{key(1)}}})
	expect(t, s, key(1), "new - -")
	write(t, s, store.Batch{Run: key(1), Delete: store.Deletions{Root: true}})
	expect(t, s, key(1), "- - -")
}

// A result is used by none who does not hold the best that it names. So it is refused before that,
// and goes with it.
func TestResultsGoWithTheirBest(t *testing.T) {
	s := open(t, t.TempDir(), options(t))
	named := result(1, 1, "a")
	named.Best = store.Digest([]byte("best"))
	err := s.Write(store.Batch{Run: key(1), Results: []store.Result{named}})
	if !errors.Is(err, store.ErrNoBest) || !strings.HasSuffix(err.Error(), "there is none; write that with it") {
		t.Fatalf("%v", err)
	}
	write(t, s, store.Batch{Run: key(1), Best: []byte("best"), Results: []store.Result{named, result(2, 2, "b")}})
	// a better one takes its place, and what named the old one stays and is used with the new
	write(t, s, store.Batch{Run: key(1), Best: []byte("better")})
	expect(t, s, key(1), "- - better 2:b 1:a")
	write(t, s, store.Batch{Run: key(1), Delete: store.Deletions{Best: true}})
	expect(t, s, key(1), "- - - 2:b")
	if err := s.Write(store.Batch{Run: key(1), Results: []store.Result{named}}); !errors.Is(err, store.ErrNoBest) {
		t.Errorf("%v, though the best is gone", err)
	}
	// whoever finds another problem under the same key begins again
	write(t, s, store.Batch{Run: key(1), Best: []byte("other"), Results: []store.Result{named}})
	write(t, s, store.Batch{Run: key(1), Delete: store.Deletions{Best: true}, Best: []byte("third")})
	expect(t, s, key(1), "- - third 2:b")
}

// What does not fit is left, and dearer ones come first.
func TestRecallIsBounded(t *testing.T) {
	s := open(t, t.TempDir(), options(t))
	write(t, s, store.Batch{Run: key(1), Root: []byte("a long root"), Results: []store.Result{
		result(1, 1, "1111"), result(2, 9, "22222222"), result(3, 5, "333"),
	}})
	all, err := s.Recall(key(1), 7)
	if got := described(all); err != nil || got != "a long root - - 5:333 1:1111" || all.Left != 1 {
		t.Errorf("%q, %d left, %v", got, all.Left, err)
	}
}

// Two builds of one program share the folder, and no run.
func TestOtherBuildsAreKeptAndNotReturned(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Record: []byte("old"), Lifetime: &store.Lifetime{Keep: time.Hour}})
	s.Close()

	o.Build = "build 2"
	s = open(t, folder, o)
	expect(t, s, key(1), "- - -")
	if runs, err := s.Runs(); err != nil || len(runs) != 0 {
		t.Errorf("%+v, %v", runs, err)
	}
	write(t, s, store.Batch{Run: key(1), Record: []byte("new")})
	list, err := s.List()
	if err != nil || len(list) != 2 || list[0].Build != "build 1" || string(list[0].Record) != "old" || list[1].Build != "build 2" {
		t.Errorf("%+v, %v", list, err)
	}
	if got := sizes(t, s); got.Runs != 1 || got.Others != 1 || got.Used != 2*4096 || got.Quota != store.QuotaDefault {
		t.Errorf("%+v", got)
	}
	if err := s.Drop(key(1)); err != nil {
		t.Fatal(err)
	}
	if got := sizes(t, s); got.Runs != 0 || got.Others != 1 {
		t.Errorf("%+v: what another build wrote was dropped", got)
	}
	c.t = c.t.Add(2 * time.Hour)
	if list, err := s.List(); err != nil || len(list) != 0 || sizes(t, s).Expired != 1 {
		t.Errorf("%+v, %v: it has expired", list, err)
	}
}

func TestDrop(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	for range 2 { // what is not there is dropped already
		if err := s.Drop(key(1)); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, s, key(1), "- - -")
	s.Close()
	s = open(t, folder, options(t))
	expect(t, s, key(1), "- - -")
}

// The same folder is refused at once, in words, here and for another process.
func TestOneProcessAFolder(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	_, err := store.Open(folder, options(t))
	if !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "another process has it open; end that one, or use another folder") {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, folder, options(t))
}

func TestAClosedStoreSaysSo(t *testing.T) {
	s := open(t, t.TempDir(), options(t))
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	_, recalled := s.Recall(key(1), 1)
	_, runs := s.Runs()
	_, list := s.List()
	_, sizes := s.Sizes()
	_, checked := s.Check()
	_, pruned := s.Prune()
	for n, err := range []error{s.Write(store.Batch{}), s.Drop(key(1)), recalled, runs, list, sizes, checked, pruned} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("call %d: %v", n, err)
		}
	}
}

func TestWhatCannotBeIsRefused(t *testing.T) {
	for _, o := range []store.Options{{Quota: -1}, {Build: strings.Repeat("b", 2000)}} {
		if s, err := store.Open(t.TempDir(), o); err == nil {
			s.Close()
			t.Errorf("opened with %+v", o)
		}
	}
	s := open(t, t.TempDir(), options(t))
	for _, keep := range []time.Duration{-1, store.KeepMax + 1} {
		if err := s.Write(store.Batch{Run: key(1), Root: []byte("r"), Lifetime: &store.Lifetime{Keep: keep}}); err == nil {
			t.Errorf("kept for %v", keep)
		}
	}
	for _, share := range []float32{-0.1, 1.1, float32(math.NaN())} {
		if err := s.Write(store.Batch{Run: key(1), Results: []store.Result{{Verify: share}}}); err == nil {
			t.Errorf("verified to %v", share)
		}
	}
	if got := sizes(t, s); got.Runs != 0 {
		t.Errorf("%+v", got)
	}
}

// A batch that says nothing makes no run.
func TestNothingIsWrittenOfNothing(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	write(t, s, store.Batch{Run: key(1), Lifetime: &store.Lifetime{Ended: true}})
	if got := sizes(t, s); got.Runs != 0 {
		t.Errorf("%+v", got)
	}
	// and one of which everything was deleted is none at the next start
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	write(t, s, store.Batch{Run: key(1), Delete: store.Deletions{Root: true}})
	s.Close()
	if got := sizes(t, open(t, folder, options(t))); got.Runs != 0 || got.Damaged+got.Torn != 0 {
		t.Errorf("%+v", got)
	}
}

// A folder that another host copied means the same here: what is in it is files.
func TestACopyOfTheFolder(t *testing.T) {
	folder, copied := t.TempDir(), t.TempDir()
	s := open(t, folder, options(t))
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Results: []store.Result{result(1, 1, "a")}})
	// even while the store is open
	if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	expect(t, open(t, copied, options(t)), key(1), "root - - 1:a")
}

// A file that is written over and over takes no more than some times what is still said in it.
func TestFilesAreTidied(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	s.TidyAt(16 << 10)
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Results: []store.Result{result(1, 1, "a")}})
	best := bytes.Repeat([]byte{'b'}, 2000)
	most := int64(0)
	for n := range 100 {
		best[0] = byte('a' + n%26)
		write(t, s, store.Batch{Run: key(1), Best: best})
		most = max(most, sizes(t, s).Used)
	}
	if most > 24<<10 {
		t.Errorf("%d bytes for 2,000", most)
	}
	expect(t, s, key(1), "root - "+string(best)+" 1:a")
	s.Close()
	expect(t, open(t, folder, options(t)), key(1), "root - "+string(best)+" 1:a")
}

// Calls of several goroutines wait for each other, and each finds what it wrote.
func TestSeveralAtOnce(t *testing.T) {
	s := open(t, t.TempDir(), options(t))
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 10 {
				if err := s.Write(store.Batch{Run: key(n), Results: []store.Result{result(i, 1, "v")}}); err != nil {
					t.Error(err)
				}
				if got, err := s.Recall(key(n), 100); err != nil || len(got.Results) != i+1 {
					t.Errorf("%d results after %d, %v", len(got.Results), i+1, err)
				}
				if _, err := s.List(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
