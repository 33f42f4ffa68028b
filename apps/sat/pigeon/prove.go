package pigeon

import (
	"slices"

	"satingrid/apps/sat/cnf"
)

// cellsMax bounds the matrix of rows and places in a proof. Proofs for larger ones are longer than
// anybody asks for, unless the matrix is nearly empty.
const cellsMax = 1 << 22

// matrix has the literals that say which row has which place. Rows have at least one place, and
// places at most one row: the clauses for both are those of the formula, or logged.
type matrix struct {
	cells    [][]int32 // by row and place: a literal as DIMACS writes it, or 0
	inRow    []int     // how many cells are not 0
	inPlace  []int
	vars     int32 // so many have been used
	left     int   // clauses that may still be logged
	log      func(clause []int32)
	finished bool // the empty clause was logged
}

// prove logs the proof that the rows, which are one more than their places, cannot all have one.
func (s *simplified) prove(rows, place []int32, vars int32, most int, log func(clause []int32)) bool {
	column := map[int32]int{}
	for _, r := range rows {
		for _, x := range s.rows[r] {
			if _, found := column[place[x]]; !found {
				column[place[x]] = len(column)
			}
		}
	}
	if len(rows)*len(column) > cellsMax {
		return false
	}
	m := &matrix{inRow: make([]int, len(rows)), inPlace: make([]int, len(column)), vars: vars, left: most, log: log}
	for i, r := range rows {
		m.cells = append(m.cells, make([]int32, len(column)))
		for _, x := range s.rows[r] {
			m.put(i, column[place[x]], cnf.Literal(x))
		}
	}
	for !m.finished && m.left >= 0 {
		m.eliminate()
	}
	return m.finished
}

func (m *matrix) put(row, place int, l int32) {
	if m.cells[row][place] == 0 {
		m.inRow[row]++
		m.inPlace[place]++
	}
	m.cells[row][place] = l
}

func (m *matrix) clear(row, place int) {
	if m.cells[row][place] != 0 {
		m.cells[row][place] = 0
		m.inRow[row]--
		m.inPlace[place]--
	}
}

func (m *matrix) add(clause ...int32) {
	m.left--
	if m.left >= 0 {
		m.log(clause)
	}
	m.finished = m.finished || len(clause) == 0
}

// pivot is the row and the place to take out next: the place with the fewest rows, and of those the
// one with the fewest places.
func (m *matrix) pivot() (row, place int) {
	place = -1
	for p, n := range m.inPlace {
		if n > 0 && (place < 0 || n < m.inPlace[place]) {
			place = p
		}
	}
	if place < 0 {
		panic("pigeon: BUG: there are rows without places, and no contradiction")
	}
	row = -1
	for r := range m.cells {
		if m.cells[r][place] != 0 && (row < 0 || m.inRow[r] < m.inRow[row]) {
			row = r
		}
	}
	return row, place
}

// eliminate takes out a row and a place. A row that had this place has the places of the row that
// was taken out instead.
func (m *matrix) eliminate() {
	row, place := m.pivot()
	gone := m.cells[row]
	var moved []int
	for r, cells := range m.cells {
		if r != row && cells[place] != 0 {
			moved = append(moved, r)
		}
	}
	before := make(map[int][]int32, len(moved)) // what the rows that move had
	for _, r := range moved {
		before[r] = slices.Clone(m.cells[r])
		m.redefine(r, row, place)
	}
	if !m.finished {
		for p, l := range gone {
			if l != 0 && p != place {
				m.exclude(p, row, moved, before)
			}
		}
	}
	for p := range gone {
		m.clear(row, p)
	}
}

// redefine gives a row the places of another one instead of the given one, and logs
// the row's new clause.
func (m *matrix) redefine(r, row, place int) {
	b := m.cells[r][place]
	for p, c := range m.cells[row] {
		if c == 0 || p == place {
			continue
		}
		a := m.cells[r][p]
		m.vars++
		q := m.vars // is a or both b and c
		m.add(q, -b, -c)
		if a != 0 {
			m.add(q, -a)
			m.add(-q, a, b)
			m.add(-q, a, c)
		} else {
			m.add(-q, b)
			m.add(-q, c)
		}
		m.put(r, p, q)
	}
	m.clear(r, place)
	var clause []int32
	for _, l := range m.cells[r] {
		if l != 0 {
			clause = append(clause, l)
		}
	}
	m.add(clause...)
}

// exclude logs that a place has one row at most, for the rows that moved.
func (m *matrix) exclude(place, row int, moved []int, before map[int][]int32) {
	for r, cells := range m.cells {
		l := cells[place]
		if l == 0 || r == row {
			continue
		}
		_, both := before[r]
		for _, o := range moved {
			if o == r || both && o > r || m.finished {
				continue
			}
			// With both new, one case must be shown first.
			if a := before[o][place]; both && a != 0 {
				m.add(-m.cells[o][place], -l, -a)
			}
			m.add(-m.cells[o][place], -l)
		}
	}
}
