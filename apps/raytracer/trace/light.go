package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// lights is all that glows and has a size. Few lamps are drawn by what they may send to the place
// that asks, many by their power.
type lights struct {
	all   []lamp
	sums  []float64     // of the powers
	which map[int32]int // from a shape's id to its lamp
}

// lampsFew is how many lamps are weighed for each place: more would take longer than
// the rays that it saves.
const lampsFew = 16

// lamp is a shape that glows, or the sky (noShape).
type lamp struct {
	id     int32
	power  float64
	area   float64
	middle num.V
	normal num.V   // of a triangle
	size   float64 // about its radius
	size2  float64 // size squared
}

// glimpse is a light seen from a point.
type glimpse struct {
	dir     num.V
	dist    float64
	light   num.V   // that it sends here
	density float64 // of the draw, for each unit of solid angle; 0: nothing was found
}

func (w *World) findLights() lights {
	l := lights{which: map[int32]int{}}
	add := func(k lamp, light float64) {
		if k.power = float64(k.area * light); k.power > 0 && k.power <= math.MaxFloat64 {
			l.which[k.id] = len(l.all)
			l.all = append(l.all, k)
		}
	}
	for i := range w.tri {
		if m := &w.mats[w.tri[i][3]]; m.Glows() {
			a, b, c := w.corners(i)
			n := b.Sub(a).Cross(c.Sub(a))
			area := n.Len() / 2
			mid := a.Add(b).Add(c).Scale(1.0 / 3)
			size := max(a.Sub(mid).Len(), b.Sub(mid).Len(), c.Sub(mid).Len())
			add(lamp{id: int32(i), area: area, middle: mid, normal: n.Unit(), size: size, size2: area / 2}, w.glow(i).Luma())
		}
	}
	for i := range w.scene.Spheres {
		s := &w.scene.Spheres[i]
		if m := &w.mats[s.Material]; m.Glows() {
			r2 := float64(s.Radius * s.Radius)
			add(lamp{id: ^int32(i), area: float64(math.Pi * r2), middle: s.Center, size: s.Radius, size2: r2}, m.Emission.Luma())
		}
	}
	if w.sky.sampled() {
		r2 := float64(w.extent * w.extent)
		add(lamp{id: noShape, area: float64(math.Pi * r2), size2: r2}, w.sky.mean)
	}
	total := 0.0
	for i := range l.all {
		total += l.all[i].power
		l.sums = append(l.sums, total)
	}
	return l
}

// glow is about the mean of the light that triangle i gives: of what its picture shows in its
// middle and half-way from there to its corners. Light in between is found by chance.
func (w *World) glow(i int) num.V {
	m := &w.mats[w.tri[i][3]]
	if m.EmissionTexture == 0 {
		return m.Emission
	}
	sum := num.V{}
	for _, p := range [4][2]float64{{1.0 / 3, 1.0 / 3}, {1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6}, {1.0 / 6, 2.0 / 3}} {
		u, v := w.uvAt(w.tex[m.EmissionTexture-1].Set, i, p[0], p[1])
		c, _ := w.tex[m.EmissionTexture-1].at(u, v)
		sum = sum.Add(c)
	}
	return m.Emission.Mul(sum).Scale(1.0 / 4)
}

// weight is about how much light lamp k sends to a surface at p with the normal n, never nothing
// where it may be some.
func (k *lamp) weight(p, n num.V) float64 {
	if k.id == noShape {
		return k.power / k.size2
	}
	to := k.middle.Sub(p)
	d2 := to.Dot(to) + k.size2
	d := math.Sqrt(d2)
	// The highest part of the lamp may stand its radius above the middle.
	high := max(0.02, min(1, (n.Dot(to)+k.size)/d))
	if k.id >= 0 {
		high = float64(high * (0.1 + math.Abs(k.normal.Dot(to))/d))
	}
	return float64(k.power*high) / d2
}

// choose draws a lamp for the surface at p with the normal n, and tells the share
// of draws that it gets.
func (l *lights) choose(p, n num.V, x float64) (*lamp, float64) {
	if len(l.all) == 1 {
		return &l.all[0], 1
	}
	if len(l.all) > lampsFew {
		i, _ := pick(l.sums, x)
		return &l.all[i], l.all[i].power / l.sums[len(l.sums)-1]
	}
	var sums [lampsFew]float64
	total := 0.0
	for i := range l.all {
		total += l.all[i].weight(p, n)
		sums[i] = total
	}
	i, _ := pick(sums[:len(l.all)], x)
	return &l.all[i], l.all[i].weight(p, n) / total
}

// share is the share of draws that lamp k gets for the surface at p with the normal n.
func (l *lights) share(p, n num.V, k *lamp) float64 {
	if len(l.all) == 1 {
		return 1
	}
	if len(l.all) > lampsFew {
		return k.power / l.sums[len(l.sums)-1]
	}
	total := 0.0
	for i := range l.all {
		total += l.all[i].weight(p, n)
	}
	return k.weight(p, n) / total
}

// corners is the corners of triangle i.
func (w *World) corners(i int) (a, b, c num.V) {
	t := &w.tri[i]
	return w.pos[t[0]].wide(), w.pos[t[1]].wide(), w.pos[t[2]].wide()
}

func (a num32) wide() num.V { return num.V{X: float64(a[0]), Y: float64(a[1]), Z: float64(a[2])} }

// draw chooses a lamp and a place on it, and looks there from p, on a surface with the normal n.
// Whether something is in between is not asked.
func (w *World) draw(p, n num.V, which, u, v float64) glimpse {
	if len(w.lights.all) == 0 {
		return glimpse{}
	}
	l, share := w.lights.choose(p, n, which)
	var g glimpse
	switch {
	case l.id == noShape:
		g.dir, g.density = w.sky.sample(u, v)
		g.dist, g.light = math.Inf(1), w.sky.in(g.dir)
	case l.id < 0:
		g = w.drawSphere(l, p, u, v)
	default:
		g = w.drawTriangle(l, p, u, v)
	}
	g.density = float64(g.density * share)
	return g
}

func (w *World) drawTriangle(l *lamp, p num.V, u, v float64) glimpse {
	a, b, c := w.corners(int(l.id))
	b1, b2 := num.Triangle(u, v)
	q := a.Scale(1-b1-b2).AddScaled(b1, b).AddScaled(b2, c)
	to := q.Sub(p)
	dist := to.Len()
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	cos := math.Abs(n.Dot(to)) / dist
	if !(cos > 1e-9) {
		return glimpse{}
	}
	m := &w.mats[w.tri[l.id][3]]
	light := m.Emission
	if m.EmissionTexture > 0 {
		tu, tv := w.uvAt(w.tex[m.EmissionTexture-1].Set, int(l.id), b1, b2)
		t, _ := w.tex[m.EmissionTexture-1].at(tu, tv)
		light = light.Mul(t)
	}
	return glimpse{to.Scale(1 / dist), dist, light, float64(dist*dist) / float64(cos*l.area)}
}

func (w *World) drawSphere(l *lamp, p num.V, u, v float64) glimpse {
	s := &w.scene.Spheres[^l.id]
	to := s.Center.Sub(p)
	d2 := to.Dot(to)
	r2 := float64(s.Radius * s.Radius)
	if d2 <= float64(r2*(1+1e-9)) {
		return glimpse{} // from inside, it is left to chance
	}
	cosMax := math.Sqrt(max(0, 1-r2/d2))
	f := num.FrameAround(to.Unit())
	dir := f.Out(num.Cone(u, v, cosMax))
	// The near side of the ball along dir, or where dir touches it.
	b := dir.Dot(to)
	h := max(0, r2-(d2-float64(b*b)))
	return glimpse{dir, b - math.Sqrt(h), w.mats[s.Material].Emission, coneDensity(r2, d2)}
}

// coneDensity is one over the solid angle of a ball of squared radius r2 at the
// squared distance d2.
func coneDensity(r2, d2 float64) float64 {
	// 1 - cos without cancellation for a small ball.
	x := r2 / d2
	return 1 / float64(2*math.Pi*(x/(1+math.Sqrt(max(0, 1-x)))))
}

// density is how dense draw is, from p on a surface with the normal pn, toward the place on shape
// id, with the normal n, that a ray in direction dir has met.
func (w *World) density(id int32, p, pn, dir num.V, dist float64, n num.V) float64 {
	i, ok := w.lights.which[id]
	if !ok {
		return 0
	}
	l := &w.lights.all[i]
	d := 0.0
	switch {
	case id == noShape:
		d = w.sky.density(dir)
	case id < 0:
		s := &w.scene.Spheres[^id]
		to := s.Center.Sub(p)
		r2, d2 := float64(s.Radius*s.Radius), to.Dot(to)
		if d2 <= float64(r2*(1+1e-9)) {
			return 0
		}
		d = coneDensity(r2, d2)
	default:
		cos := math.Abs(n.Dot(dir))
		if !(cos > 1e-9) {
			return 0
		}
		d = float64(dist*dist) / float64(cos*l.area)
	}
	return float64(d * w.lights.share(p, pn, l))
}
