package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// surface is the place where a ray met a shape, with what its pictures say of it.
type surface struct {
	id int32
	uv [2][2]float64 // places on pictures, in both sets
	p  num.V
	// where light arrives and leaves: off p, on a mesh that stands for a round shape
	lifted num.V
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

	transmission float64
	thin         bool
	// share of the light from sky and surfaces that relief lets through
	open float64

	coat       float64
	coatRough  float64
	coatNormal num.V
}

// surfaceAt looks up in s, which is new, where ray r, with origin o and direction d, met a shape.
func (w *World) surfaceAt(s *surface, r *ray, o, d num.V) {
	s.id = r.id
	if r.id < 0 {
		b := &w.scene.Spheres[^r.id]
		s.mat = &w.mats[b.Material]
		s.flat = o.AddScaled(float64(r.t), d).Sub(b.Center).Unit()
		s.p = b.Center.AddScaled(b.Radius, s.flat)
		s.lifted = s.p
		s.normal = s.flat
		if len(w.tex) > 0 { // which takes longer than all the rest
			u, v := skyUV(s.flat)
			s.uv = [2][2]float64{{u, v}, {u, v}}
		}
	} else {
		s.mat = &w.mats[w.tri[r.id][3]]
		w.onTriangle(s, float64(r.u), float64(r.v))
		for set := range s.uv {
			s.uv[set][0], s.uv[set][1] = w.uvAt(set, int(r.id), float64(r.u), float64(r.v))
		}
	}
	if r.id >= 0 && s.normal != s.flat {
		side := math.Copysign(1, -s.flat.Dot(d))
		if s.mat.Transmission == 0 {
			w.lift(s, float64(r.u), float64(r.v), side)
		}
		s.normal = bent(s.normal.Scale(side), s.flat.Scale(side), d).Scale(side)
	}
	w.paint(s, r)
	if s.flat.Dot(d) > 0 {
		s.inside = true
		s.flat, s.normal, s.coatNormal = s.flat.Neg(), s.normal.Neg(), s.coatNormal.Neg()
	}
	s.normal, s.coatNormal = facing(s.normal, s.flat, d), facing(s.coatNormal, s.flat, d)
}

// onTriangle sets place and normals from the barycentric coordinates. The place is exact across the
// triangle, whatever the error of the distance.
func (w *World) onTriangle(s *surface, b1, b2 float64) {
	t := &w.tri[s.id]
	b0 := 1 - b1 - b2
	a, b, c := w.corners(int(s.id))
	s.p = a.Scale(b0).AddScaled(b1, b).AddScaled(b2, c)
	s.lifted = s.p
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

// uvAt is the place on its pictures of a point of triangle i, in one of the sets.
func (w *World) uvAt(set, i int, b1, b2 float64) (u, v float64) {
	list := w.uv[set]
	if list == nil {
		return 0, 0
	}
	t := &w.tri[i]
	a, b, c := list[t[0]], list[t[1]], list[t[2]]
	b0 := 1 - b1 - b2
	u = float64(b0*float64(a[0])) + float64(b1*float64(b[0])) + float64(b2*float64(c[0]))
	v = float64(b0*float64(a[1])) + float64(b1*float64(b[1])) + float64(b2*float64(c[1]))
	return u, v
}

// colorAt is the colour of the vertices around a point of triangle i, and their alpha.
func (w *World) colorAt(i int, b1, b2 float64) (num.V, float64) {
	t := &w.tri[i]
	var sum [4]float64
	for k, share := range [3]float64{1 - b1 - b2, b1, b2} {
		for a, x := range w.col[t[k]] {
			sum[a] += float64(share * float64(x) * (1.0 / math.MaxUint16))
		}
	}
	return num.V{X: sum[0], Y: sum[1], Z: sum[2]}, sum[3]
}

// look is what texture i, counted from one, shows at the surface.
func (w *World) look(s *surface, i int) (num.V, float64) {
	t := &w.tex[i-1]
	return t.at(s.uv[t.Set][0], s.uv[t.Set][1])
}

// paint sets what depends on the material, its pictures and the colours of vertices.
func (w *World) paint(s *surface, r *ray) {
	m := s.mat
	s.color, s.emission, s.alpha, s.metallic, s.roughness = m.Color, m.Emission, m.Alpha, m.Metallic, m.Roughness
	s.transmission, s.thin, s.open = m.Transmission, m.Thin, 1
	w.cover(s, r)
	if m.Unlit {
		s.emission, s.color = s.color, num.V{}
	}
	if m.RoughTexture > 0 {
		c, _ := w.look(s, m.RoughTexture)
		s.roughness = float64(s.roughness * c.Y)
		s.metallic = float64(s.metallic * c.Z)
	}
	if m.EmissionTexture > 0 {
		c, _ := w.look(s, m.EmissionTexture)
		s.emission = s.emission.Mul(c)
	}
	if m.TransmissionTexture > 0 {
		c, _ := w.look(s, m.TransmissionTexture)
		s.transmission = float64(s.transmission * c.X)
	}
	if m.ThicknessTexture > 0 {
		c, _ := w.look(s, m.ThicknessTexture)
		s.thin = s.thin || c.Y <= 0
	}
	if m.OcclusionTexture > 0 {
		c, _ := w.look(s, m.OcclusionTexture)
		s.open = 1 - float64(m.Occlusion*(1-c.X))
	}
	smooth := s.normal
	if m.NormalTexture > 0 {
		s.normal = w.bump(s, smooth, m.NormalTexture, m.NormalScale)
	}
	s.coat, s.coatRough, s.coatNormal = m.Coat, m.CoatRoughness, smooth
	if m.Coat > 0 {
		w.lacquer(s)
	}
}

// cover sets colour and alpha.
func (w *World) cover(s *surface, r *ray) {
	m := s.mat
	a := 1.0
	if s.id >= 0 && w.col != nil {
		var c num.V
		c, a = w.colorAt(int(s.id), float64(r.u), float64(r.v))
		s.color = s.color.Mul(c)
	}
	if m.ColorTexture > 0 {
		c, ta := w.look(s, m.ColorTexture)
		s.color = s.color.Mul(c)
		a = float64(a * ta)
	}
	switch a = float64(s.alpha * a); {
	case m.Cutoff == 0:
		s.alpha = a
	case m.Cutoff > 0 && a < m.Cutoff:
		s.alpha = 0
	default:
		s.alpha = 1
	}
}

// lacquer sets what pictures say of the coat.
func (w *World) lacquer(s *surface) {
	m := s.mat
	if m.CoatTexture > 0 {
		c, _ := w.look(s, m.CoatTexture)
		s.coat = float64(s.coat * c.X)
	}
	if m.CoatRoughTexture > 0 {
		c, _ := w.look(s, m.CoatRoughTexture)
		s.coatRough = float64(s.coatRough * c.Y)
	}
	if m.CoatNormalTexture > 0 {
		s.coatNormal = w.bump(s, s.coatNormal, m.CoatNormalTexture, 1)
	}
}

// bump turns the normal by what texture i, a normal map, says, given along the directions in which
// u and v grow, and leans scale times as far.
func (w *World) bump(s *surface, normal num.V, i int, scale float64) num.V {
	list := w.uv[w.tex[i-1].Set]
	if s.id < 0 || list == nil {
		return normal
	}
	shown, _ := w.look(s, i)
	n := shown.Scale(2).Sub(num.V{X: 1, Y: 1, Z: 1})
	if scale != 0 {
		n.X, n.Y = float64(n.X*scale), float64(n.Y*scale)
	}
	t := &w.tri[s.id]
	a, b, c := w.corners(int(s.id))
	e1, e2 := b.Sub(a), c.Sub(a)
	ta, tb, tc := list[t[0]], list[t[1]], list[t[2]]
	u1, v1 := float64(tb[0]-ta[0]), float64(tb[1]-ta[1])
	u2, v2 := float64(tc[0]-ta[0]), float64(tc[1]-ta[1])
	if tex := &w.tex[i-1]; tex.turned {
		m := &tex.Turn
		u1, v1 = float64(m.UU*u1)+float64(m.UV*v1), float64(m.VU*u1)+float64(m.VV*v1)
		u2, v2 = float64(m.UU*u2)+float64(m.UV*v2), float64(m.VU*u2)+float64(m.VV*v2)
	}
	det := float64(u1*v2) - float64(u2*v1)
	if !(math.Abs(det) > 1e-20) {
		return normal
	}
	along := e1.Scale(v2/det).AddScaled(-v1/det, e2)
	tan := along.AddScaled(-along.Dot(normal), normal).Unit()
	bit := normal.Cross(tan)
	if det < 0 {
		bit = bit.Neg()
	}
	// A picture's rows grow downwards, and so does v here, while the map's green points up.
	turned := normal.Scale(n.Z).AddScaled(n.X, tan).AddScaled(-n.Y, bit).Unit()
	if turned.Dot(s.flat) > 0 {
		return turned
	}
	return normal
}
