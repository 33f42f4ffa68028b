package trace

import "math"

// missed is above every distance, as bits.
const missed = math.MaxInt32

// place is a child to visit and, in its upper half, where the ray enters it: places compare as the
// ray meets them, since distances, which are never below 0, compare as their bits do.
type place uint64

// lastPlace is the last place that a ray may enter.
const lastPlace = missed<<32 - 1

// order is the bits of a number. Numbers from 0 up compare as their bits do, and every number below
// 0 has bits below those; whole numbers are chosen between without a jump, which floats in Go are
// not on every machine.
func order(x float32) int32 { return int32(math.Float32bits(x)) }

func placeOf(at float32, c child) place { return place(math.Float32bits(at))<<32 | place(uint32(c)) }
func (p place) at() float32             { return math.Float32frombits(uint32(p >> 32)) }
func (p place) child() child            { return child(uint32(p)) }

// there is 1 where something is there to visit. It is arithmetic, where a jump would be guessed
// wrong half the time.
func (p place) there() uint { return uint((p - lastPlace - 1) >> 63) }

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

// follow visits the boxes that r enters, nearest first, until nothing nearer can come, or something
// has where any will do.
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

// marchPlain visits places, beginning with the topmost of the stack, until one is a leaf with odd
// shapes, or nothing. It returns that and what is left on the stack.
func (w *Tracer) marchPlain(r *ray, n int, anyDoes bool) (left int, c child) {
	stack, top := &w.stack, uint(n)
	ox, oy, oz, ix, iy, iz := r.o[0], r.o[1], r.o[2], r.inv[0], r.inv[1], r.inv[2]
	bx, by, bz := r.beyond[0], r.beyond[1], r.beyond[2]
	nx, fx := sides(ix, 0)
	ny, fy := sides(iy, 1)
	nz, fz := sides(iz, 2)
	for p := place(missed << 32); ; {
		if p > lastPlace {
			for top--; stack[top%stackSize].at() > r.t; top-- {
			}
			p = stack[top%stackSize]
		}
		if c = p.child(); c < 0 {
			if c.odd() {
				return int(top), c
			}
			if w.meet(r, c, anyDoes); anyDoes && r.id != noShape {
				return int(top), nothing
			}
			p = missed << 32
			continue
		}
		n, end := &w.nodes[c], order(r.t)
		x0, y0, z0 := &n.side[nx], &n.side[ny], &n.side[nz]
		x1, y1, z1 := &n.side[fx], &n.side[fy], &n.side[fz]
		p0 := enter(float32((x0[0]-ox)*ix), float32((y0[0]-oy)*iy), float32((z0[0]-oz)*iz),
			float32((x1[0]-ox)*bx), float32((y1[0]-oy)*by), float32((z1[0]-oz)*bz), end, n.child[0])
		p1 := enter(float32((x0[1]-ox)*ix), float32((y0[1]-oy)*iy), float32((z0[1]-oz)*iz),
			float32((x1[1]-ox)*bx), float32((y1[1]-oy)*by), float32((z1[1]-oz)*bz), end, n.child[1])
		p2 := enter(float32((x0[2]-ox)*ix), float32((y0[2]-oy)*iy), float32((z0[2]-oz)*iz),
			float32((x1[2]-ox)*bx), float32((y1[2]-oy)*by), float32((z1[2]-oz)*bz), end, n.child[2])
		p3 := enter(float32((x0[3]-ox)*ix), float32((y0[3]-oy)*iy), float32((z0[3]-oz)*iz),
			float32((x1[3]-ox)*bx), float32((y1[3]-oy)*by), float32((z1[3]-oz)*bz), end, n.child[3])
		p0, p1 = max(p0, p1), min(p0, p1)
		p2, p3 = max(p2, p3), min(p2, p3)
		p0, p2 = max(p0, p2), min(p0, p2)
		p1, p3 = max(p1, p3), min(p1, p3)
		p1, p2 = max(p1, p2), min(p1, p2)
		stack[top%stackSize] = p0
		top += p0.there()
		stack[top%stackSize] = p1
		top += p1.there()
		stack[top%stackSize] = p2
		top += p2.there()
		// The nearest one does not go through memory, which would take longer than to visit
		// it.
		p = p3
	}
}

// enter is the place of a child whose box has near and far sides at these distances.
func enter(x0, y0, z0, x1, y1, z1 float32, end int32, c child) place {
	near := max(0, order(x0), order(y0), order(z0))
	if far := min(end, order(x1), order(y1), order(z1)); near > far {
		near = missed
	}
	return place(near)<<32 | place(uint32(c))
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
		for k, id := range p.id {
			if id == noShape {
				break
			}
			s := shape{
				num32{p.v0[0][k], p.v0[1][k], p.v0[2][k]}, num32{p.e1[0][k], p.e1[1][k], p.e1[2][k]},
				num32{p.e2[0][k], p.e2[1][k], p.e2[2][k]}, id,
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
