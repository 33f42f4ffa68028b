package raytracer

import "satingrid/apps/raytracer/trace"

// Rays as prepared.estimate counts them: noisy parts of a picture take up to four times as many.
const (
	// leafRays is how many rays a tile may need before it parts: about 30 ms.
	leafRays = 60_000
	// A piece has pieceRays at most, 0.25 to 1 s of a core, and fewer where there would not be
	// piecesMin of them: a worker brings home all of a piece at once, and has that little on it
	// when a picture is interrupted.
	pieceRays = 500_000
	piecesMin = 256
	// piecesMax is how many the root spawns at most, so that its deque stays small: they are
	// larger where a picture takes more than about ten hours of a core.
	piecesMax = 1 << 16
	// piecePixels is about how many pixels a piece has at most, so that its result is short.
	piecePixels = 1 << 18
)

// pieces cuts the picture, from the top, into what the root spawns.
func (r *Render) pieces(estimate func(Tile) float64) []Tile {
	total := estimate(Tile{0, 0, r.Width, r.Height})
	most := max(leafRays, min(pieceRays, total/piecesMin), total/piecesMax)
	rows := max(1, piecePixels/r.Width/trace.BlockSize) * trace.BlockSize
	var out []Tile
	band, rays := Tile{X1: r.Width}, 0.0 // rows that are a piece, or several side by side
	for y := 0; y < r.Height; y = band.Y1 {
		next := Tile{0, y, r.Width, min(r.Height, y+trace.BlockSize)}
		more := estimate(next)
		if y > band.Y0 && (rays+more > most || next.Y1-band.Y0 > rows) {
			out = band.cut(out, estimate, most)
			band.Y0, rays = y, 0
		}
		band.Y1 = next.Y1
		rays += more
	}
	return band.cut(out, estimate, most)
}

// cut appends the tile, in parts of which none has more rays than that, if it can be cut so far.
func (t Tile) cut(out []Tile, estimate func(Tile) float64, most float64) []Tile {
	a, b, ok := t.split(estimate(t), most)
	if !ok {
		return append(out, t)
	}
	return b.cut(a.cut(out, estimate, most), estimate, most)
}

// split cuts the tile between blocks, across its longer side, while it has too many rays.
func (t Tile) split(rays, most float64) (a, b Tile, ok bool) {
	w, h := t.X1-t.X0, t.Y1-t.Y0
	if rays <= most || max(w, h) <= trace.BlockSize {
		return a, b, false
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
