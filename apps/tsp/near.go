package tsp

import (
	"cmp"
	"math"
	"slices"

	"satingrid/apps/tsp/tsplib"
)

// nearCities are the k nearest of each city, the nearest first, ties by number.
func nearCities(d *matrix, k int) [][]int16 {
	if d.about != nil {
		return newGrid(d.about).nearCities(k)
	}
	near, spare := make([][]int16, d.n), make([]int32, d.n)
	k = min(k, d.n-1)
	for c := range near {
		row, best := d.row(int16(c), spare), make([]int16, 0, k+1)
		for o := range d.n {
			if o == c || !d.joins(int16(c), int16(o)) || len(best) == k && row[o] >= row[best[k-1]] {
				continue
			}
			at := len(best)
			for at > 0 && row[o] < row[best[at-1]] {
				at--
			}
			best = slices.Insert(best, at, int16(o))
			best = best[:min(len(best), k)]
		}
		near[c] = best
	}
	return near
}

// grid is cities in the cells of a square grid, so that those near one are found without looking at
// all.
type grid struct {
	of     *Distances
	low    tsplib.Point
	side   float64 // of a cell
	across int     // cells of a row
	down   int
	first  []int32 // by cell: where its cities begin in cities
	cities []int16
	seen   []int16 // the cells that a search has looked at, and how far they are
	apart  []float64
}

// cellCities is how many cities a cell has on average.
const cellCities = 3

func newGrid(d *Distances) *grid {
	g := &grid{of: d, low: d.Points[0]}
	high := g.low
	for _, p := range d.Points {
		g.low.X, g.low.Y = min(g.low.X, p.X), min(g.low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	n, w, h := float64(d.Cities), high.X-g.low.X, high.Y-g.low.Y
	// of a line, the length counts
	g.side = max(math.Sqrt(w*h*cellCities/n), max(w, h)*cellCities/n, math.SmallestNonzeroFloat32)
	g.across, g.down = int(w/g.side)+1, int(h/g.side)+1
	g.first = make([]int32, g.across*g.down+1)
	for _, p := range d.Points {
		x, y := g.cell(p)
		g.first[y*g.across+x+1]++
	}
	for k := range g.across * g.down {
		g.first[k+1] += g.first[k]
	}
	g.cities = make([]int16, d.Cities)
	fill := slices.Clone(g.first)
	for c, p := range d.Points {
		x, y := g.cell(p)
		g.cities[fill[y*g.across+x]] = int16(c)
		fill[y*g.across+x]++
	}
	return g
}

func (g *grid) cell(p tsplib.Point) (x, y int) {
	return int((p.X - g.low.X) / g.side), int((p.Y - g.low.Y) / g.side)
}

// nearCities are the k nearest of each city, as the crow flies; those are in the order of their
// distances, ties by number.
func (g *grid) nearCities(k int) [][]int16 {
	near := make([][]int16, g.of.Cities)
	for c := range near {
		near[c] = g.around(int16(c), k)
		slices.SortFunc(near[c], func(a, b int16) int {
			return cmp.Or(cmp.Compare(g.of.Between(c, int(a)), g.of.Between(c, int(b))), cmp.Compare(a, b))
		})
	}
	return near
}

// around looks at rings of cells until none further out has a nearer city.
func (g *grid) around(c int16, k int) []int16 {
	g.seen, g.apart = g.seen[:0], g.apart[:0]
	x, y := g.cell(g.of.Points[c])
	for r := 0; r <= max(g.across, g.down); r++ {
		if reach := float64(r-1) * g.side; len(g.seen) == k && r > 0 && g.apart[k-1] <= reach*reach {
			break
		}
		for row := max(y-r, 0); row <= min(y+r, g.down-1); row++ {
			step := 2 * r
			if row == y-r || row == y+r || r == 0 {
				step = 1
			}
			for column := x - r; column <= x+r; column += step {
				if column >= 0 && column < g.across {
					g.look(c, row*g.across+column, k)
				}
			}
		}
	}
	return slices.Clone(g.seen)
}

// look takes over the cities of a cell that are nearer than those that were seen.
func (g *grid) look(c int16, cell, k int) {
	for _, o := range g.cities[g.first[cell]:g.first[cell+1]] {
		dx, dy := g.of.Points[c].X-g.of.Points[o].X, g.of.Points[c].Y-g.of.Points[o].Y
		d := float64(dx*dx) + float64(dy*dy)
		if o == c || len(g.seen) == k && d >= g.apart[k-1] {
			continue
		}
		at := len(g.seen)
		for at > 0 && d < g.apart[at-1] {
			at--
		}
		g.seen, g.apart = slices.Insert(g.seen, at, o), slices.Insert(g.apart, at, d)
		g.seen, g.apart = g.seen[:min(len(g.seen), k)], g.apart[:min(len(g.apart), k)]
	}
}
