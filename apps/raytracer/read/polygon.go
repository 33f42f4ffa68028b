package read

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// cut parts a polygon into triangles, given by the numbers of their corners. A polygon that is
// not convex loses one ear after the other; where there is none, as in one that crosses
// itself, the rest is a fan.
func cut(p []num.V) [][3]int {
	out := make([][3]int, 0, len(p)-2)
	left := make([]int, len(p))
	for i := range left {
		left[i] = i
	}
	if len(p) > 3 {
		flat := flattened(p)
		for len(left) > 3 && !convex(flat, left) {
			ear := findEar(flat, left)
			if ear < 0 {
				break
			}
			n := len(left)
			out = append(out, [3]int{left[(ear+n-1)%n], left[ear], left[(ear+1)%n]})
			left = append(left[:ear], left[ear+1:]...)
		}
	}
	for i := 1; i+1 < len(left); i++ {
		out = append(out, [3]int{left[0], left[i], left[i+1]})
	}
	return out
}

// flattened is the polygon as seen along the axis that its (Newell's) normal is nearest
// to, counterclockwise.
func flattened(p []num.V) [][2]float64 {
	n := num.V{}
	for i := range p {
		n = n.Add(p[i].Cross(p[(i+1)%len(p)]))
	}
	out := make([][2]float64, len(p))
	for i, v := range p {
		switch m := n.MaxAbs(); {
		case math.Abs(n.Z) == m:
			out[i] = [2]float64{math.Copysign(v.X, float64(v.X*n.Z)), v.Y}
		case math.Abs(n.Y) == m:
			out[i] = [2]float64{math.Copysign(v.Z, float64(v.Z*n.Y)), v.X}
		default:
			out[i] = [2]float64{math.Copysign(v.Y, float64(v.Y*n.X)), v.Z}
		}
	}
	return out
}

// turn is above 0 where the way over a, b and c turns left.
func turn(a, b, c [2]float64) float64 {
	return float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
}

func convex(p [][2]float64, left []int) bool {
	n := len(left)
	for i := range left {
		if turn(p[left[i]], p[left[(i+1)%n]], p[left[(i+2)%n]]) < 0 {
			return false
		}
	}
	return true
}

// findEar is a corner whose triangle with its neighbours turns left and has no other
// corner inside, or -1.
func findEar(p [][2]float64, left []int) int {
	n := len(left)
next:
	for i := range left {
		a, b, c := p[left[(i+n-1)%n]], p[left[i]], p[left[(i+1)%n]]
		if turn(a, b, c) <= 0 {
			continue
		}
		for k := 2; k < n-1; k++ {
			q := p[left[(i+k)%n]]
			if q != a && q != c && turn(a, b, q) >= 0 && turn(b, c, q) >= 0 && turn(c, a, q) >= 0 {
				continue next
			}
		}
		return i
	}
	return -1
}
