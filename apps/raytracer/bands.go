package raytracer

import (
	"slices"

	"satingrid/apps/raytracer/trace"
	"satingrid/satin"
)

// Rays as prepared.estimate counts them: noisy parts of a picture take up to four times as many.
const (
	// bandRays is about how many rays a band has: 0.5 to 2 s of one core.
	bandRays = 1_000_000
	// bandMax is about how many pixels a band has at most: its result must not get too long.
	bandMax = 1 << 18
	// showEvery is how many rays there are at most between two offers of the picture so far: 5
	// to 20 s of one core. In one with fewer rays there are showParts offers, or one a band:
	// whoever interrupts it gets what is finished.
	showEvery = 10_000_000
	showParts = 64
	// showRays is how many rays a picture has at least that is shown before it is finished:
	// about a second of one core.
	showRays = 1_000_000
	// sketchPixels bounds the sketch: a tenth of a second.
	sketchPixels = 1 << 15
)

// Better tells whether less of a picture is left to do, which makes the picture
// so far the run's best.
func (m Image) Better(than Image) bool { return m.Coarse-m.Late < than.Coarse-than.Late }

// bands cuts the picture into bands that have about as many rays each.
func (r *Render) bands(estimate func(Tile) float64) []Band {
	rows := max(1, bandMax/r.Width/trace.BlockSize) * trace.BlockSize
	var out []Band
	from, rays := 0, 0.0
	for y := 0; y < r.Height; {
		to := min(r.Height, y+trace.BlockSize)
		rays += estimate(Tile{0, y, r.Width, to})
		if y = to; rays >= bandRays || to-from >= rows || to == r.Height {
			out = append(out, Band{from, to})
			from, rays = to, 0
		}
	}
	return out
}

// making is a picture that is being made, from the top.
type making struct {
	task  Render // with its defaults
	image Image  // finished but for the last rows of Coarse, which are those of the sketch
	// records: of the rows that have come and are not finished, and those above that the
	// filter needs for them
	edge []byte
}

// make spawns the bands and puts together what they return.
func (r *Render) make(s *satin.Scope, ready *prepared) (Image, error) {
	all := r.bands(ready.estimate)
	m := making{task: *r, image: r.blank()}
	m.image.Bands = len(all)
	parts := make([]satin.Future[Band, Strip], len(all))
	for i, b := range all {
		parts[i] = satin.Spawn(s, b)
	}
	total := ready.estimate(Tile{0, 0, r.Width, r.Height})
	show, every := r.Show && total >= showRays, min(showEvery, total/showParts)
	if show {
		if err := m.sketch(ready, s.Aborted); err != nil {
			return Image{}, err
		}
		satin.Offer(s, m.shown())
	}
	// The first is waited for first, although the reverse would be a little faster: thieves
	// take the oldest, so that all work on what comes next.
	rays := 0.0
	for i, b := range all {
		strip, err := parts[i].Wait(s)
		if err == nil {
			err = m.take(b, strip)
		}
		if err != nil && show && m.takeLate(s, all[i+1:], parts[i+1:]) {
			satin.Offer(s, m.image)
		}
		if err != nil {
			return Image{}, err
		}
		if rays += ready.estimate(b.tile(r)); show && i+1 < len(all) && (r.Watch || rays >= every) {
			satin.Offer(s, m.shown())
			rays = 0
		}
	}
	if show {
		satin.Offer(s, m.image) // the run answers with its best
	}
	return m.image, nil
}

// take adds the next band to the picture.
func (m *making) take(b Band, s Strip) error {
	r := &m.task
	if !s.fits(r, b) {
		return errStrip
	}
	m.image.Done++
	m.image.Rays += s.Rays
	m.edge = slices.Concat(m.edge, s.Above)
	if from, to := r.inner(b); from < to {
		m.finish(from)
		copy(m.image.Pixels[from*r.Width*r.pixelBytes():], s.Pixels)
		m.image.Coarse = r.Height - to
		m.edge = s.Below
		return nil
	}
	if to := b.To - r.margin(); b.To < r.Height {
		m.finish(to)
	} else {
		m.finish(b.To)
	}
	return nil
}

// takeLate adds what is finished of later bands to a picture that nobody waits for any more, and
// tells whether there is more of it than was shown. Their sides, which depend on their neighbours,
// stay those of the sketch.
func (m *making) takeLate(s *satin.Scope, bands []Band, parts []satin.Future[Band, Strip]) bool {
	r := &m.task
	for i, b := range bands {
		if strip, err := parts[i].Wait(s); err == nil {
			m.late(b, strip)
		}
	}
	return m.image.Coarse-m.image.Late < r.Height
}

func (m *making) late(b Band, s Strip) {
	r := &m.task
	if from, to := r.inner(b); from < to && s.fits(r, b) {
		copy(m.image.Pixels[from*r.Width*r.pixelBytes():], s.Pixels)
		m.image.Late += to - from
		m.image.Done++
		m.image.Rays += s.Rays
	}
}

// finish filters the rows up to and without to, whose surroundings are in the edge.
func (m *making) finish(to int) {
	r := &m.task
	from := r.Height - m.image.Coarse
	if to <= from {
		return
	}
	first := max(0, from-r.margin()) // of the edge
	copy(m.image.Pixels[from*r.Width*r.pixelBytes():], r.develop(m.edge, from-first, to-first))
	m.image.Coarse = r.Height - to
	m.edge = m.edge[(max(0, to-r.margin())-first)*r.Width*recordSize:]
}

// sketch fills the picture with few pixels, in a moment: large cells of one sample or a few.
func (m *making) sketch(ready *prepared, aborted func() bool) error {
	r, cell := &m.task, 1
	for ((r.Width+cell-1)/cell)*((r.Height+cell-1)/cell) > sketchPixels {
		cell++
	}
	small := *r
	small.Width, small.Height, small.Samples = (r.Width+cell-1)/cell, (r.Height+cell-1)/cell, 1
	piece, err := Tile{0, 0, small.Width, small.Height}.render(&prepared{task: small, world: ready.world}, aborted)
	if err != nil {
		return err
	}
	coarse, size := small.develop(piece.Records, 0, small.Height), r.pixelBytes()
	for y := range r.Height {
		for x := range r.Width {
			at := (y/cell*small.Width + x/cell) * size
			copy(m.image.Pixels[(y*r.Width+x)*size:][:size], coarse[at:])
		}
	}
	return nil
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
