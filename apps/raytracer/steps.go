package raytracer

import (
	"satingrid/apps/raytracer/trace"
	"satingrid/satin"
)

// The picture is made in steps, from the top, and what a step has made is filtered while the next one is on its way.
const (
	// stepRays is about how many rays a step has: 20 s of one core. Between two steps workers wait for the last tile.
	stepRays = 60_000_000
	// stepRaysWatched is the same where somebody watches: on two cores there is something new about every second.
	stepRaysWatched = 6_000_000
	// showRays is how many rays a picture has at least that is shown before it is finished: one second of one core.
	showRays = 3_000_000
	// sketchPixels bounds the sketch: a tenth of a second.
	sketchPixels = 1 << 15
	// bandMax is about how many pixels the tiles have that the root spawns: their results must not get too long.
	bandMax = 1 << 18
)

// Better tells whether less of a picture is left to do, which makes the picture so far the run's best.
func (m Image) Better(than Image) bool { return m.Coarse < than.Coarse }

// Sketch is the whole picture with few pixels, in a moment.
type Sketch struct{}

// Run returns the sketch's pixels as records, row by row from the top.
func (Sketch) Run(s *satin.Scope) ([]byte, error) {
	root := satin.Root[Render](s)
	ready := satin.Derive(s, func() prepared { return prepare(*root) })
	if ready.err != nil {
		return nil, ready.err
	}
	small := ready.task.small()
	p := prepared{task: small, world: ready.world}
	return Tile{0, 0, small.Width, small.Height}.render(&p, s.Aborted)
}

// small is the task of the sketch: every cell of the picture is a pixel of its own.
func (r Render) small() Render {
	cell := r.cell()
	r.Width, r.Height, r.Samples = (r.Width+cell-1)/cell, (r.Height+cell-1)/cell, 1
	return r
}

// cell is the side of the sketch's pixels.
func (r *Render) cell() int {
	cell := 1
	for ((r.Width+cell-1)/cell)*((r.Height+cell-1)/cell) > sketchPixels {
		cell++
	}
	return cell
}

// steps cuts the picture into strips that are as wide as it is, and gathers them in steps.
func (r *Render) steps(estimate func(Tile) float64) [][]Tile {
	most := float64(stepRays)
	if r.Watch {
		most = stepRaysWatched
	}
	rows := max(1, bandMax/r.Width/trace.BlockSize) * trace.BlockSize
	out, rays, from := [][]Tile{nil}, 0.0, 0
	for y := 0; y < r.Height; y = min(r.Height, y+trace.BlockSize) {
		to := min(r.Height, y+trace.BlockSize)
		rays += estimate(Tile{0, y, r.Width, to})
		full := rays >= most
		if full || to-from >= rows || to == r.Height {
			last := &out[len(out)-1]
			*last = append(*last, Tile{0, from, r.Width, to})
			from = to
		}
		if full && to < r.Height {
			out, rays = append(out, nil), 0
		}
	}
	return out
}

// making is a picture that is being made.
type making struct {
	task   Render // with its defaults
	packed []byte // the records so far, from the top
	image  Image  // finished but for the last rows of Coarse, which are those of the sketch
}

// make runs the steps.
func (r *Render) make(s *satin.Scope, ready *prepared) (Image, error) {
	steps := r.steps(ready.estimate)
	m := making{task: *r, packed: make([]byte, 0, r.Width*r.Height*recordSize), image: r.blank()}
	next := spawn(s, steps[0])
	show := r.Show && ready.estimate(Tile{0, 0, r.Width, r.Height}) >= showRays
	if show {
		// Spawned last, it comes first.
		records, err := satin.Spawn(s, Sketch{}).Wait(s)
		if err != nil {
			return Image{}, err
		}
		m.sketch(records)
		satin.Offer(s, m.shown())
	}
	for k := range steps {
		if err := m.take(s, next); err != nil {
			return Image{}, err
		}
		last := k+1 == len(steps)
		if !last {
			next = spawn(s, steps[k+1])
		}
		m.finish(last)
		if show && !last {
			satin.Offer(s, m.shown())
		}
	}
	return m.image, nil
}

func spawn(s *satin.Scope, tiles []Tile) []satin.Future[Tile, []byte] {
	out := make([]satin.Future[Tile, []byte], len(tiles))
	for i, t := range tiles {
		out[i] = satin.Spawn(s, t)
	}
	return out
}

// take waits for the tiles of a step, the last one first, and adds their records.
func (m *making) take(s *satin.Scope, step []satin.Future[Tile, []byte]) error {
	parts := make([][]byte, len(step))
	for i := len(step) - 1; i >= 0; i-- {
		var err error
		if parts[i], err = step[i].Wait(s); err != nil {
			return err
		}
	}
	for _, p := range parts {
		m.packed = append(m.packed, p...)
	}
	return nil
}

// finish filters the rows whose surroundings have come in.
func (m *making) finish(last bool) {
	r := &m.task
	from, have := r.Height-m.image.Coarse, len(m.packed)/recordSize/r.Width
	to := max(from, have-polishMargin)
	if last {
		to = have
	}
	if to == from {
		return
	}
	part, above := *r, min(from, polishMargin)
	part.Height = have - from + above
	fresh := part.develop(m.packed[(from-above)*r.Width*recordSize:]).Pixels
	row := r.Width * r.pixelBytes()
	copy(m.image.Pixels[from*row:to*row], fresh[above*row:])
	m.image.Coarse = r.Height - to
}

// sketch fills the picture with the cells of the sketch.
func (m *making) sketch(records []byte) {
	r := &m.task
	small, cell, size := r.small(), r.cell(), r.pixelBytes()
	coarse := small.develop(records).Pixels
	for y := range r.Height {
		for x := range r.Width {
			at := (y/cell*small.Width + x/cell) * size
			copy(m.image.Pixels[(y*r.Width+x)*size:][:size], coarse[at:])
		}
	}
}

// shown is the picture so far. It is a copy, since an offered one is shared.
func (m *making) shown() Image {
	out := m.image
	out.Pixels = append([]byte(nil), m.image.Pixels...)
	return out
}

// blank is a picture of which nothing is made.
func (r *Render) blank() Image {
	return Image{
		Width: r.Width, Height: r.Height, Linear: r.Linear, Plain: r.Whitted, Coarse: r.Height,
		Pixels: make([]byte, r.Width*r.Height*r.pixelBytes()),
	}
}
