package satin

import (
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// keys are those of a run's unfinished jobs, as far as ticks have found them, and of the oldest
// that wait to be started. Any goroutine may ask. From the first time on, ticks make the keys
// of waiting jobs, too.
//
// A tick follows at once, so that whoever asks often hears soon of jobs that have just been
// unfolded.
//
// Those on the stacks come first, then who is lent, then who waits; but the stacks take no more
// than half when there are too many, beginning with another one each time.
func (p *pool) keys(r *run) []steal.Key {
	r.lookups.Store(true)
	var stacks, rest []steal.Key
	fibers := p.fibers.all()
	turn := int(r.turn.Add(1))
	for i := range fibers {
		f := fibers[(turn+i)%len(fibers)]
		running, waiting := f.checkpoint.keys(r)
		coming := func(key steal.Key) bool { return f.letters.expects(r, key) }
		stacks = append(stacks, slices.DeleteFunc(running, coming)...)
		rest = append(append(rest, slices.DeleteFunc(waiting, coming)...), f.public.keys(r)...)
	}
	var lent []steal.Key
	for _, h := range p.loans.all(r) {
		if key, ok := h.madeKey(); ok { // as whoever lent it has done
			lent = append(lent, key)
		}
	}
	p.mu.Lock()
	inbox := slices.Clone(p.inbox)
	p.mu.Unlock()
	lent = append(lent, openKeys(r, inbox)...)
	p.fibers.trip(tripTick)
	half := min(len(stacks), max(peer.KeysMax/2, peer.KeysMax-len(lent)-len(rest)))
	return firstOf(peer.KeysMax, stacks[:half], lent, rest, stacks[half:])
}

// openKeysMax bounds the jobs of one list whose keys are listed at a time: it takes time to make
// them.
const openKeysMax = 64

// openKeys are those of the oldest jobs that nobody has started, of those of a run. Others stay in
// their list until a worker comes to them, such as all those for which values have come, behind
// which what is listed next would not be seen.
func openKeys(r *run, oldest []*shared) (keys []steal.Key) {
	for _, h := range oldest {
		if len(keys) == openKeysMax {
			break
		}
		if key, ok := h.keyIfOpen(r); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// firstOf are the first n different keys of the lists.
func firstOf(n int, lists ...[]steal.Key) (out []steal.Key) {
	seen := map[steal.Key]bool{}
	for _, list := range lists {
		for _, key := range list {
			if !seen[key] && len(out) < n {
				seen[key] = true
				out = append(out, key)
			}
		}
	}
	return out
}

// use gives a value to the unfinished jobs of a run with a key, wherever they are in this process.
// What runs for them is withdrawn. The error says that the value is not one of the job's type.
func (p *pool) use(r *run, key steal.Key, value steal.Result) error {
	if value.Choosing {
		r.choose()
	}
	open := p.loans.all(r)
	p.mu.Lock()
	open = append(open, p.inbox...)
	p.mu.Unlock()
	for _, f := range p.fibers.all() {
		open = append(open, f.public.all()...)
		if f.checkpoint.has(r, key) && f.letters.put(letter{r, key, value}) {
			f.mail()
		}
	}
	for _, h := range open {
		if h.run == r && h.hasKey(key) {
			if err := h.give(value); err != nil {
				return err
			}
		}
	}
	return nil
}
