package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// bsdf is how a surface scatters the light that leaves toward out. Directions are in the frame of
// the shading normal. It has up to three parts: diffuse; a reflection by tiny mirrors (GGX, Walter
// and others, 2007), or by one mirror where roughness is 0; glass, which is only ever sampled.
// There may be a coat over all of them.
type bsdf struct {
	frame   num.Frame
	flat    num.V // the shape's own normal
	out     num.V
	diffuse num.V
	f0      num.V   // reflected straight on
	f90     float64 // reflected at grazing angles
	width   float64 // of the tiny mirrors' directions, GGX's α; 0: one mirror
	gloss   float64 // share of samples for the reflection, of those not for glass
	glass   float64 // share of light, and of samples, for glass
	eta     float64 // index of refraction on the side of out over that beyond
	tint    num.V
	thin    bool
	coat    coat
	open    float64 // as of the surface
	round   bool    // the surface is lifted: light may come from below the shape
}

// mirrorBelow is the roughness under which a surface is one mirror: its highlights are
// narrower than pixels.
const mirrorBelow = 0.03

// set makes b what a surface does with a ray in direction d.
func (b *bsdf) set(s *surface, d num.V) {
	m := s.mat
	*b = bsdf{flat: s.flat, tint: s.color, thin: s.thin, open: s.open, round: s.lifted != s.p}
	b.frame = num.FrameAround(s.normal)
	b.out = b.frame.In(d.Neg())
	b.out.Z = max(b.out.Z, 1e-6)
	ior := m.IOR
	if ior == 0 {
		ior = 1.5
	}
	b.eta = 1 / ior
	if s.inside {
		b.eta = ior
	}
	if s.roughness >= mirrorBelow {
		b.width = float64(s.roughness * s.roughness)
	}
	r := (ior - 1) / (ior + 1)
	f := float64(float64(r*r) * m.Specular)
	b.f0 = num.Mix(num.V{X: f, Y: f, Z: f}, s.color, s.metallic)
	b.f90 = min(1, float64(50*b.f0.Max()))
	b.glass = float64(s.transmission * (1 - s.metallic))
	b.diffuse = s.color.Scale(1 - s.metallic)
	mirror := b.fresnel(b.out.Z).Luma()
	matte := float64(b.diffuse.Luma() * (1 - mirror))
	if mirror > 0 {
		b.gloss = mirror / (mirror + matte)
		if matte > 0 {
			b.gloss = max(0.2, min(0.85, b.gloss))
		}
	}
	if s.coat > 0 {
		b.coat = newCoat(s, d)
	}
}

// fresnel is Schlick's approximation of how much is reflected, for the cosine of the angle.
func (b *bsdf) fresnel(cos float64) num.V {
	x := max(0, 1-cos)
	x2 := float64(x * x)
	x5 := float64(float64(x2*x2) * x)
	return num.Mix(b.f0, num.V{X: b.f90, Y: b.f90, Z: b.f90}, x5)
}

// only tells whether all light leaves in single directions, so that there is nothing
// to ask lights about.
func (b *bsdf) only() bool {
	return b.coat.width == 0 && b.bare()
}

// bare is only without the coat.
func (b *bsdf) bare() bool {
	return b.glass >= 1 || b.width == 0 && b.gloss >= 1
}

// eval is how much of the light from direction in (in the world's frame) leaves toward out, with
// the cosine of in, and how dense sample is there. Single directions count as nothing.
func (b *bsdf) eval(dir num.V) (f num.V, density float64) {
	f, density = b.evalBase(dir)
	if b.coat.share > 0 && b.above(dir) {
		f, density = b.coat.over(f, density, dir)
	}
	return f, density
}

// above tells whether light from direction dir reaches the surface. On a round shape that a mesh
// stands for, it may come from a little below the triangle's plane.
func (b *bsdf) above(dir num.V) bool { return b.round || b.flat.Dot(dir) > 0 }

// evalBase is eval without the coat.
func (b *bsdf) evalBase(dir num.V) (f num.V, density float64) {
	in := b.frame.In(dir)
	if in.Z <= 0 || !b.above(dir) || b.glass >= 1 {
		return f, 0
	}
	share := 1 - b.glass
	loss := num.V{X: 1, Y: 1, Z: 1}.Sub(b.fresnel(b.out.Z))
	f = b.diffuse.Mul(loss).Scale(float64(in.Z * (1 / math.Pi)))
	density = float64((1 - b.gloss) * float64(in.Z*(1/math.Pi)))
	if b.width > 0 && b.gloss > 0 {
		half := in.Add(b.out).Unit()
		d, amount, span := facets(b.width, half, in.Z, b.out.Z)
		f = f.Add(b.fresnel(max(0, half.Dot(b.out))).Scale(amount))
		density += float64(b.gloss*d) / span
	}
	return f.Scale(share), float64(density * share)
}

// facets is how many tiny mirrors of GGX's width face half, how much of the light they turn from a
// direction with the cosine l to one with v, times l, and what to divide their number by for the
// density of sample.
func facets(width float64, half num.V, l, v float64) (d, amount, span float64) {
	d, a2 := mirrors(width, half)
	lambdaV := math.Sqrt(a2 + float64(float64(1-a2)*float64(v*v)))
	lambdaL := math.Sqrt(a2 + float64(float64(1-a2)*float64(l*l)))
	vis := 0.5 / max(1e-12, float64(l*lambdaV)+float64(v*lambdaL))
	return d, float64(float64(d*vis) * l), float64(2 * (v + lambdaV))
}

// mirrors is how many of the tiny mirrors face half, and α².
func mirrors(width float64, half num.V) (d, a2 float64) {
	a2 = float64(width * width)
	// 1 - z² from x and y, which keeps its digits where z is near 1.
	t := float64(half.X*half.X) + float64(half.Y*half.Y) + float64(a2*float64(half.Z*half.Z))
	return a2 / float64(math.Pi*float64(t*t)), a2
}

// scattered is a direction drawn by sample.
type scattered struct {
	dir     num.V
	weight  num.V   // light from there, over the density
	density float64 // 0: a single direction
	through bool    // it goes on beyond the surface
	ok      bool
}

// sample draws where light that leaves toward out may come from.
func (b *bsdf) sample(which, u, v float64) scattered {
	if b.coat.share == 0 {
		return b.sampleBase(which, u, v)
	}
	c := &b.coat
	if which < c.share {
		dir := c.sample(u, v)
		if c.width == 0 {
			return scattered{dir: dir, weight: num.V{X: 1, Y: 1, Z: 1}.Scale(c.reflects / c.share), ok: b.flat.Dot(dir) > 0}
		}
		return b.toward(dir)
	}
	next := b.sampleBase((which-c.share)/(1-c.share), u, v)
	next.weight = next.weight.Scale((1 - c.reflects) / (1 - c.share))
	if next.density > 0 {
		return b.toward(next.dir)
	}
	return next
}

// toward is a direction as a sample of all that has a density.
func (b *bsdf) toward(dir num.V) scattered {
	f, density := b.eval(dir)
	if !(density > 0) {
		return scattered{}
	}
	return scattered{dir: dir, weight: f.Scale(1 / density), density: density, ok: true}
}

// sampleBase is sample without the coat.
func (b *bsdf) sampleBase(which, u, v float64) scattered {
	if which < b.glass {
		return b.sampleGlass(which/b.glass, u, v)
	}
	which = (which - b.glass) / (1 - b.glass)
	var in num.V
	if which < b.gloss {
		half := facet(b.width, b.out, u, v)
		in = mirrored(b.out, half)
		if b.width == 0 {
			dir := b.frame.Out(in)
			return scattered{dir: dir, weight: b.fresnel(b.out.Z).Scale(1 / b.gloss), ok: b.flat.Dot(dir) > 0}
		}
	} else {
		in = num.CosineHemisphere(u, v)
	}
	dir := b.frame.Out(in).Unit()
	f, density := b.evalBase(dir)
	if !(density > 0) {
		return scattered{}
	}
	return scattered{dir: dir, weight: f.Scale(1 / density), density: density, ok: true}
}

func mirrored(d, n num.V) num.V { return n.Scale(float64(2 * d.Dot(n))).Sub(d) }

// facet draws a tiny mirror of width a that out can see (Dupuy and Benyoub, "Sampling Visible GGX
// Normals with Spherical Caps", 2023).
func facet(a float64, out num.V, u, v float64) num.V {
	if a == 0 {
		return num.V{Z: 1}
	}
	o := num.V{X: float64(a * out.X), Y: float64(a * out.Y), Z: out.Z}.Unit()
	s, c := num.Sincos(float64(2 * math.Pi * u))
	z := float64((1-v)*(1+o.Z)) - o.Z
	r := math.Sqrt(max(0, 1-float64(z*z)))
	h := num.V{X: float64(r*c) + o.X, Y: float64(r*s) + o.Y, Z: z + o.Z}
	return num.V{X: float64(a * h.X), Y: float64(a * h.Y), Z: max(1e-9, h.Z)}.Unit()
}

// sampleGlass reflects or refracts, by chance.
func (b *bsdf) sampleGlass(which, u, v float64) scattered {
	mirror, through := b.ways(u, v)
	// Faint reflections of bright lamps are what makes glass look like glass: they get more
	// samples than their share.
	share := 1.0
	if through.ok {
		share = 0.2 + float64(0.8*mirror.weight.Max())
	}
	if which < share {
		mirror.weight = mirror.weight.Scale(1 / share)
		return mirror
	}
	through.weight = through.weight.Scale(1 / (1 - share))
	return through
}

// ways is both directions in which light leaves glass, at a tiny mirror. The one beyond the surface
// is not ok where all light is reflected.
func (b *bsdf) ways(u, v float64) (mirror, through scattered) {
	half := facet(b.width, b.out, u, v)
	cos := b.out.Dot(half)
	if cos <= 0 {
		return mirror, through
	}
	f, cosT := dielectric(cos, b.eta)
	if b.thin {
		// Light goes to and fro between the two sides of the film.
		f = float64(2*f) / (1 + f)
	}
	mirror = b.way(mirrored(b.out, half), num.V{X: f, Y: f, Z: f}, false)
	switch {
	case f >= 1:
	case b.thin:
		through = b.way(b.out.Neg(), b.tint.Scale(1-f), true)
	default:
		in := half.Scale(float64(b.eta*cos)-cosT).AddScaled(-b.eta, b.out)
		through = b.way(in, b.tint.Scale(1-f), true)
	}
	return mirror, through
}

// way is the direction in, in the world's frame, with the share of the tiny mirrors that
// it is not hidden by.
func (b *bsdf) way(in, weight num.V, through bool) scattered {
	if b.width > 0 && !(through && b.thin) {
		a2 := float64(b.width * b.width)
		z := math.Abs(in.Z)
		weight = weight.Scale(float64(2*z) / (z + math.Sqrt(a2+float64((1-a2)*float64(z*z)))))
	}
	dir := b.frame.Out(in).Unit()
	// A reflection that goes below the surface, or a refraction that stays above
	// it, has left the model.
	return scattered{dir: dir, weight: weight, through: through, ok: (b.flat.Dot(dir) < 0) == through}
}

// dielectric is Fresnel's share of reflected light where the index of refraction changes by eta,
// and the cosine beyond.
func dielectric(cos, eta float64) (f, cosT float64) {
	sin2 := float64(float64(eta*eta) * (1 - float64(cos*cos)))
	if sin2 >= 1 {
		return 1, 0
	}
	cosT = math.Sqrt(1 - sin2)
	s := (float64(eta*cos) - cosT) / (float64(eta*cos) + cosT)
	p := (cos - float64(eta*cosT)) / (cos + float64(eta*cosT))
	return float64(0.5 * (float64(s*s) + float64(p*p))), cosT
}
