package scene

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

// TestPicturesTravelShort packs a picture in both kinds of file. It comes back as the file decodes,
// and a file that is longer than its pixels is not kept.
func TestPicturesTravelShort(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 40, 30))
	for i := range 40 * 30 {
		m.Set(i%40, i/40, color.NRGBA{uint8(i % 40), uint8(i / 40), 7, 100})
	}
	plain := Picture{Width: 40, Height: 30, Pixels: m.Pix}
	var p, j bytes.Buffer
	if err := png.Encode(&p, m); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&j, m, nil); err != nil {
		t.Fatal(err)
	}
	short := plain.Short(p.Bytes())
	if got, err := short.Unpacked(); !short.Packed || err != nil || !bytes.Equal(got.Pixels, m.Pix) || got.Packed {
		t.Errorf("PNG: %v, %v", short.Packed, err)
	}
	short = plain.Short(j.Bytes())
	if got, err := short.Unpacked(); !short.Packed || err != nil || len(got.Pixels) != len(m.Pix) {
		t.Errorf("JPEG: %v, %v", short.Packed, err)
	}
	if long := plain.Short(make([]byte, 4*40*30)); long.Packed {
		t.Error("a file as long as the pixels was kept")
	}
	for name, bad := range map[string]Picture{
		"another size": {Width: 41, Height: 30, Packed: true, Pixels: p.Bytes()},
		"no picture":   {Width: 40, Height: 30, Packed: true, Pixels: []byte("GIF")},
		"cut off":      {Width: 40, Height: 30, Packed: true, Pixels: p.Bytes()[:60]},
	} {
		if _, err := bad.Unpacked(); err == nil {
			t.Errorf("%s was unpacked", name)
		}
	}
}
