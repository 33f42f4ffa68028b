package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// ray is a ray in the numbers of the tree, and what it has met so far.
type ray struct {
	o, d, inv num32
	t         float32 // of the nearest shape so far; before any, how far to look
	u, v      float32 // of the place on that triangle
	id        int32   // of that shape
}

// noShape is the id of a ray that met nothing.
const noShape = math.MinInt32

// farAway is beyond everything.
const farAway = math.MaxFloat32

func newRay(o, d num.V, t float64) ray {
	r := ray{
		o: num32{float32(o.X), float32(o.Y), float32(o.Z)},
		d: num32{float32(d.X), float32(d.Y), float32(d.Z)},
		t: float32(min(t, farAway)), id: noShape,
	}
	r.inv = num32{inverse(r.d[0]), inverse(r.d[1]), inverse(r.d[2])}
	return r
}

// inverse is finite, which keeps 0·∞, and so NaN, out of the box tests.
func inverse(x float32) float32 {
	if x < 1e-18 && x > -1e-18 {
		x = float32(math.Copysign(1e-18, float64(x)))
	}
	return 1 / x
}

func (a num32) sub(b num32) num32 { return num32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// slack moves a box's far side a few units in the last place farther: the rounding of the operations before (Ize,
// "Robust BVH Ray Traversal", 2013).
const slack = 4

// missed is above every distance, as bits.
const missed = math.MaxInt32

// order is the bits of a number. Numbers from 0 up compare as their bits do, and every number below 0 has bits below
// those; whole numbers are chosen between without a jump, which floats in Go are not.
func order(x float32) int32 { return int32(math.Float32bits(x)) }

// enter is where ray r enters box b before the distance with the bits end, as bits, or missed. Distances below 0 may
// come out in the wrong order, which changes nothing: the near one counts as 0, the far one as missed.
func enter(b *[6]float32, r *ray, end int32) int32 {
	o, inv := &r.o, &r.inv
	x0, x1 := order(float32((b[0]-o[0])*inv[0])), order(float32((b[3]-o[0])*inv[0]))
	y0, y1 := order(float32((b[1]-o[1])*inv[1])), order(float32((b[4]-o[1])*inv[1]))
	z0, z1 := order(float32((b[2]-o[2])*inv[2])), order(float32((b[5]-o[2])*inv[2]))
	near := max(0, min(x0, x1), min(y0, y1), min(z0, z1))
	if far := min(end, max(x0, x1), max(y0, y1), max(z0, z1)); near > far+slack {
		near = missed
	}
	return near
}

// place is a child to visit and, in its upper half, where the ray enters it: places compare as the ray meets them.
type place uint64

func placeOf(at int32, c child) place { return place(uint32(at))<<32 | place(uint32(c)) }
func (p place) at() int32             { return int32(p >> 32) }
func (p place) child() child          { return child(uint32(p)) }

// there is 1 where something is there to visit. It is arithmetic, where a jump would be guessed wrong half the time.
func (p place) there() uint { return uint((p - missed<<32) >> 63) }

// tracer follows rays through a world. It keeps the stack of places still to visit, so that no ray has to clear one.
type tracer struct {
	*World
	stack [stackSize]place
	rays  int // followed so far
}

// nearest finds the nearest shape before r.t.
func (w *tracer) nearest(r *ray) { w.follow(r, false) }

// blocked tells whether anything lies before r.t.
func (w *tracer) blocked(r *ray) bool {
	w.follow(r, true)
	return r.id != noShape
}

// follow visits the boxes that r enters, nearest first, until nothing nearer can come, or something has where any will do.
func (w *tracer) follow(r *ray, anyDoes bool) {
	w.rays++
	if len(w.nodes) == 0 {
		return
	}
	stack, top := &w.stack, uint(1)
	p, end := placeOf(0, 0), order(r.t)
	for {
		c := p.child()
		if c >= 0 {
			n := &w.nodes[c]
			p0 := placeOf(enter(&n.box[0], r, end), n.child[0])
			p1 := placeOf(enter(&n.box[1], r, end), n.child[1])
			p2 := placeOf(enter(&n.box[2], r, end), n.child[2])
			p3 := placeOf(enter(&n.box[3], r, end), n.child[3])
			p0, p1 = max(p0, p1), min(p0, p1)
			p2, p3 = max(p2, p3), min(p2, p3)
			p0, p2 = max(p0, p2), min(p0, p2)
			p1, p3 = max(p1, p3), min(p1, p3)
			p1, p2 = max(p1, p2), min(p1, p2)
			stack[top%stackSize] = p0
			top += p0.there()
			stack[top%stackSize] = p1
			top += p1.there()
			stack[top%stackSize] = p2
			top += p2.there()
			// The nearest one does not go through memory, which would take longer than to visit it.
			if p = p3; p.at() != missed {
				continue
			}
		} else {
			w.meet(r, c)
			if anyDoes && r.id != noShape {
				return
			}
			end = order(r.t)
		}
		for {
			if top--; top == 0 {
				return
			}
			if p = stack[top%stackSize]; p.at() <= end {
				break
			}
		}
	}
}

// meet tries the shapes of a leaf.
func (w *World) meet(r *ray, c child) {
	from, to := c.shapes()
	for i := range w.shape[from:to] {
		if s := &w.shape[from+i]; s.id < 0 {
			sphere(r, s)
		} else {
			triangle(r, s)
		}
	}
}

// triangle is Möller and Trumbore's test (1997).
func triangle(r *ray, s *shape) {
	d, e1, e2 := &r.d, &s.e1, &s.e2
	px := float32(d[1]*e2[2]) - float32(d[2]*e2[1])
	py := float32(d[2]*e2[0]) - float32(d[0]*e2[2])
	pz := float32(d[0]*e2[1]) - float32(d[1]*e2[0])
	det := float32(e1[0]*px) + float32(e1[1]*py) + float32(e1[2]*pz)
	sx, sy, sz := r.o[0]-s.v0[0], r.o[1]-s.v0[1], r.o[2]-s.v0[2]
	inv := 1 / det
	u := float32((float32(sx*px) + float32(sy*py) + float32(sz*pz)) * inv)
	if !(u >= 0 && u <= 1) {
		return
	}
	qx := float32(sy*e1[2]) - float32(sz*e1[1])
	qy := float32(sz*e1[0]) - float32(sx*e1[2])
	qz := float32(sx*e1[1]) - float32(sy*e1[0])
	v := float32((float32(d[0]*qx) + float32(d[1]*qy) + float32(d[2]*qz)) * inv)
	if !(v >= 0 && u+v <= 1) {
		return
	}
	t := float32((float32(e2[0]*qx) + float32(e2[1]*qy) + float32(e2[2]*qz)) * inv)
	if t > 0 && t < r.t {
		r.t, r.u, r.v, r.id = t, u, v, s.id
	}
}

// sphere computes in double precision: the difference of squares would leave few digits of a large sphere.
func sphere(r *ray, s *shape) {
	o := num.V{X: float64(r.o[0]) - float64(s.v0[0]), Y: float64(r.o[1]) - float64(s.v0[1]), Z: float64(r.o[2]) - float64(s.v0[2])}
	d := num.V{X: float64(r.d[0]), Y: float64(r.d[1]), Z: float64(r.d[2])}
	radius := float64(s.e1[0])
	a, b := d.Dot(d), o.Dot(d)
	// The distance of the centre from the line, not the difference of b² and a·c (Haines and others, Ray Tracing Gems 7).
	f := o.AddScaled(-b/a, d)
	disc := float64(radius*radius) - f.Dot(f)
	if disc < 0 {
		return
	}
	q := math.Sqrt(disc / a)
	t := -b/a - q
	if t <= 0 {
		t = -b/a + q
	}
	if t32 := float32(t); t32 > 0 && t32 < r.t {
		r.t, r.id = t32, s.id
	}
}
