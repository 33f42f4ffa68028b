package tsp

import (
	"math"
)

// tourNeighbours is how many near cities a move considers. More find little and cost as much again.
const tourNeighbours = 10

const (
	stepsMax   = 40 // exchanges of one move
	choicesMax = 5  // first exchanges that are tried
)

// improver shortens a tour by moves in the manner of Lin and Kernighan and of Or, with lists of
// near cities, and leaves local optima by small kicks. Cities whose moves found nothing are not
// looked at again before an edge of theirs changes: the don't-look bits of Bentley (ORSA Journal on
// Computing 4, 1992).
type improver struct {
	d     *matrix
	near  [][]int16
	tour  []int16
	pos   []int16
	queue []int16 // cities whose moves have to be tried (again)
	asked []bool  // by city: in the queue
	saved []int16
	steps []exchange // of the move under way

	aborted func() bool // tells descend that nobody wants to know any more; nil: somebody does
}

// exchange is one step of a move: the path between from and to is turned around.
type exchange struct{ base, from, to, next int16 }

func newImprover(d *matrix) *improver {
	m := &improver{d: d, near: nearCities(d, tourNeighbours)}
	m.pos = make([]int16, d.n)
	m.asked = make([]bool, d.n)
	return m
}

// begin takes the tour that always goes on to the nearest city left, starting at the given city,
// but for fixed edges: from one end of a path of them it goes to the other.
func (m *improver) begin(city int16) {
	n := m.d.n
	left, spare := make([]bool, n), make([]int32, n)
	for i := range left {
		left[i] = true
	}
	m.tour = m.tour[:0]
	visit := func(c int16) {
		m.tour = append(m.tour, c)
		left[c] = false
	}
	for before := city; m.d.inner(city); { // to where the path begins
		next := m.d.mates[city][0]
		if next == before {
			next = m.d.mates[city][1]
		}
		before, city = city, next
	}
	for visit(city); len(m.tour) < n; visit(city) {
		if next, ok := m.along(city, left); ok {
			city = next
			continue
		}
		city = m.nearest(city, left, spare)
	}
	m.index()
}

// nearest is the nearest city that is left and not inside a path, the first of several.
func (m *improver) nearest(city int16, left []bool, spare []int32) int16 {
	for _, c := range m.near[city] {
		if left[c] && !m.d.inner(c) {
			return c
		}
	}
	row, next := m.d.row(city, spare), int16(-1)
	for c := range int16(m.d.n) {
		if left[c] && !m.d.inner(c) && (next < 0 || row[c] < row[next]) {
			next = c
		}
	}
	return next
}

// along is the next city on a path of fixed edges.
func (m *improver) along(c int16, left []bool) (next int16, ok bool) {
	if m.d.mates == nil {
		return 0, false
	}
	for _, next := range m.d.mates[c] {
		if left[next] {
			return next, true
		}
	}
	return 0, false
}

// index sets the positions, and asks for all cities to be tried.
func (m *improver) index() {
	for k, c := range m.tour {
		m.pos[c] = int16(k)
		m.ask(c)
	}
}

func (m *improver) ask(c int16) {
	if !m.asked[c] {
		m.asked[c] = true
		m.queue = append(m.queue, c)
	}
}

func (m *improver) at(k int) int16 {
	n := len(m.tour)
	if k >= n {
		k -= n
	} else if k < 0 {
		k += n
	}
	return m.tour[k]
}

func (m *improver) succ(c int16) int16 { return m.at(int(m.pos[c]) + 1) }
func (m *improver) pred(c int16) int16 { return m.at(int(m.pos[c]) - 1) }

// descend makes improving moves until there are none. It returns by how much the
// tour became shorter.
func (m *improver) descend() int64 {
	var gain int64
	for k := 0; k < len(m.queue); k++ {
		if m.aborted != nil && k%wantedEach == 0 && m.aborted() {
			break
		}
		c := m.queue[k]
		m.asked[c] = false
		for g := int64(1); g > 0; gain += g {
			if g = m.move(c, m.succ(c)); g == 0 {
				g = m.move(c, m.pred(c))
			}
			if g == 0 {
				g = m.shift(c)
			}
		}
	}
	m.queue = m.queue[:0]
	return gain
}

// move tries to find a shorter tour without the edge between base and first, as a chain of
// exchanges each of which would be a gain without the edge that closes the tour.
func (m *improver) move(base, first int16) int64 {
	if m.d.fixes(base, first) {
		return 0
	}
	for choice := range choicesMax {
		m.steps = m.steps[:0]
		from := first
		// what the tour would gain without its closing edge
		open := int64(m.d.at(base, from))
		var gain int64
		keep := 0
		for len(m.steps) < stepsMax {
			skip := 0
			if len(m.steps) == 0 {
				skip = choice
			}
			to, next, ok := m.exchange(base, from, open, skip)
			if !ok {
				break
			}
			open += int64(m.d.at(to, next) - m.d.at(from, next))
			m.turn(base, from, to)
			m.steps = append(m.steps, exchange{base, from, to, next})
			from = to
			if g := open - int64(m.d.at(base, from)); g > gain {
				gain, keep = g, len(m.steps)
			}
		}
		if len(m.steps) == 0 {
			return 0
		}
		for k := len(m.steps) - 1; k >= keep; k-- {
			m.turn(base, m.steps[k].to, m.steps[k].from)
		}
		if gain > 0 {
			for _, x := range m.steps[:keep] {
				m.ask(x.from)
				m.ask(x.to)
				m.ask(x.next)
			}
			m.ask(base)
			return gain
		}
	}
	return 0
}

// exchange chooses a city near from, next, that from is joined to, and the city to before it, which
// loses that neighbour: the skip-th best such choice.
func (m *improver) exchange(base, from int16, open int64, skip int) (to, next int16, ok bool) {
	forward := m.succ(base) == from
	worst := int32(math.MaxInt32)
	for range skip + 1 {
		ok = false
		score := int32(math.MinInt32)
		for _, c := range m.near[from] {
			d := m.d.at(from, c)
			if int64(d) >= open {
				break
			}
			x := m.succ(c)
			if forward {
				x = m.pred(c)
			}
			if c == base || x == from || m.made(x, c) || m.d.fixes(x, c) {
				continue
			}
			if s := m.d.at(x, c) - d; s > score && s < worst {
				to, next, score, ok = x, c, s, true
			}
		}
		worst = score
		if !ok {
			return
		}
	}
	return to, next, true
}

// made tells whether the move has made the edge: it does not unmake it.
func (m *improver) made(a, b int16) bool {
	for _, x := range m.steps {
		if x.from == a && x.next == b || x.from == b && x.next == a {
			return true
		}
	}
	return false
}

// turn turns the path around that begins beside base with from and ends with to.
func (m *improver) turn(base, from, to int16) {
	if m.succ(base) == from {
		m.reverse(int(m.pos[from]), int(m.pos[to]))
	} else {
		m.reverse(int(m.pos[to]), int(m.pos[from]))
	}
}

// reverse turns the piece of the tour between two places around; going from i upwards,
// possibly past the end.
func (m *improver) reverse(i, j int) {
	n := len(m.tour)
	inner := j - i
	if inner < 0 {
		inner += n
	}
	if 2*(inner+1) > n { // the rest is shorter, and turning it is the same tour
		i, j = j+1, i-1
		if i == n {
			i = 0
		}
		if j < 0 {
			j = n - 1
		}
		inner = n - 2 - inner
	}
	for range (inner + 1) / 2 {
		a, b := m.tour[i], m.tour[j]
		m.tour[i], m.tour[j] = b, a
		m.pos[b], m.pos[a] = int16(i), int16(j)
		if i++; i == n {
			i = 0
		}
		if j--; j < 0 {
			j = n - 1
		}
	}
}
