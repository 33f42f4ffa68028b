package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// surface is the place where a ray met a shape, with what its pictures say of it.
type surface struct {
	id     int32
	p      num.V
	flat   num.V // the shape's own normal, on the side the ray came from
	normal num.V // the one that shading uses, on the same side
	// the ray came from behind: out of the body, if the shapes around it are closed
	inside    bool
	mat       *scene.Material
	color     num.V
	emission  num.V
	alpha     float64
	metallic  float64
	roughness float64
}

// surfaceAt looks up in s, which is new, where ray r, with origin o and direction d, met a shape.
func (w *World) surfaceAt(s *surface, r *ray, o, d num.V) {
	s.id = r.id
	var u, v float64
	if r.id < 0 {
		b := &w.scene.Spheres[^r.id]
		s.mat = &w.mats[b.Material]
		s.flat = o.AddScaled(float64(r.t), d).Sub(b.Center).Unit()
		s.p = b.Center.AddScaled(b.Radius, s.flat)
		s.normal = s.flat
		u, v = skyUV(s.flat)
	} else {
		s.mat = &w.mats[w.tri[r.id][3]]
		w.onTriangle(s, float64(r.u), float64(r.v))
		u, v = w.uvAt(int(r.id), float64(r.u), float64(r.v))
	}
	w.paint(s, u, v)
	if s.flat.Dot(d) > 0 {
		s.inside = true
		s.flat, s.normal = s.flat.Neg(), s.normal.Neg()
	}
	if !(s.normal.Dot(d) < -1e-4) {
		// The smooth normal looks away from the ray, as near the outline of a coarse mesh:
		// bend it back until it does not.
		s.normal = s.normal.AddScaled(-(s.normal.Dot(d) + 2e-4), d).Unit()
		if !(s.normal.Dot(d) < 0) {
			s.normal = s.flat
		}
	}
}

// onTriangle sets place and normals from the barycentric coordinates. The place is exact across the
// triangle, whatever the error of the distance.
func (w *World) onTriangle(s *surface, b1, b2 float64) {
	t := &w.tri[s.id]
	b0 := 1 - b1 - b2
	a, b, c := w.corners(int(s.id))
	s.p = a.Scale(b0).AddScaled(b1, b).AddScaled(b2, c)
	s.flat = b.Sub(a).Cross(c.Sub(a)).Unit()
	n := w.nor[t[0]].wide().Scale(b0).AddScaled(b1, w.nor[t[1]].wide()).AddScaled(b2, w.nor[t[2]].wide()).Unit()
	switch f := n.Dot(s.flat); {
	case f > 0:
		s.normal = n
	case f < 0:
		// Files do not agree on which way around a triangle is; the normals are the
		// ones that were meant.
		s.flat, s.normal = s.flat.Neg(), n
	default:
		s.normal = s.flat
	}
}

// uvAt is the place on its pictures of a point of triangle i.
func (w *World) uvAt(i int, b1, b2 float64) (u, v float64) {
	if w.uv == nil {
		return 0, 0
	}
	t := &w.tri[i]
	a, b, c := w.uv[t[0]], w.uv[t[1]], w.uv[t[2]]
	b0 := 1 - b1 - b2
	u = float64(b0*float64(a[0])) + float64(b1*float64(b[0])) + float64(b2*float64(c[0]))
	v = float64(b0*float64(a[1])) + float64(b1*float64(b[1])) + float64(b2*float64(c[1]))
	return u, v
}

// paint sets what depends on the material and its pictures.
func (w *World) paint(s *surface, u, v float64) {
	m := s.mat
	s.color, s.emission, s.alpha, s.metallic, s.roughness = m.Color, m.Emission, m.Alpha, m.Metallic, m.Roughness
	if m.ColorTexture > 0 {
		c, a := w.tex[m.ColorTexture-1].at(u, v)
		s.color = s.color.Mul(c)
		switch a = float64(s.alpha * a); {
		case m.Cutoff == 0:
			s.alpha = a
		case m.Cutoff > 0 && a < m.Cutoff:
			s.alpha = 0
		}
	}
	if m.RoughTexture > 0 {
		c, _ := w.tex[m.RoughTexture-1].at(u, v)
		s.roughness = float64(s.roughness * c.Y)
		s.metallic = float64(s.metallic * c.Z)
	}
	if m.EmissionTexture > 0 {
		c, _ := w.tex[m.EmissionTexture-1].at(u, v)
		s.emission = s.emission.Mul(c)
	}
	if m.NormalTexture > 0 && s.id >= 0 && w.uv != nil {
		c, _ := w.tex[m.NormalTexture-1].at(u, v)
		w.bump(s, c.Scale(2).Sub(num.V{X: 1, Y: 1, Z: 1}))
	}
}

// bump turns the shading normal by a normal map's n, given along the directions
// in which u and v grow.
func (w *World) bump(s *surface, n num.V) {
	t := &w.tri[s.id]
	a, b, c := w.corners(int(s.id))
	e1, e2 := b.Sub(a), c.Sub(a)
	ta, tb, tc := w.uv[t[0]], w.uv[t[1]], w.uv[t[2]]
	u1, v1 := float64(tb[0]-ta[0]), float64(tb[1]-ta[1])
	u2, v2 := float64(tc[0]-ta[0]), float64(tc[1]-ta[1])
	det := float64(u1*v2) - float64(u2*v1)
	if !(math.Abs(det) > 1e-20) {
		return
	}
	along := e1.Scale(v2/det).AddScaled(-v1/det, e2)
	tan := along.AddScaled(-along.Dot(s.normal), s.normal).Unit()
	bit := s.normal.Cross(tan)
	if det < 0 {
		bit = bit.Neg()
	}
	// A picture's rows grow downwards, and so does v here, while the map's green points up.
	turned := s.normal.Scale(n.Z).AddScaled(n.X, tan).AddScaled(-n.Y, bit).Unit()
	if turned.Dot(s.flat) > 0 {
		s.normal = turned
	}
}
