package satin

import (
	"sync"

	"satingrid/steal"
)

// letter brings a value for a job that may be on some stack, unfinished.
type letter struct {
	key  steal.Key
	data []byte
}

// letters are values that arrived for jobs of a fiber and were not looked at yet.
type letters struct {
	mu   sync.Mutex // protects list
	list []letter
}

func (l *letters) put(x letter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, x)
}

func (l *letters) take() []letter {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list = nil
	return list
}

// readMail withdraws what is not wanted any more on this stack, the oldest first, and hands out values that
// came from elsewhere.
func (s *Scope) readMail() {
	list := s.letters.take()
	if len(s.frames) == 0 {
		return
	}
	if s.run.isOver() {
		s.withdrawAt(0, nil)
		return
	}
	for _, f := range s.frames {
		if f.of.over() {
			s.withdrawAt(f.index, nil)
			break
		}
	}
	for _, g := range s.groups {
		if g.base < s.dead && g.accepted() {
			if k, ok := s.runningFrom(g.base); ok {
				s.withdrawAt(k, nil)
			}
			break
		}
	}
	for _, x := range list {
		s.deliver(x)
	}
}

// runningFrom is the lowest running slot at or above base.
func (s *Scope) runningFrom(base int) (k int, ok bool) {
	for k = base; k < s.top; k++ {
		if s.slots[k].head().word == running {
			return k, true
		}
	}
	return 0, false
}

// deliver gives a value to every unfinished job of this stack that has the letter's key.
func (s *Scope) deliver(x letter) {
	for k := 0; k < s.top && k < s.dead; k++ {
		j := s.slots[k]
		h := j.head()
		if h.sh == nil || !h.sh.hasKey(x.key) {
			continue
		}
		out, err := j.decode(x.data)
		if err != nil {
			return // whoever sent it has another idea of the type; the job goes on
		}
		switch {
		case h.word == running:
			s.withdrawAt(k, out)
		case h.sh.claim(s):
			h.sh.store(out)
		default:
			h.sh.fulfil(out, nil)
		}
	}
}

func (h *shared) hasKey(key steal.Key) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keyed && h.key == key
}
