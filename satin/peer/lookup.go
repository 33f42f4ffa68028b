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
	// keys of one run of which it is remembered who was asked in vain; then all are tried once more
	triedKeysMax = 4096
)

// looking is how a peer looks for results of a run that exist elsewhere.
type looking struct {
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

// listed sees to it that the workers are asked what they miss of a run, now that there
// is something to find.
func (p *Peer) listed(r *run) {
	if r != nil && r.look.at == steal.Never && p.table.Has(r.instance) && !p.planted(PlantLookUpAtSpawn) {
		r.look.at = p.now
		r.look.soon = p.now + lookSoonFor
	}
}

// tickLooks asks the workers which keys they miss, and ends fetches that nobody answers.
func (p *Peer) tickLooks() {
	for _, r := range p.runs {
		l := &r.look
		for n := len(l.fetches) - 1; n >= 0; n-- {
			if f := l.fetches[n]; p.now >= f.until {
				p.fetchFailed(r, n)
			}
		}
		if p.now < l.at {
			continue
		}
		l.at = p.now + lookEvery
		if p.now < l.soon {
			l.at = p.now + lookSoon
		}
		switch {
		case !p.table.Has(r.instance) && len(l.fetches) == 0:
			l.at = steal.Never
		case !l.open && p.entered() && !p.leaving.active && r.root != nil && !p.conf.Member.Client:
			l.open, l.used = true, nil
			p.out = append(p.out, WantKeys{Run: r.no})
		}
	}
}

// looksDeadline is when tickLooks has something to do.
func (p *Peer) looksDeadline() time.Duration {
	at := steal.Never
	for _, r := range p.runs {
		at = min(at, r.look.at)
		for _, f := range r.look.fetches {
			at = min(at, f.until)
		}
	}
	return at
}

// Unfinished hears the keys of a run's unfinished jobs.
func (p *Peer) Unfinished(now time.Duration, no RunNo, keys []steal.Key) []Effect {
	p.begin(now)
	r := p.runOf(no)
	if r == nil {
		return p.end()
	}
	r.look.open = false
	r.look.hits = r.look.hits[:0]
	for _, k := range keys[:min(len(keys), KeysMax)] {
		if !slices.Contains(r.look.used, k) {
			p.lookUp(r, k)
		}
	}
	p.fetchNext(r)
	return p.end()
}

// lookUp uses a result that is held here, or notes that somebody else holds it. It tells
// whether anybody does.
func (p *Peer) lookUp(r *run, key steal.Key) bool {
	if result, ok := p.store.Get(r.instance, key); ok {
		p.use(r, key, result)
		return true
	}
	if h, ok := p.bestHolder(r, key); ok {
		r.look.hits = append(r.look.hits, hit{key, h.Cost})
		return true
	}
	return false
}

// bestHolder is the one to fetch a result from: it has not been tried, and has the fewest requests
// of this peer to answer; of two, the one in this site.
func (p *Peer) bestHolder(r *run, key steal.Key) (best orphan.Holder, ok bool) {
	fewest := 2 * fetchesEach
	for _, h := range p.table.Holders(nil, r.instance, key) {
		who := life{h.Peer, h.Incarnation}
		m, present := p.view.Member(h.Peer)
		if !present || m.Incarnation != h.Incarnation || slices.Contains(r.look.tried[key], who) {
			continue
		}
		busy := 0
		for _, f := range r.look.fetches {
			if f.holder == who {
				busy += 2
			}
		}
		if m.Site != p.conf.Member.Site {
			busy++
		}
		if busy < fewest {
			best, ok, fewest = h, true, busy
		}
	}
	return best, ok
}

// fetchNext asks for the dearest results that were found, as many as may be under way.
func (p *Peer) fetchNext(r *run) {
	l := &r.look
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
		holder, ok := p.bestHolder(r, h.key)
		if !ok {
			return false
		}
		l.fetches = append(l.fetches, fetch{h.key, life{holder.Peer, holder.Incarnation}, p.now + fetchMax})
		p.sendTo(holder.Peer, holder.Incarnation, orphan.WantResult{Run: r.instance, Key: h.key})
		return true
	})
}

// fetchFailed ends a fetch, and does not try that holder again.
func (p *Peer) fetchFailed(r *run, n int) {
	l := &r.look
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

// holderLost ends the fetches from a peer that is gone.
func (p *Peer) holderLost(id membership.PeerID) {
	for _, r := range p.runs {
		r.look.fetches = slices.DeleteFunc(r.look.fetches, func(f fetch) bool {
			return f.holder.peer == id
		})
	}
}

// resultWanted answers a peer that looks for a result.
func (p *Peer) resultWanted(from membership.PeerID, i membership.Incarnation, w orphan.WantResult) {
	r := p.run(w.Run)
	answer := orphan.ResultIs{Run: w.Run, Key: w.Key}
	if r != nil {
		if result, ok := p.store.Get(w.Run, w.Key); ok {
			answer.Found, answer.Result, answer.Best = true, result, r.best.stamp(from, i)
		}
	}
	p.sendTo(from, i, answer)
}

// resultIs takes a result that this peer has asked for, once the best that it names is here.
func (p *Peer) resultIs(from membership.Member, m Message, a orphan.ResultIs) {
	r := p.run(a.Run)
	if r == nil {
		return
	}
	who := life{from.ID, from.Incarnation}
	n := slices.IndexFunc(r.look.fetches, func(f fetch) bool { return f.key == a.Key && f.holder == who })
	if n < 0 && !slices.Contains(r.look.tried[a.Key], who) {
		return // nobody asked it; a late answer is welcome
	}
	if !a.Found || a.Result.Outcome == steal.Panicked {
		if n >= 0 {
			p.fetchFailed(r, n)
			p.fetchNext(r)
		}
		return
	}
	if !p.takeBest(r, from.ID, m.From, a.Best) {
		p.hold(from.ID, m, a.Run, a.Best)
		return
	}
	if n >= 0 {
		r.look.fetches = slices.Delete(r.look.fetches, n, n+1)
		p.stats.Fetched++
		p.use(r, a.Key, a.Result)
	} else {
		p.out = append(p.out, Use{Run: r.no, Key: a.Key, Result: a.Result}) // too late to count
	}
	p.fetchNext(r)
}
