// Package raytracer is the application that renders pictures: a path tracer whose jobs
// are parts of a picture.
//
// [Render] is the root task: a scene and how its picture is to be made. [Tile] is a part of the
// picture; it parts in two while its estimated rays are more than a job should have. The root
// spawns pieces of a second or less of a core, and filters, from the top, what they return. Scenes
// come from [ReadScene] or [Example]; the answer is an [Image], which is written as PNG, EXR or
// PFM, and read again by [ReadImage] for [Verify], which renders some of it alone.
//
// Where Render.Show is set, the run's best is a statement on what is finished of it, made every
// second by the process that has the root, and a last time where the run ends early. A [Canvas]
// puts statements together to a picture: the first has a [Sketch] of few pixels, so that something
// is seen at once, the others the tiles that are new.
//
// The pixels do not depend on how the picture was cut, on who rendered what, or on the machine:
// each is a function of the scene, its place and the settings (packages trace and num).
//
// # Costs
//
// The default picture takes about 27 s on two cores. A tile takes 20 to 50 ms. Each peer makes the
// scene's tree once, in 0.1 s for 100,000 triangles. A piece returns 26 bytes a pixel; the answer
// is 4 bytes a pixel, 12 where it is linear. Statements, which go to every peer, have as many for
// what is new: all that are made in a run of n seconds have each pixel 2 + log2 n times or so,
// and twice that while noise is filtered out.
//
// # Limitations
//
// A picture has at most 16 million pixels (5 million where it is linear), so that it fits
// what a run may return.
//
// A picture that is interrupted has every finished tile in a run of one process, once its workers
// have noticed, which they do within 16 pixels. On a grid it lacks what the process of the root has
// not told: what is of its last second; of each worker elsewhere the piece that it is at, a second
// of a core or 16 pixels if these take longer; and what came while an earlier piece was waited for,
// of a peer that has up to four to do, or that has died and is not yet missed.
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

// Render is the root task: it renders a scene.
type Render struct {
	Scene  scene.Scene
	Width  int // 0: DefaultWidth
	Height int // 0: DefaultHeight
	// half as many for calm pixels, a sixth where Whitted is set, up to four times as many for
	// noisy ones; 0: DefaultSamples
	Samples int
	Bounces int  // of a path; below 0: none, 0: DefaultBounces
	Linear  bool // the answer has floats, for PFM; otherwise bytes
	Whitted bool // the classic way, for NFF's pictures; otherwise paths of light
	Raw     bool // the noise stays in; otherwise what is plainly noise is filtered out
	Show    bool // what is finished is offered while the rest is made, if that takes a second
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

// Traced is what a tile returns.
type Traced struct {
	Records []byte // of its pixels, row by row from the top
	Rays    int    // that were followed for them
}

// Run renders the tile.
func (t Tile) Run(s *satin.Scope) (Traced, error) {
	root := satin.Root[Render](s)
	ready := satin.Derive(s, func() prepared { return prepare(*root) })
	if ready.err != nil {
		return Traced{}, ready.err
	}
	if !t.within(&ready.task) {
		return Traced{}, errors.New("raytracer: a tile outside the picture, or across its blocks")
	}
	a, b, ok := t.split(ready.estimate(t), leafRays)
	if !ok {
		out, err := t.render(&ready, s.Aborted)
		if err == nil {
			testHookRendered(t)
		}
		ready.show(s, t, out)
		return out, err
	}
	fa, fb := satin.Spawn(s, a), satin.Spawn(s, b)
	pb, err := fb.Wait(s)
	if err != nil {
		return Traced{}, err
	}
	pa, err := fa.Wait(s)
	if err != nil {
		return Traced{}, err
	}
	out := make([]byte, (t.X1-t.X0)*(t.Y1-t.Y0)*recordSize)
	t.paste(out, a, pa.Records)
	t.paste(out, b, pb.Records)
	return Traced{out, pa.Rays + pb.Rays}, nil
}

// testHookRendered lets a test count what is finished, whoever finishes it.
var testHookRendered = func(Tile) {}

// within tells whether it is a part of the picture, between blocks.
func (t Tile) within(r *Render) bool {
	return t.X0 >= 0 && t.Y0 >= 0 && t.X0 < t.X1 && t.Y0 < t.Y1 && t.X1 <= r.Width && t.Y1 <= r.Height &&
		t.X0%trace.BlockSize == 0 && t.Y0%trace.BlockSize == 0
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
func (t Tile) render(p *prepared, aborted func() bool) (Traced, error) {
	r := &p.task
	out := make([]byte, (t.X1-t.X0)*(t.Y1-t.Y0)*recordSize)
	set := r.settings()
	tracer := p.world.Tracer()
	var pixels []byte
	rays := 0
	for y := t.Y0; y < t.Y1; y += trace.BlockSize {
		for x := t.X0; x < t.X1; x += trace.BlockSize {
			if aborted() {
				return Traced{}, satin.ErrWithdrawn
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
	return Traced{out, rays}, nil
}

// Tasks are the application's task types.
func Tasks() []satin.TaskType {
	return []satin.TaskType{satin.Type[Render](), satin.Type[Tile]()}
}
