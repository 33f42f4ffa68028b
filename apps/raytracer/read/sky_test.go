package read

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

func TestSky(t *testing.T) {
	if s, err := Sky("1,0.5,0", nil); err != nil || s.Zenith != (num.V{X: 1, Y: 0.5}) || s.Ground != s.Zenith {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := Sky("1,0,0:0,1,0", nil); err != nil || s.Zenith != (num.V{X: 1}) || s.Horizon != (num.V{Y: 1}) || s.Ground != s.Horizon {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := Sky("1,0,0:0,1,0:0,0,1", nil); err != nil || s.Ground != (num.V{Z: 1}) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, text := range []string{"", "1,2", "1,2,3:", "1,1,1:1,1,1:1,1,1:1,1,1", "a.png", "-1,0,0"} {
		if _, err := Sky(text, files{}.open); err == nil || !strings.Contains(err.Error(), "expected r,g,b") {
			t.Errorf("%q: %v", text, err)
		}
	}
	var pixels []byte
	for i := range 4 {
		pixels = scene.AppendFloat(pixels, float64(i))
	}
	s, err := Sky("d/a.pfm", files{"d/a.pfm": "Pf\n2 2\n-0.5\n" + string(pixels)}.open)
	if err != nil {
		t.Fatal(err)
	}
	// The file's rows go up, a texture's go down.
	if want := string(scene.AppendFloat(nil, 1)); s.Map.Width != 2 || string(s.Map.Pixels[:4]) != want {
		t.Errorf("%+v", s.Map)
	}
	for text, want := range map[string]string{
		"":                  "no PFM file; expected PF",
		"P6 1 1 1 ":         "it starts with \"P6\"",
		"PF 1 1 -1\n1234":   "4 bytes of pixels; expected 12",
		"PF 0 1 -1\n":       "0×1 pixels",
		"PF 99999 99999 1 ": "99999×99999 pixels",
		"PF 1 1 0 ":         "scale \"0\"",
	} {
		if _, err := Sky("a.pfm", files{"a.pfm": text}.open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// hdrHead is what comes before the pixels.
const hdrHead = "#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\nEXPOSURE= 2.0\n\n"

// TestHDR reads the same row of pixels in the three ways in which it may be written.
func TestHDR(t *testing.T) {
	row := [][4]byte{{128, 64, 0, 129}, {128, 64, 0, 129}, {128, 64, 0, 129}, {128, 64, 0, 129}, {255, 255, 255, 136}, {9, 9, 9, 0}, {1, 2, 3, 128}, {1, 2, 3, 128}}
	var want, flat []byte
	for _, p := range row {
		for k := range 3 {
			v := float64(p[k]) / 256 * math.Exp2(float64(p[3])-128) / 2
			if p[3] == 0 {
				v = 0
			}
			want = scene.AppendFloat(want, v)
		}
		flat = append(flat, p[:]...)
	}
	old := append([]byte{128, 64, 0, 129, 1, 1, 1, 3}, flat[16:]...)
	packed := []byte{2, 2, 0, 8}
	for k := range 4 {
		packed = append(packed, 128+4, row[0][k], 4, row[4][k], row[5][k], row[6][k], row[7][k])
	}
	for name, pixels := range map[string][]byte{"flat": flat, "old runs": old, "runs": packed} {
		got, err := hdr("a.hdr", []byte(hdrHead+"-Y 1 +X 8\n"+string(pixels)))
		if err != nil || got.Width != 8 || got.Height != 1 || !bytes.Equal(got.Pixels, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	s, err := Sky("d/A.HDR", files{"d/A.HDR": hdrHead + "-Y 1 +X 8\n" + string(packed)}.open)
	if err != nil || s.Map.Width != 8 || !s.Map.Float {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestHDRRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "a.hdr: no Radiance picture",
		"#?RADIANCE\nFORMAT=32-bit":      "a.hdr:1: the header does not end",
		"#?RGBE\nFORMAT=32-bit_rle_xyze": "a.hdr:1: the header does not end",
		"#?RGBE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n1234": "a.hdr:2: format \"32-bit_rle_xyze\"",
		"#?RGBE\nEXPOSURE=none\n\n":                         "a.hdr:2: exposure \"none\"",
		hdrHead + "+X 1 -Y 1\n1234":                         "a.hdr:6: size \"+X 1 -Y 1\"",
		hdrHead + "-Y 99999 +X 99999\n":                     "a.hdr:6: 99999×99999 pixels",
		hdrHead + "-Y 3 +X 1\n":                             "a.hdr:7: 0 bytes of pixels for 3 rows",
		hdrHead + "-Y 2 +X 1\n1234123":                      "a.hdr:7: row 1 is broken",
		hdrHead + "-Y 1 +X 8\n\x02\x02\x00\x08\x00\x00":     "a.hdr:7: row 0 is broken",
		hdrHead + "-Y 1 +X 2\n\x01\x01\x01\x02":             "a.hdr:7: row 0 is broken",
		hdrHead + "-Y 1 +X 1\n\xff\xff\xff\xff":             "a.hdr:7: pixel 0, 0 is ",
	} {
		if _, err := hdr("a.hdr", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzHDR(f *testing.F) {
	f.Add([]byte(hdrHead + "-Y 1 +X 2\n12341234"))
	f.Add([]byte(hdrHead + "-Y 1 +X 8\n\x02\x02\x00\x08\x88a\x08abcdefgh\x88a\x88a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return
		}
		if p, err := hdr("a.hdr", data); err == nil && len(p.Pixels) != p.Width*p.Height*12 {
			t.Fatalf("%d×%d pixels in %d bytes", p.Width, p.Height, len(p.Pixels))
		}
	})
}

func FuzzPFM(f *testing.F) {
	f.Add([]byte("PF\n1 1\n-1\n123456789012"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := pfm("a.pfm", data); err == nil && len(p.Pixels) != p.Width*p.Height*12 {
			t.Fatalf("%d×%d pixels in %d bytes", p.Width, p.Height, len(p.Pixels))
		}
	})
}
