package raytracer

import (
	"testing"

	"satingrid/apps/raytracer/trace"
)

// TestPiecesCoverThePicture cuts pictures of many shapes, with cheap and dear rows: every block is
// in one piece, in the order from the top, and no piece has much more than it should.
func TestPiecesCoverThePicture(t *testing.T) {
	for _, c := range []struct {
		width, height int
		row           float64 // rays in a row of pixels
		most          float64 // rays of a piece
	}{
		{1280, 720, 1e3, leafRays}, {1280, 720, 100_000, 281_250}, {1280, 720, 1e8, 1_098_632}, {3, 5, 1e9, 1e30}, {4000, 4, 1e9, pieceRays * 32},
		{200_000, 60, 1, leafRays}, {1, 1, 1e9, 1e30}, {16, 5000, 1e5, pieceRays}, {320, 180, 33_333, leafRays},
	} {
		r := Render{Width: c.width, Height: c.height}
		pieces := r.pieces(func(t Tile) float64 {
			return c.row * float64(t.Y1-t.Y0) * float64(t.X1-t.X0) / float64(c.width)
		})
		covered, top := map[[2]int]bool{}, 0
		for _, p := range pieces {
			if !p.within(&r) || p.Y0 < top {
				t.Fatalf("%+v: piece %v after row %d", c, p, top)
			}
			top = max(top, p.Y0)
			size := (p.X1 - p.X0) * (p.Y1 - p.Y0)
			if rays := c.row * float64(size) / float64(c.width); rays > 1.01*c.most && max(p.X1-p.X0, p.Y1-p.Y0) > trace.BlockSize {
				t.Errorf("%+v: piece %v has %g rays", c, p, rays)
			}
			if size > piecePixels && p.Y1-p.Y0 > trace.BlockSize {
				t.Errorf("%+v: piece %v has %d pixels", c, p, size)
			}
			for y := p.Y0; y < p.Y1; y += trace.BlockSize {
				for x := p.X0; x < p.X1; x += trace.BlockSize {
					if covered[[2]int{x, y}] {
						t.Fatalf("%+v: block %d, %d is in two pieces", c, x, y)
					}
					covered[[2]int{x, y}] = true
				}
			}
		}
		if len(covered) != blocks(c.width)*blocks(c.height) {
			t.Errorf("%+v: %d blocks are in pieces", c, len(covered))
		}
	}
}
