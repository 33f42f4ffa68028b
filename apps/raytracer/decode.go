package raytracer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
)

// ReadImage reads a picture as Image.PNG, Image.PFM and Image.EXR write it, bit by bit; file
// is the name that errors say.
func ReadImage(r io.Reader, file string) (Image, error) {
	data, err := io.ReadAll(io.LimitReader(r, 2*pixelBytesMax))
	if err != nil {
		return Image{}, fmt.Errorf("%s: %w", file, err)
	}
	if bytes.HasPrefix(data, []byte("PF\n")) {
		return readPFM(data, file)
	}
	if bytes.HasPrefix(data, []byte(exrMagic)) {
		return readEXR(data, file)
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Image{}, fmt.Errorf("%s:1: neither a PNG picture (%w) nor a PFM or EXR picture, one of them is expected", file, err)
	}
	if size.Width > pixelBytesMax/4/size.Height {
		return Image{}, fmt.Errorf("%s:1: %d×%d pixels, at most %d are expected", file, size.Width, size.Height, pixelBytesMax/4)
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return Image{}, fmt.Errorf("%s: the PNG picture is broken: %w", file, err)
	}
	// Not RGBA, whose colours would be those that shine through.
	out := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
	draw.Draw(out, out.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return Image{Width: size.Width, Height: size.Height, Pixels: out.Pix}, nil
}

// readPFM reads three lines and the floats, rows from the bottom.
func readPFM(data []byte, file string) (Image, error) {
	m := Image{Linear: true}
	lines := bytes.SplitN(data, []byte("\n"), 4)
	if len(lines) < 4 {
		return m, fmt.Errorf("%s:%d: the file ends here, a line PF, one with width and height, one with -1.0, and the pixels are expected", file, len(lines))
	}
	if n, err := fmt.Sscanf(string(lines[1]), "%d %d", &m.Width, &m.Height); n < 2 || err != nil || m.Width < 1 || m.Height < 1 {
		return m, fmt.Errorf("%s:2: %.40q, width and height are expected", file, lines[1])
	}
	if m.Width > pixelBytesMax/12/m.Height {
		return m, fmt.Errorf("%s:2: %d×%d pixels, at most %d are expected", file, m.Width, m.Height, pixelBytesMax/12)
	}
	var scale float64
	if n, err := fmt.Sscanf(string(lines[2]), "%g", &scale); n < 1 || err != nil || scale != -1 && scale != 1 {
		return m, fmt.Errorf("%s:3: %.40q, -1.0 is expected, or 1.0 where the bytes of a number go from high to low", file, lines[2])
	}
	floats, row := lines[3], 12*m.Width
	if len(floats) != row*m.Height {
		return m, fmt.Errorf("%s:4: %d bytes of pixels, %d are expected", file, len(floats), row*m.Height)
	}
	for y := m.Height - 1; y >= 0; y-- {
		m.Pixels = append(m.Pixels, floats[y*row:(y+1)*row]...)
	}
	if scale > 0 {
		for i := 0; i < len(m.Pixels); i += 4 {
			binary.LittleEndian.PutUint32(m.Pixels[i:], binary.BigEndian.Uint32(m.Pixels[i:]))
		}
	}
	return m, nil
}
