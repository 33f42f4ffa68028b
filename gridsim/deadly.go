package gridsim

import (
	"bytes"
	"time"
)

// Deadly is a tree of one level whose first leaf, or root, ends the process that executes it: the
// first time at the first age, and so on, and afterwards no more.
type Deadly struct {
	Tree
	Ages   []time.Duration
	AtRoot bool // it is the root that does so
}

// NewDeadly makes one with so many leaves.
func NewDeadly(leaves int, leaf time.Duration, ages ...time.Duration) *Deadly {
	return &Deadly{Tree: Tree{Seed: 1, Depth: 1, Width: leaves, Leaf: leaf}, Ages: ages}
}

// deadly is the job that ends its processes.
func (d *Deadly) deadly() []byte {
	root := d.Root()
	if d.AtRoot {
		return root
	}
	return encode(d.kid(word(root, 0), 0, 0), 1)
}

// dies tells whether the execution of a job that begins now ends its process, and at which age.
func (w *World) dies(args []byte) (time.Duration, bool) {
	d, ok := w.work.(*Deadly)
	if !ok || w.deaths >= len(d.Ages) || !bytes.Equal(args, d.deadly()) {
		return 0, false
	}
	w.deaths++
	return d.Ages[w.deaths-1], true
}
