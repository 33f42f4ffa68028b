package scene

import (
	"math"
	"testing"

	"satingrid/apps/raytracer/num"
)

// block adds a box of the given size around the middle of its floor.
func block(b *Builder, at, size num.V, m int) {
	half := num.V{X: size.X / 2, Z: size.Z / 2}
	b.Box(at.Sub(half), at.Add(half).Add(num.V{Y: size.Y}), 0, m)
}

// TestModelsAreSeenFromTheirFront: along the z axis, unless they are long that way; then from the
// side, before the end that has the head.
func TestModelsAreSeenFromTheirFront(t *testing.T) {
	for name, c := range map[string]struct {
		size num.V
		head num.V // where a block on top is; zero: there is none
		// its signs are those of the direction to the camera, and the larger one is 2
		want num.V
	}{
		"cube":        {num.V{X: 1, Y: 1, Z: 1}, num.V{}, num.V{X: 1, Z: 2}},
		"long":        {num.V{X: 1, Y: 1, Z: 3}, num.V{}, num.V{X: 2, Z: 1}},
		"cow":         {num.V{X: 1, Y: 1, Z: 3}, num.V{Y: 1, Z: 1.2}, num.V{X: 2, Z: 1}},
		"cow, turned": {num.V{X: 1, Y: 1, Z: 3}, num.V{Y: 1, Z: -1.2}, num.V{X: 2, Z: -1}},
		"dog":         {num.V{X: 3, Y: 1, Z: 1}, num.V{X: -1.2, Y: 1}, num.V{X: -1, Z: 2}},
		"chair":       {num.V{X: 1, Y: 1, Z: 1}, num.V{Y: 1, Z: -0.4}, num.V{X: 1, Z: 2}},
	} {
		var b Builder
		m := b.Material(Matte(num.V{X: 1}))
		block(&b, num.V{}, c.size, m)
		if c.head != (num.V{}) {
			block(&b, c.head, num.V{X: 0.4, Y: 0.6, Z: 0.4}, m)
		}
		s := b.Finish()
		away := s.Camera.Eye.Sub(s.Camera.Target).Unit()
		if away.X*c.want.X <= 0 || away.Z*c.want.Z <= 0 || (math.Abs(away.X) > math.Abs(away.Z)) != (math.Abs(c.want.X) > math.Abs(c.want.Z)) || away.Y < 0.3 {
			t.Errorf("%s is seen from %v", name, away)
		}
	}
}

// TestViewFillsThePicture looks at corners and balls: all are in the upper and lower half of a
// square picture, and one touches its margin.
func TestViewFillsThePicture(t *testing.T) {
	for name, build := range map[string]func(b *Builder, m int){
		"box":   func(b *Builder, m int) { block(b, num.V{X: 7}, num.V{X: 5, Y: 1, Z: 1}, m) },
		"tower": func(b *Builder, m int) { block(b, num.V{Y: -9}, num.V{X: 1, Y: 6, Z: 1}, m) },
		"ball":  func(b *Builder, m int) { b.Sphere(num.V{X: 3}, 2, m) },
	} {
		var b Builder
		build(&b, b.Material(Matte(num.V{X: 1})))
		bare := b.Scene
		c := b.Finish().Camera
		back := c.Eye.Sub(c.Target).Unit()
		right := c.Up.Cross(back).Unit()
		up := back.Cross(right)
		half, most := math.Tan(c.Fov/2*math.Pi/180), 0.0
		bare.everyPlace(func(at num.V, r float64) {
			p := at.Sub(c.Eye)
			far := -p.Dot(back)
			most = max(most, (math.Abs(p.Dot(right))+r)/(half*far), (math.Abs(p.Dot(up))+r)/(half*far))
		})
		if most > 1 || most < 0.75 {
			t.Errorf("%s: the farthest is at %.3f of the way to the picture's edge", name, most)
		}
	}
}

// TestModelsStandOnAGround, which reaches beyond the picture, and nothing else does: no room, no
// scene with light or a camera of its own. Under another sky it is gone.
func TestModelsStandOnAGround(t *testing.T) {
	for name, c := range map[string]struct {
		change func(b *Builder)
		want   bool
	}{
		"model":  {func(*Builder) {}, true},
		"lit":    {func(b *Builder) { b.Lights = []PointLight{{Color: num.V{X: 1}}} }, false},
		"seen":   {func(b *Builder) { b.Camera = Camera{Eye: num.V{Z: 9}, Fov: 40} }, false},
		"open":   {func(b *Builder) { b.Quad(num.V{}, num.V{X: 9}, num.V{X: 9, Y: 9}, num.V{Y: 9}, 0) }, false},
		"in sky": {func(b *Builder) { b.Sky.Zenith = num.V{X: 1} }, false},
	} {
		var b Builder
		block(&b, num.V{Y: 3}, num.V{X: 1, Y: 1, Z: 1}, b.Material(Matte(num.V{X: 1})))
		b.Paint(num.V{X: 1}, 1)
		c.change(&b)
		before, corners := b.Mesh.Count(), b.Mesh.Vertices()
		s := b.Finish()
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		if s.Grounded != c.want || (s.Mesh.Count() > before) != c.want {
			t.Errorf("%s: there is a ground: %v", name, s.Grounded)
		}
		if !s.Grounded {
			continue
		}
		lo, hi := s.Bounds()
		if lo.Y >= 3 || lo.Y < 2.999 || hi.X < 50 {
			t.Errorf("the ground is at %v", lo)
		}
		if lo, hi := s.own(); lo.Y != 3 || hi.X > 1 {
			t.Errorf("without it there are %v to %v", lo, hi)
		}
		// The upper edge of the picture still shows ground: it looks down there.
		ahead := s.Camera.Target.Sub(s.Camera.Eye).Unit()
		if top := math.Asin(-ahead.Y) - s.Camera.Fov/2*math.Pi/180; top <= 0 {
			t.Errorf("the picture's upper edge looks %g up", -top)
		}
		for range 2 {
			if s.Under(Sky{}); s.Grounded || s.Mesh.Count() != before || s.Mesh.Vertices() != corners || len(s.Spheres) != 0 {
				t.Errorf("under another sky there are %d triangles, %d vertices and %d balls", s.Mesh.Count(), s.Mesh.Vertices(), len(s.Spheres))
			}
			if err := s.Check(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestLampStaysBehindTheCamera moves the camera to the other side.
func TestLampStaysBehindTheCamera(t *testing.T) {
	var b Builder
	block(&b, num.V{}, num.V{X: 1, Y: 1, Z: 1}, b.Material(Matte(num.V{X: 1})))
	s := b.Finish()
	for _, eye := range []num.V{{Z: 5, Y: 1}, {Z: -5, Y: 1}, {X: 5, Y: 1}} {
		s.From(Camera{Eye: eye, Up: num.V{Y: 1}, Fov: 40})
		lamp := s.Spheres[len(s.Spheres)-1]
		if len(s.Spheres) != 1 || lamp.Center.Dot(eye) <= 0 || lamp.Center.Sub(eye).Dot(eye)-lamp.Radius <= 0 {
			t.Errorf("the camera is at %v, the lamp at %v", eye, lamp.Center)
		}
	}
}

// TestLaterMomentsAreSeenAlike moves a model: camera, lamp and ground stay.
func TestLaterMomentsAreSeenAlike(t *testing.T) {
	at := func(y float64) *Scene {
		var b Builder
		block(&b, num.V{Y: y}, num.V{X: 1, Y: 1, Z: 1}, b.Material(Matte(num.V{X: 1})))
		return b.Finish()
	}
	first, later := at(0), at(2)
	if first.Camera == later.Camera || first.Spheres[0] == later.Spheres[0] {
		t.Fatal("the two are seen alike from the beginning")
	}
	later.Like(first)
	n := later.Mesh.Vertices()
	if first.Camera != later.Camera || first.Spheres[0] != later.Spheres[0] || later.Mesh.Position(n-1) != first.Mesh.Position(n-1) || later.Mesh.Position(n-4) != first.Mesh.Position(n-4) {
		t.Errorf("seen from %v, lit by %v, on %v", later.Camera.Eye, later.Spheres[0], later.Mesh.Position(n-1))
	}
	own := at(2)
	own.Camera, own.Found = Camera{Eye: num.V{Z: 9}, Fov: 40}, false
	if own.Like(first); own.Camera.Eye.Z != 9 {
		t.Errorf("a camera of the scene's own became %v", own.Camera)
	}
	if later.Mesh.Position(0).Y < 2 {
		t.Errorf("the model is at %v", later.Mesh.Position(0))
	}
}
