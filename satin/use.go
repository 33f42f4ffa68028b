package satin

import (
	"fmt"
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// publicKeysMax bounds the published jobs of one fiber whose keys are listed at a time, the oldest
// ones.
const publicKeysMax = 64

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
	fibers := *p.fibers.Load()
	turn := int(r.turn.Add(1))
	for i := range fibers {
		s := fibers[(turn+i)%len(fibers)]
		running, waiting := s.checkpoint.keys(s, r)
		coming := func(key steal.Key) bool { return s.letters.expects(r, key) }
		stacks = append(stacks, slices.DeleteFunc(running, coming)...)
		rest = append(append(rest, slices.DeleteFunc(waiting, coming)...), s.public.keys(r)...)
	}
	lent := p.loans.keys(r)
	p.mu.Lock()
	inbox := append([]*shared(nil), p.inbox[:min(len(p.inbox), publicKeysMax)]...)
	p.mu.Unlock()
	for _, h := range inbox {
		if key, ok := h.keyIfOpen(r); ok {
			lent = append(lent, key)
		}
	}
	p.tickSoon()
	half := min(len(stacks), max(peer.KeysMax/2, peer.KeysMax-len(lent)-len(rest)))
	return firstOf(peer.KeysMax, stacks[:half], lent, rest, stacks[half:])
}

// keys are those of the running and of the waiting jobs of the fiber, as far as
// ticks have made them.
func (b *checkpoint) keys(s *Scope, r *run) (running, waiting []steal.Key) {
	b.mu.Lock()
	if b.run != r {
		b.mu.Unlock()
		return nil, nil
	}
	for _, lv := range s.tracked {
		if lv.keyed {
			running = append(running, lv.key)
		}
	}
	children := slices.Clone(b.waiting)
	b.mu.Unlock()
	for _, h := range children {
		if key, ok := h.keyIfPrivate(); ok {
			waiting = append(waiting, key)
		}
	}
	return running, waiting
}

// keyIfPrivate is the key of a child that its parent may still start, or runs.
func (h *shared) keyIfPrivate() (steal.Key, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.key, h.keyed && h.state == private
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

func (f *publicPart) keys(r *run) (keys []steal.Key) {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range f.jobs[:min(len(f.jobs), publicKeysMax)] {
		if key, ok := h.keyIfOpen(r); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

func (l *ledger) keys(r *run) (keys []steal.Key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range l.lent {
		if h.run == r {
			keys = append(keys, h.key) // which was made before the job was entered
		}
	}
	return keys
}

// keyIfOpen is the key of a job that nobody has started. Its owner cannot take it, and reuse the
// task's place, while it is made.
func (h *shared) keyIfOpen(r *run) (key steal.Key, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state != offered || h.run != r {
		return key, false
	}
	if !h.keyed {
		var err error
		if h.key, err = r.keyOf(h.job); err != nil {
			return key, false
		}
		h.keyed = true
	}
	return h.key, true
}

// use gives a value to the unfinished jobs of a run with a key, wherever they are in this process.
// What runs for them is withdrawn. The error says that the value is not one of the job's type.
func (p *pool) use(r *run, key steal.Key, value steal.Result) error {
	if value.Choosing {
		r.choose()
	}
	var open []*shared
	p.loans.mu.Lock()
	for _, h := range p.loans.lent {
		open = append(open, h)
	}
	p.loans.mu.Unlock()
	p.mu.Lock()
	open = append(open, p.inbox...)
	p.mu.Unlock()
	for _, s := range *p.fibers.Load() {
		if s.public.n.Load() > 0 {
			s.public.mu.Lock()
			open = append(open, s.public.jobs...)
			s.public.mu.Unlock()
		}
		if s.checkpoint.has(s, r, key) && s.letters.put(letter{r, key, value}) {
			s.mail()
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

// has tells whether a job in the fiber's deque has the key, as far as ticks have made it.
func (b *checkpoint) has(s *Scope, r *run, key steal.Key) bool {
	running, waiting := b.keys(s, r)
	return slices.Contains(running, key) || slices.Contains(waiting, key)
}

// give ends a job that is not in its owner's hands with a value that came from outside.
func (h *shared) give(value steal.Result) error {
	out, err := outcomeOf(h.job, value)
	if err != nil {
		return fmt.Errorf("satin: a result of task %s: %w", h.run.pool.app.taskName(h.job), err)
	}
	key, err := h.keyOf()
	if err != nil {
		return err
	}
	h.fulfil(out, h.run.partFrom(key, value), nil)
	return nil
}

// outcomeOf decodes a result of the job j.
func outcomeOf(j slot, r steal.Result) (result, error) {
	if r.Outcome != steal.Value {
		return j.refuse(unpackFailure(r)), nil
	}
	return j.decode(r.Bytes)
}
