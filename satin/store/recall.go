package store

import (
	"cmp"
	"io"
	"slices"
	"time"
)

// StoredRun is what there is of a run.
type StoredRun struct {
	Key     Key
	Build   string
	Ended   bool
	Written time.Time // last
	Until   time.Time // it expires then, if nothing else is written
	Bytes   int64     // on disk
}

func (r *runFile) describe() StoredRun {
	return StoredRun{
		Key: r.run, Build: r.build, Ended: r.ended,
		Written: time.Unix(0, r.written), Until: r.until(), Bytes: onDisk(r.size),
	}
}

// Runs are those of this build, the first written first. A node that starts asks for them; it reads
// no file.
func (s *Store) Runs() ([]StoredRun, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := s.expire(); err != nil {
		return nil, s.explain(err)
	}
	var runs []StoredRun
	for _, r := range s.sorted() {
		if r.build == s.o.Build {
			runs = append(runs, r.describe())
		}
	}
	return runs, nil
}

// Recalled is what was kept of a run. All of it is what was written, byte for byte.
type Recalled struct {
	Root, Record, Best []byte // nil: there is none
	BestDigest         Key    // zero: there is no best

	// the dearest first. Those that name a best are here only if there is one: that which they
	// name, or one that was written later
	Results []Result
	Left    int // results that are there, too, and had no room
}

// Recall returns what there is of a run of this build, but no more results than so many bytes of
// values. A run of which nothing is known is empty, and no error.
func (s *Store) Recall(run Key, most int64) (Recalled, error) {
	var all Recalled
	leave, err := s.enter()
	if err != nil {
		return all, err
	}
	defer leave()
	if err := s.expire(); err != nil {
		return all, s.explain(err)
	}
	r := s.run(run)
	if r == nil {
		return all, nil
	}
	err = s.reading(r, func(f io.ReaderAt, c *contents) { all = c.recall(f, r.size, most) })
	return all, s.explain(err)
}

func (c *contents) recall(f io.ReaderAt, size, most int64) (all Recalled) {
	all.Best = c.read(f, size, c.slots[kindBest]) // if it is wrong, results go
	if all.Best != nil {
		all.BestDigest = digestOf(all.Best)
	}
	all.Root = c.read(f, size, c.slots[kindRoot])
	all.Record = c.read(f, size, c.slots[kindRecord])
	for _, i := range c.dearest() {
		if int64(i.length) > most {
			all.Left++
			continue
		}
		b := c.read(f, size, i)
		if b == nil {
			continue
		}
		most -= int64(i.length)
		all.Results = append(all.Results, Result{
			Key: i.key, Outcome: i.outcome, Choosing: i.choosing, Cost: i.cost, Best: i.best, Verify: i.verify, Bytes: b,
		})
	}
	return all
}

// read is a value if it is there and right, and never nil then. One that is wrong is forgotten, and
// counts as damage.
func (c *contents) read(f io.ReaderAt, size int64, i item) []byte {
	if !i.there() {
		return nil
	}
	b, ok := i.read(f, size)
	if !ok {
		c.damaged++
		c.without(i)
		return nil
	}
	return b
}

// reading has a function read a run's values, if the run is there, and mends what it found wrong.
func (s *Store) reading(r *runFile, read func(f io.ReaderAt, c *contents)) error {
	f, c, err := s.look(r)
	if f == nil || err != nil {
		return err
	}
	c.damaged = 0 // what could not be mended was counted
	read(f, c)
	if c.damaged > 0 {
		s.mend(r, f, c)
		return nil
	}
	return f.Close()
}

// sorted are all runs, the one first to which nothing was written for longest.
func (s *Store) sorted() []*runFile {
	runs := make([]*runFile, 0, len(s.runs))
	for _, r := range s.runs {
		runs = append(runs, r)
	}
	slices.SortFunc(runs, func(a, b *runFile) int {
		return cmp.Or(cmp.Compare(a.written, b.written), cmp.Compare(a.path, b.path))
	})
	return runs
}
