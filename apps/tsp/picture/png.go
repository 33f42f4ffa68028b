package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"
)

var (
	paper = color.RGBA{0xfa, 0xf7, 0xf0, 0xff}
	ink   = color.RGBA{0x2a, 0x6f, 0x97, 0xff}
	city  = color.RGBA{0xc1, 0x44, 0x2e, 0xff}
)

// strokeShare is the width of the tour's line in radii of a city.
const strokeShare = 0.6

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// PNG writes the picture as PNG, without names.
func (p *Picture) PNG(w io.Writer) error {
	img := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(p.width)), int(math.Ceil(p.height))))
	draw.Draw(img, img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	for k, c := range p.tour {
		a, b := p.points[c], p.points[p.tour[(k+1)%len(p.tour)]]
		half := p.dot * strokeShare / 2
		dx, dy := b.X-a.X, b.Y-a.Y
		if l := math.Hypot(dx, dy); l > 0 {
			dx, dy = dx/l*half, dy/l*half
			fill(img, ink, []float64{a.X - dy, a.Y + dx, b.X - dy, b.Y + dx, b.X + dy, b.Y - dx, a.X + dy, a.Y - dx})
		}
		fill(img, ink, disc(b.X, b.Y, half))
	}
	for _, q := range p.points {
		fill(img, city, disc(q.X, q.Y, p.dot))
	}
	return png.Encode(w, img)
}

// disc is a circle's outline.
func disc(x, y, radius float64) []float64 {
	const corners = 24
	var out []float64
	for k := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
		out = append(out, x+radius*cos, y+radius*sin)
	}
	return out
}

// fill fills a small polygon, given by its corners' x and y.
func fill(img *image.RGBA, c color.RGBA, corners []float64) {
	low, high := image.Pt(math.MaxInt32, math.MaxInt32), image.Point{}
	for k := 0; k < len(corners); k += 2 {
		x, y := int(corners[k]), int(corners[k+1])
		low = image.Pt(min(low.X, x), min(low.Y, y))
		high = image.Pt(max(high.X, x+1), max(high.Y, y+1))
	}
	box := image.Rectangle{low, high.Add(image.Pt(1, 1))}.Intersect(img.Bounds())
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	for k := 0; k < len(corners); k += 2 {
		x, y := float32(corners[k]-float64(box.Min.X)), float32(corners[k+1]-float64(box.Min.Y))
		if k == 0 {
			z.MoveTo(x, y)
		} else {
			z.LineTo(x, y)
		}
	}
	z.ClosePath()
	z.Draw(img, box, image.NewUniform(c), image.Point{})
}
