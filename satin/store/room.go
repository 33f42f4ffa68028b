package store

import (
	"fmt"
	"os"
)

// block is what a file system gives to files, and what the quota counts.
const block = 4 << 10

// onDisk is what a file takes.
func onDisk(size int64) int64 { return (size + block - 1) / block * block }

// used is what all files take.
func (s *Store) used() int64 {
	n := int64(0)
	for _, r := range s.runs {
		n += onDisk(r.size)
	}
	for _, f := range s.foreign {
		n += onDisk(f.size)
	}
	if info, err := os.Stat(s.asidePath()); err == nil {
		n += onDisk(info.Size())
	}
	return n
}

// over is how many bytes must go before there is room for so many more; none if it is negative.
func (s *Store) over(need int64) int64 { return s.used() + onDisk(need) - s.o.Quota }

// room is for how many bytes there is room beside so many; if it is negative, not even for these.
func (s *Store) room(need int64) int64 { return (s.o.Quota-s.used())&^(block-1) - need }

// expire forgets the runs that were kept for as long as they should be. This is done before
// anything is said of them: so none comes back when the clock is set back.
func (s *Store) expire() error {
	now := s.now()
	for _, r := range s.runs {
		if r.lifetime.until() > now || r.held {
			continue
		}
		if err := s.remove(r); err != nil {
			return err
		}
		s.counts.Expired++
	}
	return s.expireForeign(now)
}

// makeRoom has a batch fit into the quota, and its run among the others, and returns the values for
// which there is room: of its results the cheapest are left out, as if they were there and went.
// What goes first is what is least missed. The file that is about to be written stays, and only
// what it holds may go.
func (s *Store) makeRoom(values []value, stays *runFile) ([]value, error) {
	must, results := needed(values, stays)
	if onDisk(must) > s.o.Quota {
		return nil, fmt.Errorf("%d bytes shall fit in a quota of %d: %w", must, s.o.Quota, ErrFull)
	}
	runs := s.runsMost
	if !s.has(stays) {
		runs-- // it is new
	}
	fits, err := s.makeRoomFor(must+results, runs, stays)
	switch {
	case err != nil || fits:
		return values, err
	case len(s.runs) > runs:
		return nil, fmt.Errorf("there are %d runs, which are the most: %w", len(s.runs), ErrFull)
	}
	if values, err = s.evictResults(s.over(must+results), values); err != nil {
		return nil, err
	}
	if s.room(must) < 0 {
		values = s.dearest(values, 0) // its own best may be among those that go
		if err := s.evictBests(must); err != nil {
			return nil, err
		}
	}
	if err := s.evictOthers(must); err != nil {
		return nil, err
	}
	room := s.room(must)
	if room < 0 {
		return nil, ErrFull
	}
	return s.dearest(values, room), nil
}

// shrink has what is there fit into the quota, as far as it may go.
func (s *Store) shrink() error {
	fits, err := s.makeRoomFor(0, s.runsMost, nil)
	if err != nil || fits {
		return err
	}
	if _, err := s.evictResults(s.over(0), nil); err != nil {
		return err
	}
	return s.evictBests(0)
}

// makeRoomFor has go what nobody misses, until there is room for so many bytes and no more runs
// than that, and tells whether there is: the damaged file, and runs that have ended.
func (s *Store) makeRoomFor(need int64, runs int, stays *runFile) (fits bool, err error) {
	over := s.over(need)
	fit := func() bool { return over <= 0 && len(s.runs) <= runs }
	if fit() {
		return true, nil
	}
	os.Remove(s.asidePath())
	if s.over(need) > 0 {
		s.removeForeign()
	}
	over = s.over(need)
	for _, r := range s.sorted() {
		if fit() {
			break
		}
		if !r.ended || r == stays {
			continue
		}
		over -= onDisk(r.size)
		if err := s.remove(r); err != nil {
			return false, err
		}
		s.counts.Evicted++
	}
	return fit(), nil
}

// tidy writes a file anew when it has become twice as long as it was and a quarter of it is no
// longer said. It is no error when that fails, on a full disk for one: then it is tried later.
func (s *Store) tidy(r *runFile) {
	if r.size < max(s.tidyAt, 2*r.tidied) {
		return
	}
	r.tidied = r.size
	if f, c, err := s.look(r); err == nil && f != nil {
		if !c.loose(r.size) {
			f.Close()
			return
		}
		s.rewrite(r, f, c)
	}
}
