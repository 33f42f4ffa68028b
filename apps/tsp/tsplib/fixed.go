package tsplib

import (
	"fmt"
	"strconv"
	"strings"
)

// fixedEdges is a FIXED_EDGES_SECTION half read: pairs of cities as they are numbered, and where
// they stand.
type fixedEdges struct {
	read  bool
	at    int // the section's line
	edges [][2]int
	lines []int
}

// fixedEdges reads pairs of cities up to -1, which the end of the file may stand for.
func (d *reader) fixedEdges(key string) error {
	if d.pairs.read {
		return d.errorf("a second %s, one is expected", key)
	}
	d.pairs.read, d.pairs.at = true, d.line
	half := -1 // of a pair
	for {
		text, ok, err := d.next()
		if err != nil {
			return err
		}
		for _, w := range strings.Fields(text) {
			city, err := strconv.Atoi(w)
			switch {
			case ok && (w == "-1" || w == "EOF"):
				ok, d.ended = false, w == "EOF"
			case !ok:
				return d.errorf("%s behind the end of %s, the end of the line is expected", quote(w), key)
			case err != nil || city < 0 || city > d.Cities:
				return d.errorf("city %s, a number from 1 to %d, or -1 at the end of %s, is expected", quote(w), d.Cities, key)
			case half < 0:
				half = city
			case len(d.pairs.edges) == d.Cities:
				return d.errorf("more fixed edges than the %d of a tour, -1 is expected", d.Cities)
			default:
				d.pairs.edges = append(d.pairs.edges, [2]int{half, city})
				d.pairs.lines = append(d.pairs.lines, d.line)
				half = -1
			}
		}
		if !ok && half >= 0 {
			return d.errorf("the fixed edges end with city %d alone, a pair of cities is expected", half)
		}
		if !ok {
			return nil
		}
	}
}

// fix takes over the fixed edges, once it can be known how cities are numbered.
func (d *reader) fix() error {
	low, high := d.Cities, 0
	for _, e := range d.pairs.edges {
		low, high = min(low, e[0], e[1]), max(high, e[0], e[1])
	}
	if !d.numbered && len(d.pairs.edges) > 0 {
		d.Numbering = Numbering(low == 0)
	}
	first, last := d.Numbering.Of(0), d.Numbering.Of(d.Cities-1)
	for k, e := range d.pairs.edges {
		for _, c := range e {
			if c < first || c > last {
				return &Error{d.file, d.pairs.lines[k], fmt.Sprintf("city %d in a fixed edge, a number from %d to %d is expected", c, first, last)}
			}
		}
		d.Fixed = append(d.Fixed, [2]int{e[0] - first, e[1] - first})
	}
	if at, what := FaultOfFixed(d.Cities, d.Fixed); what != "" {
		e := d.pairs.edges[at]
		return &Error{d.file, d.pairs.lines[at], fmt.Sprintf("the fixed edge %d-%d %s", e[0], e[1], what)}
	}
	return nil
}

// FaultOfFixed says which is the first of these edges that no tour of so many cities has together
// with those before it, and why: "" where there is none.
func FaultOfFixed(cities int, edges [][2]int) (at int, what string) {
	ends := make(map[int]int) // by city that ends a path: the path's other end
	degree := make(map[int]int)
	end := func(c int) int {
		if e, ok := ends[c]; ok {
			return e
		}
		return c
	}
	had := make(map[[2]int]bool)
	for k, e := range edges {
		a, b := min(e[0], e[1]), max(e[0], e[1])
		switch {
		case a < 0 || b >= cities:
			return k, fmt.Sprintf("has a city that is none of %d", cities)
		case a == b:
			return k, "joins a city to itself, two cities are expected"
		case had[[2]int{a, b}]:
			return k, "is there for the second time, once is expected"
		case degree[a] == 2 || degree[b] == 2:
			return k, "is the third at a city, no more than two are expected"
		case end(a) == b && k+1 < cities:
			return k, "closes a ring that leaves cities out, parts of one tour are expected"
		}
		had[[2]int{a, b}] = true
		degree[a]++
		degree[b]++
		x, y := end(a), end(b)
		ends[x], ends[y] = y, x
	}
	return 0, ""
}
