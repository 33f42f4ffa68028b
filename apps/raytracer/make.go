package raytracer

import (
	"errors"

	"satingrid/satin"
)

var errPiece = errors.New("raytracer: a part of the picture came back with another number of pixels: its peers should run one build")

// make spawns the pieces and puts together what they return.
func (r *Render) make(s *satin.Scope, ready *prepared) (Image, error) {
	pieces := r.pieces(ready.estimate)
	parts := make([]satin.Future[Tile, Traced], len(pieces))
	for i, t := range pieces {
		parts[i] = satin.Spawn(s, t)
	}
	b := newBoard(ready, pieces)
	show := r.Show && ready.estimate(Tile{0, 0, r.Width, r.Height}) >= showRays
	if show {
		// When the run ends early, others may still be at their last tiles.
		defer func() {
			if s.Context().Err() == nil {
				ready.board.CompareAndSwap(b, nil)
			}
		}()
		if err := b.begin(s, ready); err != nil {
			b.say(s)
			return Image{}, err
		}
	}
	// The first is waited for first, although the reverse would be a little faster: thieves
	// take the oldest, so that all work on what comes next.
	for i := range pieces {
		out, err := parts[i].Wait(s)
		if err == nil {
			err = b.pieceCame(i, out)
		}
		if err != nil {
			b.say(s)
			return Image{}, err
		}
		b.develop(false)
		b.say(s)
	}
	m := b.image()
	if show {
		satin.Offer(s, m) // the run answers with its best
	}
	return m, nil
}
