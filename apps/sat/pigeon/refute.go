package pigeon

import (
	"slices"

	"satingrid/apps/sat/cnf"
)

// stepsMax bounds the work of finding places and of the matching, each: a fraction of a second.
const stepsMax = 1 << 24

// Refute looks for a part of the formula that has too few places. It logs clauses that end with the
// empty one, each of which follows from the formula and the earlier ones by unit propagation or is
// the definition of a new variable, by its first literal. It gives up when they are more than most,
// and the log is of no use then. Without a log, there is no proof. It also gives up where stop,
// which may be nil, is true.
func Refute(f *cnf.Formula, most int, log func(clause []int32), stop func() bool) bool {
	s := simplify(f, stop)
	if stop != nil && stop() {
		return false
	}
	if s.wrong {
		if log != nil {
			log(nil)
		}
		return true
	}
	s.apart()
	places, ok := s.places()
	if !ok {
		return false
	}
	rows := s.crowded(places)
	if rows == nil {
		return false
	}
	return log == nil || s.prove(rows, places, int32(f.Vars), most, log)
}

// places has for each literal of a row where it sits; two of one row never sit in one place. It
// gives up when that takes too long.
func (s *simplified) places() (place []int32, ok bool) {
	rowOf := make([]int32, len(s.value))
	place = make([]int32, len(s.value))
	for i, row := range s.rows {
		for _, x := range row {
			rowOf[x], place[x] = int32(i)+1, -1
		}
	}
	next := int32(0)
	steps := 0
	var open []uint32
	for _, row := range s.rows {
		for _, x := range row {
			if place[x] >= 0 {
				continue
			}
			open = append(open[:0], s.conflicts[x]...)
			for last := x; ; last, open = open[0], open[1:] {
				place[last] = next
				steps += len(open) + 1
				open = slices.DeleteFunc(open, func(y uint32) bool {
					return rowOf[y] == 0 || place[y] >= 0 || rowOf[y] == rowOf[last] || last != x && !s.excludes(last, y)
				})
				if len(open) == 0 {
					break
				}
				if steps > stepsMax {
					return nil, false
				}
			}
			next++
		}
	}
	return place, true
}

// matching is which row has which place.
type matching struct {
	rows  [][]uint32
	place []int32 // by literal
	row   []int32 // by place: 1 + the row that has it, or 0
	from  []int32 // by place: the row from which a path came, in this round
	round []int32 // by place: the last one that it was met in
	steps int
}

// crowded are rows that have fewer places than they are, by one, or nil.
func (s *simplified) crowded(place []int32) []int32 {
	m := matching{rows: s.rows, place: place}
	most := int32(-1)
	for _, row := range s.rows {
		for _, x := range row {
			most = max(most, place[x])
		}
	}
	m.row, m.from, m.round = make([]int32, most+1), make([]int32, most+1), make([]int32, most+1)
	for i := range s.rows {
		reached, seated := m.seat(int32(i))
		if !seated {
			return reached
		}
		if m.steps > stepsMax {
			return nil
		}
	}
	return nil
}

// seat finds a place for one more row, moving others, or the rows that are in its
// way, itself included.
func (m *matching) seat(r int32) (reached []int32, seated bool) {
	reached = append(reached, r)
	for k := 0; k < len(reached); k++ {
		for _, x := range m.rows[reached[k]] {
			p := m.place[x]
			m.steps++
			if m.round[p] == r+1 {
				continue
			}
			m.round[p], m.from[p] = r+1, reached[k]
			if m.row[p] == 0 {
				m.move(p, r)
				return nil, true
			}
			reached = append(reached, m.row[p]-1)
		}
	}
	return reached, false
}

// move gives a free place to the row that found it, whose place goes to the row that found that
// one, until r has one.
func (m *matching) move(p, r int32) {
	for {
		by := m.from[p]
		m.row[p] = by + 1
		if by == r {
			return
		}
		for _, x := range m.rows[by] {
			if q := m.place[x]; q != p && m.row[q] == by+1 {
				p = q
				break
			}
		}
	}
}
