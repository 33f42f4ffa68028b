package scene

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // pictures of scenes are JPEG or PNG
	_ "image/png"
)

// Picture is a picture, its rows from the top.
type Picture struct {
	Width, Height int
	// three float32 a pixel, linear, little-endian; otherwise four bytes, red, green, blue,
	// alpha
	Float bool
	// Pixels are a PNG or JPEG file, so that they travel as short as they were
	Packed bool
	Pixels []byte // Width·Height·(12 or 4)
}

// Unpacked is the picture as pixels.
func (p *Picture) Unpacked() (Picture, error) {
	if !p.Packed {
		return *p, nil
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(p.Pixels))
	if err != nil {
		return Picture{}, err
	}
	// Of a file that claims more than it should, nothing is unpacked.
	if c.Width != p.Width || c.Height != p.Height {
		return Picture{}, fmt.Errorf("%d×%d pixels; expected %d×%d", c.Width, c.Height, p.Width, p.Height)
	}
	m, _, err := image.Decode(bytes.NewReader(p.Pixels))
	if err != nil {
		return Picture{}, err
	}
	size := m.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, size.Dx(), size.Dy()))
	draw.Draw(out, out.Bounds(), m, size.Min, draw.Src)
	return Picture{Width: size.Dx(), Height: size.Dy(), Pixels: out.Pix}, nil
}

// size is how many bytes the pixels have, unpacked.
func (p *Picture) size() int {
	if p.Float {
		return 12 * p.Width * p.Height
	}
	return 4 * p.Width * p.Height
}

// Short is the picture as a file, if that is shorter than its pixels.
func (p *Picture) Short(file []byte) Picture {
	if len(file) >= p.size() {
		return *p
	}
	return Picture{Width: p.Width, Height: p.Height, Packed: true, Pixels: file}
}
