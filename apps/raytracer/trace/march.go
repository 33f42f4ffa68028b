package trace

import "math"

// missed is above every distance, as bits.
const missed = math.MaxInt32

// place is a child to visit and, in its upper half, where the ray enters it: places compare as the ray meets them, since
// distances, which are never below 0, compare as their bits do.
type place uint64

// lastPlace is the last place that a ray may enter.
const lastPlace = missed<<32 - 1

func placeOf(at float32, c child) place { return place(math.Float32bits(at))<<32 | place(uint32(c)) }
func (p place) at() float32             { return math.Float32frombits(uint32(p >> 32)) }
func (p place) child() child            { return child(uint32(p)) }

// nothing is the child at the bottom of the stack: when it comes up, all places have been visited.
const nothing child = ^oddLeaf

// Tracer follows rays through a world. It belongs to one goroutine.
type Tracer struct {
	*World
	rays int // followed so far

	// What would take long to make anew for each ray, path and block.
	stack     [stackSize]place // still to visit
	ray       ray
	path      path
	bsdf      bsdf
	estimates [BlockSize * BlockSize]estimate
	pixels    [BlockSize * BlockSize]Pixel
}

// Tracer makes a tracer.
func (w *World) Tracer() *Tracer { return &Tracer{World: w} }

// nearest finds the nearest shape before r.t.
func (w *Tracer) nearest(r *ray) { w.follow(r, false) }

// blocked tells whether anything lies before r.t.
func (w *Tracer) blocked(r *ray) bool {
	w.follow(r, true)
	return r.id != noShape
}

// follow visits the boxes that r enters, nearest first, until nothing nearer can come, or something has where any will do.
func (w *Tracer) follow(r *ray, anyDoes bool) {
	w.rays++
	if len(w.nodes) == 0 {
		return
	}
	w.stack[0], w.stack[1] = placeOf(0, nothing), placeOf(0, 0)
	for top := 2; ; {
		var c child
		if quick {
			top, c = marchQuick(r, &w.nodes[0], &w.packs[0], &w.stack[0], top, anyDoes)
		} else {
			top, c = w.marchPlain(r, top, anyDoes)
		}
		if c == nothing {
			return
		}
		w.meetOdd(r, c)
		if anyDoes && r.id != noShape {
			return
		}
	}
}

// marchPlain visits places, beginning with the topmost of the stack, until one is a leaf with odd shapes, or nothing. It
// returns that and what is left on the stack.
func (w *Tracer) marchPlain(r *ray, top int, anyDoes bool) (left int, c child) {
	nx, fx := sides(r.inv[0], 0)
	ny, fy := sides(r.inv[1], 1)
	nz, fz := sides(r.inv[2], 2)
	for {
		for top--; w.stack[top].at() > r.t; top-- {
		}
		c = w.stack[top].child()
		if c < 0 {
			if c.odd() {
				return top, c
			}
			if w.meet(r, c, anyDoes); anyDoes && r.id != noShape {
				return top, nothing
			}
			continue
		}
		n := &w.nodes[c]
		var p [4]place
		for k := range p {
			near := max(0, float32((n.side[nx][k]-r.o[0])*r.inv[0]), float32((n.side[ny][k]-r.o[1])*r.inv[1]), float32((n.side[nz][k]-r.o[2])*r.inv[2]))
			far := min(r.t, float32((n.side[fx][k]-r.o[0])*r.beyond[0]), float32((n.side[fy][k]-r.o[1])*r.beyond[1]), float32((n.side[fz][k]-r.o[2])*r.beyond[2]))
			p[k] = lastPlace + 1
			if near <= far {
				p[k] = placeOf(near, n.child[k])
			}
		}
		p[0], p[1] = max(p[0], p[1]), min(p[0], p[1])
		p[2], p[3] = max(p[2], p[3]), min(p[2], p[3])
		p[0], p[2] = max(p[0], p[2]), min(p[0], p[2])
		p[1], p[3] = max(p[1], p[3]), min(p[1], p[3])
		p[1], p[2] = max(p[1], p[2]), min(p[1], p[2])
		for _, p := range p {
			if w.stack[top] = p; p <= lastPlace {
				top++
			}
		}
	}
}

// sides is which side of every box along an axis the ray meets first, and which last.
func sides(inv float32, axis int) (near, far int) {
	if inv < 0 {
		return axis + 3, axis
	}
	return axis, axis + 3
}

// meet tries the triangles of a leaf.
func (w *World) meet(r *ray, c child, anyDoes bool) {
	from, to := c.shapes()
	for i := from; i < to; i++ {
		p := &w.packs[i]
		for k := range p.id {
			s := shape{
				num32{p.v0[0][k], p.v0[1][k], p.v0[2][k]}, num32{p.e1[0][k], p.e1[1][k], p.e1[2][k]},
				num32{p.e2[0][k], p.e2[1][k], p.e2[2][k]}, p.id[k],
			}
			triangle(r, &s)
		}
		if anyDoes && r.id != noShape {
			return
		}
	}
}

// meetOdd tries the shapes of a leaf that has spheres.
func (w *World) meetOdd(r *ray, c child) {
	from, to := c.shapes()
	for i := from; i < to; i++ {
		if s := &w.odd[i]; s.id < 0 {
			sphere(r, s)
		} else {
			triangle(r, s)
		}
	}
}
