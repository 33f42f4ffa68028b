package tsp

// segmentMax is how many cities a move of Or takes along.
const segmentMax = 3

// insertion is a move of Or (thesis, Northwestern University, 1976): a few cities in a row, from
// first to last, leave their place between before and after, and come between left and right.
type insertion struct{ before, first, last, after, left, right int16 }

// shift tries to put up to three cities in a row, the first of which is c, between two neighbours
// near c, in either direction. It returns by how much the tour became shorter.
func (m *improver) shift(c int16) int64 {
	if m.d.n < kickedMin {
		return 0
	}
	for _, forward := range [2]bool{true, false} {
		last := c
		for range segmentMax {
			x := insertion{before: m.next(c, !forward), first: c, last: last, after: m.next(last, forward)}
			if g := m.insert(&x, forward); g > 0 {
				return g
			}
			last = x.after
		}
	}
	return 0
}

func (m *improver) next(c int16, forward bool) int16 {
	if forward {
		return m.succ(c)
	}
	return m.pred(c)
}

// insert looks for a better place for some cities, and puts them there.
func (m *improver) insert(x *insertion, forward bool) int64 {
	if m.d.fixes(x.before, x.first) || m.d.fixes(x.last, x.after) {
		return 0
	}
	out := int64(m.d.at(x.before, x.first)) + int64(m.d.at(x.last, x.after)) - int64(m.d.at(x.before, x.after))
	for _, near := range m.near[x.first] {
		d := int64(m.d.at(x.first, near))
		if d >= out {
			return 0
		}
		if m.within(x, near, forward) {
			continue
		}
		// the other neighbour is the next one, or the one before
		for _, ahead := range [2]bool{true, false} {
			other := m.next(near, forward == ahead)
			if ahead && near == x.before || !ahead && near == x.after || m.d.fixes(near, other) {
				continue
			}
			gain := out + int64(m.d.at(near, other)) - d - int64(m.d.at(x.last, other))
			if gain <= 0 {
				continue
			}
			if x.left, x.right = near, other; !ahead {
				x.left, x.right = other, near
			}
			m.put(*x, ahead)
			return gain
		}
	}
	return 0
}

// within tells whether a city is one of those that move.
func (m *improver) within(x *insertion, c int16, forward bool) bool {
	for o := x.first; ; o = m.next(o, forward) {
		if o == c {
			return true
		}
		if o == x.last {
			return false
		}
	}
}

// put makes the move, of pieces that are turned around.
func (m *improver) put(x insertion, straight bool) {
	m.turn(x.before, x.first, x.left)
	m.turn(x.before, x.left, x.after)
	if straight {
		m.turn(x.left, x.last, x.first)
	}
	for _, c := range [6]int16{x.before, x.first, x.last, x.after, x.left, x.right} {
		m.ask(c)
	}
}
