package raytracer

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"

	"satingrid/apps/raytracer/trace"
)

// A patch is a square of pixels that is rendered again. The filter mixes into a pixel what is
// polishReach away, whose noise blur takes from one pixel further: so far beyond the patch
// its surroundings go.
const (
	patchSize   = 2 * trace.BlockSize
	patchMargin = 2 * trace.BlockSize // no less than polishMargin
	patchesMost = 64                  // a few seconds for the default picture
)

// Different is the error of a picture that has a pixel which comes out otherwise.
type Different struct {
	X, Y      int    // from the upper left corner
	Got, Want []byte // as in Image.Pixels
}

func (d *Different) Error() string {
	return fmt.Sprintf("pixel %d, %d is %s, but comes out as %s", d.X, d.Y, colour(d.Got), colour(d.Want))
}

// colour is a pixel for people.
func colour(p []byte) string {
	if len(p) == 4 {
		return fmt.Sprintf("#%02x%02x%02x", p[0], p[1], p[2])
	}
	return fmt.Sprintf("(%g, %g, %g)", float(p), float(p[4:]), float(p[8:]))
}

// Verify renders some pixels of a picture again and compares them bit by bit: floats where the
// picture is Linear, otherwise bytes. It draws squares of 8 by 8 pixels, 64 at most, and renders
// each with what the filter takes from around it, alone, one after the other, without jobs and
// tiles. It returns how many pixels it compared: all of a small picture.
//
// What it shares with the run is the light itself: package trace, and the filter. So it finds
// pixels that were lost, swapped, damaged or rendered by a machine that computes otherwise, and
// pictures of another scene; it does not find errors of optics.
func Verify(r Render, m Image, seed int64) (pixels int, err error) {
	r = r.full()
	r.Linear = m.Linear
	if err := r.Check(); err != nil {
		return 0, err
	}
	if m.Width != r.Width || m.Height != r.Height || len(m.Pixels) != m.Width*m.Height*r.pixelBytes() {
		return 0, errors.New("raytracer: the picture does not have the size that it should")
	}
	world, err := trace.New(&r.Scene)
	if err != nil {
		return 0, err
	}
	cols, rows := (r.Width+patchSize-1)/patchSize, (r.Height+patchSize-1)/patchSize
	drawn := rand.New(rand.NewPCG(uint64(seed), 0)).Perm(cols * rows)
	for _, k := range drawn[:min(len(drawn), patchesMost)] {
		x, y := k%cols*patchSize, k/cols*patchSize
		patch := Tile{x, y, min(r.Width, x+patchSize), min(r.Height, y+patchSize)}
		if err := r.compare(world, m, patch); err != nil {
			return pixels, err
		}
		pixels += (patch.X1 - patch.X0) * (patch.Y1 - patch.Y0)
	}
	return pixels, nil
}

// compare renders a patch within its surroundings.
func (r *Render) compare(world *trace.World, m Image, patch Tile) error {
	around := Tile{
		max(0, patch.X0-patchMargin), max(0, patch.Y0-patchMargin),
		min(r.Width, patch.X1+patchMargin), min(r.Height, patch.Y1+patchMargin),
	}
	part := *r
	part.Width, part.Height = around.X1-around.X0, around.Y1-around.Y0
	fresh := part.develop(r.alone(world, around), 0, part.Height)
	size := r.pixelBytes()
	for y := patch.Y0; y < patch.Y1; y++ {
		for x := patch.X0; x < patch.X1; x++ {
			got := m.Pixels[(y*r.Width+x)*size:][:size]
			want := fresh[((y-around.Y0)*part.Width+x-around.X0)*size:][:size]
			if !bytes.Equal(got, want) {
				return &Different{x, y, got, want}
			}
		}
	}
	return nil
}

// alone is the records of a part of the picture whose corner is that of a block, row by row.
func (r *Render) alone(world *trace.World, part Tile) []byte {
	width := part.X1 - part.X0
	out := make([]byte, width*(part.Y1-part.Y0)*recordSize)
	tracer := world.Tracer()
	for y := part.Y0; y < part.Y1; y += trace.BlockSize {
		for x := part.X0; x < part.X1; x += trace.BlockSize {
			block, _ := tracer.Block(x, y, r.Width, r.Height, r.settings())
			cols := min(trace.BlockSize, r.Width-x)
			for i := range block {
				at := ((y-part.Y0+i/cols)*width + x - part.X0 + i%cols) * recordSize
				appendRecord(out[at:at], &block[i])
			}
		}
	}
	return out
}
