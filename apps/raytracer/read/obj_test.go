package read

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// files opens what it holds, by name.
type files map[string]string

func (f files) open(name string) (io.ReadCloser, error) {
	text, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func readObj(t *testing.T, text string) *scene.Scene {
	t.Helper()
	s, _, err := Scene("a.obj", files{"a.obj": text}.open, Rest)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

func TestOBJColorsOfVertices(t *testing.T) {
	s := readObj(t, "v 0 0 0 1 0.5 0\nv 1 0 0 2\nv 0 1 0 0 0.02 -1\nf 1 2 3\n")
	half := math.Pow((0.5+0.055)/1.055, 2.4)
	for i, want := range []num.V{{X: 1, Y: half}, {X: 1, Y: 1, Z: 1}, {Y: 0.02 / 12.92}} {
		if c, a := s.Mesh.Color(i); c.Sub(want).MaxAbs() > 1e-4 || a != 1 {
			t.Errorf("vertex %d has the colour %v, %g, want %v", i, c, a, want)
		}
	}
	if s := readObj(t, square+"f 1 2 3\n"); len(s.Mesh.Colors) != 0 {
		t.Errorf("a shape without colours has %d bytes of them", len(s.Mesh.Colors))
	}
}

func TestOBJCorners(t *testing.T) {
	for _, c := range []struct {
		text      string
		triangles int
	}{
		{square + "f 1 2 3\n", 1},
		{square + "f -4 -3 -2 -1\n", 2},
		{square + "vt 0 0\nvn 0 0 1\nf 1/1 2/1 3/-1\nf 1//1 2//-1 4//1\nf 1/1/1 2/1/1 3/1/1\n", 3},
		{"\n# comment\n" + square + "o a\ng b c\ns off\nf 1 2 \\\n 3 4 # tail\nl 1 2\np 1\n", 2},
		{square + "v 0.5 0.2 0\nf 1 5 2 3 4\n", 3},
		{strings.ReplaceAll(square, "\n", "\r\n") + "f 1 2 3 4\r\n", 2},
	} {
		if s := readObj(t, c.text); s.Mesh.Count() != c.triangles {
			t.Errorf("%q: %d triangles, want %d", c.text, s.Mesh.Count(), c.triangles)
		}
	}
}

func TestOBJFaultsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "a.obj: no faces; expected",
		"v 1 2\n":                          "a.obj:1: \"v\" with 2 numbers; expected 3",
		"v 1 2 x\n":                        "a.obj:1: \"x\" in place 3 after \"v\"; expected a number",
		"v 1 2 NaN\n":                      "a.obj:1: \"NaN\" in place 3",
		"v 1 2 1e300\n":                    "a.obj:1: \"1e300\" in place 3",
		square + "f 1 2\n":                 "a.obj:5: a face with 2 corners; expected 3 to 4096",
		square + "f 1 2 5\n":               "a.obj:5: vertex 5 in corner \"5\"; expected 1 to 4 or -4 to -1",
		square + "f 1 2 -5\n":              "a.obj:5: vertex -5",
		square + "f 1 2 0\n":               "a.obj:5: vertex \"0\"",
		square + "f 1/1 2 3\n":             "a.obj:5: texture coordinate 1 in corner \"1/1\"; expected none, as no texture",
		square + "f 1/2/3/4 2 3\n":         "a.obj:5: corner \"1/2/3/4\"; expected vertex",
		square + "f 1 2 three\n":           "a.obj:5: vertex \"three\"",
		square + "\n\nbanana\n":            "a.obj:7: \"banana\" is no statement",
		square + "mtllib b.mtl\n":          "b.mtl: cannot be read: file does not exist",
		square + "curv 1 2\n":              "a.obj:5: \"curv\": curves",
		square + "s x\n":                   "a.obj:5: smoothing group \"x\"",
		square + "v 1 2 3 \\\n 4\nf 1 2 9": "a.obj:7: vertex 9",
	} {
		_, _, err := Scene("a.obj", files{"a.obj": text}.open, Rest)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s…", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the error has more than one line: %v", text, err)
		}
	}
}

func TestBrokenLine1000(t *testing.T) {
	var text strings.Builder
	for i := 1; i < 1000; i++ {
		fmt.Fprintf(&text, "v %d 0 0\n", i)
	}
	text.WriteString("v 1 two 3\n")
	_, _, err := Scene("dir/a.obj", files{"dir/a.obj": text.String()}.open, Rest)
	if want := `dir/a.obj:1000: "two" in place 2 after "v"; expected a number`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestPolygonsKeepTheirArea(t *testing.T) {
	for name, p := range map[string][][2]float64{
		"L":     {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
		"comb":  {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}},
		"arrow": {{0, 0}, {2, 1}, {0, 2}, {0.5, 1}},
	} {
		want := 0.0
		for i := range p {
			q := p[(i+1)%len(p)]
			want += (p[i][0]*q[1] - p[i][1]*q[0]) / 2
		}
		// Seen from both sides and in all three planes.
		for turn := range 6 {
			corners := make([]num.V, len(p))
			for i, c := range p {
				v := [3]float64{c[0], c[1], 7}
				if turn >= 3 {
					v[0], v[1] = v[1], v[0]
				}
				corners[i] = num.V{X: v[turn%3], Y: v[(turn+1)%3], Z: v[(turn+2)%3]}
			}
			area := 0.0
			for _, t := range cut(corners) {
				area += corners[t[1]].Sub(corners[t[0]]).Cross(corners[t[2]].Sub(corners[t[0]])).Len() / 2
			}
			if math.Abs(area-want) > 1e-9 {
				t.Errorf("%s, turn %d: the triangles cover %g, the polygon %g", name, turn, area, want)
			}
		}
	}
}

func TestNormalsThatAreMissing(t *testing.T) {
	// Two faces that meet at a small angle are smooth, at a large one sharp; s
	// off and s 1 overrule.
	fold := func(z float64, s string) num.V {
		sc := readObj(t, fmt.Sprintf("v 0 0 0\nv 1 0 0\nv 0 1 0\nv -1 0 %g\n%s\nf 1 2 3\nf 1 3 4\n", z, s))
		v, _ := sc.Mesh.Triangle(0)
		return sc.Mesh.Normal(v[0])
	}
	flat := num.V{Z: 1}
	for _, c := range []struct {
		z      float64
		s      string
		smooth bool
	}{{-0.3, "", true}, {-3, "", false}, {-3, "s 1", true}} {
		if got := fold(c.z, c.s); (got.Sub(flat).Len() > 0.01) != c.smooth {
			t.Errorf("depth %g, %q: normal %v", c.z, c.s, got)
		}
	}
	if got := fold(-0.3, "s off"); got != (num.V{}) {
		t.Errorf("s off: normal %v, want none", got)
	}
}

func TestMTL(t *testing.T) {
	var pic bytes.Buffer
	if err := png.Encode(&pic, image.NewRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	s, _, err := Scene("d/a.obj", files{
		"d/a.obj": "mtllib b.mtl\n" + square + "usemtl wall\nf 1 2 3\nusemtl lamp\nf 1 2 4\nusemtl glass ball\nf 2 3 4\n",
		"d/b.mtl": "# lamps and all\nnewmtl wall\nKd 0.1 0.2 0.3\nKs 0.5 0.5 0.5\nNs 30\nmap_Kd -s 1 1 1 -clamp on my pic.png\n" +
			"newmtl lamp\nKa 20 20 20\nnewmtl glass ball\nillum 7\nNi 1.33\nTf .9 1 1\nweird 1 2\nnewmtl steel\nillum 3\nKs .9 .9 .9\nKd 0 0 0\n" +
			"newmtl new\nPr 0.25\nPm 1\nd 0.5\n",
		"d/my pic.png": pic.String(),
	}.open, Rest)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]*scene.Material{}
	for i := range s.Materials {
		m[s.Materials[i].Name] = &s.Materials[i]
	}
	if w := m["wall"]; w.Color != (num.V{X: 0.1, Y: 0.2, Z: 0.3}) || w.ColorTexture != 1 || s.Pictures[0].Width != 3 || math.Abs(w.Roughness-0.5) > 1e-9 {
		t.Errorf("wall: %+v", w)
	}
	if l := m["lamp"]; l.Emission.X != 20 {
		t.Errorf("lamp: %+v", l)
	}
	if g := m["glass ball"]; g.Transmission != 1 || g.IOR != 1.33 || g.Color.X != 0.9 {
		t.Errorf("glass ball: %+v", g)
	}
	if p := m["steel"]; p.Metallic != 1 || p.Color.X != 0.9 || p.Roughness > 0.03 {
		t.Errorf("steel: %+v", p)
	}
	if p := m["new"]; p.Metallic != 1 || p.Roughness != 0.25 || p.Alpha != 0.5 {
		t.Errorf("new: %+v", p)
	}
}

func TestMTLFaults(t *testing.T) {
	for text, want := range map[string]string{
		"Kd 1 1 1\n":                    "b.mtl:1: \"Kd\" before any material",
		"newmtl a\nKd 1 x 1\n":          "b.mtl:2: \"x\" in place 2",
		"newmtl a\nKd 1 -1 1\n":         "b.mtl:2: \"Kd\" with -1",
		"newmtl a\nNs\n":                "b.mtl:2: \"Ns\" without a number",
		"newmtl a\nmap_Kd no.png\n":     "b.mtl:2: no.png: cannot be read",
		"newmtl a\nmap_Kd b.mtl\n":      "b.mtl:2: b.mtl: no picture",
		"newmtl a\nmap_Kd -s 1 1 1\n":   "b.mtl:2: 1: cannot be read",
		"newmtl a\nKd spectral x.rfl\n": "b.mtl:2: \"spectral\" colours",
		"newmtl b\n":                    "a.obj:2: material \"a\" is in no material file",
	} {
		_, _, err := Scene("a.obj", files{"a.obj": "mtllib b.mtl\nusemtl a\n" + square + "f 1 2 3\n", "b.mtl": text}.open, Rest)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s…", text, err, want)
		}
	}
}

// TestSharedScenes reads real files.
func TestSharedScenes(t *testing.T) {
	dir := os.Getenv("SATIN_DATA")
	if dir == "" {
		t.Skip("SATIN_DATA is not set: scenes/*.obj are missing")
	}
	for name, want := range map[string]int{"spot.obj": 5856, "teapot.obj": 6320, "cornell_box.obj": 36} {
		s, _, err := Scene(filepath.Join(dir, "scenes", name), func(n string) (io.ReadCloser, error) { return os.Open(n) }, Rest)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Grounded {
			want += 2
		}
		if s.Mesh.Count() != want || s.Grounded == (name == "cornell_box.obj") {
			t.Errorf("%s: %d triangles, want %d", name, s.Mesh.Count(), want)
		}
		// Spot looks along -z, and one looks into the box from there.
		if behind := s.Camera.Eye.Z < 0; behind == (name == "teapot.obj") {
			t.Errorf("%s: the camera is at %v", name, s.Camera.Eye)
		}
	}
}

func TestUnknownEnding(t *testing.T) {
	_, _, err := Scene("a.blend", files{}.open, Rest)
	if err == nil || !strings.HasPrefix(err.Error(), "a.blend: no known kind of scene; expected a name that ends in .obj") {
		t.Error(err)
	}
}

func FuzzOBJ(f *testing.F) {
	f.Add(square+"vt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3 -1\ns 1\nusemtl a\n", "newmtl a\nKd 1 1 1\nillum 7\nmap_Kd x.png\n")
	f.Add("mtllib b.mtl\n"+square+"usemtl m\nf 1 2 3 4\\\n 1 2\n", "newmtl m\nKe 1 2 3\nNs 1e9\nTr .5\n")
	f.Fuzz(func(t *testing.T, obj, mtl string) {
		if strings.Count(obj, "\n") > 2000 {
			return
		}
		s, _, err := Scene("a.obj", files{"a.obj": obj, "b.mtl": mtl}.open, Rest)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("an error of another type: %v", err)
		}
		if err == nil && s.Check() != nil {
			t.Fatal(s.Check())
		}
	})
}
