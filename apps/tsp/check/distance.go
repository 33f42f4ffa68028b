package check

import (
	"fmt"
	"math"

	"satingrid/apps/tsp/tsplib"
)

// between is the distance of two cities by the formulas of the TSPLIB95 report.
func between(p *tsplib.Problem, i, j int) int64 {
	if i == j {
		return 0
	}
	if p.Metric == tsplib.Explicit {
		return int64(p.Number(i, j))
	}
	xd, yd := math.Abs(p.Points[i].X-p.Points[j].X), math.Abs(p.Points[i].Y-p.Points[j].Y)
	switch p.Metric {
	case tsplib.Euc2D:
		return nearest(root(xd, yd))
	case tsplib.Ceil2D:
		return int64(math.Ceil(root(xd, yd)))
	case tsplib.Man2D:
		return nearest(xd + yd)
	case tsplib.Max2D:
		return max(nearest(xd), nearest(yd))
	case tsplib.Att:
		xx, yy := float64(xd*xd), float64(yd*yd)
		r := math.Sqrt((xx + yy) / 10)
		if t := nearest(r); float64(t) >= r {
			return t
		} else {
			return t + 1
		}
	case tsplib.Geo:
		return onBall(p.Points[i], p.Points[j])
	}
	panic(fmt.Sprintf("check: BUG: metric %q", string(p.Metric)))
}

// root is the square root of a sum of squares, each of which is rounded.
func root(x, y float64) float64 {
	xx, yy := float64(x*x), float64(y*y)
	return math.Sqrt(xx + yy)
}

// nearest is the report's nint of what is not negative.
func nearest(x float64) int64 { return int64(x + 0.5) }

func onBall(a, b tsplib.Point) int64 {
	rad := func(x float64) float64 {
		whole := float64(int64(x))
		return 3.141592 * (whole + 5.0*(x-whole)/3.0) / 180.0
	}
	q1 := math.Cos(rad(a.Y) - rad(b.Y))
	q2 := math.Cos(rad(a.X) - rad(b.X))
	q3 := math.Cos(rad(a.X) + rad(b.X))
	return int64(6378.388*math.Acos(0.5*((1.0+q1)*q2-(1.0-q1)*q3)) + 1.0)
}
