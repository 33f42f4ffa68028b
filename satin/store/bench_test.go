package store_test

import (
	"testing"

	"satingrid/satin/store"
)

// results are new ones of some length each.
func results(first, n, length int) (all []store.Result) {
	for i := range n {
		all = append(all, store.Result{Key: key(first + i), Cost: uint32(i), Bytes: make([]byte, length)})
		copy(all[i].Bytes, all[i].Key[:])
	}
	return all
}

// BenchmarkWrite writes batches of 100 results of 1 KiB. It tells how many bytes on disk a byte of
// a value takes.
func BenchmarkWrite(b *testing.B) {
	s := open(b, b.TempDir(), options(b))
	write(b, s, store.Batch{Run: key(1), Root: []byte("root")})
	b.SetBytes(100 << 10)
	n := 0
	for b.Loop() {
		b.StopTimer()
		batch := store.Batch{Run: key(1), Results: results(100*n, 100, 1<<10)}
		n++
		b.StartTimer()
		if err := s.Write(batch); err != nil {
			b.Fatal(err)
		}
	}
	used, err := s.Sizes()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(used.Used)/float64(n*100<<10), "bytes/byte")
}

// BenchmarkRecall recalls 64 MiB in results of 1 KiB, and BenchmarkOpen opens the folder.
func BenchmarkRecall(b *testing.B) {
	s, _ := bigStore(b)
	b.SetBytes(64 << 20)
	for b.Loop() {
		all, err := s.Recall(key(1), 64<<20)
		if err != nil || len(all.Results) != 64<<10 {
			b.Fatal(len(all.Results), err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	s, folder := bigStore(b)
	for b.Loop() {
		s.Close()
		s = open(b, folder, options(b))
	}
}

func bigStore(b *testing.B) (s *store.Store, folder string) {
	folder = b.TempDir()
	s = open(b, folder, options(b))
	for n := range 64 {
		write(b, s, store.Batch{Run: key(1), Results: results(1024*n, 1024, 1<<10)})
	}
	return s, folder
}
