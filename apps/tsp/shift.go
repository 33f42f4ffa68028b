package tsp

import "math/rand/v2"

// shifter shortens a tour of an asymmetric problem: it exchanges two neighbouring pieces of it,
// which turns no piece around, and leaves local optima by small kicks of the same kind.
type shifter struct {
	d     *matrix
	near  [][]int16 // by city: where to go on from it, the nearest first
	tour  []int     // cities
	pos   []int
	saved []int
	spare []int
}

func newShifter(d *matrix) *shifter {
	h := &shifter{d: d, pos: make([]int, d.half), spare: make([]int, d.half)}
	for c, near := range nearCities(d, tourNeighbours)[d.half:] {
		for k, o := range near {
			if int(o) == c { // its own other half
				near = append(near[:k:k], near[k+1:]...)
				break
			}
		}
		h.near = append(h.near, near)
	}
	return h
}

// way is the length of the way from a city to another one.
func (h *shifter) way(from, to int) int64 { return int64(h.d.at(int16(h.d.half+from), int16(to))) }

// begin takes the tour that always goes on to the nearest city left.
func (h *shifter) begin(city int) {
	left := make([]bool, h.d.half)
	for c := range left {
		left[c] = true
	}
	h.tour = h.tour[:0]
	for range h.d.half {
		h.tour = append(h.tour, city)
		left[city] = false
		next := -1
		for c := range left {
			if left[c] && (next < 0 || h.way(city, c) < h.way(city, next)) {
				next = c
			}
		}
		city = next
	}
	h.index()
}

func (h *shifter) index() {
	for k, c := range h.tour {
		h.pos[c] = k
	}
}

func (h *shifter) length() int64 {
	sum, from := int64(0), h.tour[len(h.tour)-1]
	for _, c := range h.tour {
		sum += h.way(from, c)
		from = c
	}
	return sum
}

// descend exchanges pieces until that makes nothing shorter.
func (h *shifter) descend() {
	for again := true; again; {
		again = false
		for c := range h.d.half {
			for h.move(c) {
				again = true
			}
		}
	}
}

// move goes on from a city to a nearer one: what was between them is put in further on, where that
// costs least. It tells whether the tour is shorter.
func (h *shifter) move(a int) bool {
	n := len(h.tour)
	at := func(k int) int { return h.tour[k%n] }
	i := h.pos[a]
	b := at(i + 1)
	old := h.way(a, b)
	for _, near := range h.near[a] {
		d := int(near)
		open := old - h.way(a, d)
		if open <= 0 {
			return false
		}
		first := (h.pos[d] - i + n) % n // the piece of b is from i+1 to i+first-1
		if first < 2 {
			continue
		}
		c := at(i + first - 1)
		open += h.way(c, d)
		for last := first; last < n; last++ {
			e, f := at(i+last), at(i+last+1)
			if open+h.way(e, f)-h.way(e, b)-h.way(c, f) > 0 {
				h.exchange(i+1, first-1, last-first+1)
				return true
			}
		}
	}
	return false
}

// exchange exchanges the piece of so many cities from a place on with the next one.
func (h *shifter) exchange(start, first, second int) {
	n := len(h.tour)
	for k := range first + second {
		h.spare[k] = h.tour[(start+(first+k)%(first+second))%n]
	}
	for k, c := range h.spare[:first+second] {
		p := (start + k) % n
		h.tour[p], h.pos[c] = c, p
	}
}

// perturb kicks and descends so many times, unless nobody wants to know any more, and keeps what is
// no longer than before.
func (h *shifter) perturb(kicks int, rng *rand.Rand, aborted func() bool) {
	n := len(h.tour)
	if n < kickedMin {
		return
	}
	length := h.length()
	h.saved = append(h.saved[:0], h.tour...)
	for k := 0; k < kicks && !aborted(); k++ {
		longest := min(pieceMax, (n-2)/2)
		touched := rng.IntN(n)
		first, second := 1+rng.IntN(longest), 1+rng.IntN(longest)
		h.exchange(touched, first, second)
		h.settle(touched-1, first+second+2)
		if l := h.length(); l <= length {
			length = l
			copy(h.saved, h.tour)
			continue
		}
		copy(h.tour, h.saved)
		h.index()
	}
}

// settle looks for moves at the ends of the pieces of a kick, and again where there was one.
func (h *shifter) settle(from, cities int) {
	n := len(h.tour)
	queue := make([]int, 0, cities)
	for k := range cities {
		queue = append(queue, h.tour[(from+k+n)%n])
	}
	for k := 0; k < len(queue); k++ {
		c := queue[k]
		next := h.tour[(h.pos[c]+1)%n]
		if h.move(c) {
			queue = append(queue, c, next)
		}
	}
}
