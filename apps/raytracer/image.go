package raytracer

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"

	"satingrid/apps/raytracer/num"
)

// Image is a picture, its rows from the top, or a statement on one that is not finished.
type Image struct {
	Width, Height int
	// three little-endian float32 a pixel, linear; otherwise red, green, blue,
	// alpha as bytes in sRGB
	Linear bool
	Plain  bool   // shown as it is, without a tone curve
	Pixels []byte // Width·Height·(12 or 4); none in a statement

	// of a picture that is not finished, and of none else
	Said   int  // which statement on it this is
	Ends   bool // the run ends early, or its root leaves: the statement has all that there is
	Sketch Sketch
	Parts  []Part

	Tiles, Done int // of how many tiles the picture is made, and how many are finished
	Rays        int // that were followed for those
}

// Better tells whether a picture tells more than another of the same task: it is whole, or a later
// statement.
func (m Image) Better(than Image) bool {
	if whole := len(m.Pixels) > 0; whole != (len(than.Pixels) > 0) || whole {
		return whole && len(than.Pixels) == 0
	}
	return m.Said > than.Said
}

// blank is a picture without pixels.
func (r *Render) blank() Image {
	return Image{Width: r.Width, Height: r.Height, Linear: r.Linear, Plain: r.Whitted}
}

// append appends the next pixel, a linear colour.
func (m *Image) append(c num.V) {
	r, g, b := float32(c.X), float32(c.Y), float32(c.Z)
	if !m.Linear {
		m.Pixels = append(m.Pixels, shown(r, g, b, m.Plain)...)
		return
	}
	for _, x := range [3]float32{r, g, b} {
		m.Pixels = binary.LittleEndian.AppendUint32(m.Pixels, math.Float32bits(x))
	}
}

// RGBA is the picture as it is shown: tone-mapped, 8 bits a channel.
func (m Image) RGBA() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, m.Width, m.Height))
	if !m.Linear {
		copy(out.Pix, m.Pixels)
		return out
	}
	for i := range m.Width * m.Height {
		p := m.Pixels[12*i:]
		copy(out.Pix[4*i:], shown(float(p), float(p[4:]), float(p[8:]), m.Plain))
	}
	return out
}

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// SHA256 is the digest of the picture as it is shown: 8-bit RGBA, rows from the top.
func (m Image) SHA256() string {
	sum := sha256.Sum256(m.RGBA().Pix)
	return hex.EncodeToString(sum[:])
}

// PNG writes the picture as PNG.
func (m Image) PNG(w io.Writer) error {
	if err := png.Encode(w, m.RGBA()); err != nil {
		return fmt.Errorf("raytracer: writing PNG: %w", err)
	}
	return nil
}

// Small writes the picture as PNG of so many pixels at most along each side: each stands for a
// square of those that there are.
func (m Image) Small(w io.Writer, side int) error { return shrink(m.RGBA(), w, side) }

func shrink(from *image.RGBA, w io.Writer, side int) error {
	cell, wide, high := 1, from.Rect.Dx(), from.Rect.Dy()
	for max(cells(wide, cell), cells(high, cell)) > max(side, 1) {
		cell++
	}
	small := image.NewRGBA(image.Rect(0, 0, cells(wide, cell), cells(high, cell)))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			to := small.Pix[small.PixOffset(x, y):][:4]
			for c := range to {
				sum := 0
				for i := range cell * cell {
					// a square may stand out: the last pixels count more
					sum += int(from.Pix[from.PixOffset(min(x*cell+i%cell, wide-1), min(y*cell+i/cell, high-1))+c])
				}
				to[c] = uint8(sum / (cell * cell))
			}
		}
	}
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, small); err != nil {
		return fmt.Errorf("raytracer: writing PNG: %w", err)
	}
	return nil
}

// PFM writes the linear colours as a portable float map, whose rows go from the bottom. The
// picture must be Linear.
func (m Image) PFM(w io.Writer) error {
	if !m.Linear {
		return fmt.Errorf("raytracer: writing PFM: the picture has no floats; render it with Linear set")
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "PF\n%d %d\n-1.0\n", m.Width, m.Height)
	row := 12 * m.Width
	for y := m.Height - 1; y >= 0; y-- {
		// What fails here fails again in Flush.
		_, _ = out.Write(m.Pixels[y*row : (y+1)*row])
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("raytracer: writing PFM: %w", err)
	}
	return nil
}
