package read

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// pngOf is a PNG file of one row of pixels.
func pngOf(t *testing.T, row ...color.NRGBA) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, len(row), 1))
	for x, c := range row {
		m.SetNRGBA(x, 0, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMTLMasks reads materials whose map_d cuts holes: by brightness, by alpha, with and without
// a picture of colours, of another size, and of the same file.
func TestMTLMasks(t *testing.T) {
	red, faint := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 128}
	white, black, hole := color.NRGBA{255, 255, 255, 255}, color.NRGBA{0, 0, 0, 255}, color.NRGBA{9, 9, 9, 0}
	f := files{
		"a.obj":    "mtllib m.mtl\n" + square + "usemtl m\nf 1 2 3\n",
		"kd.png":   pngOf(t, red, faint, red, red),
		"mask.png": pngOf(t, white, black), "alpha.png": pngOf(t, hole, white, white, white),
	}
	for _, c := range []struct {
		maps string
		want []byte // alpha of each pixel
		red  byte   // of the first
	}{
		{"map_Kd kd.png\n", []byte{255, 128, 255, 255}, 255},
		{"map_Kd kd.png\nmap_d kd.png\n", []byte{255, 128, 255, 255}, 255},
		{"map_Kd kd.png\nmap_d mask.png\n", []byte{255, 128, 0, 0}, 255},
		{"map_d alpha.png\nmap_Kd kd.png\n", []byte{0, 128, 255, 255}, 255},
		{"map_d mask.png\n", []byte{255, 0}, 255},
	} {
		f["m.mtl"] = "newmtl m\n" + c.maps + "newmtl n\n" + c.maps
		s, said, err := Scene("a.obj", f.open, Rest)
		if err != nil || len(said) > 0 {
			t.Fatal(err, said)
		}
		if s.Materials[0].ColorTexture != s.Materials[1].ColorTexture {
			t.Errorf("%q: two materials alike have two pictures", c.maps)
		}
		p, err := s.Pictures[s.Textures[s.Materials[0].ColorTexture-1].Picture].Unpacked()
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for i := 3; i < len(p.Pixels); i += 4 {
			got = append(got, p.Pixels[i])
		}
		if !bytes.Equal(got, c.want) || p.Pixels[0] != c.red {
			t.Errorf("%q: alpha %v, want %v; red %d", c.maps, got, c.want, p.Pixels[0])
		}
	}
}
