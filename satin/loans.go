package satin

import (
	"sync"

	"satingrid/steal"
)

// loans are the jobs that the workers have lent.
type loans struct {
	mu   sync.Mutex // protects what follows
	last steal.Ref
	lent map[steal.Ref]*shared
}

// enter makes a job one of them, unless it was withdrawn meanwhile.
func (l *loans) enter(h *shared) (ref steal.Ref, ok bool) {
	l.mu.Lock()
	l.last++
	ref = l.last
	l.lent[ref] = h
	l.mu.Unlock()
	if !h.setRef(ref) {
		l.drop(ref)
		return 0, false
	}
	return ref, true
}

func (l *loans) get(ref steal.Ref) *shared {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lent[ref]
}

func (l *loans) drop(ref steal.Ref) *shared {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.lent[ref]
	delete(l.lent, ref)
	return h
}

// all are the jobs that are lent, of a run.
func (l *loans) all(of *run) (all []*shared) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range l.lent {
		if h.run == of {
			all = append(all, h)
		}
	}
	return all
}
