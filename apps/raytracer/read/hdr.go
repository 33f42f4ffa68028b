package read

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// radiance is a picture of Ward's Radiance (.hdr): three mantissas and an exponent a pixel, in
// rows that may be packed.
//
// It is ours because of the Go packages that read it mdouchement/hdr writes beyond its row where a
// packed run is too long, which is a panic, and takes the last of several exposures for their
// product; Opioid/rgbe reads no exposure. Neither bounds the size of a picture from a stranger.
type radiance struct {
	name          string
	rest          []byte // what has not been read
	line          int
	width, height int
	scale         float64 // one over the exposures that were applied
}

// hdr decodes a Radiance picture.
func hdr(name string, data []byte) (scene.Picture, error) {
	h := &radiance{name: name, rest: data, scale: 1}
	if err := h.header(); err != nil {
		return scene.Picture{}, err
	}
	t := scene.Picture{Width: h.width, Height: h.height, Float: true}
	row := make([]byte, 4*h.width)
	for y := range h.height {
		if !h.row(row) {
			return scene.Picture{}, h.fault("row %d is broken or not there; expected %d rows of %d pixels", y, h.height, h.width)
		}
		for x := range h.width {
			p := row[4*x:]
			// The exponent is of the whole mantissa: 2^(e-128) / 256. A power of two is
			// exact, and so is the product.
			f := 0.0
			if p[3] > 0 {
				f = float64(h.scale * math.Float64frombits(uint64(int(p[3])-136+1023)<<52))
			}
			c := num.V{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}.Scale(f)
			if !(c.Max() <= numberMax) {
				return scene.Picture{}, h.fault("pixel %d, %d is %g; expected at most %g", x, y, c.Max(), numberMax)
			}
			t.Pixels = appendColor(t.Pixels, c)
		}
	}
	return t, nil
}

func (h *radiance) fault(format string, args ...any) error {
	return &Error{File: h.name, Line: h.line, What: fmt.Sprintf(format, args...)}
}

// header reads the lines up to the one with the size.
func (h *radiance) header() error {
	if !bytes.HasPrefix(h.rest, []byte("#?")) {
		return h.fault("no Radiance picture; expected #?RADIANCE at its beginning")
	}
	for {
		text, ok := h.next()
		switch name, value, _ := strings.Cut(text, "="); {
		case !ok:
			return h.fault("the header does not end; expected an empty line and then the size, as in -Y 512 +X 1024")
		case text == "":
			return h.size()
		case name == "FORMAT" && value != "32-bit_rle_rgbe":
			return h.fault("format %q; expected 32-bit_rle_rgbe", value)
		case name == "EXPOSURE":
			x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(x > 0 && x <= numberMax) {
				return h.fault("exposure %q; expected a number above 0", value)
			}
			h.scale /= x
		}
	}
}

// next is the next line of text.
func (h *radiance) next() (string, bool) {
	n := bytes.IndexByte(h.rest, '\n')
	if n < 0 || n > 4096 {
		return "", false
	}
	text := strings.TrimSuffix(string(h.rest[:n]), "\r")
	h.rest = h.rest[n+1:]
	h.line++
	return text, true
}

// size reads the line with the size, for rows from the top and pixels from the left.
func (h *radiance) size() error {
	text, _ := h.next()
	if n, err := fmt.Sscanf(text, "-Y %d +X %d", &h.height, &h.width); n < 2 || err != nil {
		return h.fault("size %.40q; expected height and width, as in -Y 512 +X 1024", text)
	}
	w, most := h.width, scene.TexelsMax
	if w < 1 || h.height < 1 || w > most || h.height > most || w*h.height > most {
		return h.fault("%d×%d pixels; expected at most %d", w, h.height, most)
	}
	if h.line++; len(h.rest) < h.height {
		return h.fault("%d bytes of pixels for %d rows; expected more", len(h.rest), h.height)
	}
	return nil
}

// row reads a row of pixels, and tells whether it was there.
func (h *radiance) row(out []byte) bool {
	b := h.rest
	if len(b) >= 4 && b[0] == 2 && b[1] == 2 && int(b[2])<<8|int(b[3]) == h.width {
		h.rest = b[4:]
		for k := range 4 {
			if !h.plane(out, k) {
				return false
			}
		}
		return true
	}
	return h.flat(out)
}

// plane reads one of the four bytes of all pixels of a row: runs and stretches.
func (h *radiance) plane(out []byte, k int) bool {
	for x := 0; x < h.width; {
		if len(h.rest) < 2 {
			return false
		}
		n, run := int(h.rest[0]), false
		if h.rest = h.rest[1:]; n > 128 {
			n, run = n-128, true
		}
		if n == 0 || x+n > h.width || !run && len(h.rest) < n {
			return false
		}
		for i := range n {
			if run {
				out[4*(x+i)+k] = h.rest[0]
			} else {
				out[4*(x+i)+k] = h.rest[i]
			}
		}
		if x += n; run {
			n = 1
		}
		h.rest = h.rest[n:]
	}
	return true
}

// flat reads a row pixel by pixel; a pixel 1, 1, 1, n repeats the one before n times, several of
// them in higher digits.
func (h *radiance) flat(out []byte) bool {
	for x, shift := 0, 0; x < h.width; {
		if len(h.rest) < 4 {
			return false
		}
		p := h.rest[:4]
		h.rest = h.rest[4:]
		if p[0] != 1 || p[1] != 1 || p[2] != 1 {
			copy(out[4*x:], p)
			x, shift = x+1, 0
			continue
		}
		n := int(p[3]) << shift
		if x == 0 || shift > 16 || x+n > h.width {
			return false
		}
		for range n {
			copy(out[4*x:4*x+4], out[4*x-4:])
			x++
		}
		shift += 8
	}
	return true
}
