// Package lp is a dual simplex method for linear programs that grow: rows are added and dropped,
// and the bounds of columns change, while the basis stays.
//
// Each column lies between two finite bounds. So every basis has a solution that is dual feasible,
// with the columns outside of it at the better of their bounds: there is nothing but the dual
// method, whose value only rises, and it may be left at any time. The inverse of the basis is kept
// as it is, row by row, which takes time and memory proportional to the square of the rows, and
// makes the lengths of its rows, by which the steepest edge is chosen, exact.
//
// Each product is rounded on its own: the compiler fuses no product with a sum, so that every
// machine goes through the same bases.
package lp

// Column is a variable: what it costs, and its bounds.
type Column struct {
	Cost, Low, High float64
	entries         []entry // by ascending row
}

type entry struct {
	row   int32
	value float64
}

// Row is a constraint: the sum of its columns is Right, or, where it has Slack, no less.
type Row struct {
	Right float64
	Slack bool
}

// outside is the place of what is not in the basis.
const outside = -1

// Simplex is a program, minimised, and its basis.
type Simplex struct {
	Limit float64 // a value above it ends Solve
	Value float64 // of the duals: no solution costs less
	Steps int     // of all calls
	Work  int64   // numbers looked at, by which callers measure themselves

	age     int // steps since all was computed afresh
	columns []Column
	rows    []Row
	high    []bool      // by column outside: at its high bound
	head    []int32     // by place: the basic column, or ^row for the row's slack
	place   []int32     // by column
	slackAt []int32     // by row: its slack's place
	inverse [][]float64 // by place, by row
	length  []float64   // by place: the square of the inverse's row
	x       []float64   // by place
	reduced []float64   // by column: the reduced cost; 0 in the basis
	dual    []float64   // by row: the dual, which is the reduced cost of its slack

	row     []float64 // by column: the pivot row
	column  []float64 // by place: the pivot column
	shift   []float64 // by row
	moved   []int32   // rows of shift
	options []option
	filled  []int32
}

// Columns is how many there are.
func (s *Simplex) Columns() int { return len(s.columns) }

// Rows is how many there are.
func (s *Simplex) Rows() int { return len(s.rows) }

// Dual is the price of a row.
func (s *Simplex) Dual(row int) float64 { return s.dual[row] }

// Reduced is a column's reduced cost.
func (s *Simplex) Reduced(column int) float64 { return s.reduced[column] }

// At is the value of a column.
func (s *Simplex) At(column int) float64 {
	if p := s.place[column]; p != outside {
		return s.x[p]
	}
	return s.rest(int32(column))
}

// Basic tells whether a column is in the basis.
func (s *Simplex) Basic(column int) bool { return s.place[column] != outside }

// Loose tells whether a row's slack is in the basis: its dual is 0.
func (s *Simplex) Loose(row int) bool { return s.slackAt[row] != outside }

// rest is the value of a column outside.
func (s *Simplex) rest(c int32) float64 {
	if s.high[c] {
		return s.columns[c].High
	}
	return s.columns[c].Low
}

// bounds are those of what is at a place.
func (s *Simplex) bounds(v int32) (low, high float64) {
	if v >= 0 {
		return s.columns[v].Low, s.columns[v].High
	}
	if s.rows[^v].Slack {
		return 0, endless
	}
	return 0, 0
}

const endless = 1e30

// Reset starts over with these rows, without columns; the slacks are the basis.
func (s *Simplex) Reset(rows []Row) {
	s.columns, s.high, s.place, s.reduced = s.columns[:0], s.high[:0], s.place[:0], s.reduced[:0]
	s.rows = append(s.rows[:0], rows...)
	s.dual = append(s.dual[:0], make([]float64, len(rows))...)
}

// Column adds a column, before Begin.
func (s *Simplex) Column(c Column) {
	s.columns = append(s.columns, c)
	s.high = append(s.high, false)
	s.place = append(s.place, outside)
	s.reduced = append(s.reduced, c.Cost)
}

// Put puts a column into a row, the last it is in, before Begin.
func (s *Simplex) Put(column, row int, value float64) {
	s.columns[column].entries = append(s.columns[column].entries, entry{int32(row), value})
}

// Bound changes the bounds of a column. They count from the next Settle on.
func (s *Simplex) Bound(column int, low, high float64) {
	s.columns[column].Low, s.columns[column].High = low, high
}

// Add adds a row that has these columns, with these values. Its slack is in the basis.
func (s *Simplex) Add(r Row, columns []int32, values []float64) {
	m := len(s.rows)
	s.rows = append(s.rows, r)
	s.dual = append(s.dual, 0)
	for p := range s.inverse {
		s.inverse[p] = append(s.inverse[p], 0)
	}
	fresh := make([]float64, m+1, m+m/4+8)
	at := -r.Right
	for k, c := range columns {
		v := values[k]
		s.columns[c].entries = append(s.columns[c].entries, entry{int32(m), v})
		p := s.place[c]
		if p == outside {
			at += float64(v * s.rest(c))
			continue
		}
		at += float64(v * s.x[p])
		for i, b := range s.inverse[p][:m] {
			fresh[i] += float64(v * b)
		}
	}
	fresh[m] = -1
	s.Work += int64(m * 8)
	s.slackAt = append(s.slackAt, int32(len(s.head)))
	s.head = append(s.head, int32(^m))
	s.inverse = append(s.inverse, fresh)
	s.length = append(s.length, square(fresh))
	s.x = append(s.x, at)
}

func square(v []float64) (sum float64) {
	for _, x := range v {
		sum += float64(x * x)
	}
	return sum
}

// Drop drops the rows that are marked; their slacks have to be in the basis.
func (s *Simplex) Drop(drop []bool) {
	to := make([]int32, len(s.rows)) // by row
	keep := 0
	for r := range s.rows {
		to[r] = outside
		if drop[r] {
			continue
		}
		to[r] = int32(keep)
		s.rows[keep], s.dual[keep] = s.rows[r], s.dual[r]
		keep++
	}
	s.rows, s.dual, s.slackAt = s.rows[:keep], s.dual[:keep], s.slackAt[:keep]
	for r := range s.slackAt {
		s.slackAt[r] = outside
	}
	places := 0
	for p, v := range s.head {
		if v < 0 && drop[^v] {
			continue
		}
		row, at := s.inverse[p], 0
		for r, b := range row {
			if !drop[r] {
				row[at] = b
				at++
			}
		}
		s.inverse[p] = s.inverse[places]
		s.inverse[places] = row[:keep]
		s.x[places], s.length[places] = s.x[p], square(row[:keep])
		if v < 0 {
			v = ^to[^v]
			s.slackAt[^v] = int32(places)
		} else {
			s.place[v] = int32(places)
		}
		s.head[places] = v
		places++
	}
	s.head, s.inverse, s.x, s.length = s.head[:places], s.inverse[:places], s.x[:places], s.length[:places]
	for c := range s.columns {
		entries := s.columns[c].entries[:0]
		for _, e := range s.columns[c].entries {
			if !drop[e.row] {
				entries = append(entries, entry{to[e.row], e.value})
			}
		}
		s.columns[c].entries = entries
	}
}
