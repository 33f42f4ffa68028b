package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// ray is a ray in the numbers of the tree, and what it has met so far.
type ray struct {
	o, d   num32
	inv    num32   // one over d
	beyond num32   // inv, for the far sides of boxes
	t      float32 // of the nearest shape so far; before any, how far to look
	u, v   float32 // of the place on that triangle
	id     int32   // of that shape
}

// noShape is the id of a ray that met nothing.
const noShape = math.MinInt32

// farAway is beyond everything.
const farAway = math.MaxFloat32

// aim makes r a ray from o in direction d that looks as far as t.
func (r *ray) aim(o, d num.V, t float64) {
	r.o = num32{float32(o.X), float32(o.Y), float32(o.Z)}
	r.d = num32{float32(d.X), float32(d.Y), float32(d.Z)}
	r.inv = num32{inverse(r.d[0]), inverse(r.d[1]), inverse(r.d[2])}
	r.beyond = num32{float32(r.inv[0] * slack), float32(r.inv[1] * slack), float32(r.inv[2] * slack)}
	r.t, r.id = float32(min(t, farAway)), noShape
}

// slack moves the far sides of boxes a few units in the last place farther: the rounding of the
// operations before (Ize, "Robust BVH Ray Traversal", 2013).
const slack = 1 + 0x1p-21

// inverse is finite, which keeps 0·∞, and so NaN, out of the box tests.
func inverse(x float32) float32 {
	if x < 1e-18 && x > -1e-18 {
		x = float32(math.Copysign(1e-18, float64(x)))
	}
	return 1 / x
}

func (a num32) sub(b num32) num32 { return num32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

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

// sphere computes in double precision: the difference of squares would leave few
// digits of a large sphere.
func sphere(r *ray, s *shape) {
	o := num.V{X: float64(r.o[0]) - float64(s.v0[0]), Y: float64(r.o[1]) - float64(s.v0[1]), Z: float64(r.o[2]) - float64(s.v0[2])}
	d := num.V{X: float64(r.d[0]), Y: float64(r.d[1]), Z: float64(r.d[2])}
	radius := float64(s.e1[0])
	a, b := d.Dot(d), o.Dot(d)
	// The distance of the centre from the line, not the difference of b² and a·c (Haines and
	// others, Ray Tracing Gems 7).
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
