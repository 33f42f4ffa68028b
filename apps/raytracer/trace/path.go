package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// Settings say how carefully a picture is made.
type Settings struct {
	Samples int // half as many for a calm block of pixels, up to four times as many for a noisy one
	Bounces int // of a path
}

// Draws of one sample: two for the pixel, two for the lens, then these for each bounce, each with numbers of its own, so
// that what a draw is for does not depend on what happened before.
const (
	drawsCamera = 2
	drawsBounce = 7
)

const (
	// passesMax bounds the see-through surfaces in a row.
	passesMax = 32
	// A sample brighter than clampDirect (as exposed) is an edge of a lamp, one brighter than clampIndirect after a matt
	// surface is a chance hit. Both would need thousands of samples to average out; cut, they are off by what nobody sees.
	clampDirect   = 20
	clampIndirect = 2.5
	// filterRough is the least roughness of what a path meets after a matt surface: what a sharp reflection would add there
	// is caustics, found by chance only; a blurred one can be asked for its lamps.
	filterRough = 0.3
	// rouletteFrom is the bounce from which on weak paths end by chance.
	rouletteFrom = 2
	// faint is the light (as exposed) below which lamps are asked by chance.
	faint = 0.08
)

// path is one way of light, followed from the eye.
type path struct {
	o, d    num.V
	from, n num.V // the last surface that scattered it, and its normal
	weight  num.V
	light   num.V   // gathered
	density float64 // of the last direction, 0 for a single one
	rough   bool    // it has been scattered by something that is no mirror
	limit   float64 // one over the exposure

	// Of the first surface that scatters.
	albedo, normal num.V
	depth          float64
	seen           bool
}

// see notes the first surface that scatters, or the sky.
func (p *path) see(albedo, normal num.V) {
	if !p.seen {
		p.albedo, p.normal, p.seen = albedo.Mul(p.weight), normal, true
	}
}

// gather adds light that arrives at the path's end.
func (p *path) gather(l num.V) {
	l = l.Mul(p.weight)
	most := float64(clampDirect * p.limit)
	if p.rough {
		most = float64(clampIndirect * p.limit)
	}
	if m := l.Max(); m > most {
		l = l.Scale(most / m)
	}
	if l.Finite() {
		p.light = p.light.Add(l)
	}
}

// sample follows one path through the place (x, y) of the picture, in the lens's measures.
func (w *tracer) sample(x, y float64, s *num.Sampler, bounces int) path {
	u, v := s.Two()
	p := path{weight: num.V{X: 1, Y: 1, Z: 1}, limit: 1 / w.lens.exposure}
	p.o, p.d = w.lens.through(x, y, u, v)
	passes := 0
	for bounce := 0; ; {
		s.Seek(drawsCamera + drawsBounce*bounce + 1000*passes)
		r := newRay(p.o, p.d, farAway)
		w.nearest(&r)
		if r.id == noShape {
			w.escape(&p, bounce)
			return p
		}
		sf := w.surfaceAt(&r, p.o, p.d)
		if !p.seen {
			p.depth += sf.p.Sub(p.o).Len()
		}
		if sf.alpha < 1 && s.One() >= sf.alpha {
			if passes++; passes > passesMax {
				return p
			}
			p.o = w.beside(sf.p, sf.flat.Neg())
			continue
		}
		w.arrive(&p, &r, &sf)
		if bounce >= bounces || !w.scatter(&p, &sf, s, bounce) {
			return p
		}
		bounce++
	}
}

// escape ends a path in the sky.
func (w *tracer) escape(p *path, bounce int) {
	p.see(num.V{}, num.V{})
	if bounce == 0 && w.sky.Hidden {
		return
	}
	l := w.sky.in(p.d)
	if p.density > 0 && w.sky.sampled() {
		l = l.Scale(balance(p.density, w.density(noShape, p.from, p.n, p.d, 0, num.V{})))
	}
	p.gather(l)
}

// arrive takes the path through what lies before the surface and gathers the surface's own light.
func (w *tracer) arrive(p *path, r *ray, sf *surface) {
	if sf.inside && sf.mat.Transmission > 0 && !sf.mat.Thin && sf.mat.Absorption.Max() > 0 {
		dist, a := sf.p.Sub(p.o).Len(), sf.mat.Absorption
		p.weight = p.weight.Mul(num.V{
			X: num.Exp(-float64(a.X * dist)), Y: num.Exp(-float64(a.Y * dist)), Z: num.Exp(-float64(a.Z * dist)),
		})
	}
	if sf.emission.Max() <= 0 {
		return
	}
	p.see(num.V{X: 1, Y: 1, Z: 1}, sf.normal)
	l := sf.emission
	if p.density > 0 {
		l = l.Scale(balance(p.density, w.density(r.id, p.from, p.n, p.d, sf.p.Sub(p.from).Len(), sf.flat)))
	}
	p.gather(l)
}

// balance is the power heuristic (Veach, 1997): the weight of a sample of density a where the other way has density b.
func balance(a, b float64) float64 {
	if b <= 0 {
		return 1
	}
	x := b / a
	return 1 / (1 + float64(x*x))
}

// beside is a place so far from p along the normal n that rounding cannot put it on the other side of p's surface.
func (w *World) beside(p, n num.V) num.V {
	return p.AddScaled(float64(2e-6*max(p.MaxAbs(), float64(0.05*w.extent))), n)
}

// scatter gathers the light that lamps send to the surface and draws where the path goes on, if it does.
func (w *tracer) scatter(p *path, sf *surface, s *num.Sampler, bounce int) bool {
	if p.rough {
		sf.roughness = max(sf.roughness, filterRough)
	}
	b := newBSDF(sf, p.d)
	which, _ := s.Two()
	u, v := s.Two()
	lu, lv := s.Two()
	lw, lc := s.Two()
	here := w.beside(sf.p, sf.flat)
	if !b.only() {
		p.see(sf.color, sf.normal)
		w.ask(p, &b, here, lw, lu, lv, lc)
	}
	next := b.sample(which, u, v)
	if !next.ok {
		return false
	}
	p.weight = p.weight.Mul(next.weight)
	if bounce >= rouletteFrom {
		alive := min(0.95, p.weight.Max())
		if s.One() >= alive {
			return false
		}
		p.weight = p.weight.Scale(1 / alive)
	}
	p.o, p.d, p.n, p.density = here, next.dir, sf.normal, next.density
	if next.through {
		p.o = w.beside(sf.p, sf.flat.Neg())
	}
	p.from = p.o
	p.rough = p.rough || next.density > 0
	return p.weight.Max() > 0
}

// ask gathers the light that one lamp, and all point lights, send here.
func (w *tracer) ask(p *path, b *bsdf, here num.V, which, u, v, chance float64) {
	before := p.weight
	if g := w.draw(here, b.frame.N, which, u, v); g.density > 0 {
		f, density := b.eval(g.dir)
		p.weight = before.Mul(f).Scale(balance(g.density, density) / g.density)
		if worth := w.worth(p, g.light); chance < worth {
			p.weight = p.weight.Scale(w.arrives(here, g.dir, g.dist) / worth)
			p.gather(g.light)
		}
	}
	for i := range w.scene.Lights {
		l := &w.scene.Lights[i]
		to := l.At.Sub(here)
		dist := to.Len()
		dir := to.Unit()
		f, _ := b.eval(dir)
		if f.Max() <= 0 {
			continue
		}
		// A classic light's colour is what a matt white surface under it shows, which takes the π out of f again.
		p.weight = before.Mul(f).Scale(float64(math.Pi * w.arrives(here, dir, dist)))
		c := l.Color
		if l.Fade {
			c = c.Scale(1 / float64(dist*dist))
		}
		p.gather(c)
	}
	p.weight = before
}

// worth is the chance with which a ray is sent to see whether some light arrives: the less light, the smaller.
func (w *tracer) worth(p *path, l num.V) float64 {
	m := float64(l.Mul(p.weight).Max() * w.lens.exposure)
	if m <= 0 {
		return 0
	}
	return max(0.05, min(1, float64(m*(1/faint))))
}

// arrives is the share of light that gets from a place to one in direction dir: none where a shape is in between, unless
// light passes straight through it.
func (w *tracer) arrives(o, dir num.V, dist float64) float64 {
	dist = float64(dist * (1 - 1e-4))
	r := newRay(o, dir, dist)
	if !w.seeThrough {
		if w.blocked(&r) {
			return 0
		}
		return 1
	}
	share := 1.0
	for range passesMax {
		if w.nearest(&r); r.id == noShape {
			return share
		}
		sf := w.surfaceAt(&r, o, dir)
		if share = float64(share * (1 - sf.alpha)); share <= 0 {
			return 0
		}
		next := w.beside(sf.p, sf.flat.Neg())
		dist -= next.Sub(o).Len()
		o = next
		r = newRay(o, dir, dist)
	}
	return 0
}
