package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// unseen is the share of a pixel below which a reflection is not followed: less
// than a step of 8 bits.
const unseen = 1.0 / 512

// whitted is the light that arrives at o from direction d, in the manner of Whitted, "An Improved
// Illumination Model for Shaded Display" (1980), and of the renderers that NFF was made for. Share
// is how much of the pixel it is.
func (w *Tracer) whitted(o, d num.V, s *num.Sampler, depth int, share float64) num.V {
	r := &w.ray
	r.aim(o, d, farAway)
	w.nearest(r)
	if r.id == noShape {
		return w.sky.in(d)
	}
	var sf surface
	w.surfaceAt(&sf, r, o, d)
	c := sf.emission.Add(w.lit(&sf, d, s))
	if depth <= 0 {
		return c
	}
	cos := -sf.normal.Dot(d)
	mirror := sf.color.Scale(sf.metallic)
	if through := float64(sf.transmission * (1 - sf.metallic)); through > 0 {
		ior := max(1, sf.mat.IOR)
		eta := 1 / ior
		if sf.inside {
			eta = ior
		}
		f, cosT := dielectric(max(1e-6, cos), eta)
		if part := float64(through * (1 - f)); float64(part*share) > unseen {
			in := d.Scale(eta).AddScaled(float64(eta*cos)-cosT, sf.normal).Unit()
			got := w.whitted(w.beside(sf.p, sf.flat.Neg()), in, s, depth-1, float64(share*part))
			c = c.Add(got.Mul(sf.color).Scale(part))
		}
		f = float64(f * through)
		mirror = mirror.Add(num.V{X: f, Y: f, Z: f})
	}
	if part := mirror.Max(); float64(part*share) > unseen {
		in := d.AddScaled(float64(2*cos), sf.normal).Unit()
		c = c.Add(w.whitted(w.beside(sf.p, sf.flat), in, s, depth-1, float64(share*part)).Mul(mirror))
	}
	return c
}

// lit is what point lights, and one place on a lamp, make of a surface.
func (w *Tracer) lit(sf *surface, d num.V, s *num.Sampler) num.V {
	here := w.beside(sf.lifted, sf.flat)
	matt := sf.color.Scale(float64((1 - sf.metallic) * (1 - sf.transmission)))
	shine := 0.0
	if sf.roughness > 0 {
		r2 := float64(sf.roughness * sf.roughness)
		shine = 2/float64(r2*r2) - 2
	}
	gleam := sf.color.Scale(sf.metallic)
	sum := num.V{}
	add := func(dir num.V, dist float64, light num.V) {
		cos := sf.normal.Dot(dir)
		if cos <= 0 || sf.lifted == sf.p && sf.flat.Dot(dir) <= 0 {
			return
		}
		seen := w.arrives(here, dir, dist)
		if seen == 0 {
			return
		}
		f := matt.Scale(cos)
		if shine > 0 {
			back := sf.normal.Scale(float64(2 * cos)).Sub(dir)
			f = f.Add(gleam.Scale(num.Pow(max(0, -back.Dot(d)), shine)))
		}
		sum = sum.Add(light.Mul(f).Scale(seen))
	}
	for i := range w.scene.Lights {
		l := &w.scene.Lights[i]
		to := l.At.Sub(here)
		add(to.Unit(), to.Len(), l.Toward(here))
	}
	which := s.One()
	u, v := s.Two()
	if g := w.draw(here, sf.normal, which, u, v); g.density > 0 {
		add(g.dir, g.dist, g.light.Scale(1/float64(math.Pi*g.density)))
	}
	return sum
}

// classic is sample s of a pixel as a path's.
func (w *Tracer) classic(x, y float64, s *num.Sampler, bounces int) {
	u, v := s.Two()
	o, d := w.lens.through(x, y, u, v)
	c := w.whitted(o, d, s, bounces, 1)
	if !c.Finite() {
		c = num.V{}
	}
	w.path = path{light: num.V{X: decoded(c.X), Y: decoded(c.Y), Z: decoded(c.Z)}}
}

// decoded is the linear light of a value as it is shown.
func decoded(x float64) float64 {
	x = max(0, min(1, x))
	if x <= 0.04045 {
		return x / 12.92
	}
	return num.Pow((x+0.055)/1.055, 2.4)
}
