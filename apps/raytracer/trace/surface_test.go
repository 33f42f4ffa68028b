package trace

import (
	"math"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// poster is a square from (0, 0) to (1, 1) in the plane z = 0 that faces +z, with a material that
// has pictures; u grows with x, and v from the top down.
func poster(m scene.Material, pictures ...scene.Texture) *scene.Scene {
	var b scene.Builder
	for i, p := range pictures {
		b.Texture(p)
		*[]*int{&m.ColorTexture, &m.RoughTexture, &m.NormalTexture}[i] = i + 1
	}
	mat := b.Material(m)
	corner := func(x, y float64) int {
		return b.VertexUV(num.V{X: x, Y: y}, num.V{Z: 1}, x, 1-y)
	}
	ll, lr, ur, ul := corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)
	b.Triangle(ll, lr, ur, mat)
	b.Triangle(ll, ur, ul, mat)
	return b.Finish()
}

// at is what a ray that falls straight on the poster meets at (x, y).
func at(t *testing.T, w *World, x, y float64) surface {
	t.Helper()
	o, d := num.V{X: x, Y: y, Z: 1}, num.V{Z: -1}
	r := aimed(o, d, farAway)
	if w.Tracer().nearest(&r); r.id < 0 {
		t.Fatalf("nothing at %g, %g", x, y)
	}
	var s surface
	w.surfaceAt(&s, &r, o, d)
	return s
}

func near(a, b num.V) bool { return a.Sub(b).MaxAbs() < 1e-6 }

// TestPicturesOfMaterials looks at the middle of each pixel of a poster's pictures, in glTF's
// meaning: the colours are in sRGB, green is roughness and blue metallic, and a normal map leans
// with u, against v and off the surface.
func TestPicturesOfMaterials(t *testing.T) {
	color := scene.Texture{Width: 2, Height: 2, Pixels: []byte{
		255, 0, 0, 255, 0, 255, 0, 255, // the upper row
		0, 0, 255, 255, 188, 188, 188, 51,
	}}
	rough := scene.Texture{Width: 2, Height: 1, Linear: true, Pixels: []byte{0, 51, 255, 255, 0, 255, 102, 255}}
	normal := scene.Texture{Width: 1, Height: 2, Linear: true, Pixels: []byte{255, 128, 128, 255, 128, 255, 128, 255}}
	w, err := New(poster(scene.Material{
		Color: num.V{X: 1, Y: 1, Z: 0.5}, Roughness: 0.5, Metallic: 1, Alpha: 1,
	}, color, rough, normal))
	if err != nil {
		t.Fatal(err)
	}
	half := math.Pow((188.0/255+0.055)/1.055, 2.4)
	lean := float64(2*128.0/255 - 1)
	for _, c := range []struct {
		x, y          float64
		color, normal num.V
		alpha         float64
		rough, metal  float64
	}{
		{0.25, 0.75, num.V{X: 1}, num.V{X: 1, Y: lean, Z: lean}.Unit(), 1, 0.1, 1},
		{0.75, 0.75, num.V{Y: 1}, num.V{X: 1, Y: lean, Z: lean}.Unit(), 1, 0.5, 0.4},
		{0.25, 0.25, num.V{Z: 0.5}, num.V{X: lean, Y: 1, Z: lean}.Unit(), 1, 0.1, 1},
		{0.75, 0.25, num.V{X: half, Y: half, Z: half / 2}, num.V{X: lean, Y: 1, Z: lean}.Unit(), 0.2, 0.5, 0.4},
	} {
		s := at(t, w, c.x, c.y)
		if !near(s.color, c.color) || math.Abs(s.alpha-c.alpha) > 1e-6 {
			t.Errorf("at %g, %g: colour %v, alpha %g, want %v and %g", c.x, c.y, s.color, s.alpha, c.color, c.alpha)
		}
		if math.Abs(s.roughness-c.rough) > 1e-6 || math.Abs(s.metallic-c.metal) > 1e-6 {
			t.Errorf("at %g, %g: roughness %g, metallic %g, want %g and %g", c.x, c.y, s.roughness, s.metallic, c.rough, c.metal)
		}
		if !near(s.normal, c.normal) || !near(s.flat, num.V{Z: 1}) {
			t.Errorf("at %g, %g: normal %v on %v, want %v", c.x, c.y, s.normal, s.flat, c.normal)
		}
	}
	// Half-way between two pixels there are halves of both, in linear light.
	if s := at(t, w, 0.5, 0.75); !near(s.color, num.V{X: 0.5, Y: 0.5}) {
		t.Errorf("between red and green there is %v", s.color)
	}
}

// TestSmoothNormals leans a triangle's corners outwards: in between the normal turns evenly, and
// the place stays flat.
func TestSmoothNormals(t *testing.T) {
	var b scene.Builder
	m := b.Material(scene.Matte(num.V{X: 1}))
	b.Triangle(b.Vertex(num.V{}, num.V{X: -1, Z: 1}.Unit()), b.Vertex(num.V{X: 1}, num.V{X: 1, Z: 1}.Unit()),
		b.Vertex(num.V{Y: 1}, num.V{X: -1, Z: 1}.Unit()), m)
	w, err := New(b.Finish())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0.1, 0.5, 0.8} {
		s := at(t, w, x, 0.1)
		if want := (num.V{X: 2*x - 1, Z: 1}).Unit(); !near(s.normal, want) || !near(s.flat, num.V{Z: 1}) || !near(s.p, num.V{X: x, Y: 0.1}) {
			t.Errorf("at %g: normal %v, want %v; flat %v at %v", x, s.normal, want, s.flat, s.p)
		}
	}
}
