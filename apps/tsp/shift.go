package tsp

import "math/rand/v2"

// shifter shortens a tour of an asymmetric problem by moves that exchange two neighbouring pieces
// of it, which turns neither around, and leaves local optima by small kicks.
type shifter struct {
	d     *matrix
	near  [][]int16 // by city: where to go on from it, the nearest first
	tour  []int     // cities
	pos   []int
	saved []int
	spare []int
	queue []int  // cities whose moves have to be tried (again)
	asked []bool // by city: in the queue
}

func newShifter(d *matrix) *shifter {
	h := &shifter{d: d, pos: make([]int, d.half), spare: make([]int, d.half), asked: make([]bool, d.half)}
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
	h.ask(h.tour...)
}

// ask asks for moves of cities to be tried.
func (h *shifter) ask(cities ...int) {
	for _, c := range cities {
		if !h.asked[c] {
			h.asked[c] = true
			h.queue = append(h.queue, c)
		}
	}
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

// descend makes moves of the queue's cities until there are none.
func (h *shifter) descend() {
	for k := 0; k < len(h.queue); k++ {
		c := h.queue[k]
		h.asked[c] = false
		for h.move(c) {
		}
	}
	h.queue = h.queue[:0]
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
				h.ask(a, b, c, d, e, f)
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

// kick puts three short neighbouring pieces into the opposite order, which no move undoes, and
// looks for moves at their ends.
func (h *shifter) kick(rng *rand.Rand) {
	n := len(h.tour)
	longest := min(pieceMax, (n-2)/3)
	start, a, b, c := rng.IntN(n), 1+rng.IntN(longest), 1+rng.IntN(longest), 1+rng.IntN(longest)
	h.exchange(start, a, b+c)
	h.exchange(start, b, c)
	for _, p := range [4]int{start, start + c, start + c + b, start + c + b + a} {
		h.ask(h.tour[(p+n-1)%n], h.tour[p%n])
	}
	h.descend()
}

// kicksOf is how many kicks a tour of so many cities gets. Each costs more the more there are, so
// that all take a few seconds at most.
func kicksOf(cities int) int {
	const each, work = 40, 1_500_000
	return max(cities, min(each*cities, work/cities))
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
		h.kick(rng)
		if l := h.length(); l <= length {
			length = l
			copy(h.saved, h.tour)
			continue
		}
		copy(h.tour, h.saved)
		h.index()
	}
}
