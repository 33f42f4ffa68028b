package gridsim

import "time"

// Deadly is a tree of one level whose first leaf ends the process that executes it: the first time at the first age, and so on, and
// afterwards no more.
type Deadly struct {
	Tree
	Ages []time.Duration
}

// NewDeadly makes one with so many leaves.
func NewDeadly(leaves int, leaf time.Duration, ages ...time.Duration) *Deadly {
	return &Deadly{Tree{Seed: 1, Depth: 1, Width: leaves, Leaf: leaf}, ages}
}

// dies tells whether the execution of a job that begins now ends its process, and at which age.
func (w *World) dies(args []byte) (time.Duration, bool) {
	d, ok := w.work.(*Deadly)
	if !ok || w.deaths >= len(d.Ages) || word(args, 1) != 1 || word(args, 0) != d.kid(word(d.Root(), 0), 0, 0) {
		return 0, false
	}
	w.deaths++
	return d.Ages[w.deaths-1], true
}
