package trace

import (
	"math"
	"slices"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
	"satingrid/satin/effort"
)

// crowd is a scene of triangles and balls in no order, some degenerate, some many times the same.
func crowd(seed, n int) *scene.Scene {
	var b scene.Builder
	m := b.Material(scene.Matte(num.V{X: 0.5, Y: 0.5, Z: 0.5}))
	for i := range n {
		s := num.NewSampler(seed, i, 0)
		draw := func(size float64) num.V {
			x, y := s.Two()
			return num.V{X: x - 0.5, Y: y - 0.5, Z: s.One() - 0.5}.Scale(size)
		}
		at := draw(10)
		switch i % 7 {
		case 0:
			b.Sphere(at, 0.05+0.5*s.One(), m)
		case 1: // a flat one, as walls are
			b.Triangle(b.Vertex(num.V{X: 3}, num.V{}), b.Vertex(num.V{X: 3, Y: 1}, num.V{}), b.Vertex(num.V{X: 3, Z: 1}, num.V{}), m)
		case 2: // a point
			v := b.Vertex(at, num.V{})
			b.Triangle(v, v, v, m)
		default:
			b.Triangle(b.Vertex(at, num.V{}), b.Vertex(at.Add(draw(2)), num.V{}), b.Vertex(at.Add(draw(2)), num.V{}), m)
		}
	}
	return b.Finish()
}

func aimed(o, d num.V, t float64) ray {
	var r ray
	r.aim(o, d, t)
	return r
}

// TestTreeAgreesWithTryingAll compares the tree with its dumb twin.
func TestTreeAgreesWithTryingAll(t *testing.T) {
	for seed, n := range []int{1, 2, 3, 9, 40, 700, 3000} {
		w, err := New(crowd(seed, n))
		if err != nil {
			t.Fatal(err)
		}
		tr := w.Tracer()
		hits, rays := 0, effort.Of(500, 1500, 4000)
		for i := range uint32(rays) {
			s := num.NewSampler(seed, 99, i)
			u, v := s.Two()
			x, y := s.Two()
			o := num.V{X: 14 * (x - 0.5), Y: 14 * (y - 0.5), Z: 14 * (s.One() - 0.5)}
			d := num.Cone(u, v, -1)
			if i%5 == 0 {
				d = [3]num.V{{X: 1}, {Y: -1}, {Z: 1}}[i%3]
			}
			far := 1e9
			if i%4 == 0 {
				far = 3
			}
			all, got := aimed(o, d, far), aimed(o, d, far)
			for k := range len(w.tri) + len(w.scene.Spheres) {
				if s := w.shapeOf(int32(k)); s.id < 0 {
					sphere(&all, &s)
				} else {
					triangle(&all, &s)
				}
			}
			tr.nearest(&got)
			if all.t != got.t || (all.id == noShape) != (got.id == noShape) {
				t.Fatalf("%d shapes, ray %d: the tree finds %v at %g, trying all finds %v at %g", n, i, got.id, got.t, all.id, all.t)
			}
			any := aimed(o, d, far)
			if tr.blocked(&any) != (all.id != noShape) {
				t.Fatalf("%d shapes, ray %d: blocked is %v", n, i, any.id != noShape)
			}
			if got.id != noShape {
				hits++
			}
		}
		if n > 500 && hits < rays/10 {
			t.Errorf("%d shapes: only %d of %d rays met anything", n, hits, rays)
		}
	}
}

// TestMarchesAgree compares the march of four at a time with its plain twin, to the last bit
// and to the same stack.
func TestMarchesAgree(t *testing.T) {
	if !quick {
		t.Skip("this machine has no quick march")
	}
	for seed, n := range []int{1, 5, 60, 4000} {
		w, err := New(crowd(seed, n))
		if err != nil {
			t.Fatal(err)
		}
		a, b := w.Tracer(), w.Tracer()
		steps := 0
		for i := range uint32(20000) {
			s := num.NewSampler(seed, 98, i)
			u, v := s.Two()
			x, y := s.Two()
			o, d := num.V{X: 14 * (x - 0.5), Y: 14 * (y - 0.5), Z: 14 * (s.One() - 0.5)}, num.Cone(u, v, -1)
			switch i % 8 {
			case 0: // in the plane of flat shapes, along an axis
				o.X, d = 3, num.V{Y: 1}
			case 1:
				d = num.V{X: -d.X, Y: 0, Z: math.Copysign(0, -1)}
			}
			ra, anyDoes := aimed(o, d, 1e9), i%3 == 0
			rb := ra
			a.stack[0], a.stack[1] = placeOf(0, nothing), placeOf(0, 0)
			b.stack = a.stack
			for topA, c := 2, child(0); ; steps++ {
				topB, cB := b.marchPlain(&rb, topA, anyDoes)
				topA, c = marchQuick(&ra, &w.nodes[0], &w.packs[0], &a.stack[0], topA, anyDoes)
				if ra != rb || c != cB || c != nothing && (topA != topB || slices.Compare(a.stack[:topA], b.stack[:topB]) != 0) {
					t.Fatalf("%d shapes, ray %d: %v at %v, the plain march is %v at %v", n, i, ra, c, rb, cB)
				}
				if c == nothing {
					break
				}
				w.meetOdd(&ra, c)
				w.meetOdd(&rb, c)
				if anyDoes && ra.id != noShape {
					break
				}
			}
		}
		if n > 1000 && steps < 21000 {
			t.Errorf("%d shapes: only %d steps", n, steps)
		}
	}
}

func TestEveryShapeIsInTheTreeOnce(t *testing.T) {
	w, err := New(crowd(1, 5000))
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]int, len(w.tri)+len(w.scene.Spheres))
	var visit func(c child, depth int)
	visit = func(c child, depth int) {
		if depth > stackSize/4 {
			t.Fatalf("the tree is more than %d deep", depth)
		}
		if c < 0 {
			from, to := c.shapes()
			for i := from; i < to; i++ {
				switch {
				case !c.odd():
					for _, id := range w.packs[i].id {
						if id != noShape {
							seen[id]++
						}
					}
				case w.odd[i].id < 0:
					seen[len(w.tri)+int(^w.odd[i].id)]++
				default:
					seen[w.odd[i].id]++
				}
			}
			return
		}
		for _, k := range w.nodes[c].child {
			visit(k, depth+1)
		}
	}
	visit(0, 0)
	for i, n := range seen {
		if n != 1 {
			t.Fatalf("shape %d is in %d leaves", i, n)
		}
	}
}

func TestSceneWithoutShapes(t *testing.T) {
	var b scene.Builder
	b.Sky.Zenith, b.Sky.Horizon, b.Sky.Ground = num.V{X: 1}, num.V{X: 1}, num.V{X: 1}
	w, err := New(b.Finish())
	if err != nil {
		t.Fatal(err)
	}
	c, rays := w.Tracer().Block(0, 0, 8, 8, Settings{Samples: 4, Bounces: 3})
	if len(c) != BlockSize*BlockSize || math.Abs(c[0].Color.X-1) > 1e-9 || c[0].Color.Y != 0 || rays == 0 {
		t.Errorf("the sky alone is %v after %d rays", c[0].Color, rays)
	}
}
