package raytracer

import "satingrid/apps/raytracer/trace"

// Canvas puts together what a run that is under way says of its picture. A statement has little
// more than what is new, so all of them are added, as they come; one may be missed.
type Canvas struct {
	task     Render // with its defaults
	picture  Image
	finished map[Tile]bool
	covered  []bool // of each block, whether it is finished
	sketched bool
}

// Canvas is an empty canvas for the picture of that task.
func (r Render) Canvas() *Canvas {
	r = r.full()
	c := &Canvas{task: r, picture: r.blank(), finished: map[Tile]bool{}, covered: make([]bool, blocks(r.Width)*blocks(r.Height))}
	c.picture.Pixels = make([]byte, r.Width*r.Height*r.pixelBytes())
	return c
}

// Add adds the best of a run: a statement, or the whole picture. What is of another picture is
// ignored.
func (c *Canvas) Add(m Image) {
	switch {
	case m.Width != c.picture.Width || m.Height != c.picture.Height || m.Linear != c.picture.Linear:
		return
	case len(m.Pixels) == len(c.picture.Pixels):
		c.picture = m
		return
	case len(c.picture.Parts) > 0:
		panic("raytracer: BUG: a canvas with parts")
	}
	if m.Said >= c.picture.Said {
		c.picture.Said, c.picture.Ends = m.Said, m.Ends
	}
	c.picture.Tiles, c.picture.Rays = m.Tiles, max(c.picture.Rays, m.Rays)
	for _, p := range m.Parts {
		if p.fits(&c.task) {
			c.put(p)
		}
	}
	c.picture.Done = len(c.finished)
	if !c.sketched && m.Sketch.fits(&c.task) {
		c.sketched = true
		c.fill(&m.Sketch)
	}
}

// put puts a part in its place.
func (c *Canvas) put(p Part) {
	t, size := p.Place, c.task.pixelBytes()
	row := (t.X1 - t.X0) * size
	for y := t.Y0; y < t.Y1; y++ {
		copy(c.picture.Pixels[(y*c.task.Width+t.X0)*size:], p.Pixels[(y-t.Y0)*row:][:row])
	}
	for y := t.Y0; y < t.Y1; y += trace.BlockSize {
		for x := t.X0; x < t.X1; x += trace.BlockSize {
			c.covered[c.block(x, y)] = true
		}
	}
	c.finished[t] = true
}

// block is the block that has a pixel.
func (c *Canvas) block(x, y int) int {
	return y/trace.BlockSize*blocks(c.task.Width) + x/trace.BlockSize
}

// fill shows the sketch where nothing is finished.
func (c *Canvas) fill(k *Sketch) {
	size := c.task.pixelBytes()
	for y := range c.task.Height {
		for x := range c.task.Width {
			if !c.covered[c.block(x, y)] {
				copy(c.picture.Pixels[(y*c.task.Width+x)*size:], k.at(&c.task, x, y))
			}
		}
	}
}

// Picture is what there is: finished tiles, Done of them, and the sketch everywhere else. It shares
// its pixels with the canvas, until more is added.
func (c *Canvas) Picture() Image { return c.picture }

// Part is a finished tile of a picture that is not finished.
type Part struct {
	Place  Tile
	Pixels []byte // as in Image.Pixels
}

// fits tells whether it is a part of such a picture.
func (p *Part) fits(r *Render) bool {
	t := p.Place
	return t.within(r) && len(p.Pixels) == (t.X1-t.X0)*(t.Y1-t.Y0)*r.pixelBytes()
}
