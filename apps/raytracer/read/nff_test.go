package read

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/raytracer/num"
)

const nffView = "v\nfrom 0 0 5\nat 0 0 0\nup 0 1 0\nangle 45\nhither 1\nresolution 320 200\n"

func TestNFF(t *testing.T) {
	s, _, err := Scene("a.nff", files{"a.nff": "# a scene\nb 0.1 0.2 0.3\n" + nffView + "l 1 2 3\nl 4 5 6\nl 0 0 9 1 0.5 0\nf 1 0.5 0 0.6 0.3 10 0 1\n" +
		"s 0 0 0 -2\nf 1 1 1 0 1 0 0.9 1.5\np 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\npp 3\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 1 1\nc\n0 0 0 1\n0 0 2 0.5\n"}.open, Rest)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Classic || s.Camera.Width != 320 || s.Camera.Height != 200 || s.Camera.Fov != 45 || s.Camera.Eye.Z != 5 {
		t.Errorf("camera: %+v", s.Camera)
	}
	if s.Mesh.Count() != 2+1+2*coneSides || len(s.Spheres) != 1 || s.Spheres[0].Radius != 2 {
		t.Errorf("%d triangles, %v", s.Mesh.Count(), s.Spheres)
	}
	if m := s.Materials[0]; math.Abs(m.Color.X-0.9) > 1e-9 || math.Abs(m.Metallic-1.0/3) > 1e-9 {
		t.Errorf("fill: %+v", m)
	}
	if m := s.Materials[1]; m.Transmission != 0.9 || m.IOR != 1.5 {
		t.Errorf("glass: %+v", m)
	}
	if l := s.Lights; len(l) != 3 || math.Abs(l[0].Color.X-1/math.Sqrt(3)) > 1e-9 || l[2].Color != (num.V{X: 1, Y: 0.5}) {
		t.Errorf("lights: %+v", l)
	}
}

func TestConesPointOutward(t *testing.T) {
	for _, cone := range []string{"c\n1 2 3 1\n1 5 3 0.5\n", "c 1 2 3 1 1 5 3 0.5\n"} {
		s, _, err := Scene("a.nff", files{"a.nff": nffView + cone}.open, Rest)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.Mesh.Vertices(); n != 2*coneSides {
			t.Errorf("%q: %d vertices", cone, n)
		}
		for i := range s.Mesh.Vertices() {
			p, n := s.Mesh.Position(i), s.Mesh.Normal(i)
			out := num.V{X: p.X - 1, Z: p.Z - 3}
			if n.Dot(out) <= 0 || math.Abs(n.Y-math.Sin(math.Atan(0.5/3))) > 1e-6 {
				t.Fatalf("%q: vertex %v has the normal %v", cone, p, n)
			}
		}
	}
}

func TestNFFFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "a.nff: no shapes",
		"s 0 0 0 1\n":                     "a.nff: no viewpoint",
		"banana\n":                        "a.nff:1: \"banana\" is no entity",
		"v\nat 0 0 0\n":                   "a.nff:2: \"at\" in a viewpoint; expected \"from\"",
		"v\nfrom 0 0 0\n":                 "a.nff:2: the file ends inside",
		nffView + "s 0 0 0\n":             "a.nff:8: \"s\" with 3 numbers; expected 4",
		nffView + "s 0 0 0 0\n":           "a.nff:8: a sphere of radius 0",
		nffView + "p 2\n":                 "a.nff:8: a polygon with \"2\" corners",
		nffView + "p 3\n0 0 0\n1 1\n":     "a.nff:10: a line of 2 numbers; expected 3",
		nffView + "p 3\n0 0 x\n":          "a.nff:9: \"x\" in place 3",
		nffView + "c\n0 0 0 1\n0 0 0 1\n": "a.nff:10: a cone without length",
		nffView + "c 0 0 0 1\n":           "a.nff:8: a cone with 4 numbers; expected 8",
		nffView + "f 1 1 1\n":             "a.nff:8: \"f\" with 3 numbers; expected 8",
		strings.Replace(nffView, "angle 45", "angle 190", 1):  "a.nff:5: angle 190",
		strings.Replace(nffView, "from 0 0 5", "from 0 0", 1): "a.nff:2: \"from\" with 2 numbers",
	} {
		_, _, err := Scene("a.nff", files{"a.nff": text}.open, Rest)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s…", text, err, want)
		}
	}
}

func TestSharedNFF(t *testing.T) {
	dir := os.Getenv("SATIN_DATA")
	if dir == "" {
		t.Skip("SATIN_DATA is not set: scenes/*.nff are missing")
	}
	for _, name := range []string{"balls2.nff", "balls2_small.nff"} {
		s, _, err := Scene(filepath.Join(dir, "scenes", name), func(n string) (io.ReadCloser, error) { return os.Open(n) }, Rest)
		if err != nil {
			t.Error(err)
		} else if len(s.Spheres) != 91 || len(s.Lights) != 3 {
			t.Errorf("%s: %d spheres, %d lights, want 91 and 3", name, len(s.Spheres), len(s.Lights))
		}
	}
}

func FuzzNFF(f *testing.F) {
	f.Add("b 0 0 0\n" + nffView + "l 1 1 1\nf 1 1 1 1 1 1 1 1\ns 0 0 0 1\nc\n0 0 0 1\n1 1 1 1\npp 3\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "\n") > 2000 {
			return
		}
		_, _, err := Scene("a.nff", files{"a.nff": text}.open, Rest)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("an error of another type: %v", err)
		}
	})
}
