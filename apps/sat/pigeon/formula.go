package pigeon

import (
	"cmp"
	"slices"

	"satingrid/apps/sat/cnf"
)

// passesMax bounds how often the formula is read for units: each pass finds at least one, and a
// chain of as many is rare.
const passesMax = 10

// simplified is a formula without clauses that units satisfy and literals that they make false.
type simplified struct {
	value     []int8 // by literal
	rows      [][]uint32
	conflicts [][]uint32 // by literal: those that it excludes, in order
	wrong     bool       // units alone refute the formula
}

// simplify makes a formula of what is left of one. It is of no use once stop is true.
func simplify(f *cnf.Formula, stop func() bool) *simplified {
	s := &simplified{value: make([]int8, 2*f.Vars), conflicts: make([][]uint32, 2*f.Vars)}
	var c []uint32
	for range passesMax {
		found := false
		for clause := range f.Until(stop) {
			if c = s.open(c[:0], clause); c == nil || len(c) > 1 {
				continue
			}
			if len(c) == 0 {
				s.wrong = true
				return s
			}
			s.value[c[0]], s.value[c[0]^1] = 1, -1
			found = true
		}
		if !found {
			break
		}
	}
	for clause := range f.Until(stop) {
		if c = s.open(c[:0], clause); len(c) == 2 {
			x, y := c[0]^1, c[1]^1
			s.conflicts[x], s.conflicts[y] = append(s.conflicts[x], y), append(s.conflicts[y], x)
		}
	}
	for x := range s.conflicts {
		slices.Sort(s.conflicts[x])
		s.conflicts[x] = slices.Compact(s.conflicts[x])
	}
	for clause := range f.Until(stop) {
		c = s.open(c[:0], clause)
		if len(c) > 0 && !slices.ContainsFunc(c, func(x uint32) bool { return len(s.conflicts[x]) == 0 }) {
			s.rows = append(s.rows, slices.Clone(c))
		}
	}
	slices.SortStableFunc(s.rows, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
	return s
}

// open appends the literals of a clause that are not false, each once. It returns nil
// when the clause is true.
func (s *simplified) open(out []uint32, clause []int32) []uint32 {
	if out == nil {
		out = make([]uint32, 0, len(clause))
	}
	for _, l := range clause {
		switch x := cnf.Index(l); {
		case s.value[x] > 0:
			return nil
		case s.value[x] == 0:
			out = append(out, x)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	for i := 1; i < len(out); i++ {
		if out[i] == out[i-1]^1 {
			return nil
		}
	}
	return out
}

// excludes tells whether two literals cannot both be true.
func (s *simplified) excludes(x, y uint32) bool {
	_, found := slices.BinarySearch(s.conflicts[x], y)
	return found
}

// apart takes out rows until no two have a literal in common. Rows that overlap are coloured like a
// chess board as far as possible, and the colour that has more of them is kept.
func (s *simplified) apart() {
	occurs := make([][]int32, len(s.value))
	for i, row := range s.rows {
		for _, x := range row {
			occurs[x] = append(occurs[x], int32(i))
		}
	}
	colour := make([]int8, len(s.rows)) // 0: not yet
	taken := make([]bool, len(s.value))
	var kept [][]uint32
	for i := range s.rows {
		if colour[i] != 0 {
			continue
		}
		colour[i] = 1
		queue := []int32{int32(i)}
		sum := 0
		for k := 0; k < len(queue); k++ {
			r := queue[k]
			sum += int(colour[r])
			for _, x := range s.rows[r] {
				for _, o := range occurs[x] {
					if colour[o] == 0 {
						colour[o] = -colour[r]
						queue = append(queue, o)
					}
				}
				occurs[x] = nil // all of them are coloured
			}
		}
		keep := int8(1)
		if sum < 0 {
			keep = -1
		}
		for _, r := range queue {
			row := s.rows[r]
			if colour[r] == keep && !slices.ContainsFunc(row, func(x uint32) bool { return taken[x] }) {
				kept = append(kept, row)
				for _, x := range row {
					taken[x] = true
				}
			}
		}
	}
	s.rows = kept
}
