package tsp

import (
	"fmt"
	"math"
	"slices"

	"satingrid/apps/tsp/tsplib"
)

// Distances of all pairs of cities, as the root task carries them: they are whole numbers that the
// submitter has computed once, so that no peer's floating point decides about a bound. Of more than
// 2,000 cities, of which no more than a bound is proved, it has their places: roots are rounded in
// one way everywhere.
type Distances struct {
	Cities int
	Upper  []int32 // the upper triangle by rows: 0-1, 0-2, … 1-2, …
	// the whole square by rows, instead, where the way back has a length of its own
	Square []int32
	// instead of both, of many cities
	Points []tsplib.Point
	Metric tsplib.Metric
}

// Between is the length of the way from a city to another one.
func (d *Distances) Between(i, j int) int {
	if d.directed() {
		return int(d.Square[i*d.Cities+j])
	}
	if d.Points != nil {
		return int(apart(d.Metric, d.Points[i], d.Points[j]))
	}
	if i > j {
		i, j = j, i
	}
	return int(d.Upper[i*(2*d.Cities-i-1)/2+j-i-1])
}

// directed tells whether the distances are those of an asymmetric problem.
func (d *Distances) directed() bool { return d.Square != nil }

// check says what is wrong with the distances of a root that nobody has made here.
func (d *Distances) check() error {
	n, most, have, want := d.Cities, tsplib.CitiesMaxMatrix, len(d.Upper), d.Cities*(d.Cities-1)/2
	switch {
	case d.directed():
		most, have, want = tsplib.CitiesMaxATSP, len(d.Square), n*n
	case d.Points != nil:
		most, have, want = tsplib.CitiesMax, len(d.Points), n
	}
	switch {
	case n < tsplib.CitiesMin || n > most:
		return fmt.Errorf("tsp: %d cities: %d to %d are expected", n, tsplib.CitiesMin, most)
	case have != want || d.directed() && d.Upper != nil:
		return fmt.Errorf("tsp: %d distances of %d cities, %d are expected", have, n, want)
	case d.Points == nil:
		return nil
	case d.Square != nil || d.Upper != nil || n <= tsplib.CitiesMaxMatrix || !slices.Contains(planar, d.Metric):
		return fmt.Errorf("tsp: places of %d cities with EDGE_WEIGHT_TYPE %q beside their distances, or instead: more than %d and one of %v are expected",
			n, string(d.Metric), tsplib.CitiesMaxMatrix, planar)
	}
	return d.near()
}

// planar are the metrics that many cities may have: each machine computes the same distances.
var planar = []tsplib.Metric{tsplib.Euc2D, tsplib.Ceil2D, tsplib.Man2D, tsplib.Max2D, tsplib.Att}

// near says whether all places are near enough to each other.
func (d *Distances) near() error {
	low, high := d.Points[0], d.Points[0]
	for _, p := range d.Points {
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	if w := apart(d.Metric, low, high); !(w <= tsplib.WeightMax) {
		return fmt.Errorf("tsp: the cities' corners are %.0f apart, at most %d is expected: scale the coordinates down", w, tsplib.WeightMax)
	}
	return nil
}

// DistancesOf computes the distances of a problem by the rules of TSPLIB95.
func DistancesOf(p *tsplib.Problem) (Distances, error) {
	n := p.Cities
	if p.Directed {
		return squareOf(p), nil
	}
	if n > tsplib.CitiesMaxMatrix {
		d := Distances{Cities: n, Points: p.Points, Metric: p.Metric}
		return d, d.check()
	}
	d := Distances{Cities: n, Upper: make([]int32, 0, n*(n-1)/2)}
	for i := range n {
		for j := i + 1; j < n; j++ {
			w := distance(p, i, j)
			if !(math.Abs(w) <= tsplib.WeightMax) {
				return d, fmt.Errorf("cities %d and %d are %.0f apart, at most %d is expected: scale the coordinates down", p.Numbering.Of(i), p.Numbering.Of(j), w, tsplib.WeightMax)
			}
			d.Upper = append(d.Upper, int32(w))
		}
	}
	return d, nil
}

// squareOf are the distances of an asymmetric problem.
func squareOf(p *tsplib.Problem) Distances {
	d := Distances{Cities: p.Cities, Square: make([]int32, p.Cities*p.Cities)}
	for i := range p.Cities {
		for j := range p.Cities {
			if i != j {
				d.Square[i*p.Cities+j] = int32(p.Number(i, j))
			}
		}
	}
	return d
}

// distance is section 2 of TSPLIB95's report.
func distance(p *tsplib.Problem, i, j int) float64 {
	if p.Metric == tsplib.Explicit {
		return float64(p.Number(i, j))
	}
	return apart(p.Metric, p.Points[i], p.Points[j])
}

// apart is the distance of two places.
func apart(metric tsplib.Metric, a, b tsplib.Point) float64 {
	dx, dy := a.X-b.X, a.Y-b.Y
	// The conversions keep the compiler from fusing: each product is rounded as
	// on any other machine.
	squares := float64(dx*dx) + float64(dy*dy)
	switch metric {
	case tsplib.Euc2D:
		return nint(math.Sqrt(squares))
	case tsplib.Ceil2D:
		return math.Ceil(math.Sqrt(squares))
	case tsplib.Man2D:
		return nint(math.Abs(dx) + math.Abs(dy))
	case tsplib.Max2D:
		return max(nint(math.Abs(dx)), nint(math.Abs(dy)))
	case tsplib.Att:
		r := math.Sqrt(squares / 10)
		t := nint(r)
		if t < r {
			t++
		}
		return t
	case tsplib.Geo:
		return geo(a, b)
	}
	panic(fmt.Sprintf("tsp: BUG: metric %q", string(metric)))
}

func nint(x float64) float64 { return math.Floor(x + 0.5) }

// geo is the distance on a ball with TSPLIB's radius and TSPLIB's π; the optima of its
// files depend on both.
func geo(a, b tsplib.Point) float64 {
	const radius = 6378.388
	latA, lonA, latB, lonB := radians(a.X), radians(a.Y), radians(b.X), radians(b.Y)
	q1 := math.Cos(lonA - lonB)
	q2 := math.Cos(latA - latB)
	q3 := math.Cos(latA + latB)
	angle := math.Acos(0.5 * (float64((1+q1)*q2) - float64((1-q1)*q3)))
	return math.Floor(float64(radius*angle) + 1)
}

// radians converts DDD.MM.
func radians(x float64) float64 {
	const pi = 3.141592
	degrees := math.Trunc(x)
	minutes := x - degrees
	return pi * (degrees + float64(5*minutes)/3) / 180
}
