package multi

import "math"

// linear solves the linear program in which items may be cut: maximize the profit of x, 0 ≤ x ≤ 1,
// in the room that there is. It returns a multiplier for each constraint, and x.
//
// It is the simplex method with upper bounds (Dantzig, Econometrica 23, 1955) on a tableau that has
// a row for each constraint and a column for each variable that is at a bound. Where a variable is
// at its upper bound its column counts down from there.
func (p *Knapsack) linear() (multipliers, x []float64) {
	t := newTableau(p)
	for range pivotsMax(len(p.Profits), len(t.rows)) {
		if !t.improve() {
			break
		}
	}
	return t.multipliers(), t.shares()
}

// pivotsMax bounds the pivots, most of which turn an item: those of linear programs as these are a
// few for each row and one for each column. Where more were needed the multipliers are what was
// reached.
func pivotsMax(items, rows int) int { return 4*(items+rows) + 100 }

// tableau is a linear program half solved. Variables below items are the items, and the others what
// is left of the room of a constraint.
type tableau struct {
	items  int
	scales []float64 // of each constraint: its weights were divided by its room
	unit   float64   // profits were divided by that

	rows    [][]float64 // by how much the row's variable falls when the column's grows
	values  []float64   // of the rows' variables
	gains   []float64   // by how much the profit grows with the column's variable
	basic   []int       // the row's variable
	column  []int       // the column's
	flipped []bool      // by item: it counts down from 1
}

// tiny is what counts as nothing.
const tiny = 1e-9

func newTableau(p *Knapsack) *tableau {
	n, m := len(p.Profits), len(p.Room)
	t := &tableau{
		items: n, unit: 1, scales: make([]float64, m), rows: make([][]float64, m), values: make([]float64, m),
		gains: make([]float64, n), basic: make([]int, m), column: make([]int, n), flipped: make([]bool, n),
	}
	for _, x := range p.Profits {
		t.unit = max(t.unit, float64(x))
	}
	for i, room := range p.Room {
		t.scales[i] = max(1, float64(room))
		t.rows[i] = make([]float64, n)
		t.values[i] = float64(room) / t.scales[i]
		t.basic[i] = n + i
	}
	for k, profit := range p.Profits {
		t.column[k] = k
		if !p.Fits(k) {
			continue // a column of nothing that gains nothing
		}
		t.gains[k] = float64(profit) / t.unit
		for i := range t.rows {
			t.rows[i][k] = float64(p.Weights[i][k]) / t.scales[i]
		}
	}
	return t
}

// most is the upper bound of a variable.
func (t *tableau) most(variable int) float64 {
	if variable < t.items {
		return 1
	}
	return math.Inf(1)
}

// improve lets one variable grow that gains the most. It returns false if none gains anything.
func (t *tableau) improve() bool {
	q, gain := -1, tiny
	for k, g := range t.gains {
		if g > gain {
			q, gain = k, g
		}
	}
	if q < 0 {
		return false
	}
	step, leaves, atMost := t.most(t.column[q]), -1, false
	for i, row := range t.rows {
		room, falls := t.values[i], row[q]
		if falls < 0 {
			room, falls = t.most(t.basic[i])-room, -falls
		}
		if falls > tiny && room/falls < step {
			step, leaves, atMost = max(0, room/falls), i, row[q] < 0
		}
	}
	switch {
	case leaves < 0 && math.IsInf(step, 1):
		return false // only rounding makes it so: all items have weights and bounds
	case leaves < 0:
		t.flip(q)
	default:
		if atMost {
			t.turn(leaves)
		}
		t.pivot(leaves, q)
	}
	return true
}

// flip takes the column's item to its other bound.
func (t *tableau) flip(q int) {
	for i, row := range t.rows {
		t.values[i] -= row[q]
		row[q] = -row[q]
	}
	t.gains[q] = -t.gains[q]
	t.flipped[t.column[q]] = !t.flipped[t.column[q]]
}

// turn has the row's item count from its other bound.
func (t *tableau) turn(r int) {
	for k := range t.rows[r] {
		t.rows[r][k] = -t.rows[r][k]
	}
	t.values[r] = 1 - t.values[r]
	t.flipped[t.basic[r]] = !t.flipped[t.basic[r]]
}

// pivot exchanges the variables of a row and a column.
func (t *tableau) pivot(r, q int) {
	row := t.rows[r]
	by := row[q]
	for k := range row {
		row[k] /= by
	}
	row[q] = 1 / by
	t.values[r] /= by
	for i, other := range t.rows {
		if i != r && other[q] != 0 {
			t.values[i] -= other[q] * t.values[r]
			subtract(other, row, q, by)
		}
	}
	subtract(t.gains, row, q, by)
	t.basic[r], t.column[q] = t.column[q], t.basic[r]
}

// subtract takes the pivot's row off another.
func subtract(from, row []float64, q int, by float64) {
	f := from[q]
	for k := range from {
		from[k] -= f * row[k]
	}
	from[q] = -f / by
}

// multipliers are what a unit of each constraint's weight costs. One that holds with room to spare
// costs nothing.
func (t *tableau) multipliers() []float64 {
	out := make([]float64, len(t.rows))
	for k, variable := range t.column {
		if i := variable - t.items; i >= 0 {
			out[i] = max(0, -t.gains[k]) * t.unit / t.scales[i]
		}
	}
	return out
}

// shares are how much of each item is packed.
func (t *tableau) shares() []float64 {
	out := make([]float64, t.items)
	for r, variable := range t.basic {
		if variable < t.items {
			out[variable] = t.values[r]
		}
	}
	for k, flipped := range t.flipped {
		if flipped {
			out[k] = 1 - out[k]
		}
	}
	return out
}
