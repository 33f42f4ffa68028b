package peer

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times and bounds of look-ups. Work that exists elsewhere is done again until it is found. Much is
// found at once where there is something: below a job that is done anew wait others with results of
// their own. Fetches go to the holders of the dearest results first.
const (
	lookEvery   = 200 * time.Millisecond
	lookSoon    = 20 * time.Millisecond  // at first, and while something is found,
	lookSoonFor = 500 * time.Millisecond // … and for so long after
	// an unanswered fetch ends, and that holder is not tried again for that key
	fetchMax    = 10 * time.Second
	fetchesMax  = 32 // under way at a time, for one run
	fetchesEach = 8  // … from one holder
	// keys of one run of which it is remembered who was asked in vain; then all are tried once
	// more
	triedKeysMax = 4096
)

// lookup is how a peer looks for results of a run that exist elsewhere.
type lookup struct {
	outbox
	run     steal.Instance
	no      RunNo
	site    membership.Site // this peer's
	table   *orphan.Table
	results *orphan.Results
	members members
	// when to ask the workers again which keys they miss; Never: there is nothing to find
	at      time.Duration
	soon    time.Duration // before this they are asked again soon
	open    bool          // they have been asked
	used    []steal.Key   // what was found since they were asked: they may list it still
	hits    []hit         // to be fetched, the dearest first
	fetches []fetch
	tried   map[steal.Key][]life // who did not have it, or did not answer
}

// hit is a key that somebody holds.
type hit struct {
	key  steal.Key
	cost uint32
}

// fetch is a request for a result that is under way.
type fetch struct {
	key    steal.Key
	holder life
	until  time.Duration
}

// listed sees to it that the workers are asked what they miss of the run, now that there is
// something to find.
func (l *lookup) listed(now time.Duration) {
	if l.at == steal.Never && l.table.Has(l.run) {
		l.at = now
		l.soon = now + lookSoonFor
	}
}

// tick asks the workers which keys they miss, if they may be asked, and ends fetches that nobody
// answers.
func (l *lookup) tick(now time.Duration, may bool) []membership.Effect {
	for n := len(l.fetches) - 1; n >= 0; n-- {
		if now >= l.fetches[n].until {
			l.fetchFailed(n)
		}
	}
	if now < l.at {
		return nil
	}
	l.at = now + lookEvery
	if now < l.soon {
		l.at = now + lookSoon
	}
	switch {
	case !l.table.Has(l.run) && len(l.fetches) == 0:
		l.at = steal.Never
	case !l.open && may:
		l.open, l.used = true, nil
		l.do(WantKeys{Run: l.no})
	}
	return l.flush()
}

// deadline is when tick has something to do.
func (l *lookup) deadline() time.Duration {
	at := l.at
	for _, f := range l.fetches {
		at = min(at, f.until)
	}
	return at
}

// unfinished hears the keys of the run's unfinished jobs.
func (l *lookup) unfinished(now time.Duration, keys []steal.Key) []membership.Effect {
	l.open = false
	l.hits = l.hits[:0]
	for _, k := range keys[:min(len(keys), KeysMax)] {
		if !slices.Contains(l.used, k) {
			l.look(now, k)
		}
	}
	l.fetchNext(now)
	return l.flush()
}

// lookFirst looks for the result of a job that a loss puts back, or that begins anew, before it is
// executed.
func (l *lookup) lookFirst(now time.Duration, key steal.Key) []membership.Effect {
	l.look(now, key)
	l.fetchNext(now)
	return l.flush()
}

// look uses a result that is held here, or notes that somebody else holds it.
func (l *lookup) look(now time.Duration, key steal.Key) {
	if result, ok := l.results.Get(l.run, key); ok {
		l.use(now, reuses{Use: Use{Run: l.no, Key: key, Result: result}})
	} else if h, ok := l.bestHolder(key); ok {
		l.hits = append(l.hits, hit{key, h.Cost})
	}
}

// use gives the workers a result that was found.
func (l *lookup) use(now time.Duration, e reuses) {
	if len(l.used) < KeysMax {
		l.used = append(l.used, e.Key)
	}
	l.soon = now + lookSoonFor
	l.do(e)
}

// bestHolder is the one to fetch a result from: it has not been tried, and has the fewest requests
// of this peer to answer; of two, the one in this site.
func (l *lookup) bestHolder(key steal.Key) (best orphan.Holder, ok bool) {
	fewest := 2 * fetchesEach
	for _, h := range l.table.Holders(nil, l.run, key) {
		who := life{h.Peer, h.Incarnation}
		m, present := l.members.Member(h.Peer)
		if !present || m.Incarnation != h.Incarnation || slices.Contains(l.tried[key], who) {
			continue
		}
		busy := 0
		for _, f := range l.fetches {
			if f.holder == who {
				busy += 2
			}
		}
		if m.Site != l.site {
			busy++
		}
		if busy < fewest {
			best, ok, fewest = h, true, busy
		}
	}
	return best, ok
}

// fetchNext asks for the dearest results that were found, as many as may be under way.
func (l *lookup) fetchNext(now time.Duration) {
	slices.SortFunc(l.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.cost, a.cost), bytes.Compare(a.key[:], b.key[:]))
	})
	l.hits = slices.DeleteFunc(l.hits, func(h hit) bool {
		if len(l.fetches) >= fetchesMax {
			return false
		}
		if slices.ContainsFunc(l.fetches, func(f fetch) bool { return f.key == h.key }) {
			return true
		}
		holder, ok := l.bestHolder(h.key)
		if !ok {
			return false
		}
		from := life{holder.Peer, holder.Incarnation}
		l.fetches = append(l.fetches, fetch{h.key, from, now + fetchMax})
		l.send(from, orphan.WantResult{Run: l.run, Key: h.key})
		return true
	})
}

// fetchFailed ends a fetch, and does not try that holder again.
func (l *lookup) fetchFailed(n int) {
	f := l.fetches[n]
	l.fetches = slices.Delete(l.fetches, n, n+1)
	if len(l.tried) >= triedKeysMax {
		l.tried = nil
	}
	if l.tried == nil {
		l.tried = map[steal.Key][]life{}
	}
	l.tried[f.key] = append(l.tried[f.key], f.holder)
}

// lost ends the fetches from a peer that is gone.
func (l *lookup) lost(id membership.PeerID) {
	l.fetches = slices.DeleteFunc(l.fetches, func(f fetch) bool { return f.holder.peer == id })
}

// fetching is which fetch it is that somebody answers, or -1.
func (l *lookup) fetching(from life, key steal.Key) int {
	return slices.IndexFunc(l.fetches, func(f fetch) bool { return f.key == key && f.holder == from })
}

// awaits tells whether one was asked for a result. A late answer is welcome.
func (l *lookup) awaits(from life, key steal.Key) bool {
	return l.fetching(from, key) >= 0 || slices.Contains(l.tried[key], from)
}

// answered takes the answer of one that was asked for a result.
func (l *lookup) answered(now time.Duration, from life, a orphan.ResultIs) []membership.Effect {
	n := l.fetching(from, a.Key)
	switch found := isFound(a); {
	case found && n >= 0:
		l.fetches = slices.Delete(l.fetches, n, n+1)
		l.use(now, reuses{Use{Run: l.no, Key: a.Key, Result: a.Result}, true, a.Stored})
	case found:
		l.do(Use{Run: l.no, Key: a.Key, Result: a.Result}) // too late to count
	case n >= 0:
		l.fetchFailed(n)
	default:
		return nil
	}
	l.fetchNext(now)
	return l.flush()
}

// isFound tells whether an answer brings a result.
func isFound(a orphan.ResultIs) bool { return a.Found && a.Result.Outcome != steal.Panicked }
