package knapsack

import "slices"

// node is a part of the tree of all choices: some items are in, some are free, and the others out.
type node struct {
	*problem         // of the free items
	profit   int64   // of those in
	in       []int32 // by item.at
}

// narrow decides the items whose other decision leads to nothing better than limit, which is a
// profit of the whole. It returns false if nothing better is left.
func (n node) narrow(limit int64) (node, bool) {
	r, open := n.reduce(max(limit-n.profit, -1))
	if !open {
		return n, false
	}
	return node{r.problem, n.profit + r.profit, append(slices.Clip(n.in), r.in...)}, true
}

// packed is the choice of the items in and of those free ones, by position.
func (n node) packed(chosen []int32) []int32 {
	at := slices.Clone(n.in)
	for _, k := range chosen {
		at = append(at, n.items[k].at)
	}
	return at
}

// search solves nodes. All values are profits in the ground's units.
type search struct {
	core   core
	halves halves

	limit func() (z int64, ok bool) // the profit to exceed, and whether anybody still wants it
	found func(chosen []int32)      // a choice of more, by item.at
}

// local is limit for a node's free items.
func (e *search) local(n node) func() (int64, bool) {
	return func() (int64, bool) {
		z, ok := e.limit()
		return max(z-n.profit, -1), ok
	}
}

// lists tries to solve a node by lists from the break item outwards.
func (e *search) lists(n node, ceiling int64, width int, workMax int64) bool {
	z, _ := e.local(n)()
	solved := e.core.run(n.problem, z, ceiling-n.profit, width, workMax, e.local(n))
	if e.core.found {
		e.found(n.packed(e.core.chosen()))
	}
	return solved
}

// meet tries to solve a node by two lists that meet in the middle.
func (e *search) meet(n node, statesMax int, workMax int64) bool {
	z, _ := e.local(n)()
	solved := e.halves.run(n.problem, z, statesMax, workMax, e.local(n))
	if e.halves.found {
		e.found(n.packed(e.halves.chosen()))
	}
	return solved
}
