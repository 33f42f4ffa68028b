package trace

import (
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// coarse is a ball of 32 triangles whose normals are those of a round one.
func coarse(b *scene.Builder, material int) {
	at := func(p num.V) int { return b.Vertex(p.Unit(), p.Unit()) }
	for _, x := range []float64{-1, 1} {
		for _, y := range []float64{-1, 1} {
			for _, z := range []float64{-1, 1} {
				p, q, r := num.V{X: x}, num.V{Y: y}, num.V{Z: z}
				if x*y*z < 0 {
					p, q = q, p
				}
				pq, qr, rp := p.Add(q), q.Add(r), r.Add(p)
				for _, f := range [4][3]num.V{{p, pq, rp}, {pq, q, qr}, {rp, qr, r}, {pq, qr, rp}} {
					b.Triangle(at(f[0]), at(f[1]), at(f[2]), material)
				}
			}
		}
	}
}

// darkest is the darkest pixel of a picture of 64 by 64, and the mean of all.
func darkest(t *testing.T, s *scene.Scene, set Settings) (darkest, mean float64) {
	t.Helper()
	w, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	const size = 64
	darkest = 1e9
	sum, n := 0.0, 0
	for y := 0; y < size; y += BlockSize {
		for x := 0; x < size; x += BlockSize {
			block, _ := w.Tracer().Block(x, y, size, size, set)
			for _, p := range block {
				darkest = min(darkest, p.Color.X)
				sum += p.Color.X
				n++
			}
		}
	}
	return darkest, sum / float64(n)
}

// TestCoarseBallHasNoBlackRim puts a coarse ball with smooth normals into light that is the same
// from everywhere. Where its normals look away from the eye it is as bright as elsewhere.
func TestCoarseBallHasNoBlackRim(t *testing.T) {
	for _, c := range []struct {
		name string
		mat  scene.Material
		dark float64
	}{
		{"matt white", scene.Material{Color: all(1), Roughness: 1, Alpha: 1}, 0.99},
		// a round ball of this has a rim of 0.68, as rough mirrors hide each other there
		{"clay", scene.Material{Color: all(1), Roughness: 0.6, Specular: 0.6, Alpha: 1}, 0.4},
		{"mirror", scene.Material{Color: all(1), Metallic: 1, Alpha: 1}, 0.99},
	} {
		var b scene.Builder
		b.Camera = scene.Camera{Eye: num.V{X: 1, Y: 2, Z: 5}, Up: num.V{Y: 1}, Fov: 26}
		b.Sky = scene.Sky{Zenith: all(1), Horizon: all(1), Ground: all(1)}
		coarse(&b, b.Material(c.mat))
		dark, mean := darkest(t, b.Finish(), Settings{Samples: 64, Bounces: 8})
		if dark < c.dark || mean < 0.97 || mean > 1.001 {
			t.Errorf("%s: %.3f at least, %.3f in the mean; want %g, and about 1", c.name, dark, mean, c.dark)
		}
	}
}

// TestBentNormals turns normals of a floor, seen from a low place, until a mirror's ray comes from
// above it; those that need not be turned stay, and there is no step where turning begins.
func TestBentNormals(t *testing.T) {
	flat, d := num.V{Y: 1}, num.V{X: 0.8, Y: -0.6}
	last := num.V{}
	for i := range 1000 {
		// leans away from the eye, in the end by 17 degrees more than it may
		angle := float64(i) / 1000 * 0.95
		s, c := num.Sincos(angle)
		n := num.V{X: s, Y: c}
		got := bent(n, flat, d)
		if ray := mirrored(d.Neg(), got); ray.Y < 0.059 || got.Dot(d) >= 0 {
			t.Fatalf("%v became %v, and the ray comes from %v", n, got, ray)
		}
		if angle < 0.2 && got != n {
			t.Errorf("%v need not be turned, but became %v", n, got)
		}
		if i > 0 && got.Sub(last).Len() > 0.01 {
			t.Errorf("a step from %v to %v", last, got)
		}
		last = got
	}
	// Relief that faces the eye stays as it is.
	if n := (num.V{X: -0.7, Y: 0.5}).Unit(); facing(n, flat, d) != n {
		t.Errorf("%v was turned to %v", n, facing(n, flat, d))
	}
}

// TestLiftedPlaces looks at a triangle of a coarse ball: inside it the place is off the triangle,
// toward the ball, at the corners it is not, and seen from within the ball it is nowhere.
func TestLiftedPlaces(t *testing.T) {
	var b scene.Builder
	look(&b)
	coarse(&b, b.Material(scene.Matte(all(1))))
	w, err := New(b.Finish())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		b1, b2 float64
		inside bool
		off    bool
	}{{0.3, 0.3, false, true}, {0, 0.5, false, true}, {1, 0, false, false}, {0, 0, false, false}, {0.3, 0.3, true, false}} {
		s := surface{id: 0, mat: &w.mats[0]}
		w.onTriangle(&s, c.b1, c.b2)
		side := 1.0
		if c.inside {
			side = -1
		}
		w.lift(&s, c.b1, c.b2, side)
		off := s.lifted.Sub(s.p).Dot(s.flat)
		if off > 1e-6 != c.off || s.lifted.Len() > 1.2 {
			t.Errorf("%+v: the place is %.4f off the triangle, %.4f from the middle", c, off, s.lifted.Len())
		}
	}
}
