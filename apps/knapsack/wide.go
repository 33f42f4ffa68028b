package knapsack

import (
	"satingrid/apps/knapsack/multi"
	"satingrid/satin"
)

// wide is an instance of several constraints as the search sees it: copies of an item are tied up
// in bundles, which are packed whole or not at all.
type wide struct {
	multi.Knapsack
	bundles [][]taken
}

func wideOf(s *satin.Scope) *wide {
	v := satin.Root[Solve](s)
	return satin.Derive(s, func() *wide { return newWide(v) })
}

func newWide(v *Solve) *wide {
	w := &wide{Knapsack: multi.Knapsack{Weights: make([][]int64, 1+len(v.Further)), Room: []int64{v.Capacity}}}
	for _, c := range v.Further {
		w.Room = append(w.Room, c.Capacity)
	}
	for k, p := range v.Profits {
		if p == 0 {
			continue
		}
		for _, b := range tie([]taken{{int32(k), v.most(k)}}) {
			n := int64(size(b))
			w.bundles = append(w.bundles, b)
			w.Profits = append(w.Profits, p*n)
			w.Weights[0] = append(w.Weights[0], v.Weights[k]*n)
			for i, c := range v.Further {
				w.Weights[1+i] = append(w.Weights[1+i], c.Weights[k]*n)
			}
		}
	}
	return w
}

// Part is the root's problem with some bundles in and some free, of several constraints.
type Part struct{ Node Node }

const (
	partItems = 40      // that one worker goes through, if it is done with them in time
	partSteps = 200_000 // within which it has to be: 20 ms
)

// wide solves a problem of several constraints.
func (v Solve) wide(s *satin.Scope) (Packing, error) {
	w := wideOf(s)
	b := w.Relax()
	w.offer(s, w.Greedy(b), b.Value())
	all := make([]int32, len(w.Profits))
	for k := range all {
		all[k] = int32(k)
	}
	if _, err := w.part(nil, all).Run(s); err != nil {
		return Packing{}, err
	}
	return proved(s), nil
}

// offer offers a packing; bound is what is known of all.
func (w *wide) offer(s *satin.Scope, chosen []int32, bound int64) {
	var all []taken
	for _, at := range chosen {
		all = append(all, w.bundles[at]...)
	}
	t := satin.Root[Solve](s).packing(all)
	t.Bound = max(bound, t.Value)
	satin.Offer(s, t)
}

// part makes a part ready to travel.
func (w *wide) part(in, free []int32) Part {
	n := newNode(len(w.bundles))
	for _, at := range in {
		n.In[at/8] |= 1 << (at % 8)
	}
	for _, at := range free {
		n.Free[at/8] |= 1 << (at % 8)
	}
	return Part{n}
}

// Run goes through the part, or divides it.
func (t Part) Run(s *satin.Scope) (Done, error) {
	w := wideOf(s)
	in, free, err := t.Node.split(len(w.bundles))
	if err != nil {
		return Done{}, err
	}
	n, b, open := w.narrow(in, free, best(s))
	if !open {
		return Done{}, nil
	}
	if len(n.free) <= partItems && n.search(s, w, b) {
		return Done{}, nil
	}
	if s.Aborted() {
		return Done{}, satin.ErrWithdrawn
	}
	at := b.Divisor()
	x := n.free[at]
	rest := append(append([]int32{}, n.free[:at]...), n.free[at+1:]...)
	// the second is run first: packings that have what divides are better more often
	out := satin.Spawn(s, w.part(n.in, rest))
	with := satin.Spawn(s, w.part(append(append([]int32{}, n.in...), x), rest))
	if _, err := with.Wait(s); err != nil {
		return Done{}, err
	}
	return out.Wait(s)
}

// best is the value of the best packing.
func best(s *satin.Scope) int64 {
	b, ok := satin.Best[Packing](s)
	if !ok {
		panic("knapsack: BUG: a job before the first packing was offered")
	}
	return b.Value
}

// narrowed is a part of which nothing can be settled any more.
type narrowed struct {
	*multi.Knapsack // of the free bundles
	in, free        []int32
	profit          int64 // of those in
}

// narrow settles what can be, so that all packings better than z are left, and bounds what is.
func (w *wide) narrow(in, free []int32, z int64) (n narrowed, b *multi.Bound, open bool) {
	for {
		p, ok := w.Take(free, in)
		if !ok {
			return n, nil, false
		}
		n = narrowed{p, in, free, w.Profit(in)}
		b = p.Relax()
		more, left, open := p.Settle(b, max(z-n.profit, -1))
		if !open || len(left) == len(free) && len(left) > 0 {
			return n, b, open
		}
		in, free = in[:len(in):len(in)], nil
		for _, k := range more {
			in = append(in, n.free[k])
		}
		for _, k := range left {
			free = append(free, n.free[k])
		}
		if len(free) == 0 {
			p, ok = w.Take(nil, in)
			return narrowed{p, in, nil, w.Profit(in)}, b, ok
		}
	}
}

// search goes through all packings of the part. It returns false where that takes too long.
func (n narrowed) search(s *satin.Scope, w *wide, b *multi.Bound) bool {
	if len(n.free) == 0 { // one packing is left
		if n.profit > best(s) {
			w.offerAgain(s, n.in)
		}
		return true
	}
	found := func(items []int32) {
		all := n.in[:len(n.in):len(n.in)]
		for _, k := range items {
			all = append(all, n.free[k])
		}
		w.offerAgain(s, all)
	}
	more := func() (int64, bool) { return best(s) - n.profit, !s.Aborted() }
	return n.Search(b, max(best(s)-n.profit, -1), partSteps, found, more)
}

// offerAgain offers what a job below the root has found.
func (w *wide) offerAgain(s *satin.Scope, chosen []int32) {
	bound := int64(0)
	if best, ok := satin.Best[Packing](s); ok {
		bound = best.Bound
	}
	w.offer(s, chosen, bound)
}
