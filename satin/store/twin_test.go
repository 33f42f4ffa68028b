package store_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/store"
)

var longer = flag.Int("longer", 1, "do so many times as much of what is done at random")

// twin is a store as anybody would write it: maps.
type twin map[store.Key]*twinRun

type twinRun struct {
	root, record, best []byte
	results            map[store.Key]store.Result
	former             map[string]bool // results that were there once
	until              time.Time
	keep               time.Duration
	ended              bool
}

func (w twin) write(b store.Batch, now time.Time) {
	r := w[b.Run]
	if r == nil {
		r = &twinRun{results: map[store.Key]store.Result{}, former: map[string]bool{}, keep: store.KeepDefault}
		w[b.Run] = r
	}
	if b.Delete.Best {
		r.best = nil
		maps.DeleteFunc(r.results, func(_ store.Key, v store.Result) bool { return v.Best != store.Key{} })
	}
	for _, k := range b.Delete.Results {
		delete(r.results, k)
	}
	if b.Delete.Root {
		r.root = nil
	}
	if b.Delete.Record {
		r.record = nil
	}
	for _, v := range []struct {
		to *[]byte
		b  []byte
	}{{&r.root, b.Root}, {&r.record, b.Record}, {&r.best, b.Best}} {
		if v.b != nil {
			*v.to = v.b
		}
	}
	for _, v := range b.Results {
		r.results[v.Key] = v
		r.former[fmt.Sprint(v)] = true
	}
	if b.Lifetime != nil {
		r.keep, r.ended = cmp.Or(b.Lifetime.Keep, store.KeepDefault), b.Lifetime.Ended
	}
	r.until = now.Add(r.keep)
}

func (w twin) expire(now time.Time) {
	maps.DeleteFunc(w, func(_ store.Key, r *twinRun) bool { return !r.until.After(now) })
}

// differs says in what a recalled run is another than the twin's.
func (w twin) differs(run store.Key, got store.Recalled) string {
	r := w[run]
	if r == nil {
		r = &twinRun{}
	}
	if !same(got.Root, r.root) || !same(got.Record, r.record) || !same(got.Best, r.best) {
		return fmt.Sprintf("%q, wanted %q %q %q", described(got), r.root, r.record, r.best)
	}
	if len(got.Results) != len(r.results) || got.Left != 0 {
		return fmt.Sprintf("%d results and %d left, wanted %d", len(got.Results), got.Left, len(r.results))
	}
	cost := uint32(1 << 31)
	for _, v := range got.Results {
		want := r.results[v.Key]
		if fmt.Sprint(v) != fmt.Sprint(want) || v.Cost > cost {
			return fmt.Sprintf("%v after one of cost %d, wanted %v", v, cost, want)
		}
		cost = v.Cost
	}
	return ""
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// draw draws what a node might write of some run.
func draw(r *rand.Rand) store.Batch {
	some := func(n int) []byte {
		if r.IntN(3) > 0 {
			return nil
		}
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	b := store.Batch{Run: key(r.IntN(5)), Root: some(9000), Record: some(200), Best: some(500)}
	if r.IntN(4) == 0 {
		b.Lifetime = &store.Lifetime{Keep: time.Duration(r.IntN(20)) * time.Hour, Ended: r.IntN(3) == 0}
	}
	if r.IntN(4) == 0 {
		b.Delete = store.Deletions{Root: r.IntN(3) == 0, Record: r.IntN(3) == 0, Best: r.IntN(3) == 0}
		for range r.IntN(10) {
			b.Delete.Results = append(b.Delete.Results, key(r.IntN(100)))
		}
	}
	for range r.IntN(20) {
		n := r.IntN(100)
		v := result(n, r.Uint32N(1000), fmt.Sprint("value ", n, strings.Repeat("!", r.IntN(3)*r.IntN(60))))
		v.Outcome, v.Choosing = uint8(r.IntN(3)), r.IntN(2) == 0
		if r.IntN(2) == 0 {
			v.Best, v.Verify = key(r.IntN(3)), float32(r.IntN(2))
		}
		b.Results = append(b.Results, v)
	}
	return b
}

// valid tells whether a batch may be written, and a result of it names a best that is there.
func (w twin) valid(b store.Batch) bool {
	there := b.Best != nil || w[b.Run] != nil && w[b.Run].best != nil && !b.Delete.Best
	return there || !slices.ContainsFunc(b.Results, func(r store.Result) bool { return r.Best != store.Key{} })
}

// TestTwin does the same with a store and with its twin, ends processes and moves the clock.
func TestTwin(t *testing.T) {
	for seed := range uint64(4 * *longer) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { t.Parallel(); playTwin(t, seed) })
	}
}

func playTwin(t *testing.T, seed uint64) {
	r, c, w, folder := rand.New(rand.NewPCG(seed, 1)), newClock(), twin{}, t.TempDir()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	s.TidyAt(8 << 10)
	written := 0
	for step := range 300 {
		switch r.IntN(10) {
		case 0:
			s.Close()
			s = open(t, folder, o)
			s.TidyAt(8 << 10)
		case 1:
			c.t = c.t.Add(time.Duration(r.IntN(4)) * time.Hour)
		case 2:
			run := key(r.IntN(5))
			if r.IntN(4) == 0 {
				delete(w, run)
				if err := s.Drop(run); err != nil {
					t.Fatal(err)
				}
			}
		case 3:
			if _, err := s.Prune(); err != nil {
				t.Fatal(err)
			}
		default:
			b := draw(r)
			w.expire(c.t)
			err := s.Write(b)
			if valid := w.valid(b); (err == nil) != valid {
				t.Fatalf("step %d: valid %v, and %v", step, valid, err)
			}
			if err == nil {
				w.write(b, c.t)
				written++
			}
		}
		run := key(r.IntN(5))
		w.expire(c.t)
		if differs := w.differs(run, recall(t, s, run)); differs != "" {
			t.Fatalf("step %d, run %v: %s", step, run, differs)
		}
	}
	if got, err := s.Check(); err != nil || got.Damaged != 0 || written < 50 {
		t.Errorf("%+v, %v, %d batches were written", got, err, written)
	}
}

// TestTwinWithoutRoom: with little room there is less than the twin has, and nothing else.
func TestTwinWithoutRoom(t *testing.T) {
	for seed := range uint64(4 * *longer) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r, w, folder := rand.New(rand.NewPCG(seed, 2)), twin{}, t.TempDir()
			o := options(t)
			o.Quota = 36 << 10
			s := open(t, folder, o)
			refused := 0
			for range 200 {
				b := draw(r)
				b.Delete = store.Deletions{}
				if err := s.Write(b); err != nil {
					refused++
				} else {
					w.write(b, time.Time{})
				}
				if got := onDisk(t, folder); got > o.Quota {
					t.Fatalf("%d bytes on disk", got)
				}
				run := key(r.IntN(5))
				if wrong := w.beyond(run, recall(t, s, run)); wrong != "" {
					t.Fatalf("run %v: %s", run, wrong)
				}
			}
			if got := sizes(t, s); got.Evicted == 0 || refused == 200 {
				t.Errorf("%+v, and %d refused: no room was made", got, refused)
			}
		})
	}
}

// beyond says what a recalled run has that the twin has not, or that may not be alone.
func (w twin) beyond(run store.Key, got store.Recalled) string {
	r := w[run]
	if r == nil {
		r = &twinRun{}
	}
	for _, v := range [][2][]byte{{got.Root, r.root}, {got.Record, r.record}, {got.Best, r.best}} {
		if v[0] != nil && !same(v[0], v[1]) {
			return fmt.Sprintf("%q, wanted %q", v[0], v[1])
		}
	}
	for _, v := range got.Results {
		if !r.former[fmt.Sprint(v)] { // what is to replace one may be left out
			return fmt.Sprintf("%v was never written", v)
		}
		if v.Best != (store.Key{}) && got.Best == nil {
			return fmt.Sprintf("%v without a best", v)
		}
	}
	return ""
}
