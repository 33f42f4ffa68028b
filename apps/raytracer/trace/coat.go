package trace

import (
	"satingrid/apps/raytracer/num"
)

// coat is a layer of clear lacquer: of what arrives, it reflects some by tiny mirrors, or by one
// where it is smooth, and lets the rest through to what is below (glTF's KHR_materials_clearcoat).
// The zero value is none.
type coat struct {
	frame    num.Frame
	out      num.V // where light leaves to, in the frame
	strength float64
	width    float64 // as a bsdf's
	reflects float64 // share of light, straight from out
	share    float64 // of samples; 0: there is no coat
}

// coatF0 is what lacquer with an index of refraction of 1.5 reflects straight on.
const coatF0 = 0.04

func newCoat(s *surface, d num.V) coat {
	c := coat{frame: num.FrameAround(s.coatNormal), strength: s.coat}
	c.out = c.frame.In(d.Neg())
	c.out.Z = max(c.out.Z, 1e-6)
	if s.coatRough >= mirrorBelow {
		c.width = float64(s.coatRough * s.coatRough)
	}
	c.reflects = c.fresnel(c.out.Z)
	c.share = min(0.5, c.reflects+float64(0.1*s.coat))
	return c
}

// fresnel is how much the coat reflects, by Schlick.
func (c *coat) fresnel(cos float64) float64 {
	x := max(0, 1-cos)
	x2 := float64(x * x)
	return float64(c.strength * (coatF0 + float64((1-coatF0)*float64(float64(x2*x2)*x))))
}

// over is what is below, given as bsdf.eval does, with the coat on it.
func (c *coat) over(f num.V, density float64, dir num.V) (num.V, float64) {
	f, density = f.Scale(1-c.reflects), float64(density*(1-c.share))
	in := c.frame.In(dir)
	if c.width == 0 || in.Z <= 0 {
		return f, density
	}
	half := in.Add(c.out).Unit()
	d, amount, span := facets(c.width, half, in.Z, c.out.Z)
	amount = float64(amount * c.fresnel(max(0, half.Dot(c.out))))
	return f.Add(num.V{X: amount, Y: amount, Z: amount}), density + float64(c.share*d)/span
}

// sample draws a direction for the coat's reflection, in the world's frame.
func (c *coat) sample(u, v float64) num.V {
	return c.frame.Out(mirrored(c.out, facet(c.width, c.out, u, v))).Unit()
}
