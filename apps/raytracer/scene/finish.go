package scene

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// Finish completes what the scene lacks: a camera that sees all of it, and light.
func (b *Builder) Finish() *Scene {
	s := &b.Scene
	s.Mesh.even()
	if !s.Camera.Given() {
		s.Camera = s.lookAtAll()
	}
	if !s.lit() {
		s.light()
	}
	return s
}

// Under puts the scene under another sky. The scene's own lamps stay; what Finish has added
// for want of light goes.
func (s *Scene) Under(sky Sky) {
	if s.Added {
		s.Added = false
		s.Spheres = s.Spheres[:len(s.Spheres)-1]
	}
	s.Sky = sky
}

// lookAtAll is a camera that sees everything. It stands before the scene, which is taken to look
// along the z axis with y up, a little above and to the right; a room it looks into.
func (s *Scene) lookAtAll() Camera {
	const fov = 35.0
	away := num.V{X: 0.45, Y: 0.3, Z: 1}.Unit()
	if open, ok := s.opening(); ok {
		away = open
	}
	lo, hi := s.Bounds()
	mid := lo.Add(hi).Scale(0.5)
	f := num.Frame{N: away}
	f.S = num.V{Y: 1}.Cross(away).Unit()
	f.T = away.Cross(f.S)
	half := num.Tan(float64(fov / 2 * math.Pi / 180))
	far := 1e-9
	for i := range 8 {
		c := lo
		if i&1 != 0 {
			c.X = hi.X
		}
		if i&2 != 0 {
			c.Y = hi.Y
		}
		if i&4 != 0 {
			c.Z = hi.Z
		}
		// A corner is in the picture if it is no farther from the axis than the picture's
		// edge, a square's at least.
		p := f.In(c.Sub(mid))
		far = max(far, p.Z+float64(1.12*max(math.Abs(p.X), math.Abs(p.Y)))/half)
	}
	return Camera{Eye: mid.AddScaled(far, away), Target: mid, Up: num.V{Y: 1}, Fov: fov}
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

// lit tells whether the scene has light of its own.
func (s *Scene) lit() bool {
	if !s.Sky.Black() || len(s.Lights) > 0 {
		return true
	}
	lamps := make([]bool, len(s.Materials))
	for i := range s.Materials {
		lamps[i] = s.Materials[i].lamp()
	}
	for i := range s.Mesh.Count() {
		if _, m := s.Mesh.Triangle(i); lamps[m] {
			return true
		}
	}
	for i := range s.Spheres {
		if lamps[s.Spheres[i].Material] {
			return true
		}
	}
	return false
}

// light adds a soft sky and one large lamp over the camera's left shoulder, behind the camera so
// that it is not seen.
func (s *Scene) light() {
	s.Sky = Sky{
		Zenith:  num.V{X: 0.24, Y: 0.28, Z: 0.35},
		Horizon: num.V{X: 0.40, Y: 0.41, Z: 0.43},
		Ground:  num.V{X: 0.15, Y: 0.14, Z: 0.13},
	}
	lo, hi := s.Bounds()
	mid, r := lo.Add(hi).Scale(0.5), max(hi.Sub(lo).Len()/2, 1e-9)
	c := &s.Camera
	back := c.Eye.Sub(c.Target).Unit()
	side := back.Cross(c.Up).Unit()
	to := back.Add(side.Scale(0.8)).Add(c.Up.Unit().Scale(0.9)).Unit()
	away := max(float64(8*r), float64(1.6*c.Eye.Sub(mid).Len()))
	s.Materials = append(s.Materials, Material{Name: "lamp", Alpha: 1, Emission: num.V{X: 23, Y: 21, Z: 18.5}})
	s.Added = true
	s.Spheres = append(s.Spheres, Sphere{mid.AddScaled(away, to), float64(0.18 * away), len(s.Materials) - 1})
}
