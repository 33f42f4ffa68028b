package gridsim

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"satingrid/steal"
)

// cache is what a disk says that it has written and that is not safe yet: it heeds no sync. With
// the power it may go, and a file then ends in a batch that is torn: what was written before that
// is what counts, an older record for one.
type cache struct {
	files map[steal.Key][]cached // by place, in the order in which they were written
}

// cached is a file as it was before a batch was written.
type cached struct {
	run *diskRun // nil: there was none
	at  time.Duration
}

// cacheHolds is how long what is written takes to be safe, and cacheMost how many batches of a file
// are not.
const (
	cacheHolds = 5 * time.Second
	cacheMost  = 3
)

func newCache() *cache { return &cache{files: map[steal.Key][]cached{}} }

// add hears that a file is about to change.
func (c *cache) add(place steal.Key, x *diskRun, now time.Duration) {
	if c == nil {
		return
	}
	if x != nil {
		x = x.clone()
	}
	file := append(c.files[place], cached{x, now})
	c.files[place] = file[max(0, len(file)-cacheMost):]
}

// clone is the same, of which nothing changes any more.
func (x *diskRun) clone() *diskRun {
	c := *x
	c.results = maps.Clone(x.results)
	return &c
}

// tears has the last batches of each file go that are not safe, or some of them, or none, and tells
// of how many files any did.
func (d *disk) tears(now time.Duration) (torn int) {
	if d == nil || d.cached == nil {
		return 0
	}
	places := slices.SortedFunc(maps.Keys(d.cached.files), func(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) })
	for _, place := range places {
		file := slices.DeleteFunc(d.cached.files[place], func(c cached) bool { return now-c.at > cacheHolds })
		if keeps := d.rng.IntN(len(file) + 1); keeps < len(file) {
			torn++
			if was := file[keeps].run; was != nil {
				d.runs[place] = was
			} else {
				delete(d.runs, place)
			}
		}
	}
	clear(d.cached.files)
	return torn
}
