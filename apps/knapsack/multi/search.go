package multi

import (
	"math"
	"slices"
)

// Settle decides items that no packing of more than z has otherwise: in are those that it has, and
// free those that are left. open is false if there is no such packing.
func (p *Knapsack) Settle(b *Bound, z int64) (in, free []int32, open bool) {
	over := b.over(z)
	if over < 0 {
		return nil, nil, false
	}
	for k, r := range b.reduced {
		switch {
		case !p.Fits(k):
		case r > over:
			in = append(in, int32(k))
		case -r <= over:
			free = append(free, int32(k))
		}
	}
	return in, free, true
}

// Divisor is the item by which a problem is best divided: the one of which the linear program is
// the least sure, and of those that are in or out there, the one that decides the least. There is
// one.
func (b *Bound) Divisor() int {
	best, doubt := 0, math.Inf(-1)
	for k, x := range b.shares {
		d := 0.5 - math.Abs(x-0.5)
		if d < tiny {
			d = -math.Abs(float64(b.reduced[k]))
		}
		if d > doubt {
			best, doubt = k, d
		}
	}
	return best
}

// Greedy is a good packing: what the linear program packs whole, and then what is worth the most
// for what its weights cost, as far as it fits; and then better items instead of others.
func (p *Knapsack) Greedy(b *Bound) []int32 {
	order := make([]int32, len(p.Profits))
	worth := make([]float64, len(order))
	for k := range order {
		order[k] = int32(k)
		worth[k] = float64(p.Profits[k]) / max(1, float64(b.weighs[k]))
		if b.shares[k] > 1-tiny {
			worth[k] = math.Inf(1)
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int {
		switch {
		case worth[x] > worth[y]:
			return -1
		case worth[x] < worth[y]:
			return 1
		}
		return 0
	})
	f := filling{p, slices.Clone(p.Room), make([]bool, len(order))}
	for _, k := range order {
		f.add(k)
	}
	for range improvementsMax {
		if !f.exchange(order) {
			break
		}
	}
	return f.items()
}

// improvementsMax bounds how often an item is exchanged.
const improvementsMax = 1000

// filling is a packing half made.
type filling struct {
	p    *Knapsack
	room []int64
	in   []bool
}

// add packs an item if it fits.
func (f *filling) add(k int32) bool {
	if f.in[k] || !f.fits(k, -1) {
		return false
	}
	f.put(k, true)
	return true
}

// put packs an item, or takes it out.
func (f *filling) put(k int32, in bool) {
	f.in[k] = in
	for i := range f.room {
		if w := f.p.Weights[i][k]; in {
			f.room[i] -= w
		} else {
			f.room[i] += w
		}
	}
}

// fits tells whether an item does, where another is taken out; -1: none is.
func (f *filling) fits(k, without int32) bool {
	for i, room := range f.room {
		if without >= 0 {
			room += f.p.Weights[i][without]
		}
		if f.p.Weights[i][k] > room {
			return false
		}
	}
	return true
}

// exchange packs one that is worth more instead of another, and what fits beside it.
func (f *filling) exchange(order []int32) bool {
	for _, k := range order {
		for n := len(order) - 1; n >= 0 && !f.in[k]; n-- {
			if out := order[n]; f.in[out] && f.p.Profits[k] > f.p.Profits[out] && f.fits(k, out) {
				f.put(out, false)
				f.put(k, true)
				for _, more := range order {
					f.add(more)
				}
				return true
			}
		}
	}
	return false
}

func (f *filling) items() (all []int32) {
	for k, in := range f.in {
		if in {
			all = append(all, int32(k))
		}
	}
	return all
}

// Search goes through all packings that may have more profit than z, and calls found for each that
// has more than z and those before. more is asked now and then what z is by now, and whether to go
// on. Search gives up after so many steps, and when it is not to go on; then it returns false.
func (p *Knapsack) Search(b *Bound, z int64, steps int, found func(items []int32), more func() (z int64, ok bool)) bool {
	s := walk{
		p: p, b: b, z: z, left: steps, found: found, more: more,
		order: make([]int32, len(p.Profits)), room: slices.Clone(p.Room), in: make([]bool, len(p.Profits)),
	}
	size := func(k int32) int64 { return max(b.reduced[k], -b.reduced[k]) }
	for k := range s.order {
		s.order[k] = int32(k)
	}
	slices.SortStableFunc(s.order, func(x, y int32) int {
		switch a, b := size(x), size(y); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	s.behind = make([]int64, len(s.order)+1)
	for n := len(s.order) - 1; n >= 0; n-- {
		s.behind[n] = s.behind[n+1] + b.weighs[s.order[n]]
	}
	s.visit(0, 0, b.room)
	return !s.gaveUp
}

// walk is one through all packings.
type walk struct {
	p     *Knapsack
	b     *Bound
	z     int64
	found func([]int32)
	more  func() (int64, bool)

	order  []int32
	behind []int64 // what the weights cost of those from here on
	room   []int64
	in     []bool
	left   int // steps
	gaveUp bool
}

// askEvery is after how many steps the search asks what the best is by now.
const askEvery = 1 << 12

// visit decides the items from place n on, where so much is lost by those before, and so much does
// the room cost that is left.
func (s *walk) visit(n int, lost, room int64) {
	if s.left--; s.left <= 0 {
		s.gaveUp = true
	} else if s.left%askEvery == 0 {
		z, ok := s.more()
		s.z = max(s.z, z)
		s.gaveUp = !ok
	}
	// what room the others cannot fill is lost, too
	if s.gaveUp || lost+max(0, room-s.behind[n]) > s.b.over(s.z) {
		return
	}
	if n == len(s.order) {
		s.take()
		return
	}
	k := s.order[n]
	r := s.b.reduced[k]
	for _, in := range [2]bool{r > 0, r <= 0} {
		loses := int64(0)
		if in != (r > 0) {
			loses = max(r, -r)
		}
		if !in {
			s.visit(n+1, lost+loses, room)
			continue
		}
		fits := true
		for i := range s.room {
			s.room[i] -= s.p.Weights[i][k]
			fits = fits && s.room[i] >= 0
		}
		if fits {
			s.in[k] = true
			s.visit(n+1, lost+loses, room-s.b.weighs[k])
			s.in[k] = false
		}
		for i := range s.room {
			s.room[i] += s.p.Weights[i][k]
		}
	}
}

// take takes over what is packed now.
func (s *walk) take() {
	var items []int32
	for k, in := range s.in {
		if in {
			items = append(items, int32(k))
		}
	}
	if profit := s.p.Profit(items); profit > s.z {
		s.z = profit
		s.found(items)
	}
}
