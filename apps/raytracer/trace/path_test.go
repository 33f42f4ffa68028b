package trace

import (
	"math"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// look is a camera at (0, 0, 5) that sees the origin, closely.
func look(b *scene.Builder) {
	b.Camera = scene.Camera{Eye: num.V{Z: 5}, Up: num.V{Y: 1}, Fov: 2}
}

func all(x float64) num.V { return num.V{X: x, Y: x, Z: x} }

// mean is the mean colour of a picture of 8 by 8 pixels.
func mean(t *testing.T, s *scene.Scene, set Settings) num.V {
	t.Helper()
	w, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	sum := num.V{}
	for i := range 4 {
		c, _ := w.Tracer().Block(4*(i%2), 4*(i/2), 8, 8, set)
		for _, p := range c {
			sum = sum.Add(p.Color.Scale(1.0 / 64))
		}
	}
	return sum
}

// TestFurnace puts a ball into light that is the same from everywhere. A ball that absorbs nothing
// must vanish in it, and none may be brighter.
func TestFurnace(t *testing.T) {
	for _, c := range []struct {
		name string
		mat  scene.Material
		lo   float64
		hi   float64
	}{
		{"matt white", scene.Material{Color: all(1), Roughness: 1, Alpha: 1}, 0.999, 1.001},
		{"matt grey", scene.Material{Color: all(0.5), Roughness: 1, Alpha: 1}, 0.499, 0.501},
		{"mirror", scene.Material{Color: all(1), Metallic: 1, Alpha: 1}, 0.999, 1.001},
		{"metal, a little rough", scene.Material{Color: all(1), Metallic: 1, Roughness: 0.3, Alpha: 1}, 0.97, 1.002},
		{"metal, rough", scene.Material{Color: all(1), Metallic: 1, Roughness: 1, Alpha: 1}, 0.28, 1.002},
		{"plastic", scene.Material{Color: all(1), Roughness: 0.4, Specular: 1, Alpha: 1}, 0.9, 1.01},
		{"polished plastic", scene.Material{Color: all(1), Specular: 1, Alpha: 1}, 0.9, 1.002},
		{"glass", scene.Material{Color: all(1), Transmission: 1, Alpha: 1}, 0.995, 1.001},
		{"film", scene.Material{Color: all(1), Transmission: 1, Thin: true, Alpha: 1}, 0.995, 1.001},
		{"rough glass", scene.Material{Color: all(1), Roughness: 0.3, Transmission: 1, Alpha: 1}, 0.9, 1.002},
		{"lacquer on black", scene.Material{Roughness: 1, Alpha: 1, Coat: 1}, 0.039, 0.041},
		{"lacquer on white", scene.Material{Color: all(1), Roughness: 1, Alpha: 1, Coat: 1}, 0.999, 1.001},
		{"matt lacquer on white", scene.Material{Color: all(1), Roughness: 1, Alpha: 1, Coat: 1, CoatRoughness: 0.5}, 0.95, 1.001},
		{"lacquer on metal", scene.Material{Color: all(1), Metallic: 1, Roughness: 0.3, Alpha: 1, Coat: 0.5}, 0.97, 1.002},
		{"lacquer on glass", scene.Material{Color: all(1), Transmission: 1, Thin: true, Alpha: 1, Coat: 1}, 0.99, 1.01},
		{"half there", scene.Material{Color: all(0), Roughness: 1, Alpha: 0.5}, 0.24, 0.26},
	} {
		var b scene.Builder
		look(&b)
		b.Sky = scene.Sky{Zenith: all(1), Horizon: all(1), Ground: all(1)}
		b.Sphere(num.V{}, 1, b.Material(c.mat))
		got := mean(t, b.Finish(), Settings{Samples: 64, Bounces: 64})
		if got.X < c.lo || got.X > c.hi {
			t.Errorf("%s: %.4f, want %g to %g", c.name, got.X, c.lo, c.hi)
		}
	}
}

// TestLampsAgree lights a matt floor by a lamp of known size, for which the light can be computed,
// in three ways: paths that are sent to lamps, the same lamp among so many that it is drawn by
// power, and paths that find the lamp by chance.
func TestLampsAgree(t *testing.T) {
	build := func(lamp func(b *scene.Builder, m int), others int) *scene.Scene {
		var b scene.Builder
		b.Camera = scene.Camera{Eye: num.V{Y: 1, Z: 0.001}, Up: num.V{Y: 1}, Fov: 0.5}
		floor := b.Material(scene.Matte(all(0.5)))
		b.Quad(num.V{X: -9, Z: -9}, num.V{X: -9, Z: 9}, num.V{X: 9, Z: 9}, num.V{X: 9, Z: -9}, floor)
		lamp(&b, b.Material(scene.Material{Alpha: 1, Emission: all(3)}))
		for range others {
			b.Sphere(num.V{X: 50, Y: -50}, 0.01, b.Material(scene.Material{Alpha: 1, Emission: all(1)}))
		}
		return b.Finish()
	}
	ball := func(b *scene.Builder, m int) { b.Sphere(num.V{Y: 2, X: 0.5}, 0.5, m) }
	// A ball's light on a surface is its radiance times π times the square of its
	// sine, times the cosine.
	want := 0.5 * 3 * (0.25 / 4.25) * (2 / math.Sqrt(4.25))
	quad := func(b *scene.Builder, m int) {
		b.Quad(num.V{X: 1, Y: 2, Z: -0.5}, num.V{X: 1, Y: 2, Z: 0.5}, num.V{X: 1.4, Y: 1.8, Z: 0.5}, num.V{X: 1.4, Y: 1.8, Z: -0.5}, m)
	}
	first := mean(t, build(quad, 0), Settings{Samples: 400, Bounces: 1}).X
	for others := range 2 {
		if got := mean(t, build(ball, 20*others), Settings{Samples: 400, Bounces: 1}).X; math.Abs(got/want-1) > 0.02 {
			t.Errorf("a ball with %d other lamps: %.5f, computed %.5f", 20*others, got, want)
		}
		if got := mean(t, build(quad, 20*others), Settings{Samples: 400, Bounces: 1}).X; math.Abs(got/first-1) > 0.02 {
			t.Errorf("a quad with %d other lamps: %.5f, without %.5f", 20*others, got, first)
		}
	}
	// Inside glass that does not refract, lamps cannot be asked for: only chance finds them.
	// Inside what is not there they can.
	for _, shell := range []scene.Material{
		{Alpha: 1, Color: all(1), Transmission: 1, IOR: 1},
		{Alpha: 0, Color: all(1), Roughness: 1},
	} {
		s := build(ball, 0)
		b := scene.Builder{Scene: *s}
		b.Sphere(num.V{Y: 2, X: 0.5}, 0.7, b.Material(shell))
		if got := mean(t, b.Finish(), Settings{Samples: 400, Bounces: 3}).X; math.Abs(got/want-1) > 0.03 {
			t.Errorf("inside %+v: %.5f, computed %.5f", shell, got, want)
		}
	}
}

// TestPanorama compares a panorama, which is sampled by its brightness, with a
// gradient of the same light.
func TestPanorama(t *testing.T) {
	build := func(sky scene.Sky) *scene.Scene {
		var b scene.Builder
		look(&b)
		b.Sky = sky
		b.Sphere(num.V{}, 1, b.Material(scene.Matte(all(0.7))))
		return b.Finish()
	}
	m := scene.Picture{Width: 16, Height: 8, Float: true}
	for range 16 * 8 * 3 {
		m.Pixels = scene.AppendFloat(m.Pixels, 0.8)
	}
	even := mean(t, build(scene.Sky{Map: m}), Settings{Samples: 200, Bounces: 4}).X
	if math.Abs(even/(0.8*0.7)-1) > 0.01 {
		t.Errorf("an even panorama gives %.4f, want %.4f", even, 0.8*0.7)
	}
	// One bright pixel straight behind the camera: its light is its radiance times its solid
	// angle times albedo over π. rows 3 and 4 meet at the horizon; columns 15 and 0 meet at +z,
	// behind a camera that looks along -z
	at := 3*16 + 15
	for _, p := range []int{at, 3 * 16, 4*16 + 15, 4 * 16} {
		for k := range 3 {
			copy(m.Pixels[12*p+4*k:], scene.AppendFloat(nil, 100))
		}
	}
	got := mean(t, build(scene.Sky{Map: m}), Settings{Samples: 200, Bounces: 1}).X
	solid := (2 * math.Pi / 8) * 2 * math.Sin(math.Pi/8)
	// the spot is wide: its mean cosine is a little below one
	want := even + 0.7/math.Pi*(100-0.8)*solid*0.97
	if math.Abs(got/want-1) > 0.04 {
		t.Errorf("a panorama with a sun gives %.4f, want about %.4f", got, want)
	}
}

// TestNoLeaks closes a lamp into a room whose walls have no thickness. No light may get out.
func TestNoLeaks(t *testing.T) {
	for _, far := range []float64{0, 1000} {
		var b scene.Builder
		off := num.V{X: far, Y: far / 2, Z: -far}
		b.Camera = scene.Camera{Eye: off.Add(num.V{X: 3, Y: 3, Z: 6}), Target: off, Up: num.V{Y: 1}, Fov: 40}
		wall := b.Material(scene.Matte(all(0.9)))
		b.Box(off.Add(all(-1)), off.Add(all(1)), 0.3, wall)
		b.Sphere(off, 0.3, b.Material(scene.Material{Alpha: 1, Emission: all(1000)}))
		w, err := New(b.Finish())
		if err != nil {
			t.Fatal(err)
		}
		for i := range 8 * 5 {
			c, _ := w.Tracer().Block(4*(i%8), 4*(i/8), 32, 20, Settings{Samples: 8, Bounces: 6})
			for _, p := range c {
				if p.Color.Max() > 0 {
					t.Fatalf("at %g from the origin, light %v leaks in block %d", far, p.Color, i)
				}
			}
		}
	}
}

// TestPixelsDoNotDependOnOthers renders blocks alone and in the other order.
func TestPixelsDoNotDependOnOthers(t *testing.T) {
	set := Settings{Samples: 4, Bounces: 4}
	w1, err := New(crowd(3, 300))
	if err != nil {
		t.Fatal(err)
	}
	w2, _ := New(crowd(3, 300))
	first := map[int][]Pixel{}
	for i := range 20 {
		first[i], _ = w1.Tracer().Block(4*i, 20, 80, 45, set)
	}
	for i := 19; i >= 0; i-- {
		again, _ := w2.Tracer().Block(4*i, 20, 80, 45, set)
		for k := range again {
			if again[k] != first[i][k] {
				t.Fatalf("block %d, pixel %d: %v, then %v", i, k, first[i][k], again[k])
			}
		}
	}
}
