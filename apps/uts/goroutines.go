package uts

import (
	"sync"
	"sync/atomic"

	"satingrid/apps/uts/tree"
)

// goroutinesMax bounds the goroutines that Goroutines keeps: a few kilobytes each, where a tree may
// have a hundred million nodes.
const goroutinesMax = 100_000

// Goroutines counts the tree with a goroutine for each node that has children, as one would write
// it without this project. While goroutinesMax of them live, further nodes are walked where they
// are found. It also returns how many goroutines it started.
func (t Tree) Goroutines() (Count, int64) {
	w := walk{g: &t.Generator}
	root := t.Generator.Root()
	c := w.node(&root, 0, t.Generator.Children(&root, 0))
	return c, w.started.Load()
}

type walk struct {
	g       *tree.Generator
	alive   atomic.Int64
	started atomic.Int64
}

func (w *walk) node(s *tree.State, depth, children int) Count {
	total := Count{Nodes: 1, Depth: depth}
	if children == 0 {
		total.Leaves++
		return total
	}
	var group sync.WaitGroup
	var mu sync.Mutex // protects others
	var others Count
	family := s.Family()
	for i := range children {
		child := family.Child(i)
		n := w.g.Children(&child, depth+1)
		if n == 0 || w.alive.Load() >= goroutinesMax {
			total.Add(w.node(&child, depth+1, n))
			continue
		}
		w.alive.Add(1)
		w.started.Add(1)
		group.Go(func() {
			defer w.alive.Add(-1)
			part := w.node(&child, depth+1, n)
			mu.Lock()
			others.Add(part)
			mu.Unlock()
		})
	}
	group.Wait()
	total.Add(others)
	return total
}
