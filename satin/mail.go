package satin

import (
	"slices"
	"sync"

	"satingrid/steal"
)

// letter brings a value for a job that may be on some stack, unfinished.
type letter struct {
	run   *run
	key   steal.Key
	value steal.Result
}

// letters are values that arrived for jobs of a fiber and were not looked at yet.
type letters struct {
	mu     sync.Mutex // protects what follows
	isOpen bool       // the fiber has a job
	list   []letter
}

// lettersMax bounds the letters that a fiber has not read, because it computes for long
// without a Spawn or Wait, or waits for a worker. The value of a letter that is dropped is
// still where it came from.
const lettersMax = 256

// put reports whether the letter will be read.
func (l *letters) put(x letter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isOpen || len(l.list) >= lettersMax {
		return false
	}
	l.list = append(l.list, x)
	return true
}

// expects tells whether a value with that key is on its way to the fiber's jobs.
func (l *letters) expects(r *run, key steal.Key) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.list, func(x letter) bool { return x.run == r && x.key == key })
}

func (l *letters) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isOpen = true
}

func (l *letters) shut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isOpen, l.list = false, nil
}

func (l *letters) take() []letter {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list = nil
	return list
}

// readMail withdraws what is not wanted any more on this stack, the oldest first, and hands out
// values that came from elsewhere.
func (s *Scope) readMail() {
	list := s.letters.take()
	if len(s.frames) == 0 {
		return
	}
	if s.run.isOver() {
		s.withdrawAt(0, nil, part{})
		return
	}
	s.stopOrphans()
	for _, f := range s.frames {
		if f.of.over() {
			s.withdrawAt(f.index, nil, part{})
			break
		}
	}
	for _, x := range list {
		if x.run == s.run {
			s.deliver(x)
		}
	}
	for _, g := range s.groups {
		if g.base < s.dead && g.accepted() {
			s.decide(g)
			break
		}
	}
}

// decide withdraws what a call of First waits for, now that it has a winner: the child that runs on
// this stack, and those that others have.
func (s *Scope) decide(g *group) {
	for k := g.base; k < s.top; k++ {
		h := s.slots[k].head()
		if h.word == running {
			s.withdrawAt(k, nil, part{})
			return
		}
		if h.sh != nil && h.sh.withdraw(false) {
			s.run.aborted.Add(1)
		}
	}
}

// deliver gives a value to every unfinished job of this stack that has the letter's key.
func (s *Scope) deliver(x letter) {
	for k := 0; k < s.top && k < s.dead; k++ {
		j := s.slots[k]
		sh := j.head().sh
		if f, ok := j.(*frame); ok {
			sh = f.of
		}
		if sh == nil || !sh.hasKey(x.key) {
			continue
		}
		out, err := outcomeOf(j, x.value)
		if err != nil {
			return // whoever sent it has another idea of the type; the job goes on
		}
		came := s.run.partFrom(x.key, x.value)
		switch {
		case sh == j.head().sh && j.head().word == running:
			s.withdrawAt(k, out, came)
		case sh.owner == s && sh.claim(s):
			sh.store(out, came)
		default:
			sh.fulfil(out, came, nil)
		}
	}
}

func (h *shared) hasKey(key steal.Key) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keyed && h.key == key
}
