package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"satingrid/satin/store"
)

// The story of a folder that is damaged: run 1 has bests 0, 1, 2 … one after the other, each with
// results that name it; what names one is wrong with an earlier one.
func bestOf(n int) []byte { return fmt.Appendf(nil, "%03d %s", n, strings.Repeat("best ", 40)) }

const bestsTold = 12

// told writes the story, and returns its files.
func told(t *testing.T) map[string][]byte {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	for n := range bestsTold {
		b := store.Batch{Run: key(1), Best: bestOf(n), Record: fmt.Append(nil, "record ", n)}
		if n == 0 {
			b.Root = bytes.Repeat([]byte("root "), 300)
		}
		for i := range 8 {
			r := result(100*n+i, uint32(100*n+i), fmt.Sprint("value ", 100*n+i))
			if i%2 == 0 {
				r.Best = store.Digest(b.Best)
			}
			b.Results = append(b.Results, r)
		}
		write(t, s, b)
	}
	write(t, s, store.Batch{Run: key(2), Root: []byte("other")})
	s.Close()
	return files(t, folder)
}

func files(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if b, err := os.ReadFile(filepath.Join(folder, e.Name())); err == nil {
			all[e.Name()] = b
		}
	}
	return all
}

// inMemory is a folder for much that is written and never needed.
func inMemory(t *testing.T) string {
	folder, err := os.MkdirTemp("/dev/shm", "store")
	if err != nil { // there is no such disk, and the time is well spent
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

func put(t *testing.T, folder string, all map[string][]byte) {
	t.Helper()
	for name, b := range all {
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// wrong says what of the story may not be there, and counts what is.
func wrong(t *testing.T, s *store.Store) (what string, values int) {
	t.Helper()
	all := recall(t, s, key(1))
	best := -1
	if all.Best != nil {
		if _, err := fmt.Sscanf(string(all.Best), "%d", &best); err != nil || !bytes.Equal(all.Best, bestOf(best)) {
			return fmt.Sprintf("best %q", all.Best), 0
		}
		values++
	}
	if all.Root != nil {
		if !bytes.Equal(all.Root, bytes.Repeat([]byte("root "), 300)) {
			return "the root", 0
		}
		values++
	}
	if all.Record != nil {
		var n int
		if _, err := fmt.Sscanf(string(all.Record), "record %d", &n); err != nil {
			return fmt.Sprintf("record %q", all.Record), 0
		}
		values++
	}
	for _, r := range all.Results {
		n := int(r.Cost)
		if r.Key != key(n) || string(r.Bytes) != fmt.Sprint("value ", n) || r.Choosing || r.Outcome != 0 {
			return fmt.Sprintf("result %+v", r), 0
		}
		if named := r.Best != (store.Key{}); named && (n/100 > best || r.Best != store.Digest(bestOf(n/100))) {
			return fmt.Sprintf("result %d names best %d, and %d is there", n, n/100, best), 0
		}
		values++
	}
	other := recall(t, s, key(2)).Root
	if other != nil && string(other) != "other" {
		return fmt.Sprintf("root %q of the other run", other), 0
	}
	return "", values
}

// hit damages one file somewhere, in one of the ways of disks and people.
func hit(r *rand.Rand, all map[string][]byte) (how string) {
	names := slices.Sorted(maps.Keys(all))
	names = slices.DeleteFunc(names, func(n string) bool { return n == "lock" })
	name := names[r.IntN(len(names))]
	b := slices.Clone(all[name])
	at := r.IntN(len(b))
	switch r.IntN(8) {
	case 0:
		how, b = "cut", b[:at]
	case 1:
		how = "sector of zeros"
		clear(b[at/512*512 : min(len(b), at/512*512+512)])
	case 2:
		how = "garbage"
		for i := at; i < min(len(b), at+100); i++ {
			b[i] = byte(r.Uint32())
		}
	case 3:
		how, b = "bytes inserted", slices.Insert(b, at, b[:r.IntN(at+1)]...)
	case 4:
		how, b = "bytes missing", slices.Delete(b, at, min(len(b), at+1+r.IntN(300)))
	case 5:
		how, b = "appended", append(b, b[at:]...)
	default:
		how = "bit"
		b[at] ^= 1 << r.IntN(8)
	}
	all[name] = b
	return fmt.Sprintf("%s at %d of %s", how, at, name)
}

// TestDamage: whatever happens to the files, nothing that was not written is returned, no result
// without its best or a later one, and most of what was not hit is there.
func TestDamage(t *testing.T) {
	whole := told(t)
	folder := inMemory(t)
	kept, warned, rounds := 0, 0, 600**longer
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 3))
		all := maps.Clone(whole)
		how := hit(r, all)
		place := filepath.Join(folder, fmt.Sprint(seed))
		if err := os.Mkdir(place, 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, place, all)
		o := options(t)
		o.Warn = func(string) { warned++ }
		s, err := store.Open(place, o)
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, how, err)
		}
		what, values := wrong(t, s)
		if what != "" {
			t.Fatalf("seed %d, %s: %s", seed, how, what)
		}
		kept += values
		// it is mended: the next one finds nothing, and what is written then is there
		if got, err := s.Check(); err != nil || got.Damaged != 0 {
			t.Fatalf("seed %d, %s: checked %+v, %v", seed, how, got, err)
		}
		write(t, s, store.Batch{Run: key(1), Best: bestOf(bestsTold), Record: []byte("record 99")})
		s.Close()
		o.Warn = func(text string) { t.Fatalf("seed %d, %s: again: %s", seed, how, text) }
		s = open(t, place, o)
		if got := recall(t, s, key(1)); string(got.Record) != "record 99" || !bytes.Equal(got.Best, bestOf(bestsTold)) {
			t.Fatalf("seed %d, %s: %q", seed, how, described(got))
		}
		s.Close()
		os.RemoveAll(place)
	}
	if all := rounds * (3 + 8*bestsTold); kept < all*3/4 || warned < rounds/2 {
		t.Errorf("%d of %d values outlived %d hits, %d warnings", kept, all, rounds, warned)
	}
}

// TestLossOfPower: of a batch that was being written, some sectors are on the disk and others are
// not, in any order. Then all of it is there or nothing.
func TestLossOfPower(t *testing.T) {
	const sector = 512
	place, r := inMemory(t), rand.New(rand.NewPCG(1, 7))
	before, after := 0, 0
	for seed := range 300 * *longer {
		folder := filepath.Join(place, fmt.Sprint(seed))
		s := open(t, folder, options(t))
		write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Best: bestOf(0)})
		old := files(t, folder)
		b := store.Batch{Run: key(1), Best: bestOf(1), Delete: store.Deletions{Root: true}}
		for n := range r.IntN(20) {
			b.Results = append(b.Results, result(n, 1, strings.Repeat("v", r.IntN(200))))
		}
		write(t, s, b)
		s.Close()
		lost := 1 + r.IntN(6)
		for name, b := range files(t, folder) {
			for at := len(old[name]) / sector * sector; at < len(b); at += sector {
				if r.IntN(6) < lost { // what was there before, or nothing
					clear(b[max(at, len(old[name])):min(len(b), at+sector)])
				}
			}
			put(t, folder, map[string][]byte{name: b})
		}
		s = open(t, folder, options(t))
		switch all := recall(t, s, key(1)); {
		case string(all.Root) == "root" && bytes.Equal(all.Best, bestOf(0)) && len(all.Results) == 0:
			before++
		case all.Root == nil && bytes.Equal(all.Best, bestOf(1)) && len(all.Results) == len(b.Results):
			after++
		default:
			t.Fatalf("seed %d: %q", seed, described(all))
		}
		write(t, s, store.Batch{Run: key(1), Record: []byte("on")})
		s.Close()
		s = open(t, folder, options(t))
		if got := recall(t, s, key(1)); string(got.Record) != "on" {
			t.Fatalf("seed %d: what was written then is not there", seed)
		}
		s.Close()
	}
	if before < 100 || after < 10 {
		t.Errorf("%d times as before, %d times as after", before, after)
	}
}

// TestDamageWhileOpen: a disk that loses what was read well before.
func TestDamageWhileOpen(t *testing.T) {
	whole := told(t)
	for seed := range uint64(100 * *longer) {
		r := rand.New(rand.NewPCG(seed, 4))
		folder := inMemory(t)
		put(t, folder, whole)
		o, warned := options(t), 0
		o.Warn = func(string) { warned++ }
		s := open(t, folder, o)
		all := maps.Clone(whole)
		how := hit(r, all)
		put(t, folder, all)
		for range 2 {
			if what, _ := wrong(t, s); what != "" {
				t.Fatalf("seed %d, %s: %s", seed, how, what)
			}
			write(t, s, store.Batch{Run: key(1), Record: []byte("record 99")})
		}
		if got := recall(t, s, key(1)); string(got.Record) != "record 99" {
			t.Fatalf("seed %d, %s: %q", seed, how, described(got))
		}
		if warned > 1 {
			t.Fatalf("seed %d, %s: warned %d times", seed, how, warned)
		}
		s.Close()
	}
}

// theBest is one with bytes of its own, behind the heads.
var theBest = []byte("the best" + strings.Repeat(" of all", 20))

// A damaged best takes the results that name one with it, and leaves the others.
func TestADamagedBest(t *testing.T) {
	folder := t.TempDir()
	o, warned := options(t), ""
	o.Warn = func(text string) { warned += text }
	s := open(t, folder, o)
	named := result(1, 1, "named")
	named.Best = store.Digest(theBest)
	write(t, s, store.Batch{Run: key(1), Best: theBest, Results: []store.Result{named, result(2, 2, "free")}})
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	s.Close()
	spoil(t, folder, "the best")
	s = open(t, folder, o)
	if warned != "" {
		t.Error("values are read when they are wanted, and not at the start")
	}
	expect(t, s, key(1), "root - - 2:free")
	if !strings.Contains(warned, "look after the disk") || sizes(t, s).Damaged != 1 {
		t.Errorf("%q, %+v", warned, sizes(t, s))
	}
	if aside := files(t, folder)["damaged.bad"]; !bytes.Contains(aside, []byte("uhe best")) {
		t.Error("the damaged file was not kept")
	}
	expect(t, s, key(1), "root - - 2:free")
	if sizes(t, s).Damaged != 1 {
		t.Error("it was not mended")
	}
}

// spoil damages the first byte of a text, wherever it is.
func spoil(t *testing.T, folder, text string) {
	t.Helper()
	for name, b := range files(t, folder) {
		if at := bytes.Index(b, []byte(text)); at >= 0 {
			b[at]++
			put(t, folder, map[string][]byte{name: b})
		}
	}
}

// A short value is under one digest with all heads of its batch: they are lost together, and others
// are not. That is found at the start.
func TestADamagedShortValue(t *testing.T) {
	folder := t.TempDir()
	o, warned := options(t), 0
	o.Warn = func(string) { warned++ }
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Results: []store.Result{result(1, 1, "before")}})
	write(t, s, store.Batch{Run: key(1), Record: []byte("record"), Results: []store.Result{result(2, 2, "short"), result(3, 3, "beside")}})
	write(t, s, store.Batch{Run: key(1), Results: []store.Result{result(4, 4, "behind")}})
	s.Close()
	spoil(t, folder, "short")
	s = open(t, folder, o)
	if warned != 1 {
		t.Errorf("%d warnings", warned)
	}
	expect(t, s, key(1), "root - - 4:behind 1:before")
}

// TestEachByteCounts changes each byte of a small file, in several ways. What was not written is
// never returned: a batch is there or not, and what is not is told, unless it was the last one.
func TestEachByteCounts(t *testing.T) {
	folder, long := inMemory(t), strings.Repeat("long", 20)
	s := open(t, folder, options(t))
	named := result(3, 3, "named")
	named.Best, named.Verify = store.Digest([]byte("best")), 0.5
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Results: []store.Result{result(1, 1, "one"), result(2, 2, long)}})
	write(t, s, store.Batch{Run: key(1), Best: []byte("best"), Results: []store.Result{named}})
	write(t, s, store.Batch{Run: key(1), Record: []byte("record"), Delete: store.Deletions{Results: []store.Key{key(1)}}})
	s.Close()
	all := "root record best 3:named 2:" + long
	var name string
	var whole []byte
	for n, b := range files(t, folder) {
		if strings.HasSuffix(n, ".run") {
			name, whole = n, b
		}
	}
	// all that may be there when one batch is lost, or only the long value
	may := map[string]bool{
		"- - -":                 true, // the preface
		"- record best 3:named": true, "root record - 2:" + long: true, "root - best 3:named 2:" + long + " 1:one": true,
		"root record best 3:named": true, all: false,
	}
	for at := range whole {
		for _, by := range []byte{1, 0x80, 0xff, whole[at]} {
			if by == 0 {
				continue
			}
			b := bytes.Clone(whole)
			b[at] ^= by
			put(t, folder, map[string][]byte{name: b})
			o, warned := options(t), 0
			o.Warn = func(string) { warned++ }
			s := open(t, folder, o)
			got := described(recall(t, s, key(1)))
			if is := sizes(t, s); !may[got] || warned == 0 && is.Torn == 0 && is.Others == 0 {
				t.Fatalf("byte %d by %x: %q, %d warnings, %+v", at, by, got, warned, is)
			}
			s.Close()
			for n := range files(t, folder) {
				os.Remove(filepath.Join(folder, n))
			}
		}
	}
}

// What is no run's file is put aside, another folder's business is left alone, and what a process
// left that died is taken away.
func TestForeignFiles(t *testing.T) {
	folder := t.TempDir()
	name := strings.Repeat("0", 32) + "-" + strings.Repeat("1", 16) + ".run"
	all := map[string][]byte{name: []byte("not ours"), "notes.txt": []byte("mine"), "." + name + "-1abc": []byte("half")}
	put(t, folder, all)
	if err := os.Mkdir(filepath.Join(folder, strings.Repeat("2", 49)+".run"), 0o700); err != nil {
		t.Fatal(err)
	}
	o, warned := options(t), 0
	o.Warn = func(string) { warned++ }
	s := open(t, folder, o)
	got := files(t, folder)
	if warned != 1 || string(got["damaged.bad"]) != "not ours" || string(got["notes.txt"]) != "mine" || got["."+name+"-1abc"] != nil {
		t.Errorf("%d warnings, files %v", warned, slices.Sorted(maps.Keys(got)))
	}
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	s.Close()
	// a run's file under the name of another
	for n, b := range files(t, folder) {
		if strings.HasPrefix(n, key(1).String()) {
			put(t, folder, map[string][]byte{name: b})
		}
	}
	s = open(t, folder, o)
	expect(t, s, key(1), "root - -")
	if got := sizes(t, s); got.Runs != 1 || got.Damaged != 1 {
		t.Errorf("%+v", got)
	}
}

// What another version of this package has written is no damage. It is kept for the build that can
// read it, as long as a run is, unless room is needed.
func TestFilesOfAnotherVersion(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o, warned := options(t), 0
	o.Warn, o.Now = func(string) { warned++ }, c.now
	s := open(t, folder, o)
	for n := range 3 {
		write(t, s, store.Batch{Run: key(n), Root: make([]byte, 9<<10)})
	}
	s.Close()
	for name, b := range files(t, folder) {
		if strings.HasSuffix(name, ".run") {
			put(t, folder, map[string][]byte{name: store.OfVersion(b, 1)})
			os.Chtimes(filepath.Join(folder, name), c.t, c.t)
		}
	}
	before := len(files(t, folder))
	s = open(t, folder, o)
	expect(t, s, key(1), "- - -")
	if got, err := s.Check(); err != nil || got.Damaged != 0 || got.Runs != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if got := sizes(t, s); warned != 0 || len(files(t, folder)) != before || got.Others != 3 || got.Used < 27<<10 {
		t.Errorf("%d warnings, files %v, %+v", warned, slices.Sorted(maps.Keys(files(t, folder))), got)
	}
	write(t, s, store.Batch{Run: key(1), Root: []byte("anew")}) // of that name
	expect(t, s, key(1), "anew - -")
	s.Close()
	o.Quota = 24 << 10
	s = open(t, folder, o)
	expect(t, s, key(1), "anew - -")
	if got := sizes(t, s); got.Others != 0 || got.Evicted != 2 {
		t.Errorf("without room: %+v", got)
	}
}

// A file that version 2 has written is one of these: it is kept as it is, and tells nothing.
func TestAFileOfVersion2(t *testing.T) {
	folder := t.TempDir()
	old, err := os.ReadFile("testdata/version2.run")
	if err != nil {
		t.Fatal(err)
	}
	// the name that this version gives it, too
	name := key(1).String() + "-4ba0d1825bdde359.run"
	put(t, folder, map[string][]byte{name: old})
	s := open(t, folder, options(t))
	expect(t, s, key(1), "- - -")
	if got := sizes(t, s); got.Others != 1 || got.Runs != 0 || !bytes.Equal(files(t, folder)[name], old) {
		t.Errorf("%+v, files %v", got, slices.Sorted(maps.Keys(files(t, folder))))
	}
	if list, err := store.Look(folder); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	write(t, s, store.Batch{Run: key(1), Root: []byte("anew")})
	expect(t, s, key(1), "anew - -")
	if got := sizes(t, s); got.Others != 0 || got.Runs != 1 || bytes.Equal(files(t, folder)[name], old) {
		t.Errorf("%+v, files %v", got, slices.Sorted(maps.Keys(files(t, folder))))
	}
}

// Nor is it kept for longer than a run is.
func TestFilesOfAnotherVersionExpire(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	s.Close()
	for name, b := range files(t, folder) {
		if strings.HasSuffix(name, ".run") {
			put(t, folder, map[string][]byte{name: store.OfVersion(b, 4)})
			os.Chtimes(filepath.Join(folder, name), c.t, c.t)
		}
	}
	s = open(t, folder, o)
	if got := sizes(t, s); got.Others != 1 {
		t.Errorf("%+v", got)
	}
	c.t = c.t.Add(store.KeepDefault)
	expect(t, s, key(1), "- - -") // whatever is asked
	if got := sizes(t, s); got.Others != 0 || got.Expired != 1 || got.Used != 0 {
		t.Errorf("after its time: %+v", got)
	}
}

// Somebody deletes the files of a store that is open: it is empty then, and can be written.
func TestFilesThatSomebodyDeletes(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	for n := range 2 {
		write(t, s, store.Batch{Run: key(n), Root: []byte("root")})
	}
	for name := range files(t, folder) {
		if strings.HasSuffix(name, ".run") {
			os.Remove(filepath.Join(folder, name))
		}
	}
	expect(t, s, key(0), "- - -")
	if err := s.Write(store.Batch{Run: key(1), Record: []byte("record")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	write(t, s, store.Batch{Run: key(1), Record: []byte("record")})
	expect(t, s, key(1), "- record -")
}
