package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// ask gathers the light that one lamp, and all point lights, send here.
func (w *Tracer) ask(p *path, b *bsdf, here num.V, which, u, v, chance float64) {
	before := p.weight
	if g := w.draw(here, b.frame.N, which, u, v); g.density > 0 {
		if math.IsInf(g.dist, 1) {
			g.light = g.light.Scale(b.open)
		}
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
		light := l.Toward(here)
		if f.Max() <= 0 || light.Max() <= 0 {
			continue
		}
		// A classic light's colour is what a matt white surface under it shows, which takes
		// the π out of f again.
		p.weight = before.Mul(f).Scale(float64(math.Pi * w.arrives(here, dir, dist)))
		p.gather(light)
	}
	p.weight = before
}

// worth is the chance with which a ray is sent to see whether some light arrives: the
// less light, the smaller.
func (w *Tracer) worth(p *path, l num.V) float64 {
	m := float64(l.Mul(p.weight).Max() * w.lens.exposure)
	if m <= 0 {
		return 0
	}
	return max(0.05, min(1, float64(m*(1/faint))))
}

// arrives is the share of light that gets from a place to one in direction dir: none where a shape
// is in between, unless light passes straight through it.
func (w *Tracer) arrives(o, dir num.V, dist float64) float64 {
	dist = float64(dist * (1 - 1e-4))
	r := &w.ray
	r.aim(o, dir, dist)
	if !w.seeThrough {
		if w.blocked(r) {
			return 0
		}
		return 1
	}
	share := 1.0
	for range passesMax {
		if w.nearest(r); r.id == noShape {
			return share
		}
		var sf surface
		w.surfaceAt(&sf, r, o, dir)
		if share = float64(share * (1 - sf.alpha)); share <= 0 {
			return 0
		}
		next := w.beside(sf.p, sf.flat.Neg())
		dist -= next.Sub(o).Len()
		o = next
		r.aim(o, dir, dist)
	}
	return 0
}
