package scene

import (
	"math"
	"testing"

	"satingrid/apps/raytracer/num"
)

// TestGlareIsExposed: lights that would make all white, or black, are exposed, so that a white
// surface in their mean light is white. Others are as they are.
func TestGlareIsExposed(t *testing.T) {
	for name, c := range map[string]struct {
		power  float64
		change func(s *Scene)
		want   float64 // that a white surface shows; 0: nothing is changed
	}{
		"a sun in lux":          {1e5, func(*Scene) {}, 1},
		"a bright lamp":         {9, func(*Scene) {}, 1},
		"a lamp":                {1, func(*Scene) {}, 0},
		"a dim lamp":            {0.05, func(*Scene) {}, 0},
		"a glimmer":             {1e-4, func(*Scene) {}, 1},
		"a glimmer under a sky": {1e-4, func(s *Scene) { s.Sky.Zenith.X = 1 }, 0},
		"a glimmer by a lamp":   {1e-4, func(s *Scene) { s.Materials[0].Emission.X = 9 }, 0},
		"a sun and a lamp":      {1e5, func(s *Scene) { s.Materials[0].Emission.X = 9 }, 1},
		"a picture of NFF":      {1e5, func(s *Scene) { s.Classic = true }, 0},
		"one that has its own":  {1e5, func(s *Scene) { s.Camera.Exposure = 2 }, 0},
		"a light of nothing":    {0, func(*Scene) {}, 0},
	} {
		var b Builder
		block(&b, num.V{}, num.V{X: 1, Y: 1, Z: 1}, b.Material(Matte(num.V{X: 1})))
		b.Lights = []PointLight{{At: num.V{Y: 1e6}, Color: num.V{X: c.power, Y: c.power, Z: c.power}}}
		s := b.Finish()
		c.change(s)
		was := s.Camera.Exposure
		e := s.Expose()
		if got := e * c.power; math.Abs(got-c.want) > 1e-9 || e != 0 && s.Camera.Exposure != e || e == 0 && s.Camera.Exposure != was {
			t.Errorf("%s: exposed by %g, %g in the camera", name, e, s.Camera.Exposure)
		}
		// Another camera, or a later moment, is exposed alike.
		later := *s
		later.Camera.Exposure = 7
		later.Like(s)
		if later.Camera.Exposure != s.Camera.Exposure {
			t.Errorf("%s: a later moment is exposed by %g", name, later.Camera.Exposure)
		}
		s.From(Camera{Target: num.V{X: 1}, Fov: 30})
		if s.Camera.Exposure != later.Camera.Exposure {
			t.Errorf("%s: through another camera it is exposed by %g", name, s.Camera.Exposure)
		}
	}
}

// TestGlareOfANearLamp: a lamp beside one of very many corners does not decide.
func TestGlareOfANearLamp(t *testing.T) {
	var b Builder
	m := b.Material(Matte(num.V{X: 1}))
	for i := range 3 * glarePlaces {
		b.Quad(num.V{X: float64(i)}, num.V{X: float64(i), Z: 1}, num.V{X: float64(i) + 1, Z: 1}, num.V{X: float64(i) + 1}, m)
	}
	far := num.V{X: 1e3, Y: 1e3, Z: 1e3}
	b.Lights = []PointLight{{At: num.V{Y: 1e6}, Color: num.V{X: 1, Y: 1, Z: 1}}, {At: num.V{Y: 1e-3}, Fade: true, Color: far}}
	if e := b.Finish().Expose(); e != 0 && e < 0.1 {
		t.Errorf("exposed by %g", e)
	}
}
