package trace

import (
	"math"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// TestCoatDrawsAsItSays sums up, over directions that are drawn evenly, the density that the coat
// says its samples have: it is one, but for what would go below the surface.
func TestCoatDrawsAsItSays(t *testing.T) {
	for _, rough := range []float64{0.2, 0.5, 0.9} {
		s := surface{
			mat: &scene.Material{Specular: 1}, flat: num.V{Z: 1}, normal: num.V{Z: 1}, coatNormal: num.V{X: 0.2, Z: 1}.Unit(),
			roughness: 0.4, coat: 1, coatRough: rough,
		}
		var b bsdf
		b.set(&s, num.V{X: -0.6, Z: -0.8})
		sum, light, drawn := 0.0, 0.0, 0.0
		const n = 400
		for i := range n {
			for k := range n {
				dir := num.Cone((float64(i)+0.5)/n, (float64(k)+0.5)/n, 0)
				f, density := b.eval(dir)
				sum += density * (2 * math.Pi / (n * n))
				light += f.X * (2 * math.Pi / (n * n))
			}
		}
		for i := range n * n {
			x := num.NewSampler(3, 4, uint32(i))
			which := x.One()
			u, v := x.Two()
			if next := b.sample(which, u, v); next.ok {
				drawn += next.weight.X / (n * n)
			}
		}
		if sum > 1.01 || sum < 0.7 {
			t.Errorf("roughness %g: the densities sum up to %g", rough, sum)
		}
		if math.Abs(light-drawn) > 0.02*light {
			t.Errorf("roughness %g: summed up evenly it reflects %g, by its samples %g", rough, light, drawn)
		}
	}
}

// TestReliefHoldsBackTheSkyAlone puts a floor whose picture says that it is half open under a sky,
// as a gradient and as a panorama, and under lamps.
func TestReliefHoldsBackTheSkyAlone(t *testing.T) {
	white := scene.Picture{Width: 2, Height: 1, Float: true}
	for range 6 {
		white.Pixels = scene.AppendFloat(white.Pixels, 1)
	}
	for name, c := range map[string]struct {
		light func(b *scene.Builder)
		want  float64 // of what an open floor shows
	}{
		"sky":      {func(b *scene.Builder) { b.Sky = scene.Sky{Zenith: all(1), Horizon: all(1), Ground: all(1)} }, 0.5},
		"panorama": {func(b *scene.Builder) { b.Sky.Map = white }, 0.5},
		"point":    {func(b *scene.Builder) { b.Lights = []scene.PointLight{{At: num.V{Y: 3, X: 1}, Color: all(1)}} }, 1},
		"lamp": {func(b *scene.Builder) {
			b.Sphere(num.V{Y: 3, X: 2}, 1, b.Material(scene.Material{Alpha: 1, Emission: all(5)}))
		}, 1},
	} {
		var got [2]float64
		for i, open := range []byte{255, 0} {
			var b scene.Builder
			b.Camera = scene.Camera{Eye: num.V{Y: 1, Z: 0.001}, Up: num.V{Y: 1}, Fov: 0.5}
			b.Picture(scene.Picture{Width: 1, Height: 1, Pixels: []byte{open, 0, 0, 255}})
			m := scene.Matte(all(0.5))
			m.OcclusionTexture, m.Occlusion = b.Texture(scene.Texture{Linear: true}), 0.5
			floor := b.Material(m)
			b.Quad(num.V{X: -9, Z: -9}, num.V{X: -9, Z: 9}, num.V{X: 9, Z: 9}, num.V{X: 9, Z: -9}, floor)
			c.light(&b)
			got[i] = mean(t, b.Finish(), Settings{Samples: 64, Bounces: 4}).X
		}
		if !(got[0] > 0.01) || math.Abs(got[1]/got[0]-c.want) > 0.02 {
			t.Errorf("%s: open %g, half open %g; want the share %g", name, got[0], got[1], c.want)
		}
	}
}

// TestSpotLightHasAnEdge lights a floor from above by a spot and looks at its middle, between its
// two angles, and beyond.
func TestSpotLightHasAnEdge(t *testing.T) {
	l := scene.PointLight{At: num.V{Y: 2}, Color: all(8), Fade: true, Aim: num.V{Y: -1}, Inner: math.Cos(0.2), Outer: math.Cos(0.6)}
	half := math.Pow((math.Cos(0.4)-l.Outer)/(l.Inner-l.Outer), 2)
	for _, c := range []struct{ angle, want float64 }{{0, 1}, {0.15, 1}, {0.4, half}, {0.7, 0}, {3, 0}} {
		p := num.V{X: math.Sin(c.angle), Y: 2 - math.Cos(c.angle)}
		if got := l.Toward(p).X / 8; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("at %g there is the share %g, want %g", c.angle, got, c.want)
		}
	}
	var b scene.Builder
	b.Camera = scene.Camera{Eye: num.V{X: 1.5, Y: 1}, Target: num.V{}, Up: num.V{Y: 1}, Fov: 0.2}
	b.Quad(num.V{X: -9, Z: -9}, num.V{X: -9, Z: 9}, num.V{X: 9, Z: 9}, num.V{X: 9, Z: -9}, b.Material(scene.Matte(all(0.5))))
	b.Lights = []scene.PointLight{l}
	// 0.5 · 8/2²
	if got := mean(t, b.Finish(), Settings{Samples: 8, Bounces: 2}).X; math.Abs(got-1) > 0.01 {
		t.Errorf("under the spot the floor shows %g, want 1", got)
	}
}
