package check

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	finer    = 1 << 20 // units of a length, where edges have prices
	priceMax = 1 << 48
	totalMax = 1 << 61
	hopeless = -1 << 61 // a bound that is no better
)

// inequality is a cut: at least so many edges of each tour leave its sets.
type inequality struct {
	right int64
	sets  [][]int
}

// cut reads a cut, and sees for itself that all tours satisfy it.
func (v *verifier) cut() error {
	count, err := binary.ReadUvarint(v.in)
	if err != nil || count == 0 || count > 1 && count < 4 || count%2 == 1 && count > 1 || count > uint64(v.sides.n) {
		return fmt.Errorf("a cut has %d sets, 1 is expected, or one and an odd number from 3 on", count)
	}
	c := inequality{right: 2}
	for range count {
		set, err := v.set()
		if err != nil {
			return err
		}
		c.sets = append(c.sets, set)
	}
	if count > 1 {
		c.right = 3*int64(count-1) + 1
		if err := v.comb(c.sets[0], c.sets[1:]); err != nil {
			return err
		}
	}
	v.cuts = append(v.cuts, c)
	return nil
}

// set reads some cities, but not all.
func (v *verifier) set() (set []int, err error) {
	size, err := binary.ReadUvarint(v.in)
	if err != nil || size == 0 || size >= uint64(v.sides.n) {
		return nil, fmt.Errorf("a set has %d cities, 1 to %d are expected", size, v.sides.n-1)
	}
	at := uint64(0)
	for k := range size {
		gap, err := binary.ReadUvarint(v.in)
		if err != nil || gap >= uint64(v.sides.n) {
			return nil, fmt.Errorf("city %d of %d of a set: a gap of %d", k+1, size, gap)
		}
		if at += gap; at >= uint64(v.sides.n) {
			return nil, fmt.Errorf("a set has city %d, 0 to %d is expected", at, v.sides.n-1)
		}
		set = append(set, int(at))
		at++
	}
	return set, nil
}

// comb verifies that the teeth have no city in common, and that each has cities inside and outside
// of the handle. A tour leaves each tooth twice, and three times in all, or the handle, where it
// goes through all of the tooth at once; an odd number of them makes it leave the handle once more.
func (v *verifier) comb(handle []int, teeth [][]int) error {
	inside, taken := make([]bool, v.sides.n), make([]bool, v.sides.n)
	for _, c := range handle {
		inside[c] = true
	}
	for k, tooth := range teeth {
		in := 0
		for _, c := range tooth {
			if taken[c] {
				return fmt.Errorf("two teeth of a comb have city %d", c+1)
			}
			taken[c] = true
			if inside[c] {
				in++
			}
		}
		if in == 0 || in == len(tooth) {
			return fmt.Errorf("tooth %d of a comb is not both inside and outside of its handle", k+1)
		}
	}
	return nil
}

// member is a set that a city is in, and its price.
type member struct {
	set   int
	price int64
}

// prices reads potentials and prices of cuts, and returns the bound that they prove at this node,
// and what is left of the edges' lengths.
func (v *verifier) prices() (bound int64, left func(u, w int) int64, err error) {
	n := v.sides.n
	for c := range v.potentials {
		d, err := binary.ReadVarint(v.in)
		if err != nil {
			return 0, nil, fmt.Errorf("potential %d of %d: %w", c+1, n, err)
		}
		p := v.potentials[c] + d
		if max(d, -d) > 2*priceMax || max(p, -p) > priceMax {
			return 0, nil, fmt.Errorf("potential %d is %d, at most %d is expected", c+1, p, priceMax)
		}
		v.potentials[c] = p
		bound += 2 * p
	}
	total, members, err := v.priced()
	if err != nil {
		return 0, nil, err
	}
	bound += total
	whole := make([]int64, n) // by city: the prices of the sets that it is in
	for c, list := range members {
		for _, m := range list {
			whole[c] += m.price
		}
	}
	of := make(map[int]int64)
	at := -1
	left = func(u, w int) int64 {
		if at != u {
			clear(of)
			for _, m := range members[u] {
				of[m.set] = m.price
			}
			at = u
		}
		d := v.sides.cost[u*n+w]*finer - v.potentials[u] - v.potentials[w] - whole[u] - whole[w]
		for _, m := range members[w] {
			d += 2 * of[m.set]
		}
		return d
	}
	for u := range n {
		for w := range u {
			if s := v.sides.of[u*n+w]; s != out {
				if d := left(u, w); s == in || d < 0 {
					if bound += d; bound < hopeless {
						return hopeless, left, nil
					}
				}
			}
		}
	}
	return bound, left, nil
}

// priced reads the prices of cuts: what they are worth in all, and by city the sets that it is in.
func (v *verifier) priced() (total int64, members [][]member, err error) {
	members = make([][]member, v.sides.n)
	count, err := binary.ReadUvarint(v.in)
	if err != nil || count > uint64(len(v.cuts)) {
		return 0, nil, fmt.Errorf("%d cuts have prices, there are %d", count, len(v.cuts))
	}
	sets := 0
	for range count {
		k, err1 := binary.ReadUvarint(v.in)
		price, err2 := binary.ReadUvarint(v.in)
		if err := errors.Join(err1, err2); err != nil {
			return 0, nil, err
		}
		if k >= uint64(len(v.cuts)) || price > priceMax {
			return 0, nil, fmt.Errorf("cut %d of %d has the price %d, at most %d is expected", k+1, len(v.cuts), price, priceMax)
		}
		c := v.cuts[k]
		if total += c.right * int64(price); total > totalMax {
			return 0, nil, fmt.Errorf("the cuts' prices are %d in all, at most %d is expected", total, totalMax)
		}
		for _, set := range c.sets {
			for _, city := range set {
				members[city] = append(members[city], member{sets, int64(price)})
			}
			sets++
		}
	}
	return total, members, nil
}

// fix puts the open edges in and out whose other side has a bound above the cutoff.
func (v *verifier) fix() error {
	bound, left, err := v.prices()
	s := v.sides
	if err != nil || s.dead || s.chosen == s.n {
		return err
	}
	room := (v.Length-1)*finer - bound
	var puts [][3]int
	for u := range s.n {
		for w := range u {
			if s.of[u*s.n+w] != open {
				continue
			}
			switch d := left(u, w); {
			case d > room:
				puts = append(puts, [3]int{u, w, int(out)})
			case -d > room:
				puts = append(puts, [3]int{u, w, int(in)})
			}
		}
	}
	for _, p := range puts {
		if s.dead {
			return nil
		}
		s.put(p[0], p[1], side(p[2]))
	}
	s.conclude()
	return nil
}

// closed verifies that the bound of prices closes the node.
func (v *verifier) closed() error {
	bound, _, err := v.prices()
	if err != nil || v.sides.dead {
		return err
	}
	if bound <= (v.Length-1)*finer {
		return fmt.Errorf("the bound of a leaf is %d/%d, more than %d is expected", bound, finer, v.Length-1)
	}
	return nil
}
