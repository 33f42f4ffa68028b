package raytracer

import (
	"errors"

	"satingrid/satin"
)

// Band is some rows of the picture, from From up to and without To.
type Band struct{ From, To int }

// Strip is what a band returns. Its rows are finished but for those that depend on what
// is above and below it.
type Strip struct {
	// records of the first rows: as many again as depend on the band above, or all of a
	// band with none to finish
	Above  []byte
	Pixels []byte // the finished rows, as in Image.Pixels
	Below  []byte // records of the last rows: as many again as depend on the band below
	Rays   int    // that were followed for all of the band
}

// Run renders the rows and filters those that it can.
func (b Band) Run(s *satin.Scope) (Strip, error) {
	r := *satin.Root[Render](s)
	r = r.full()
	if b.From < 0 || b.From >= b.To || b.To > r.Height {
		return Strip{}, errors.New("raytracer: a band outside the picture")
	}
	piece, err := b.tile(&r).Run(s)
	if err != nil {
		return Strip{}, err
	}
	return r.strip(b, piece), nil
}

// tile is all of the band.
func (b Band) tile(r *Render) Tile { return Tile{0, b.From, r.Width, b.To} }

// inner is the rows of a band that do not depend on other bands, if there are any.
func (r *Render) inner(b Band) (from, to int) {
	from, to = b.From, b.To
	if from > 0 {
		from += r.margin()
	}
	if to < r.Height {
		to -= r.margin()
	}
	return from, to
}

// strip is what a band returns that has these records.
func (r *Render) strip(b Band, piece Piece) Strip {
	from, to := r.inner(b)
	packed := piece.Records
	if from >= to {
		return Strip{Above: packed, Rays: piece.Rays}
	}
	above, below := r.outer(b)
	row := r.Width * recordSize
	return Strip{packed[:above*row], r.develop(packed, from-b.From, to-b.From), packed[len(packed)-below*row:], piece.Rays}
}

// outer is how many rows at the sides of a band that has inner ones must go back as records.
func (r *Render) outer(b Band) (above, below int) {
	from, to := r.inner(b)
	if b.From > 0 {
		above = min(b.To, from+r.margin()) - b.From
	}
	if b.To < r.Height {
		below = b.To - max(b.From, to-r.margin())
	}
	return above, below
}

var errStrip = errors.New("raytracer: a band came back with another number of pixels: its peers should run one build")

// fits tells whether the strip has what the band should return.
func (s *Strip) fits(r *Render, b Band) bool {
	from, to := r.inner(b)
	above, below := r.outer(b)
	if from >= to {
		from, to, above, below = 0, 0, b.To-b.From, 0
	}
	row := r.Width * recordSize
	return len(s.Above) == above*row && len(s.Below) == below*row && len(s.Pixels) == (to-from)*r.Width*r.pixelBytes()
}
