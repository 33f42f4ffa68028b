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
