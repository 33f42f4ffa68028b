package scene

import (
	"math"
	"testing"

	"satingrid/apps/raytracer/num"
)

func TestExampleIsSound(t *testing.T) {
	s := Example()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if n := s.Mesh.Count(); n < 50_000 || n > 200_000 || len(s.Spheres) < 20 {
		t.Errorf("%d triangles and %d balls", n, len(s.Spheres))
	}
	size := len(s.Mesh.Positions) + len(s.Mesh.Normals) + len(s.Mesh.UVs) + len(s.Mesh.Triangles)
	if size > 8<<20 {
		t.Errorf("the mesh has %d bytes, which every peer is sent", size)
	}
}

// TestBodiesAreClosedAndFaceOutward matters for glass, which knows its inside by its normals.
func TestBodiesAreClosedAndFaceOutward(t *testing.T) {
	center := num.V{X: 1, Y: 2, Z: 3}
	for name, build := range map[string]func(b *Builder){
		"gem": func(b *Builder) { b.gem(center, 0.5, num.V{X: 0.2, Y: 1, Z: 0.4}, 0) },
		"box": func(b *Builder) {
			b.Box(center.Sub(num.V{X: 1, Y: 1, Z: 1}), center.Add(num.V{X: 1, Y: 2, Z: 1}), 0.4, 0)
		},
		"ring": func(b *Builder) { b.ring(center, 1, 0.2, num.V{Y: 1}, 0) },
	} {
		var b Builder
		b.Material(Matte(num.V{}))
		build(&b)
		sum, inward := num.V{}, 0
		for i := range b.Mesh.Count() {
			v, _ := b.Mesh.Triangle(i)
			p, q, r := b.Mesh.Position(v[0]), b.Mesh.Position(v[1]), b.Mesh.Position(v[2])
			n := q.Sub(p).Cross(r.Sub(p))
			sum = sum.Add(n)
			out := p.Add(q).Add(r).Scale(1.0 / 3).Sub(center)
			if name == "ring" {
				// Outward is away from the circle within the tube.
				flat := num.V{X: out.X, Z: out.Z}.Unit()
				out = out.Sub(flat)
			}
			if n.Dot(out) <= 0 {
				inward++
			}
		}
		if sum.Len() > 1e-5 {
			t.Errorf("%s: the faces sum up to %v, want nothing", name, sum)
		}
		if inward > 0 {
			t.Errorf("%s: %d of %d faces look inward", name, inward, b.Mesh.Count())
		}
	}
}

func TestBallsRestOnTheCloth(t *testing.T) {
	c := &cloth{}
	for _, at := range [][2]float64{{-0.95, -0.15}, {1.3, 0.4}, {2, -1}} {
		center := c.rest(at[0], at[1], 0.4)
		for i := range 400 {
			s := num.NewSampler(1, 1, uint32(i))
			x, y := num.Disk(s.Two())
			p := c.at(center.X+0.6*x, center.Z+0.6*y)
			if d := p.Sub(center).Len(); d < 0.4-1e-3 {
				t.Fatalf("the cloth is %.4f from the middle of a ball of radius 0.4", d)
			}
		}
		if gap := center.Y - 0.4 - c.at(center.X, center.Z).Y; gap > 0.02 {
			t.Errorf("a ball hangs %.3f over the cloth", gap)
		}
	}
}

func TestFinishSeesAndLightsEverything(t *testing.T) {
	var b Builder
	b.Box(num.V{X: 10, Y: 20, Z: 30}, num.V{X: 14, Y: 21, Z: 31}, 0, b.Material(Matte(num.V{X: 1})))
	s := b.Finish()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if !s.lit() || s.Sky.Black() {
		t.Error("nothing lights the scene")
	}
	ahead := s.Camera.Target.Sub(s.Camera.Eye).Unit()
	half := math.Tan(s.Camera.Fov / 2 * math.Pi / 180)
	for i := range 8 {
		p := s.Mesh.Position(i).Sub(s.Camera.Eye)
		z := p.Dot(ahead)
		if across := p.Sub(ahead.Scale(z)).Len(); z <= 0 || across > 1.5*half*z {
			t.Errorf("corner %d is outside the picture", i)
		}
	}
}

func TestRoomIsSeenThroughItsOpening(t *testing.T) {
	var b Builder
	m := b.Material(Matte(num.V{X: 1, Y: 1, Z: 1}))
	// A room without the wall at -x: its normals look inward.
	b.Quad(num.V{}, num.V{Z: 1}, num.V{X: 1, Z: 1}, num.V{X: 1}, m)
	b.Quad(num.V{Y: 1}, num.V{X: 1, Y: 1}, num.V{X: 1, Y: 1, Z: 1}, num.V{Y: 1, Z: 1}, m)
	b.Quad(num.V{X: 1}, num.V{X: 1, Z: 1}, num.V{X: 1, Y: 1, Z: 1}, num.V{X: 1, Y: 1}, m)
	if s := b.Finish(); s.Camera.Eye.X > -0.5 {
		t.Errorf("the camera is at %v", s.Camera.Eye)
	}
}

// TestUnder takes away the light that was added, and no other.
func TestUnder(t *testing.T) {
	sky := Sky{Zenith: num.V{X: 1}, Horizon: num.V{Y: 1}, Ground: num.V{Z: 1}}
	for _, lit := range []bool{false, true} {
		var b Builder
		m := Matte(num.V{X: 1})
		if lit {
			m.Emission = num.V{X: 2}
		}
		b.Sphere(num.V{}, 1, b.Material(m))
		s := b.Finish()
		if s.Added == lit || len(s.Spheres) == 1 != lit {
			t.Errorf("lit: %v; %d spheres, light was added: %v", lit, len(s.Spheres), s.Added)
		}
		for range 2 {
			if s.Under(sky); s.Sky.Zenith != sky.Zenith || len(s.Spheres) != 1 || s.Spheres[0].Radius != 1 {
				t.Errorf("lit: %v; under the sky there are the spheres %v", lit, s.Spheres)
			}
		}
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}

// TestWhatGlowsFaintlyLightsNothing keeps the light that is added for want of light in scenes
// with displays and pilot lights: they are no lamps.
func TestWhatGlowsFaintlyLightsNothing(t *testing.T) {
	for _, c := range []struct {
		emission float64
		added    bool
	}{{0, true}, {0.5, true}, {1, true}, {1.5, false}, {20, false}} {
		var b Builder
		m := Matte(num.V{X: 1})
		m.Emission = num.V{X: c.emission}
		b.Sphere(num.V{}, 1, b.Material(m))
		if s := b.Finish(); s.Added != c.added {
			t.Errorf("emission %g: light was added: %v", c.emission, s.Added)
		}
	}
}

// TestListsOfVerticesAreEven gives some vertices places and colours: the others are at (0, 0) and
// white.
func TestListsOfVerticesAreEven(t *testing.T) {
	var b Builder
	m := b.Material(Matte(num.V{}))
	b.Vertex(num.V{}, num.V{})
	b.VertexUV(num.V{X: 1}, num.V{}, 0.5, 0.25)
	b.Paint(num.V{X: 1}, 0.2)
	b.Vertex(num.V{Y: 1}, num.V{})
	b.Place(1, 3, 4)
	b.Vertex(num.V{Z: 1}, num.V{})
	b.Triangle(0, 1, 2, m)
	b.Triangle(1, 2, 3, m)
	s := b.Finish()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		var want [2][2]float64
		color, alpha := num.V{X: 1, Y: 1, Z: 1}, 1.0
		if i == 1 {
			want[0], color, alpha = [2]float64{0.5, 0.25}, num.V{X: 1}, 0.2
		}
		if i == 2 {
			want[1] = [2]float64{3, 4}
		}
		for set := range 2 {
			if u, v := s.Mesh.UV(set, i); [2]float64{u, v} != want[set] {
				t.Errorf("vertex %d is at %g, %g in set %d, want %v", i, u, v, set, want[set])
			}
		}
		if c, a := s.Mesh.Color(i); c != color || math.Abs(a-alpha) > 1e-9 {
			t.Errorf("vertex %d is %v, %g, want %v, %g", i, c, a, color, alpha)
		}
	}
}
