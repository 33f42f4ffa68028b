package satin

import (
	"sync"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// Bounds of facts on one peer and run. They are hints: what does not fit is dropped.
const (
	// the latest ones; a worker that has not asked for longer misses the others
	factsKept     = 4096
	factBytesKept = 4 << 20 // of them together
	tellsMax      = 1000    // that the jobs of a peer may tell in a second
)

// facts are what the jobs of a run have told.
type facts struct {
	told atomic.Uint64 // how many, ever

	mu     sync.Mutex // protects what follows
	kept   []fact     // the latest
	known  map[steal.Key]struct{}
	bytes  int
	window time.Duration // the second that said counts
	said   int
	spoilt bool // somebody was told of one that cannot be read
}

type fact struct {
	data []byte
	by   int    // the worker, or elsewhere
	from string // the name of the peer that told it
}

// elsewhereBy is who told a fact on another peer.
const elsewhereBy = -1

// mayTell counts what the jobs of this peer tell.
func (f *facts) mayTell(now time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now-f.window >= time.Second {
		f.window, f.said = now, 0
	}
	f.said++
	return f.said <= tellsMax
}

// add keeps a fact and tells whether it is news.
func (f *facts) add(data []byte, by int, from string) bool {
	key := steal.KeyOf(data)
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.known[key]; ok {
		return false
	}
	if f.known == nil {
		f.known = map[steal.Key]struct{}{}
	}
	f.known[key] = struct{}{}
	f.kept = append(f.kept, fact{data, by, from})
	f.bytes += len(data)
	for len(f.kept) > factsKept || f.bytes > factBytesKept {
		old := f.kept[0]
		f.kept[0] = fact{}
		f.kept = f.kept[1:]
		f.bytes -= len(old.data)
		delete(f.known, steal.KeyOf(old.data))
	}
	f.told.Add(1)
	return true
}

// since are the facts beyond the first upTo that others told, and moves upTo on.
func (f *facts) since(upTo *uint64, by int) (all []fact) {
	f.mu.Lock()
	defer f.mu.Unlock()
	told := f.told.Load()
	news := f.kept[len(f.kept)-int(min(told-*upTo, uint64(len(f.kept)))):]
	*upTo = told
	for _, x := range news {
		if x.by != by {
			all = append(all, x)
		}
	}
	return all
}

// isFirstSpoilt tells whether nobody was told yet of a fact that cannot be read: a peer that tells
// many is named once a run.
func (f *facts) isFirstSpoilt() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := !f.spoilt
	f.spoilt = true
	return first
}
