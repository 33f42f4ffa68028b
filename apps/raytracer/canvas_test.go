package raytracer

import (
	"bytes"
	"math"
	"testing"
)

// TestCanvasTakesWhatFits: a statement comes from another process.
func TestCanvasTakesWhatFits(t *testing.T) {
	r := Render{Scene: *simple(), Width: 20, Height: 10}
	c := r.Canvas()
	pixels := func(n int, x byte) []byte { return bytes.Repeat([]byte{x}, 4*n) }
	good := Part{Tile{4, 4, 8, 8}, pixels(16, 7)}
	bad := []Part{
		{Tile{4, 4, 8, 8}, pixels(15, 9)}, {Tile{3, 4, 8, 8}, pixels(20, 9)}, {Tile{-4, 0, 4, 4}, pixels(32, 9)}, {Tile{0, 0, 24, 4}, pixels(96, 9)},
		{Tile{8, 8, 4, 4}, pixels(16, 9)}, {Tile{0, 8, 4, 12}, pixels(16, 9)}, {Tile{1 << 62, 0, 1 << 62, 4}, nil}, {},
	}
	c.Add(Image{Width: 10, Height: 20, Said: 9, Tiles: 3, Parts: []Part{good}})
	c.Add(Image{Width: 20, Height: 10, Linear: true, Said: 9, Tiles: 3, Parts: []Part{good}})
	for _, k := range []Sketch{{0, pixels(200, 5)}, {-1, nil}, {2, pixels(49, 5)}, {1 << 62, pixels(2, 5)}, {math.MaxInt, nil}, {math.MaxInt - 19, nil}} {
		c.Add(Image{Width: 20, Height: 10, Said: 1, Tiles: 3, Parts: bad, Sketch: k})
	}
	if got := c.Picture(); got.Done != 0 || !bytes.Equal(got.Pixels, pixels(200, 0)) {
		t.Fatalf("%d parts that do not fit are in the picture", got.Done)
	}
	// The part comes twice, and then the sketch, which goes around it.
	c.Add(Image{Width: 20, Height: 10, Said: 2, Tiles: 3, Parts: []Part{good}})
	c.Add(Image{Width: 20, Height: 10, Said: 3, Tiles: 3, Parts: []Part{good}, Sketch: Sketch{3, pixels(7*4, 5)}})
	got := c.Picture()
	for i, p := range got.Pixels {
		x, y := i/4%20, i/4/20
		want := byte(5)
		if x >= 4 && x < 8 && y >= 4 && y < 8 {
			want = 7
		}
		if p != want {
			t.Fatalf("pixel %d, %d is %d", x, y, p)
		}
	}
	if got.Done != 1 || got.Tiles != 3 {
		t.Errorf("%d of %d tiles are told", got.Done, got.Tiles)
	}
	whole := Image{Width: 20, Height: 10, Tiles: 3, Done: 3, Pixels: pixels(200, 1)}
	if c.Add(whole); !bytes.Equal(c.Picture().Pixels, whole.Pixels) || c.Picture().Done != 3 {
		t.Error("the whole picture is not what is seen")
	}
}

// TestPicturesAreOrdered: what is whole is better than any statement, and a later statement than an
// earlier one; two that are whole are equally good.
func TestPicturesAreOrdered(t *testing.T) {
	ranks := []Image{{Said: 1}, {Said: 2, Tiles: 5}, {Said: 1 << 40}, {Pixels: []byte{1}}}
	ranks = append(ranks, Image{Pixels: []byte{2}})
	for i, a := range ranks {
		for j, b := range ranks {
			if want := min(i, 3) > min(j, 3); a.Better(b) != want {
				t.Errorf("picture %d against %d: %v", i, j, a.Better(b))
			}
		}
	}
}
