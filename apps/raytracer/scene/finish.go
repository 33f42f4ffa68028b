package scene

import "satingrid/apps/raytracer/num"

// Finish completes what the scene lacks: a camera that sees all of it, and light; and what lacks
// both, and is no room, is a model, which gets a ground to stand on.
func (b *Builder) Finish() *Scene {
	s := &b.Scene
	lit, seen := s.lit(), s.Camera.Given()
	if !seen {
		s.Camera, s.Found = s.lookAtAll(), true
	}
	if !lit {
		s.light()
	}
	if _, room := s.opening(); !lit && !seen && !room {
		b.ground()
	}
	s.Mesh.even()
	return s
}

// Under puts the scene under another sky. The scene's own lamps stay; what Finish has added
// for want of light goes, the ground with it.
func (s *Scene) Under(sky Sky) {
	if s.Added {
		s.Added = false
		s.Spheres = s.Spheres[:len(s.Spheres)-1]
	}
	if s.Grounded {
		s.Grounded = false
		s.Mesh.cut(s.Mesh.Vertices()-4, s.Mesh.Count()-2)
	}
	s.Sky = sky
}

// From looks at the scene through another camera, exposed as it was where that camera does not say.
// A lamp that Finish has added stays behind it.
func (s *Scene) From(c Camera) {
	if c.Exposure == 0 {
		c.Exposure = s.Camera.Exposure
	}
	s.Camera, s.Found = c, false
	if s.Added {
		lamp := &s.Spheres[len(s.Spheres)-1]
		lo, hi := s.own()
		*lamp = s.shoulder(lo.Add(hi).Scale(0.5), max(hi.Sub(lo).Len()/2, 1e-9), lamp.Material)
	}
}

// lit tells whether the scene has light of its own.
func (s *Scene) lit() bool {
	if !s.Sky.Black() || len(s.Lights) > 0 {
		return true
	}
	return s.glows()
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
	s.Materials = append(s.Materials, Material{Name: "lamp", Alpha: 1, Emission: num.V{X: 23, Y: 21, Z: 18.5}})
	s.Added = true
	s.Spheres = append(s.Spheres, s.shoulder(mid, r, len(s.Materials)-1))
}

// shoulder is the added lamp of a scene around mid with the radius r.
func (s *Scene) shoulder(mid num.V, r float64, material int) Sphere {
	c := &s.Camera
	back := c.Eye.Sub(c.Target).Unit()
	side := back.Cross(c.Up).Unit()
	to := back.Add(side.Scale(0.8)).Add(c.Up.Unit().Scale(0.9)).Unit()
	away := max(float64(8*r), float64(1.6*c.Eye.Sub(mid).Len()))
	return Sphere{mid.AddScaled(away, to), float64(0.18 * away), material}
}

// ground adds a floor under everything, so wide that its end is never seen from above.
func (b *Builder) ground() {
	lo, hi := b.Bounds()
	mid, r := lo.Add(hi).Scale(0.5), max(hi.Sub(lo).Len()/2, 1e-9)
	wide := float64(groundWide * r)
	// as far below as rounding cannot bridge
	y := lo.Y - float64(1e-4*r)
	corner := func(x, z float64) num.V {
		return num.V{X: mid.X + float64(x*wide), Y: y, Z: mid.Z + float64(z*wide)}
	}
	m := b.Material(Material{Name: "ground", Color: num.V{X: 0.42, Y: 0.42, Z: 0.43}, Roughness: 1, Alpha: 1})
	b.Quad(corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1), m)
	b.Grounded = true
}

// Like shows a scene, a later moment of another one, as that is seen: the camera, the lamp and the
// ground that Finish has added to it stay where they are, and so does its exposure.
func (s *Scene) Like(first *Scene) {
	if s.Found && first.Found {
		s.Camera = first.Camera
	}
	s.Camera.Exposure = first.Camera.Exposure
	if s.Added && first.Added {
		lamp := &s.Spheres[len(s.Spheres)-1]
		lamp.Center, lamp.Radius = first.Spheres[len(first.Spheres)-1].Center, first.Spheres[len(first.Spheres)-1].Radius
	}
	if s.Grounded && first.Grounded {
		const four = 4 * positionSize
		to, from := s.Mesh.Positions, first.Mesh.Positions
		copy(to[len(to)-four:], from[len(from)-four:])
	}
}

// groundWide is how many times wider than the scene its ground is.
const groundWide = 100
