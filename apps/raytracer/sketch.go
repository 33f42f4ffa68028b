package raytracer

// sketchPixels bounds the sketch: a tenth of a second.
const sketchPixels = 1 << 15

// Sketch is a picture of a few pixels, each of which stands for a square: what is seen of a
// picture where nothing of it is finished.
type Sketch struct {
	Cell   int    // the squares' side
	Pixels []byte // as in Image.Pixels; the last of a row, and the last row, may stand for less
}

// sketch renders the sketch, in a moment: large cells of one sample or a few.
func (r *Render) sketch(ready *prepared, aborted func() bool) (Sketch, error) {
	cell := 1
	for cells(r.Width, cell)*cells(r.Height, cell) > sketchPixels {
		cell++
	}
	small := *r
	small.Width, small.Height, small.Samples = cells(r.Width, cell), cells(r.Height, cell), 1
	out, err := Tile{0, 0, small.Width, small.Height}.render(&prepared{task: small, world: ready.world}, aborted)
	if err != nil {
		return Sketch{}, err
	}
	return Sketch{cell, small.develop(out.Records, 0, small.Height)}, nil
}

// cells is how many cells there are along a side.
func cells(pixels, cell int) int { return (pixels + cell - 1) / cell }

// fits tells whether it is a sketch of such a picture.
func (k *Sketch) fits(r *Render) bool {
	return k.Cell > 0 && k.Cell <= max(r.Width, r.Height) && len(k.Pixels) == cells(r.Width, k.Cell)*cells(r.Height, k.Cell)*r.pixelBytes()
}

// at is the pixel that is seen at a place of the picture.
func (k *Sketch) at(r *Render, x, y int) []byte {
	size := r.pixelBytes()
	return k.Pixels[(y/k.Cell*cells(r.Width, k.Cell)+x/k.Cell)*size:][:size]
}
