package read

import (
	"math"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
)

// moved is a document whose only node has an animation of one property.
func moved(path, kind string, times, values func(d *document) int) *document {
	d := &document{}
	d.one(object{"attributes": object{"POSITION": d.corner()}})
	d.rest["animations"] = []object{{
		"channels": []object{{"sampler": 0, "target": object{"node": 0, "path": path}}},
		"samplers": []object{{"input": times(d), "output": values(d), "interpolation": kind}},
	}}
	return d
}

// TestGLTFAnimations looks where (1, 0, 0) is at some times, before, between and after keys.
func TestGLTFAnimations(t *testing.T) {
	times := func(xs ...float64) func(*document) int {
		return func(d *document) int { return d.floats("SCALAR", xs...) }
	}
	values := func(kind string, xs ...float64) func(*document) int {
		return func(d *document) int { return d.floats(kind, xs...) }
	}
	h := math.Sqrt2 / 2
	for name, c := range map[string]struct {
		d    *document
		want map[float64]num.V
	}{
		"place": {moved("translation", "LINEAR", times(1, 3), values("VEC3", 0, 0, 0, 4, 0, 2)),
			map[float64]num.V{Rest: {X: 1}, 0: {X: 1}, 1: {X: 1}, 1.5: {X: 2, Z: 0.5}, 3: {X: 5, Z: 2}, 9: {X: 5, Z: 2}}},
		"place, by steps": {moved("translation", "STEP", times(1, 3), values("VEC3", 0, 0, 0, 4, 0, 2)),
			map[float64]num.V{0: {X: 1}, 2.9: {X: 1}, 3: {X: 5, Z: 2}}},
		// at half of the span of 2 s: a/2 + b/2 + 2·(leaving - coming)/8
		"place, by a spline": {moved("translation", "CUBICSPLINE", times(1, 3),
			values("VEC3", 9, 9, 9, 0, 0, 0, 0, 4, 0, 0, 0, 8, 4, 0, 2, 9, 9, 9)),
			map[float64]num.V{0: {X: 1}, 2: {X: 3, Y: 1, Z: -1}, 3: {X: 5, Z: 2}}},
		"turn": {moved("rotation", "LINEAR", times(0, 1), values("VEC4", 0, 0, 0, 1, 0, 0, h, h)),
			map[float64]num.V{0: {X: 1}, 1: {Y: 1}, 0.5: {X: h, Y: h}, 1.0 / 3: {X: math.Cos(math.Pi / 6), Y: 0.5}}},
		"turn, the shorter way": {moved("rotation", "LINEAR", times(0, 1), values("VEC4", 0, 0, 0, 1, 0, 0, -h, -h)),
			map[float64]num.V{0.5: {X: h, Y: h}}},
		"turn, a little": {moved("rotation", "LINEAR", times(0, 1), values("VEC4", 0, 0, 0, 1, 0, 0, 0.01, math.Sqrt(1-1e-4))),
			map[float64]num.V{0.5: {X: math.Cos(0.01), Y: math.Sin(0.01)}}},
		"size": {moved("scale", "LINEAR", times(0, 1), values("VEC3", 1, 1, 1, 3, 1, 0)),
			map[float64]num.V{0.5: {X: 2}, 1: {X: 3}}},
	} {
		for time, want := range c.want {
			s, err := c.d.at(t, time)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Mesh.Position(1); got.Sub(want).MaxAbs() > 1e-5 {
				t.Errorf("%s at %g: %v, want %v", name, time, got, want)
			}
		}
	}
}

func TestGLTFAnimationOfTargets(t *testing.T) {
	var d document
	up := d.floats("VEC3", 0, 0, 1, 0, 0, 0, 0, 0, 0)
	along := d.floats("VEC3", 1, 0, 0, 0, 0, 0, 0, 0, 0)
	d.one(object{"attributes": object{"POSITION": d.corner()}, "targets": []object{{"POSITION": up}, {"POSITION": along}}})
	d.rest["animations"] = []object{{
		"channels": []object{{"sampler": 0, "target": object{"node": 0, "path": "weights"}}},
		"samplers": []object{{"input": d.floats("SCALAR", 0, 1), "output": d.floats("SCALAR", 0, 1, 1, 0)}},
	}}
	s, err := d.at(t, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Mesh.Position(0); got.Sub(num.V{X: 0.75, Z: 0.25}).MaxAbs() > 1e-6 {
		t.Errorf("a quarter of the way the vertex is at %v", got)
	}
}

func TestGLTFAnimationFaults(t *testing.T) {
	two := func(d *document) int { return d.floats("SCALAR", 0, 1) }
	back := func(d *document) int { return d.floats("SCALAR", 1, 0) }
	one := func(d *document) int { return d.floats("VEC3", 1, 2, 3) }
	pair := func(d *document) int { return d.floats("VEC3", 1, 2, 3, 4, 5, 6) }
	nowhere := moved("scale", "LINEAR", two, pair)
	nowhere.rest["animations"].([]object)[0]["channels"].([]object)[0]["target"].(object)["node"] = 7
	for want, d := range map[string]*document{
		"a.gltf: it has no animation":                                  new(document).one(object{"attributes": object{}}),
		"a.gltf: an animation with 2 times and 1 values":               moved("translation", "LINEAR", two, one),
		"a.gltf: an animation with 2 times and 2 values":               moved("translation", "LINEAR", back, pair),
		"a.gltf: an animation with 2 times and 2 values; expected tim": moved("translation", "CUBICSPLINE", two, pair),
		"a.gltf: accessor 2 has 2 elements of 3 numbers":               moved("rotation", "LINEAR", two, pair),
		"a.gltf: node 7 is named but not there":                        nowhere,
	} {
		if _, err := d.at(t, 0.5); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, _, err := Scene("a.obj", files{"a.obj": square + "f 1 2 3\n"}.open, 1); err == nil || !strings.HasPrefix(err.Error(), "a.obj: it has no animation") {
		t.Error(err)
	}
}

// TestKeysAgainstALine walks along keys on a straight line, where all ways but steps agree.
func TestKeysAgainstALine(t *testing.T) {
	line := keys{times: []float64{0, 1, 4}, values: []float64{0, 2, 8}}
	curve := keys{kind: gltf.InterpolationCubicSpline, times: line.times, values: []float64{2, 0, 2, 2, 2, 2, 2, 8, 2}}
	for _, k := range []*keys{&line, &curve} {
		if !k.fit(1) {
			t.Fatal("the keys do not fit")
		}
		for x := -1.0; x < 6; x += 0.125 {
			want := 2 * max(0, min(4, x))
			if got := k.at(x); len(got) != 1 || math.Abs(got[0]-want) > 1e-12 {
				t.Errorf("at %g: %v, want %g", x, got, want)
			}
		}
	}
}
