package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// Result is what a job came to, for who may need it again.
type Result struct {
	Key      Key // the job's
	Outcome  uint8
	Choosing bool    // the value may depend on timing
	Cost     uint32  // worker milliseconds that it took
	Best     Key     // digest of the best that its maker held; zero: none
	Verify   float32 // the share of lent jobs that was verified where it was found, from 0 to 1
	Bytes    []byte
}

// Lifetime says for how long a run is kept.
type Lifetime struct {
	Keep  time.Duration // after the last Write to it; 0: KeepDefault
	Ended bool          // it is among the first to go when room is needed
	Held  bool          // it does not expire while this process has the store open
}

// Batch is what becomes of one run, all of it or nothing.
//
// The deletions come first. So a best may replace another together with the results that named
// that.
type Batch struct {
	Run    Key
	Delete Deletions

	Lifetime *Lifetime // nil: as they were

	Root, Record, Best []byte // nil: as they were

	Results []Result // one replaces another of its key
}

// Deletions are the values that a batch deletes. A best goes together with all results that name
// one.
type Deletions struct {
	Root, Record, Best bool
	Results            []Key
}

// Write does what a batch says. When it returns without an error, that is on the disk and outlasts
// process and machine; with one, nothing has changed, unless there is [ErrFull]: then others may
// have gone to make room.
//
// A result that names a best is refused with [ErrNoBest] while the run has none: whoever uses the
// one must hold the other. Room is made in the order that the documentation of the package tells,
// and the batch's own results have no more right to it than others: those that are too cheap are
// left out, as if they had gone since.
func (s *Store) Write(b Batch) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := s.expire(); err != nil {
		return s.explain(err)
	}
	name := fileName(b.Run, s.o.Build)
	r := s.runs[name]
	if r == nil {
		r = &runFile{path: filepath.Join(s.folder, name)}
		r.preface = preface{run: b.Run, build: s.o.Build}
		r.lifetime.keep = KeepDefault
	}
	if b.Best != nil && !r.best && r.size > 0 {
		// one may be there that was damaged and could not be taken away: nothing that named
		// it may be used with this one
		b.Delete.Best = true
	}
	values := b.values()
	if len(values) == 0 && r.size == 0 {
		return nil
	}
	if err := b.wrong(r, values); err != nil {
		return s.explain(err)
	}
	if values, err = s.makeRoom(values, r); err != nil {
		return s.explain(err)
	}
	if len(values) == 0 && r.size == 0 {
		return nil
	}
	err = r.write(b.terms(r.lifetime, s.now()), values)
	if errors.Is(err, fs.ErrNotExist) { // somebody has deleted the file
		delete(s.runs, name)
	}
	if err != nil {
		return s.explain(err)
	}
	if b.Lifetime != nil {
		r.held = b.Lifetime.Held
	}
	delete(s.foreign, name) // the file has taken its place
	s.runs[name] = r
	s.tidy(r)
	return nil
}

// lifetime is that of the run after the batch.
func (b Batch) terms(t lifetime, now int64) lifetime {
	t.written = now
	if b.Lifetime != nil {
		t.ended, t.keep = b.Lifetime.Ended, b.Lifetime.Keep
		if t.keep == 0 {
			t.keep = KeepDefault
		}
	}
	return t
}

// values are what the batch writes, in the order in which it counts.
func (b Batch) values() (values []value) {
	slots := []struct {
		kind  kind
		gone  bool
		bytes []byte
	}{
		{kindRoot, b.Delete.Root, b.Root},
		{kindRecord, b.Delete.Record, b.Record},
		{kindBest, b.Delete.Best, b.Best},
	}
	for _, v := range slots {
		if v.gone {
			values = append(values, newValue(head{kind: v.kind, gone: true}, nil))
		}
	}
	for _, key := range b.Delete.Results {
		values = append(values, newValue(head{kind: kindResult, key: key, gone: true}, nil))
	}
	for _, v := range slots {
		if v.bytes != nil {
			values = append(values, newValue(head{kind: v.kind}, v.bytes))
		}
	}
	results := make([]value, 0, len(b.Results))
	for _, r := range b.Results {
		h := head{
			kind: kindResult, key: r.Key, outcome: r.Outcome, choosing: r.Choosing, cost: r.Cost,
			found: found{best: r.Best, verify: r.Verify},
		}
		results = append(results, newValue(h, r.Bytes))
	}
	return append(values, grouped(results)...)
}

// grouped are results of which those stand together that were found under the same. Mostly that is
// the same for all. Else only the last one of each key is left, so that their order says nothing.
func grouped(results []value) []value {
	if !slices.ContainsFunc(results, func(v value) bool { return v.found != results[0].found }) {
		return results
	}
	last := map[Key]int{}
	for n, v := range results {
		last[v.key] = n
	}
	var kept []value
	for n, v := range results {
		if last[v.key] == n {
			kept = append(kept, v)
		}
	}
	slices.SortStableFunc(kept, func(a, b value) int { return a.found.compare(b.found) })
	return kept
}

// wrong says what a batch has that cannot be.
func (b Batch) wrong(r *runFile, values []value) error {
	if b.Lifetime != nil && (b.Lifetime.Keep < 0 || b.Lifetime.Keep > KeepMax) {
		return fmt.Errorf("run %s cannot be kept for %v: %v is the longest", b.Run, b.Lifetime.Keep, KeepMax)
	}
	best := b.Best != nil || r.best && !b.Delete.Best
	for _, v := range values {
		if len(v.bytes) > valueMax {
			return fmt.Errorf("run %s has a value of %d bytes: %d are the most", b.Run, len(v.bytes), valueMax)
		}
		if !isShare(v.verify) {
			return fmt.Errorf("result %s of run %s was verified to %v: a share from 0 to 1 is expected", v.key, b.Run, v.verify)
		}
		if v.best != (Key{}) && !best {
			return fmt.Errorf("result %s of run %s: %w", v.key, b.Run, ErrNoBest)
		}
	}
	return nil
}
