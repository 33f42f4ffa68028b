package store_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"satingrid/satin/store"
)

// grown is by how many bytes the files of a folder grow in a batch.
func grown(t *testing.T, s *store.Store, folder string, b store.Batch) (bytes int) {
	t.Helper()
	before := inFiles(t, folder)
	write(t, s, b)
	return inFiles(t, folder) - before
}

func inFiles(t *testing.T, folder string) (bytes int) {
	t.Helper()
	for _, b := range files(t, folder) {
		bytes += len(b)
	}
	return bytes
}

// What a value takes beside its bytes is what the documentation says: a result that is small less
// than 30, a deletion no more than 20.
func TestWhatValuesTake(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	best := []byte("best")
	write(t, s, store.Batch{Run: key(0), Root: []byte("root"), Best: best})
	nothing := grown(t, s, folder, store.Batch{Run: key(0)})
	if nothing != 73 {
		t.Errorf("a batch takes %d", nothing)
	}
	const many = 100
	for _, c := range []struct{ length, most int }{{0, 22}, {4, 22}, {64, 22}, {65, 38}, {1 << 10, 39}} {
		b := store.Batch{Run: key(0)}
		gone := store.Batch{Run: key(0)}
		for n := range many {
			r := result(n, 1000, strings.Repeat("v", c.length))
			r.Best, r.Verify = store.Digest(best), 0.5
			b.Results = append(b.Results, r)
			gone.Delete.Results = append(gone.Delete.Results, r.Key)
		}
		const once = 20 // to say under what all of them were found
		if got := grown(t, s, folder, b) - nothing - once; got > many*(c.length+c.most) {
			t.Errorf("%d results of %d bytes take %d", many, c.length, got)
		}
		if got := grown(t, s, folder, gone) - nothing; got != many*17 {
			t.Errorf("%d deletions take %d", many, got)
		}
	}
}

// Values that are just short enough to stand in their heads are what was written, and so are those
// that are not: at once, from a file that is opened, and from one that is written anew.
func TestShortAndLongValues(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	lengths := []int{0, 1, 63, 64, 65, 127, 128, 20_000}
	some := func(n, length int) []byte { return bytes.Repeat([]byte{byte('a' + n)}, length) }
	check := func(when string) {
		t.Helper()
		for n, length := range lengths {
			all := recall(t, s, key(n))
			for kind, b := range [][]byte{all.Root, all.Record, all.Best} {
				if b == nil || !bytes.Equal(b, some(kind, length)) {
					t.Errorf("%s: value %d of %d bytes is %q", when, kind, length, b)
				}
			}
			if all.BestDigest != store.Digest(some(2, length)) || len(all.Results) != len(lengths) {
				t.Fatalf("%s: %d results, best %v", when, len(all.Results), all.BestDigest)
			}
			for i, r := range all.Results {
				if want := len(lengths) - 1 - i; r.Bytes == nil || !bytes.Equal(r.Bytes, some(want, lengths[want])) {
					t.Errorf("%s: result of %d bytes is %q", when, lengths[want], r.Bytes)
				}
			}
		}
	}
	for n, length := range lengths {
		b := store.Batch{Run: key(n), Root: some(0, length), Record: some(1, length), Best: some(2, length)}
		for i, length := range lengths {
			r := result(i, uint32(i), string(some(i, length)))
			if i%2 > 0 {
				r.Best = store.Digest(b.Best)
			}
			b.Results = append(b.Results, r)
		}
		write(t, s, store.Batch{Run: b.Run, Root: make([]byte, 30_000)}) // said no longer
		write(t, s, b)
	}
	check("at once")
	s.Close()
	s = open(t, folder, options(t))
	check("opened")
	if freed, err := s.Prune(); err != nil || freed < int64(28_000*len(lengths)) {
		t.Errorf("%d bytes are freed, %v", freed, err)
	}
	check("written anew")
	s.Close()
	s = open(t, folder, options(t))
	check("written anew and opened")
	if got, err := s.Check(); err != nil || got.Damaged != 0 || got.Values != len(lengths)*(3+len(lengths)) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Each result has the best that it was written with, however they are mixed, also in a file that is
// written anew. Those of one best stand together, and take less: in a batch, and in such a file.
func TestResultsOfSeveralBests(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, options(t))
	const bests, batches, many = 13, 60, 50 // results in each batch
	under := func(n int) (best store.Key, verify float32) {
		if n%bests == 0 {
			return store.Key{}, 0
		}
		return store.Digest(fmt.Append(nil, n%bests)), float32(n%bests%2) / 2
	}
	written := map[store.Key]store.Result{}
	check := func(when string) {
		t.Helper()
		all := recall(t, s, key(0)).Results
		if len(all) != batches*many {
			t.Fatalf("%s: %d results", when, len(all))
		}
		for _, r := range all {
			if fmt.Sprint(r) != fmt.Sprint(written[r.Key]) {
				t.Fatalf("%s: %+v, wanted %+v", when, r, written[r.Key])
			}
		}
	}
	// a root that is said no longer, so that there is something to write anew for
	write(t, s, store.Batch{Run: key(0), Root: make([]byte, 10_000), Best: []byte("best")})
	took := 0
	for n := range batches {
		b := store.Batch{Run: key(0)}
		for i := range many {
			r := result(n*many+i, 1, "v")
			r.Best, r.Verify = under(i)
			written[r.Key] = r
			b.Results = append(b.Results, r)
		}
		took += grown(t, s, folder, b)
	}
	const each = 1 + 16 + 1 + 1 + 1 + 1
	if want := batches * (73 + many*each + (bests-1)*20); took != want {
		t.Errorf("they take %d bytes, wanted %d", took, want)
	}
	check("at once")
	write(t, s, store.Batch{Run: key(0), Delete: store.Deletions{Root: true}})
	if _, err := s.Prune(); err != nil {
		t.Fatal(err)
	}
	check("written anew")
	s.Close()
	s = open(t, folder, options(t))
	check("opened")
	if got, most := inFiles(t, folder), batches*many*each+(bests+3)*20+1000; got > most {
		t.Errorf("written anew they take %d bytes, wanted %d at most", got, most)
	}
}
