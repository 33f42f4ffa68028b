// Package raytracer is the application that renders pictures: a path tracer whose jobs
// are parts of a picture.
//
// [Render] is the root task: a scene and how its picture is to be made. [Band] is some rows of it,
// which are filtered when they are rendered. [Tile] is a part of a band; it parts in two while its
// estimated rays are more than a job should have. Scenes come from [ReadScene] or [Example]; the
// answer is an [Image], which is written as PNG or PFM, and read again by [ReadImage] for [Verify],
// which renders some of it alone.
//
// Where Render.Show is set, a sketch of few pixels comes first, so that something is seen at once.
// It is the run's best until parts of the picture, from the top, replace it: the best so far of a
// run that is cut short is a whole picture, whose lower part is coarse (Image.Coarse).
//
// The pixels do not depend on how the picture was cut, on who rendered what, or on the machine:
// each is a function of the scene, its place and the settings (packages trace and num).
//
// # Costs
//
// The default picture takes about 27 s on two cores. A tile takes 20 to 50 ms. Each peer makes the
// scene's tree once, in 0.1 s for 100,000 triangles. The answer is 4 bytes a pixel, 12 where it is
// linear. A picture so far has as many, and goes to every peer: every 5 to 20 core seconds, with
// Render.Watch every 2 at most.
//
// # Limitations
//
// A picture has at most 16 million pixels (5 million where it is linear), so that it fits
// what a run may return.
package raytracer

import (
	"errors"
	"fmt"

	"satingrid/apps/raytracer/scene"
	"satingrid/apps/raytracer/trace"
	"satingrid/satin"
)

// What a picture gets where the root task does not say.
const (
	DefaultWidth   = 1280
	DefaultHeight  = 720
	DefaultSamples = 12
	DefaultBounces = 8
)

// Limits on a picture. The first keeps the answer within what a run may return; the others keep
// a pixel within a job.
const (
	pixelBytesMax = 64<<20 - 4096
	SamplesMax    = 1 << 16
	BouncesMax    = 256
)

// leafRays is how many rays a tile may be estimated to need before it parts: about 30 ms.
const leafRays = 60_000

// Render is the root task: it renders a scene.
type Render struct {
	Scene  scene.Scene
	Width  int // 0: DefaultWidth
	Height int // 0: DefaultHeight
	// half as many for calm pixels, up to four times as many for noisy ones; 0: DefaultSamples
	Samples int
	Bounces int  // of a path; below 0: none, 0: DefaultBounces
	Linear  bool // the answer has floats, for PFM; otherwise bytes
	Whitted bool // the classic way, for NFF's pictures; otherwise paths of light
	Raw     bool // the noise stays in; otherwise what is plainly noise is filtered out
	// the picture so far is offered while it is made, unless that takes a moment only
	Show  bool
	Watch bool // and more often, which takes a little longer
}

// Run renders the whole picture.
func (r Render) Run(s *satin.Scope) (Image, error) {
	if err := r.Check(); err != nil {
		return Image{}, err
	}
	r = r.full()
	ready := satin.Derive(s, func() prepared { return prepare(r) })
	if ready.err != nil {
		return Image{}, ready.err
	}
	return r.make(s, &ready)
}

// develop makes pixels from records as wide as the picture: the rows from up to and
// without to of those given. The filter looks at the rows polishMargin above and below,
// too, where they are given.
func (r *Render) develop(packed []byte, from, to int) []byte {
	m := Image{Linear: r.Linear, Plain: r.Whitted, Pixels: make([]byte, 0, (to-from)*r.Width*r.pixelBytes())}
	if r.margin() == 0 {
		row := r.Width * recordSize
		for _, one := range records(packed[from*row : to*row]) {
			m.append(one.color)
		}
		return m.Pixels
	}
	for _, c := range polish(records(packed), r.Width, from, to) {
		m.append(c)
	}
	return m.Pixels
}

// margin is how many rows and columns away a pixel still depends on others.
func (r *Render) margin() int {
	if r.Raw || r.Whitted {
		return 0
	}
	return polishMargin
}

// full is the task with its defaults in place.
func (r Render) full() Render {
	for _, f := range []struct {
		field *int
		value int
	}{{&r.Width, DefaultWidth}, {&r.Height, DefaultHeight}, {&r.Samples, DefaultSamples}, {&r.Bounces, DefaultBounces}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	r.Bounces = max(0, r.Bounces)
	return r
}

// Check tells what is wrong with the task: the picture's size and settings, or the scene.
func (r Render) Check() error {
	r = r.full()
	most := pixelBytesMax / r.pixelBytes()
	switch {
	case r.Width < 1 || r.Height < 1 || r.Width > most || r.Height > most || r.Width*r.Height > most:
		return fmt.Errorf("raytracer: a picture of %d×%d; expected at least 1×1 and at most %d pixels", r.Width, r.Height, most)
	case r.Samples < 1 || r.Samples > SamplesMax:
		return fmt.Errorf("raytracer: %d samples; expected 1 to %d", r.Samples, SamplesMax)
	case r.Bounces > BouncesMax:
		return fmt.Errorf("raytracer: %d bounces; expected at most %d", r.Bounces, BouncesMax)
	}
	return r.Scene.Check()
}

func (r *Render) settings() trace.Settings {
	return trace.Settings{Samples: r.Samples, Bounces: r.Bounces, Whitted: r.Whitted}
}

func (r *Render) pixelBytes() int {
	if r.Linear {
		return 12
	}
	return 4
}

// Tile is the part of the picture from (X0, Y0) up to and without (X1, Y1).
type Tile struct{ X0, Y0, X1, Y1 int }

// Piece is what a tile returns.
type Piece struct {
	Records []byte // of its pixels, row by row from the top
	Rays    int    // that were followed for them
}

// Run renders the tile.
func (t Tile) Run(s *satin.Scope) (Piece, error) {
	root := satin.Root[Render](s)
	ready := satin.Derive(s, func() prepared { return prepare(*root) })
	if ready.err != nil {
		return Piece{}, ready.err
	}
	if t.X0 < 0 || t.Y0 < 0 || t.X0 >= t.X1 || t.Y0 >= t.Y1 || t.X1 > ready.task.Width || t.Y1 > ready.task.Height ||
		t.X0%trace.BlockSize != 0 || t.Y0%trace.BlockSize != 0 {
		return Piece{}, errors.New("raytracer: a tile outside the picture, or across its blocks")
	}
	a, b, ok := t.split(ready.estimate(t))
	if !ok {
		return t.render(&ready, s.Aborted)
	}
	fa, fb := satin.Spawn(s, a), satin.Spawn(s, b)
	pb, err := fb.Wait(s)
	if err != nil {
		return Piece{}, err
	}
	pa, err := fa.Wait(s)
	if err != nil {
		return Piece{}, err
	}
	out := make([]byte, (t.X1-t.X0)*(t.Y1-t.Y0)*recordSize)
	t.paste(out, a, pa.Records)
	t.paste(out, b, pb.Records)
	return Piece{out, pa.Rays + pb.Rays}, nil
}

// split cuts the tile between blocks, across its longer side, while it has too many rays.
func (t Tile) split(rays float64) (a, b Tile, ok bool) {
	w, h := t.X1-t.X0, t.Y1-t.Y0
	if rays <= leafRays || max(w, h) <= trace.BlockSize {
		return t, t, false
	}
	a, b = t, t
	if w >= h {
		a.X1 = middle(t.X0, t.X1)
		b.X0 = a.X1
	} else {
		a.Y1 = middle(t.Y0, t.Y1)
		b.Y0 = a.Y1
	}
	return a, b, true
}

// middle is the first side of a block from the middle on. Both numbers are sides of blocks, or
// to is the picture's.
func middle(from, to int) int {
	m := from + (to-from)/2 + trace.BlockSize - 1
	return m - m%trace.BlockSize
}

// paste copies a part's pixels to their places in the tile's.
func (t Tile) paste(out []byte, part Tile, pixels []byte) {
	row, all := (part.X1-part.X0)*recordSize, (t.X1-t.X0)*recordSize
	for y := part.Y0; y < part.Y1; y++ {
		at := (y-t.Y0)*all + (part.X0-t.X0)*recordSize
		copy(out[at:at+row], pixels[(y-part.Y0)*row:])
	}
}

// render traces the tile's pixels, block by block, unless nobody wants them any more.
func (t Tile) render(p *prepared, aborted func() bool) (Piece, error) {
	r := &p.task
	out := make([]byte, (t.X1-t.X0)*(t.Y1-t.Y0)*recordSize)
	set := r.settings()
	tracer := p.world.Tracer()
	var pixels []byte
	rays := 0
	for y := t.Y0; y < t.Y1; y += trace.BlockSize {
		for x := t.X0; x < t.X1; x += trace.BlockSize {
			if aborted() {
				return Piece{}, satin.ErrWithdrawn
			}
			block, n := tracer.Block(x, y, r.Width, r.Height, set)
			rays += n
			pixels = pixels[:0]
			for i := range block {
				pixels = appendRecord(pixels, &block[i])
			}
			t.paste(out, Tile{x, y, min(x+trace.BlockSize, t.X1), min(y+trace.BlockSize, t.Y1)}, pixels)
		}
	}
	return Piece{out, rays}, nil
}

// Tasks are the application's task types.
func Tasks() []satin.TaskType {
	return []satin.TaskType{satin.Type[Render](), satin.Type[Band](), satin.Type[Tile]()}
}
