package scene

import (
	"math"

	"satingrid/apps/raytracer/num"
)

const (
	viewFov = 35.0
	// viewMargin is how much wider the picture is than what it shows.
	viewMargin = 1.12
	// longBeside is how many times longer than wide a shape is that is looked at from its side.
	longBeside = 1.5
	// headAside is the share of its length by which the upper part of a shape must be off its
	// middle to count as its head.
	headAside = 0.08
)

// lookAtAll is a camera that sees everything. It looks into a room; before anything else it stands
// a little above and to the side, so that no horizon is in the picture.
func (s *Scene) lookAtAll() Camera {
	away, room := s.opening()
	if !room {
		away = s.front()
	}
	lo, hi := s.Bounds()
	mid := lo.Add(hi).Scale(0.5)
	f := num.Frame{N: away}
	f.S = num.V{Y: 1}.Cross(away).Unit()
	f.T = away.Cross(f.S)
	half := num.Tan(float64(viewFov/2*math.Pi/180)) / viewMargin
	// A place at (x, y, z) from the middle is in a square picture, seen from beyond (a, b) at
	// the distance d, if |x - a| and |y - b| are at most half·(d - z). So the largest
	// x + half·z and half·z - x, and those of y, say all.
	// A ball touches the edge at its radius across it.
	slope, inf := math.Sqrt(1+float64(half*half)), math.Inf(-1)
	right, left, up, down := inf, inf, inf, inf
	s.everyPlace(func(at num.V, r float64) {
		p := f.In(at.Sub(mid))
		near := float64(half*p.Z) + float64(r*slope)
		right, left = max(right, near+p.X), max(left, near-p.X)
		up, down = max(up, near+p.Y), max(down, near-p.Y)
	})
	if up == inf {
		right, left, up, down = 1, 1, 1, 1
	}
	target := mid.AddScaled((right-left)/2, f.S).AddScaled((up-down)/2, f.T)
	far := max(right+left, up+down, 1e-9) / float64(2*half)
	return Camera{Eye: target.AddScaled(far, away), Target: target, Up: num.V{Y: 1}, Fov: viewFov}
}

// front is the direction from a shape to a camera before it. It is taken to face along the z axis
// with y up, as formats and most people have it. What is much longer than wide would hide behind
// its own end: it is seen from its side, and from the end where its head is, if it has one.
func (s *Scene) front() num.V {
	lo, hi := s.Bounds()
	size := hi.Sub(lo)
	x, z := s.head(lo, hi)
	away := num.V{X: 0.45, Y: 0.42, Z: 1}
	if size.Z > float64(longBeside*size.X) {
		away = num.V{X: 1, Y: 0.42, Z: 0.45}
		if z < -float64(headAside*size.Z) {
			away.Z = -away.Z
		}
	} else if x < -float64(headAside*size.X) {
		away.X = -away.X
	}
	return away.Unit()
}

// head is how far the middle of the area in the upper third of a box is from the box's.
func (s *Scene) head(lo, hi num.V) (x, z float64) {
	sum, all := num.V{}, 0.0
	for i := range s.Mesh.Count() {
		v, _ := s.Mesh.Triangle(i)
		a, b, c := s.Mesh.Position(v[0]), s.Mesh.Position(v[1]), s.Mesh.Position(v[2])
		mid := a.Add(b).Add(c).Scale(1.0 / 3)
		if mid.Y > hi.Y-(hi.Y-lo.Y)/3 {
			area := b.Sub(a).Cross(c.Sub(a)).Len()
			sum, all = sum.AddScaled(area, mid), all+area
		}
	}
	if !(all > 0) {
		return 0, 0
	}
	off := sum.Scale(1 / all).Sub(lo.Add(hi).Scale(0.5))
	return off.X, off.Z
}

// opening is the direction to the side on which a room is open. The areas of a closed shape, each
// as a vector along its normal, sum up to nothing; what is left of a room's points out through the
// wall that is not there.
func (s *Scene) opening() (num.V, bool) {
	sum, all := num.V{}, 0.0
	for i := range s.Mesh.Count() {
		v, _ := s.Mesh.Triangle(i)
		a, b, c := s.Mesh.Position(v[0]), s.Mesh.Position(v[1]), s.Mesh.Position(v[2])
		n := b.Sub(a).Cross(c.Sub(a))
		sum, all = sum.Add(n), all+n.Len()
	}
	sum.Y = 0 // a floor alone is no room
	return sum.Unit(), all > 0 && sum.Len() > float64(0.05*all)
}
