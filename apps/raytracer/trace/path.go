package trace

import "satingrid/apps/raytracer/num"

// Settings say how carefully a picture is made.
type Settings struct {
	// half as many for a calm block of pixels, a sixth where Whitted is set, and up to four
	// times as many for a noisy one
	Samples int
	Bounces int // of a path

	// Whitted is the classic way: lights are points, mirrors and glass reflect and refract in
	// single directions, and everything else is lit by the lights alone. Colours are as they
	// are shown, without physics.
	Whitted bool
}

// Draws of one sample: two for the pixel, two for the lens, then these for each bounce, each with
// numbers of its own, so that what a draw is for does not depend on what happened before.
const (
	drawsCamera = 2
	drawsBounce = 7
)

const (
	// passesMax bounds the see-through surfaces in a row.
	passesMax = 32
	// A sample brighter than clampDirect (as exposed) is an edge of a lamp, one brighter than
	// clampIndirect after a matt surface is a chance hit. Both would need thousands of samples
	// to average out; cut, they are off by what nobody sees.
	clampDirect   = 20
	clampIndirect = 2.5
	// filterRough is the least roughness of what a path meets after a matt surface: what a
	// sharp reflection would add there is caustics, found by chance only; a blurred one can be
	// asked for its lamps.
	filterRough = 0.3
	// rouletteFrom is the bounce from which on weak paths end by chance.
	rouletteFrom = 2
	// splits is how many surfaces of glass in a row, seen from the eye, show both what they
	// reflect and what is behind them.
	splits = 3
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
	// share of what comes from sky and surfaces that the last surface's relief lets through
	open float64

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
func (w *Tracer) sample(x, y float64, s *num.Sampler, bounces int) {
	p := &w.path
	*p = path{limit: 1 / w.lens.exposure, open: 1}
	p.weight = num.V{X: 1, Y: 1, Z: 1}
	var u, v float64
	if w.lens.aperture > 0 {
		u, v = s.Two()
	}
	p.o, p.d = w.lens.through(x, y, u, v)
	w.walk(p, s, 0, bounces)
}

// walk follows a path from a bounce on to its end.
func (w *Tracer) walk(p *path, s *num.Sampler, bounce, bounces int) {
	passes := 0
	for {
		s.Seek(drawsCamera + drawsBounce*bounce + 1000*passes)
		r := &w.ray
		r.aim(p.o, p.d, farAway)
		w.nearest(r)
		if r.id == noShape {
			w.escape(p, bounce)
			return
		}
		var sf surface
		w.surfaceAt(&sf, r, p.o, p.d)
		if !p.seen {
			p.depth += sf.p.Sub(p.o).Len()
		}
		if sf.alpha < 1 && s.One() >= sf.alpha {
			if passes++; passes > passesMax {
				return
			}
			p.o = w.beside(sf.p, sf.flat.Neg())
			continue
		}
		w.arrive(p, r, &sf)
		p.weight = p.weight.Scale(p.open)
		if bounce >= bounces {
			return
		}
		if bounce < splits && !p.rough && sf.transmission >= 1 && sf.metallic == 0 && sf.coat == 0 {
			w.part(p, &sf, s, bounce, bounces)
		} else if !w.scatter(p, &sf, s, bounce) {
			return
		}
		if p.weight.Max() <= 0 {
			return
		}
		bounce++
	}
}

// part follows both ways that light takes at glass, the one that is not the path's own to its end.
func (w *Tracer) part(p *path, sf *surface, s *num.Sampler, bounce, bounces int) {
	b := &w.bsdf
	b.set(sf, p.d)
	s.Two()
	mirror, through := b.ways(s.Two())
	if !through.ok {
		w.leave(p, sf, &mirror)
		return
	}
	if mirror.ok {
		side := *p
		side.light = num.V{}
		w.leave(&side, sf, &mirror)
		w.walk(&side, s, bounce+1, bounces)
		p.light = p.light.Add(side.light)
	}
	w.leave(p, sf, &through)
}

// leave sends the path on in the direction that was drawn, if one was.
func (w *Tracer) leave(p *path, sf *surface, next *scattered) {
	if !next.ok {
		p.weight = num.V{}
		return
	}
	p.weight = p.weight.Mul(next.weight)
	p.o, p.d, p.n, p.density = w.beside(sf.lifted, sf.flat), next.dir, sf.normal, next.density
	p.open = sf.open
	if next.through {
		p.open = 1
		p.o = w.beside(sf.p, sf.flat.Neg())
	}
	p.from = p.o
	p.rough = p.rough || next.density > 0
}

// escape ends a path in the sky.
func (w *Tracer) escape(p *path, bounce int) {
	p.see(num.V{}, num.V{})
	if bounce == 0 && w.sky.Hidden {
		return
	}
	l := w.sky.in(p.d).Scale(p.open)
	if p.density > 0 && w.sky.sampled() {
		l = l.Scale(balance(p.density, w.density(noShape, p.from, p.n, p.d, 0, num.V{})))
	}
	p.gather(l)
}

// arrive takes the path through what lies before the surface and gathers the surface's own light.
func (w *Tracer) arrive(p *path, r *ray, sf *surface) {
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

// balance is the power heuristic (Veach, 1997): the weight of a sample of density a where the
// other way has density b.
func balance(a, b float64) float64 {
	if b <= 0 {
		return 1
	}
	x := b / a
	return 1 / (1 + float64(x*x))
}

// beside is a place so far from p along the normal n that rounding cannot put it on the other
// side of p's surface.
func (w *World) beside(p, n num.V) num.V {
	return p.AddScaled(float64(2e-6*max(p.MaxAbs(), float64(0.05*w.extent))), n)
}

// scatter gathers the light that lamps send to the surface and draws where the path
// goes on, if it does.
func (w *Tracer) scatter(p *path, sf *surface, s *num.Sampler, bounce int) bool {
	if p.rough {
		sf.roughness = max(sf.roughness, filterRough)
	}
	b := &w.bsdf
	b.set(sf, p.d)
	which := s.One()
	u, v := s.Two()
	lu, lv := s.Two()
	lw, lc := s.Two()
	if !b.only() {
		p.see(sf.color, sf.normal)
		w.ask(p, b, w.beside(sf.lifted, sf.flat), lw, lu, lv, lc)
	}
	next := b.sample(which, u, v)
	w.leave(p, sf, &next)
	if bounce >= rouletteFrom && next.ok {
		alive := min(0.95, p.weight.Max())
		if s.One() >= alive {
			return false
		}
		p.weight = p.weight.Scale(1 / alive)
	}
	return next.ok
}
