package store_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"satingrid/satin/store"
)

// inFolder opens a store for an example.
func inFolder() (s *store.Store, done func()) {
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	s, err = store.Open(folder, store.Options{Build: "v1.2"})
	if err != nil {
		log.Fatal(err)
	}
	return s, func() {
		s.Close()
		os.RemoveAll(folder)
	}
}

// must is what an example does about errors. A node goes on in memory.
func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

var (
	run      = store.Key{1}
	some     = []byte("a result")
	anything = []byte("anything")
)

// All processes of a grid die; the one that is started next finds what was written.
func Example() {
	folder, err := os.MkdirTemp("", "state")
	must(err)
	defer os.RemoveAll(folder)
	folder = filepath.Join(folder, "store")

	s, err := store.Open(folder, store.Options{Build: "v1.2"})
	must(err)
	must(s.Write(store.Batch{
		Run:      run,
		Root:     []byte("all queens"),
		Record:   []byte("asked by anna"),
		Lifetime: &store.Lifetime{Keep: 24 * time.Hour},
	}))
	must(s.Write(store.Batch{Run: run, Results: []store.Result{
		{Key: store.Key{7}, Cost: 1200, Bytes: []byte("92")},
		{Key: store.Key{8}, Cost: 3500, Bytes: []byte("352")},
	}}))
	must(s.Close())

	s, err = store.Open(folder, store.Options{Build: "v1.2"})
	must(err)
	defer s.Close()
	runs, err := s.Runs()
	must(err)
	for _, r := range runs {
		all, err := s.Recall(r.Key, 64<<20)
		must(err)
		fmt.Printf("%s, %s\n", all.Record, all.Root)
		for _, v := range all.Results {
			fmt.Printf("%d ms: %s\n", v.Cost, v.Bytes)
		}
	}
	// Output:
	// asked by anna, all queens
	// 3500 ms: 352
	// 1200 ms: 92
}

// One process at a time has a folder.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "store")
	must(err)
	defer os.RemoveAll(folder)
	s, err := store.Open(folder, store.Options{
		Build: "v1.2",
		Quota: 100 << 20,
		Warn:  func(text string) { log.Print(text) },
	})
	must(err)
	defer s.Close()
	_, err = store.Open(folder, store.Options{Build: "v1.2"})
	fmt.Println(err != nil)
	// Output: true
}

// A best comes before what names it, or together with that, and takes it along when it goes.
func ExampleStore_Write() {
	s, done := inFolder()
	defer done()
	maker := store.Key{9} // digest of the best that the maker of the result held
	results := []store.Result{{Key: store.Key{7}, Choosing: true, Best: maker, Bytes: some}}

	fmt.Println(errors.Is(s.Write(store.Batch{Run: run, Results: results}), store.ErrNoBest))
	must(s.Write(store.Batch{Run: run, Best: []byte("tour of 42"), Results: results}))
	must(s.Write(store.Batch{Run: run, Delete: store.Deletions{Best: true}}))
	all, err := s.Recall(run, 1<<20)
	fmt.Println(len(all.Results), err)
	// Output:
	// true
	// 0 <nil>
}

// Which runs there are; the record of each, which is recalled, says whose it is.
func ExampleStore_Runs() {
	s, done := inFolder()
	defer done()
	must(s.Write(store.Batch{Run: run, Record: []byte("asked by anna"), Lifetime: &store.Lifetime{Keep: time.Hour, Ended: true}}))
	runs, err := s.Runs()
	must(err)
	for _, r := range runs {
		fmt.Printf("%s, ended: %v, kept for %v\n", r.Key, r.Ended, r.Until.Sub(r.Written))
	}
	// Output: 01000000000000000000000000000000, ended: true, kept for 1h0m0s
}

// The dearest results come first, as many as there is room for.
func ExampleStore_Recall() {
	s, done := inFolder()
	defer done()
	must(s.Write(store.Batch{Run: run, Results: []store.Result{
		{Key: store.Key{1}, Cost: 5, Bytes: some}, {Key: store.Key{2}, Cost: 900, Bytes: some},
	}}))
	all, err := s.Recall(run, 10)
	must(err)
	fmt.Println(len(all.Results), all.Results[0].Cost, all.Left)
	// Output: 1 900 1
}

func ExampleStore_Drop() {
	s, done := inFolder()
	defer done()
	must(s.Write(store.Batch{Run: run, Root: anything}))
	must(s.Drop(run))
	all, err := s.Recall(run, 0)
	fmt.Println(all.Root == nil, err)
	// Output: true <nil>
}

func ExampleStore_List() {
	s, done := inFolder()
	defer done()
	must(s.Write(store.Batch{Run: run, Root: anything, Results: []store.Result{{Bytes: some}}}))
	list, err := s.List()
	must(err)
	for _, l := range list {
		fmt.Println(l.Build, l.Key, l.Root, l.Results, l.Bytes)
	}
	// Output: v1.2 01000000000000000000000000000000 true 1 4096
}

// A command looks at the folder of a node that runs.
func ExampleLook() {
	folder, err := os.MkdirTemp("", "store")
	must(err)
	defer os.RemoveAll(folder)
	s, err := store.Open(folder, store.Options{Build: "v1.2"})
	must(err)
	defer s.Close()
	must(s.Write(store.Batch{Run: run, Record: []byte("asked by anna"), Root: anything}))

	list, err := store.Look(folder)
	must(err)
	for _, l := range list {
		fmt.Printf("%s, root: %v\n", l.Record, l.Root)
	}
	// Output: asked by anna, root: true
}

func ExampleStore_Sizes() {
	s, done := inFolder()
	defer done()
	must(s.Write(store.Batch{Run: run, Root: anything}))
	sizes, err := s.Sizes()
	must(err)
	fmt.Printf("%d bytes of %d MiB, %d run\n", sizes.Used, sizes.Quota>>20, sizes.Runs)
	// Output: 4096 bytes of 1024 MiB, 1 run
}

func ExampleStore_Check() {
	s, done := inFolder()
	defer done()
	must(s.Write(store.Batch{Run: run, Root: anything, Best: anything}))
	checked, err := s.Check()
	must(err)
	fmt.Println(checked.Values, "values,", checked.Damaged, "damaged")
	// Output: 2 values, 0 damaged
}

func ExampleStore_Prune() {
	s, done := inFolder()
	defer done()
	for range 3 { // of which the last counts
		must(s.Write(store.Batch{Run: run, Best: make([]byte, 8000)}))
	}
	freed, err := s.Prune()
	fmt.Println(freed, err)
	// Output: 16384 <nil>
}

func ExampleStore_Close() {
	s, done := inFolder()
	defer done()
	fmt.Println(s.Close())
	fmt.Println(s.Drop(run) != nil)
	// Output:
	// <nil>
	// true
}
