package trace

import (
	"math"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// poster is a square from (0, 0) to (1, 1) in the plane z = 0 that faces +z, with a material that
// has pictures; u grows with x, and v from the top down.
func poster(m scene.Material, pictures ...scene.Picture) *scene.Scene {
	var b scene.Builder
	for i, p := range pictures {
		b.Texture(scene.Texture{Picture: b.Picture(p), Linear: i > 0})
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
	color := scene.Picture{Width: 2, Height: 2, Pixels: []byte{
		255, 0, 0, 255, 0, 255, 0, 255, // the upper row
		0, 0, 255, 255, 188, 188, 188, 51,
	}}
	rough := scene.Picture{Width: 2, Height: 1, Pixels: []byte{0, 51, 255, 255, 0, 255, 102, 255}}
	normal := scene.Picture{Width: 1, Height: 2, Pixels: []byte{255, 128, 255, 255, 128, 255, 255, 255}}
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
		{0.25, 0.75, num.V{X: 1}, num.V{X: 1, Y: lean, Z: 1}.Unit(), 1, 0.1, 1},
		{0.75, 0.75, num.V{Y: 1}, num.V{X: 1, Y: lean, Z: 1}.Unit(), 1, 0.5, 0.4},
		{0.25, 0.25, num.V{Z: 0.5}, num.V{X: lean, Y: 1, Z: 1}.Unit(), 1, 0.1, 1},
		{0.75, 0.25, num.V{X: half, Y: half, Z: half / 2}, num.V{X: lean, Y: 1, Z: 1}.Unit(), 0.2, 0.5, 0.4},
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

// TestColorsOfVertices paints a poster's corners: colours and alpha are even in between, and are
// multiplied by the material's.
func TestColorsOfVertices(t *testing.T) {
	for _, c := range []struct {
		cutoff, alpha float64 // of the material; alpha is wanted at the middle
		unlit         bool
	}{{0, 0.375, false}, {-1, 1, false}, {0.3, 1, false}, {0.4, 0, false}, {-1, 1, true}} {
		var b scene.Builder
		m := b.Material(scene.Material{Color: num.V{X: 1, Y: 0.5, Z: 1}, Roughness: 1, Alpha: 1, Cutoff: c.cutoff, Unlit: c.unlit})
		if c.cutoff == 0 {
			b.Materials[m].Alpha = 0.5
			c.alpha = 0.375
		}
		corners := [3]int{}
		for i, v := range []struct {
			at, color num.V
			alpha     float64
		}{{num.V{}, num.V{X: 1}, 1}, {num.V{X: 1}, num.V{Y: 1}, 0.5}, {num.V{Y: 1}, num.V{X: 1, Y: 1}, 1}} {
			corners[i] = b.Vertex(v.at, num.V{Z: 1})
			b.Paint(v.color, v.alpha)
			if c.cutoff > 0 {
				b.Mesh.Colors = b.Mesh.Colors[:len(b.Mesh.Colors)-8]
				b.Paint(v.color, v.alpha/2)
			}
		}
		b.Triangle(corners[0], corners[1], corners[2], m)
		w, err := New(b.Finish())
		if err != nil {
			t.Fatal(err)
		}
		s := at(t, w, 0.5, 0.2)
		want := num.V{X: 0.5, Y: 0.35}
		got := s.color
		if c.unlit {
			got = s.emission
			if s.color != (num.V{}) {
				t.Errorf("what is unlit reflects %v", s.color)
			}
		}
		if got.Sub(want).MaxAbs() > 1e-4 || math.Abs(s.alpha-c.alpha) > 1e-4 {
			t.Errorf("%+v: %v, alpha %g, want %v", c, got, s.alpha, want)
		}
		if s.alpha < 1 && !w.seeThrough {
			t.Errorf("%+v: shadows do not look at it", c)
		}
	}
}

// TestPicturesLieAsTheyAreTurned looks a picture of four pixels up in both sets of places, turned,
// beyond its edges and without smoothing.
func TestPicturesLieAsTheyAreTurned(t *testing.T) {
	// red, green
	// blue, white
	pixels := []byte{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255}
	red, green, blue, white := num.V{X: 1}, num.V{Y: 1}, num.V{Z: 1}, num.V{X: 1, Y: 1, Z: 1}
	for _, c := range []struct {
		tex  scene.Texture
		u, v float64
		want num.V
	}{
		{scene.Texture{}, 0.25, 0.25, red},
		{scene.Texture{}, 0.75, 0.25, green},
		{scene.Texture{}, 1.25, 0.25, red},
		{scene.Texture{EdgeU: scene.Clamp}, 1.25, 0.25, green},
		{scene.Texture{EdgeU: scene.Clamp}, 1.25, 1.25, green},
		{scene.Texture{EdgeV: scene.Clamp}, 1.25, 1.25, blue},
		{scene.Texture{EdgeU: scene.Mirror}, 1.25, 0.25, green},
		{scene.Texture{EdgeU: scene.Mirror}, 1.75, 0.25, red},
		{scene.Texture{EdgeU: scene.Mirror}, -0.25, 0.25, red},
		{scene.Texture{EdgeU: scene.Mirror}, -0.75, 0.25, green},
		{scene.Texture{EdgeV: scene.Mirror}, 0.25, 3.25, blue},
		{scene.Texture{Blocky: true}, 0.49, 0.49, red},
		{scene.Texture{Blocky: true}, 0.51, 0.51, white},
		{scene.Texture{Blocky: true, EdgeU: scene.Clamp}, -9, 0.99, blue},
		{scene.Texture{Turn: scene.Affine{UV: 1, VU: 1}}, 0.25, 0.75, green},
		{scene.Texture{Turn: scene.Affine{UU: 1, VV: 1, U: 0.5}}, 0.25, 0.25, green},
		{scene.Texture{Turn: scene.Affine{UU: 3, VV: 1}}, 0.25, 0.25, green},
		{scene.Texture{Set: 1}, 0.25, 0.25, white},
	} {
		w := World{tex: []texture{{&scene.Picture{Width: 2, Height: 2, Pixels: pixels}, c.tex, !c.tex.Turn.Plain()}}}
		s := surface{uv: [2][2]float64{{c.u, c.v}, {0.75, 0.75}}}
		if got, _ := w.look(&s, 1); !near(got, c.want) {
			t.Errorf("%+v at %g, %g: %v, want %v", c.tex, c.u, c.v, got, c.want)
		}
	}
}

// TestReliefLeansAsItsPictureIsTurned turns a normal map that leans along u, by its scale and by a
// quarter with its texture.
func TestReliefLeansAsItsPictureIsTurned(t *testing.T) {
	lean := scene.Picture{Width: 1, Height: 1, Pixels: []byte{255, 128, 255, 255}}
	for _, c := range []struct {
		scale float64
		turn  scene.Affine
		want  num.V
	}{
		{0, scene.Affine{}, num.V{X: 1, Z: 1}},
		{1, scene.Affine{}, num.V{X: 1, Z: 1}},
		{0.5, scene.Affine{}, num.V{X: 0.5, Z: 1}},
		{-1, scene.Affine{}, num.V{X: -1, Z: 1}},
		// u of the picture grows with v, downwards
		{1, scene.Affine{UV: 1, VU: -1}, num.V{Y: -1, Z: 1}},
	} {
		s := poster(scene.Material{Color: num.V{X: 1}, Roughness: 1, Alpha: 1, NormalScale: c.scale, NormalTexture: 1})
		s.Pictures = []scene.Picture{lean}
		s.Textures = []scene.Texture{{Linear: true, Turn: c.turn}}
		w, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(t, w, 0.4, 0.3).normal; got.Sub(c.want.Unit()).MaxAbs() > 0.01 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestPicturesOfLayers reads the pictures that say how much goes through, how thick it is, how
// open and how lacquered a surface is.
func TestPicturesOfLayers(t *testing.T) {
	s := poster(scene.Material{
		Color: num.V{X: 1}, Roughness: 1, Alpha: 1, Transmission: 0.5, Coat: 0.5, CoatRoughness: 0.5, Occlusion: 0.5,
		TransmissionTexture: 1, ThicknessTexture: 1, OcclusionTexture: 1, CoatTexture: 1, CoatRoughTexture: 1,
	})
	// green is 0 on the left: a film there
	s.Pictures = []scene.Picture{{Width: 2, Height: 1, Pixels: []byte{51, 0, 0, 255, 102, 204, 0, 255}}}
	s.Textures = []scene.Texture{{Linear: true}}
	w, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, transmission, coat, rough, open float64
		thin                               bool
	}{{0.25, 0.1, 0.1, 0, 0.6, true}, {0.75, 0.2, 0.2, 0.4, 0.7, false}} {
		s := at(t, w, c.x, 0.5)
		if math.Abs(s.transmission-c.transmission)+math.Abs(s.coat-c.coat)+math.Abs(s.coatRough-c.rough)+math.Abs(s.open-c.open) > 1e-9 || s.thin != c.thin {
			t.Errorf("at %g: %g, %g, %g, %g, %v; want %+v", c.x, s.transmission, s.coat, s.coatRough, s.open, s.thin, c)
		}
	}
}
