package cuts

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// cutsMax is how many are found at once, the most violated ones.
const cutsMax = 60

// Separate finds cuts that the solution violates: combs where there are no subtours. There are none
// if it is a tour.
func (g *Solution) Separate() []Cut {
	var list []Cut
	sets := g.Connected()
	var tight [][]int16
	for k := range sets {
		sets[k] = smaller(sets[k], g.Cities)
	}
	if sets == nil {
		sets, tight = g.Subtours()
	}
	for _, set := range sets {
		list = append(list, Cut{Sets: [][]int16{set}})
	}
	if len(list) == 0 {
		list = append(g.Blossoms(), g.Combs(tight)...)
	}
	type measured struct {
		Cut
		by float64
	}
	var found []measured
	seen := make(map[string]bool)
	for _, c := range list {
		if by := g.Value(c); by > violated && c.sound(g.Cities) && !seen[string(c.Append(nil))] {
			seen[string(c.Append(nil))] = true
			found = append(found, measured{c, by})
		}
	}
	slices.SortStableFunc(found, func(a, b measured) int { return cmp.Compare(b.by, a.by) })
	list = list[:0]
	for _, f := range found[:min(len(found), cutsMax)] {
		list = append(list, f.Cut)
	}
	return list
}

// Append appends the cut as bytes: how many sets, and of each, how many cities, and each city as
// what it is above the one before.
func (c Cut) Append(data []byte) []byte {
	data = binary.AppendUvarint(data, uint64(len(c.Sets)))
	for _, set := range c.Sets {
		data = binary.AppendUvarint(data, uint64(len(set)))
		before := int16(-1)
		for _, city := range set {
			data = binary.AppendUvarint(data, uint64(city-before-1))
			before = city
		}
	}
	return data
}

// Cut reads one, of so many cities, and returns what follows it. ok is false where it is none.
func Read(data []byte, cities int) (c Cut, rest []byte, ok bool) {
	number := func(most int) int {
		x, size := binary.Uvarint(data)
		if size <= 0 || x > uint64(most) {
			ok = false
			return 0
		}
		data = data[size:]
		return int(x)
	}
	ok = true
	count := number(cities)
	for range count {
		var set []int16
		before := -1
		for range number(cities) {
			before += number(cities) + 1
			if ok = ok && before < cities; !ok {
				return c, nil, false
			}
			set = append(set, int16(before))
		}
		c.Sets = append(c.Sets, set)
	}
	return c, data, ok && c.sound(cities)
}

// sound tells whether the sets are a subtour or a comb.
func (c Cut) sound(cities int) bool {
	if len(c.Sets) == 1 {
		return len(c.Sets[0]) > 0 && len(c.Sets[0]) < cities
	}
	if len(c.Sets) < 4 || len(c.Sets)%2 == 1 {
		return false
	}
	inside, taken := make([]bool, cities), make([]bool, cities)
	for _, city := range c.Sets[0] {
		inside[city] = true
	}
	for _, tooth := range c.Sets[1:] {
		var sides [2]bool
		for _, city := range tooth {
			if taken[city] {
				return false
			}
			taken[city] = true
			if inside[city] {
				sides[0] = true
			} else {
				sides[1] = true
			}
		}
		if !sides[0] || !sides[1] {
			return false
		}
	}
	return true
}

// Tour lists the cities in the order in which the edges of a solution that is a tour join them; nil
// if it is none.
func (g *Solution) Tour() []int16 {
	if len(g.U) != g.Cities || g.Cities < 3 {
		return nil
	}
	next := make([][]int16, g.Cities)
	for e := range g.U {
		if g.X[e] < 1-near {
			return nil
		}
		next[g.U[e]], next[g.V[e]] = append(next[g.U[e]], g.V[e]), append(next[g.V[e]], g.U[e])
	}
	tour, before, c := make([]int16, 0, g.Cities), int16(-1), int16(0)
	for range g.Cities {
		if len(next[c]) != 2 {
			return nil
		}
		tour = append(tour, c)
		to := next[c][0]
		if to == before {
			to = next[c][1]
		}
		before, c = c, to
	}
	if c != 0 || g.Connected() != nil {
		return nil
	}
	return tour
}
