package lp

import (
	"cmp"
	"slices"
)

// Status is how Solve has ended.
type Status int

const (
	Optimal    Status = iota
	Above             // the limit
	Infeasible        // there is no solution; the duals have gone along the ray that shows it
	Stopped           // after so many steps
)

const (
	feasible = 1e-7 // by how much a bound may be missed
	least    = 1e-9 // a pivot's least entry, and the width of ties
	ageMost  = 1000 // steps, after which all is computed afresh
)

// option is what may come into the basis.
type option struct {
	what  int32   // a column, or ^row
	ratio float64 // at which its reduced cost changes sign
	entry float64 // of the pivot row, directed
}

// Solve makes at most so many steps towards the optimum.
func (s *Simplex) Solve(steps int) Status {
	for range steps {
		if s.age++; s.age > ageMost {
			s.Again()
		}
		if s.Value > s.Limit {
			return Above
		}
		p, below := s.leaving()
		if p < 0 {
			return Optimal
		}
		s.Steps++
		if status := s.step(p, below); status != Optimal {
			return status
		}
	}
	return Stopped
}

// leaving is the place that is farthest out of its bounds, measured along the steepest edge.
func (s *Simplex) leaving() (place int, below bool) {
	place = -1
	best := 0.0
	for p, v := range s.head {
		low, high := s.bounds(v)
		miss := max(low-s.x[p], s.x[p]-high)
		if miss <= feasible {
			continue
		}
		if score := float64(miss*miss) / max(s.length[p], tiny); score > best {
			best, place, below = score, p, s.x[p] < low
		}
	}
	return place, below
}

// step exchanges what is at a place for what becomes free first.
func (s *Simplex) step(p int, below bool) Status {
	s.rowOf(p, below)
	low, high := s.bounds(s.head[p])
	slope := s.x[p] - high
	if below {
		slope = low - s.x[p]
	}
	chosen, ok := s.walk(slope)
	if !ok {
		s.ray(p, below)
		return Infeasible
	}
	q := s.options[chosen]
	if q.what >= 0 {
		s.through(q.what)
	} else {
		s.column = append(s.column[:0], make([]float64, len(s.head))...)
		for i, row := range s.inverse {
			s.column[i] = -row[^q.what]
		}
	}
	s.turn(q.ratio, below, p)
	s.flip(q)
	to := high
	if below {
		to = low
	}
	by := (s.x[p] - to) / s.column[p]
	for i, a := range s.column {
		if a != 0 {
			s.x[i] -= float64(a * by)
		}
	}
	entering := by
	if q.what >= 0 {
		entering += s.rest(q.what)
		s.reduced[q.what] = 0
	} else {
		s.dual[^q.what] = 0
	}
	if v := s.head[p]; v >= 0 {
		s.high[v] = !below
	}
	s.replace(p, q.what)
	s.x[p] = entering
	return Optimal
}

// rowOf computes the row of a place, and what may enter.
func (s *Simplex) rowOf(p int, below bool) {
	rho, sign := s.inverse[p], 1.0
	if below {
		sign = -1
	}
	s.options = s.options[:0]
	s.row = append(s.row[:0], make([]float64, len(s.columns))...)
	for c := range s.columns {
		if s.place[c] != outside {
			continue
		}
		w := &s.columns[c]
		a := 0.0
		for _, e := range w.entries {
			a += float64(e.value * rho[e.row])
		}
		s.row[c] = a
		s.Work += int64(len(w.entries))
		if w.Low == w.High {
			continue
		}
		if d := sign * a; d > least && !s.high[c] || d < -least && s.high[c] {
			s.options = append(s.options, option{int32(c), max(s.reduced[c]/d, 0), d})
		}
	}
	for r, at := range s.slackAt {
		if at != outside || !s.rows[r].Slack {
			continue
		}
		if d := -sign * rho[r]; d > least {
			s.options = append(s.options, option{int32(^r), max(s.dual[r]/d, 0), d})
		}
	}
}

// walk goes along the ray past what may be flipped from bound to bound, for as long as the value
// rises, and chooses what enters: of those at the end, the largest entry.
func (s *Simplex) walk(slope float64) (chosen int, ok bool) {
	slices.SortFunc(s.options, func(a, b option) int {
		return cmp.Or(cmp.Compare(a.ratio, b.ratio), cmp.Compare(a.what, b.what))
	})
	at, k := 0.0, 0
	for ; k < len(s.options); k++ {
		o := &s.options[k]
		s.Value += float64(slope * (o.ratio - at))
		at = o.ratio
		if o.what < 0 {
			break
		}
		w := &s.columns[o.what]
		slope -= float64(abs(o.entry) * (w.High - w.Low))
		if slope <= feasible {
			break
		}
	}
	if k == len(s.options) {
		return 0, false
	}
	chosen = k
	for j := k + 1; j < len(s.options) && s.options[j].ratio <= at+least; j++ {
		if abs(s.options[j].entry) > abs(s.options[chosen].entry) {
			chosen = j
		}
	}
	for j := k - 1; j >= 0 && s.options[j].ratio >= at-least; j-- {
		if abs(s.options[j].entry) > abs(s.options[chosen].entry) {
			chosen = j
		}
	}
	return chosen, true
}

// turn changes the reduced costs by a step of the duals.
func (s *Simplex) turn(ratio float64, below bool, p int) {
	if below {
		ratio = -ratio
	}
	for c, a := range s.row {
		if a != 0 {
			s.reduced[c] -= float64(ratio * a)
		}
	}
	for r, b := range s.inverse[p] {
		if s.slackAt[r] == outside {
			s.dual[r] += float64(ratio * b)
			if s.rows[r].Slack && s.dual[r] < 0 {
				s.dual[r] = 0
			}
		}
	}
	if v := s.head[p]; v >= 0 {
		s.reduced[v] = -ratio
	} else {
		s.dual[^v] = -ratio
	}
}

// flip puts columns whose reduced cost has changed its sign at their other bound.
func (s *Simplex) flip(q option) {
	s.shift = append(s.shift[:0], make([]float64, len(s.rows))...)
	s.moved = s.moved[:0]
	for _, o := range s.options {
		if o.ratio > q.ratio {
			break
		}
		if o.what < 0 || o.what == q.what || s.high[o.what] == (s.reduced[o.what] < 0) {
			continue
		}
		c := o.what
		before := s.rest(c)
		s.high[c] = !s.high[c]
		by := s.rest(c) - before
		for _, e := range s.columns[c].entries {
			s.shift[e.row] += float64(by * e.value)
		}
	}
	for r, by := range s.shift {
		if by != 0 {
			s.moved = append(s.moved, int32(r))
		}
	}
	if len(s.moved) == 0 {
		return
	}
	for p, row := range s.inverse {
		sum := 0.0
		for _, r := range s.moved {
			sum += float64(row[r] * s.shift[r])
		}
		s.x[p] -= sum
	}
	s.Work += int64(len(s.head) * len(s.moved))
}

// ray goes along a ray on which the value rises without an end, to above the limit.
func (s *Simplex) ray(p int, below bool) {
	low, high := s.bounds(s.head[p])
	slope := s.x[p] - high
	if below {
		slope = low - s.x[p]
	}
	for _, o := range s.options {
		slope -= float64(abs(o.entry) * (s.columns[o.what].High - s.columns[o.what].Low))
	}
	far := 0.0
	if k := len(s.options); k > 0 {
		far = s.options[k-1].ratio
	}
	if slope > feasible {
		far += max(s.Limit-s.Value, 0)/slope + 1
	}
	if below {
		far = -far
	}
	for r, b := range s.inverse[p] {
		s.dual[r] += float64(far * b)
		if s.rows[r].Slack && s.dual[r] < 0 {
			s.dual[r] = 0
		}
	}
}
