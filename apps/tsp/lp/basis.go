package lp

import (
	"cmp"
	"slices"
)

// tiny is what counts as zero in the inverse.
const (
	tiny       = 1e-12
	pivotLeast = 1e-7
)

// Begin makes a basis of these columns, and the slacks of these rows where they are too few or
// depend on each other; then the duals, and what follows from both.
func (s *Simplex) Begin(columns []bool, slacks []bool) {
	s.age = 0
	m := len(s.rows)
	s.head, s.slackAt, s.x = s.head[:0], s.slackAt[:0], append(s.x[:0], make([]float64, m)...)
	s.length = append(s.length[:0], make([]float64, m)...)
	for cap(s.inverse) < m {
		s.inverse = append(s.inverse[:cap(s.inverse)], nil)
	}
	s.inverse = s.inverse[:m]
	for r := range m {
		s.head, s.slackAt = append(s.head, int32(^r)), append(s.slackAt, int32(r))
		s.inverse[r] = append(s.inverse[r][:0], make([]float64, m)...)
		s.inverse[r][r] = -1
	}
	var order []int32
	for c := range s.place {
		s.place[c] = outside
		if columns != nil && columns[c] {
			order = append(order, int32(c))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(len(s.columns[a].entries), len(s.columns[b].entries)), cmp.Compare(a, b))
	})
	for _, c := range order {
		s.through(c)
		best := -1
		for p, a := range s.column {
			if v := s.head[p]; v >= 0 || slacks[^v] {
				continue
			}
			if best < 0 || abs(a) > abs(s.column[best]) {
				best = p
			}
		}
		if best >= 0 && abs(s.column[best]) > pivotLeast {
			s.replace(best, c)
		}
	}
	for p, row := range s.inverse {
		s.length[p] = square(row)
	}
	if !s.price() && columns != nil {
		s.Begin(nil, nil)
		return
	}
	s.Settle()
}

// Again computes everything afresh from the basis.
func (s *Simplex) Again() {
	columns, slacks := make([]bool, len(s.columns)), make([]bool, len(s.rows))
	for _, v := range s.head {
		if v >= 0 {
			columns[v] = true
		} else {
			slacks[^v] = true
		}
	}
	s.Begin(columns, slacks)
}

// price computes duals and reduced costs. It returns false where the basis is not dual feasible.
func (s *Simplex) price() bool {
	clear(s.dual)
	for p, v := range s.head {
		if v < 0 || s.columns[v].Cost == 0 {
			continue
		}
		cost := s.columns[v].Cost
		for r, b := range s.inverse[p] {
			s.dual[r] += float64(cost * b)
		}
	}
	for r, at := range s.slackAt {
		if at != outside {
			s.dual[r] = 0
		} else if s.rows[r].Slack {
			if s.dual[r] < -feasible {
				return false
			}
			s.dual[r] = max(s.dual[r], 0)
		}
	}
	for c := range s.columns {
		s.reduced[c] = 0
		if s.place[c] == outside {
			s.reduced[c] = s.columns[c].Cost - s.sum(c, s.dual)
		}
	}
	return true
}

// sum is the product of a column and a vector by row.
func (s *Simplex) sum(c int, by []float64) (sum float64) {
	for _, e := range s.columns[c].entries {
		sum += float64(e.value * by[e.row])
	}
	return sum
}

// Settle puts the columns outside of the basis at the better of their bounds, and computes the
// others, and the value.
func (s *Simplex) Settle() {
	right := make([]float64, len(s.rows))
	s.Value = 0
	for r, w := range s.rows {
		right[r] = w.Right
		s.Value += float64(s.dual[r] * w.Right)
	}
	for c := range s.columns {
		if s.place[c] != outside {
			continue
		}
		s.high[c] = s.reduced[c] < 0 || s.reduced[c] == 0 && s.high[c]
		at := s.rest(int32(c))
		if at == 0 {
			continue
		}
		s.Value += float64(s.reduced[c] * at)
		for _, e := range s.columns[c].entries {
			right[e.row] -= float64(e.value * at)
		}
	}
	for p, row := range s.inverse {
		sum := 0.0
		for r, b := range row {
			sum += float64(b * right[r])
		}
		s.x[p] = sum
	}
	s.Work += int64(len(s.rows) * len(s.rows))
}

// through is the inverse times a column.
func (s *Simplex) through(c int32) {
	entries := s.columns[c].entries
	s.column = append(s.column[:0], make([]float64, len(s.head))...)
	for p, row := range s.inverse {
		sum := 0.0
		for _, e := range entries {
			sum += float64(e.value * row[e.row])
		}
		s.column[p] = sum
	}
	s.Work += int64(len(s.head) * len(entries))
}

// replace has a column take a place, whose pivot column is in column.
func (s *Simplex) replace(p int, c int32) {
	if v := s.head[p]; v < 0 {
		s.slackAt[^v] = outside
	} else {
		s.place[v] = outside
	}
	s.head[p] = c
	if c < 0 {
		s.slackAt[^c] = int32(p)
	} else {
		s.place[c] = int32(p)
	}
	pivot := s.inverse[p]
	by := 1 / s.column[p]
	s.filled = s.filled[:0]
	for r := range pivot {
		if pivot[r] == 0 {
			continue
		}
		pivot[r] = float64(pivot[r] * by)
		s.filled = append(s.filled, int32(r))
	}
	s.length[p] = float64(s.length[p] * by * by)
	dense := len(s.filled) > len(pivot)/3
	for i, a := range s.column {
		if i == p || abs(a) < tiny {
			continue
		}
		row := s.inverse[i]
		if dense {
			s.length[i] = subtract(row, pivot, a)
		} else {
			s.length[i] += subtractSome(row, pivot, a, s.filled)
		}
		s.Work += int64(len(s.filled))
	}
}

// subtract takes a times b off a row, and returns its square.
func subtract(row, b []float64, a float64) (sum float64) {
	b = b[:len(row)]
	for r, y := range b {
		v := row[r] - float64(a*y)
		if v < tiny && v > -tiny {
			v = 0
		}
		row[r] = v
		sum += float64(v * v)
	}
	return sum
}

// subtractSome does so where b is not zero, and returns by how much the square grows.
func subtractSome(row, b []float64, a float64, filled []int32) (more float64) {
	for _, r := range filled {
		was := row[r]
		v := was - float64(a*b[r])
		if v < tiny && v > -tiny {
			v = 0
		}
		row[r] = v
		more += float64(v*v) - float64(was*was)
	}
	return more
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
