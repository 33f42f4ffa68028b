package raytracer

import (
	"fmt"
	"image/color"
	"io"
	"slices"

	"satingrid/apps/raytracer/trace"
)

// labelFormat is how a tile says of itself which it is.
const labelFormat = "tile %d,%d to %d,%d"

// Label says where the tile is.
func (t Tile) Label() string { return fmt.Sprintf(labelFormat, t.X0, t.Y0, t.X1, t.Y1) }

// TileOf is the tile of a label.
func TileOf(label string) (t Tile, ok bool) {
	n, err := fmt.Sscanf(label, labelFormat, &t.X0, &t.Y0, &t.X1, &t.Y1)
	return t, n == 4 && err == nil && t.Label() == label
}

// Share is a tile, and the colour of who has rendered it.
type Share struct {
	Tile  Tile
	Color color.RGBA
}

// Shares writes the picture so far as PNG as [Image.Small] does, its finished tiles in the colours
// of those who have rendered them. A tile within another is whose colour it has itself; what is in
// none has the rest's. What is not finished is grey.
func (c *Canvas) Shares(w io.Writer, side int, by []Share, rest color.RGBA) error {
	cols := blocks(c.task.Width)
	of := make([]color.RGBA, len(c.covered))
	for i, done := range c.covered {
		if done || c.picture.whole() {
			of[i] = rest
		}
	}
	by = slices.DeleteFunc(slices.Clone(by), func(s Share) bool { return !s.Tile.within(&c.task) })
	slices.SortStableFunc(by, func(a, b Share) int { return b.Tile.pixels() - a.Tile.pixels() })
	for _, s := range by {
		for y := s.Tile.Y0; y < s.Tile.Y1; y += trace.BlockSize {
			for x := s.Tile.X0; x < s.Tile.X1; x += trace.BlockSize {
				if at := &of[c.block(x, y)]; at.A > 0 {
					*at = s.Color
				}
			}
		}
	}
	m := c.picture.RGBA()
	for i := 0; i < len(m.Pix); i += 4 {
		pixel := i / 4
		tint(m.Pix[i:i+3], of[pixel/c.task.Width/trace.BlockSize*cols+pixel%c.task.Width/trace.BlockSize])
	}
	return shrink(m, w, side)
}

// tint makes a pixel grey, and half of it of a colour that is not transparent.
func tint(pixel []byte, c color.RGBA) {
	grey := (3*int(pixel[0]) + 6*int(pixel[1]) + int(pixel[2])) / 10
	for i, of := range [3]byte{c.R, c.G, c.B} {
		if c.A == 0 {
			pixel[i] = byte(grey)
		} else {
			pixel[i] = byte((grey + int(of)) / 2)
		}
	}
}

// whole tells whether all of the picture is there.
func (m Image) whole() bool { return m.Tiles > 0 && m.Done == m.Tiles }

// pixels is how many a tile has.
func (t Tile) pixels() int { return (t.X1 - t.X0) * (t.Y1 - t.Y0) }
