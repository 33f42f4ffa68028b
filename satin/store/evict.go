package store

import (
	"cmp"
	"errors"
	"slices"
)

// evictShare of the quota is what results are evicted for at once: their files are written anew,
// which is dear.
const evictShare = 8

// needed is what a batch takes of a file: what must be written of it, and its results.
func needed(values []value, r *runFile) (must, results int64) {
	must = headerSize + r.preface.size()
	for _, v := range values {
		if !v.isResult() {
			must += v.size()
		}
	}
	return must, batchSize(values) + r.preface.size() - must
}

// dearest is a batch without the cheapest of its results, for which there is no room.
func (s *Store) dearest(values []value, room int64) []value {
	var results []value
	for _, v := range values {
		if v.isResult() {
			results = append(results, v)
		}
	}
	slices.SortStableFunc(results, func(a, b value) int { return cmp.Compare(b.cost, a.cost) })
	goes, founds := map[Key]bool{}, map[found]bool{{}: true}
	for _, v := range results {
		if !founds[v.found] {
			founds[v.found] = true // those that were found under it stand together
			room -= foundSize
		}
		if room -= v.size(); room < 0 {
			goes[v.key] = true
		}
	}
	return s.without(values, goes)
}

// without is a batch without some of its results.
func (s *Store) without(values []value, goes map[Key]bool) []value {
	s.counts.Evicted += len(goes)
	return slices.DeleteFunc(values, func(v value) bool { return v.isResult() && goes[v.key] })
}

// cheap is a result that may go.
type cheap struct {
	cost uint32
	size int64
	run  int // or ofBatch
	key  Key
}

// ofBatch is the number of the run of what is about to be written.
const ofBatch = -1

// evictResults frees so many bytes, if there are so many: first those that are written and no
// longer said, then the cheapest results, of all runs and of a batch that is about to be written.
// It returns the batch without those. Where one that is there goes, more do at once.
func (s *Store) evictResults(bytes int64, values []value) ([]value, error) {
	runs := s.sorted()
	all, loose, err := s.results(runs)
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		if v.isResult() {
			all = append(all, cheap{v.cost, v.size(), ofBatch, v.key})
		}
	}
	for _, n := range loose {
		bytes -= n
	}
	slices.SortFunc(all, func(a, b cheap) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.run, b.run), slices.Compare(a.key[:], b.key[:]))
	})
	goes := map[int]map[Key]bool{ofBatch: {}}
	for _, v := range all {
		if bytes <= 0 && (len(goes) == 1 || bytes+s.o.Quota/evictShare <= 0) {
			break
		}
		bytes -= v.size
		if goes[v.run] == nil {
			goes[v.run] = map[Key]bool{}
		}
		goes[v.run][v.key] = true
	}
	for n, r := range runs {
		if len(goes[n]) == 0 && loose[n] == 0 {
			continue
		}
		if err := s.evict(r, goes[n], false); err != nil {
			return nil, err
		}
	}
	return s.without(values, goes[ofBatch]), nil
}

// results are those of some runs, and how many bytes are no longer said in each file, if that is
// worth writing it anew.
func (s *Store) results(runs []*runFile) (all []cheap, loose []int64, err error) {
	loose = make([]int64, len(runs))
	for n, r := range runs {
		f, c, err := s.look(r)
		if err != nil {
			return nil, nil, err
		}
		if f == nil {
			continue
		}
		if c.loose(r.size) {
			loose[n] = r.size - c.size()
		}
		for _, i := range c.results {
			all = append(all, cheap{i.cost, i.size(), n, i.key})
		}
		if err := f.Close(); err != nil {
			return nil, nil, err
		}
	}
	return all, loose, nil
}

// evictBests has bests go, each with all results that name one, until there is room for so many
// bytes.
func (s *Store) evictBests(need int64) error {
	for _, r := range s.sorted() {
		if !r.best {
			continue
		}
		if s.room(need) >= 0 {
			return nil
		}
		if err := s.evict(r, nil, true); err != nil {
			return err
		}
	}
	return nil
}

// evictOthers has runs of other builds go that have not ended, the one first to which nothing was
// written for longest, until there is room for so many bytes: they go on only if that build comes
// back, and this one has work now.
func (s *Store) evictOthers(need int64) error {
	for _, r := range s.sorted() {
		if s.room(need) >= 0 {
			return nil
		}
		if r.build == s.o.Build {
			continue
		}
		if err := s.remove(r); err != nil {
			return err
		}
		s.counts.Evicted++
	}
	return nil
}

// evict writes a run's file anew without some results, and without its best if that goes.
func (s *Store) evict(r *runFile, results map[Key]bool, best bool) error {
	if !s.has(r) {
		return nil
	}
	f, c, err := s.look(r)
	if f == nil || err != nil {
		return err
	}
	for key := range results {
		c.without(c.results[key])
	}
	if best {
		c.without(c.slots[kindBest])
	}
	if len(results) == 0 && !best && !c.loose(r.size) {
		return f.Close()
	}
	s.counts.Evicted += len(results)
	if best {
		s.counts.Evicted++
	}
	if c.empty() {
		return errors.Join(f.Close(), s.remove(r))
	}
	return s.rewrite(r, f, c)
}
