package trace

import (
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// TestSamplesGoWhereEdgesAre counts the rays of blocks of pixels: one that is all sky gets as many
// samples as a calm one does, one that an edge goes through gets more.
func TestSamplesGoWhereEdgesAre(t *testing.T) {
	for _, c := range []struct {
		whitted bool
		calm    int
	}{{false, 6}, {true, 2}} {
		var b scene.Builder
		look(&b)
		b.Sky = scene.Sky{Zenith: all(1e-3), Horizon: all(1e-3), Ground: all(1e-3)}
		// it covers the right half of the picture, and shows nothing but its own light
		glow := b.Material(scene.Material{Alpha: 1, Emission: num.V{Y: 0.9}})
		b.Quad(num.V{X: 0.01, Y: -9}, num.V{X: 9, Y: -9}, num.V{X: 9, Y: 9}, num.V{X: 0.01, Y: 9}, glow)
		w, err := New(b.Finish())
		if err != nil {
			t.Fatal(err)
		}
		set := Settings{Samples: 12, Bounces: 0, Whitted: c.whitted}
		const size = 32
		if _, rays := w.Tracer().Block(0, 16, size, size, set); rays != BlockSize*BlockSize*c.calm {
			t.Errorf("whitted %v: %d rays for a calm block, want %d for each pixel", c.whitted, rays, c.calm)
		}
		if _, rays := w.Tracer().Block(size/2, 16, size, size, set); rays <= 2*BlockSize*BlockSize*c.calm {
			t.Errorf("whitted %v: %d rays for one with an edge", c.whitted, rays)
		}
	}
}
