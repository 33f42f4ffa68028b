package raytracer

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"
)

// TestTilesSayWhichTheyAre, and are known by it.
func TestTilesSayWhichTheyAre(t *testing.T) {
	tile := Tile{4, 8, 128, 12}
	if got, ok := TileOf(tile.Label()); !ok || got != tile {
		t.Errorf("%q is %v, %v", tile.Label(), got, ok)
	}
	for _, label := range []string{"", "tile", "tile 1,2 to 3", "depth 5", tile.Label() + "0 and more", " " + tile.Label()} {
		if got, ok := TileOf(label); ok {
			t.Errorf("%q is %v", label, got)
		}
	}
}

// TestShares: a finished tile has the colour of who has rendered it, where the smallest tile that
// it is in counts; what is not finished is grey.
func TestShares(t *testing.T) {
	red, blue, green := color.RGBA{R: 255, A: 255}, color.RGBA{B: 255, A: 255}, color.RGBA{G: 255, A: 255}
	c := Render{Width: 16, Height: 4}.Canvas()
	part := func(x int) Part { return Part{Tile{x, 0, x + 4, 4}, bytes.Repeat([]byte{0, 0, 0, 255}, 4*4)} }
	c.Add(Image{Width: 16, Height: 4, Tiles: 4, Said: 1, Parts: []Part{part(0), part(4), part(8)}})
	by := []Share{{Tile{4, 0, 8, 4}, blue}, {Tile{4, 0, 16, 4}, red}, {Tile{0, 0, 99, 4}, red}}
	var b bytes.Buffer
	if err := c.Shares(&b, 640, by, green); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[int]color.RGBA{0: {G: 127, A: 255}, 3: {G: 127, A: 255}, 4: {B: 127, A: 255}, 8: {R: 127, A: 255}, 12: {}} {
		got := color.RGBAModel.Convert(m.At(x, 3)).(color.RGBA)
		if want.A == 0 && (got.R != got.G || got.G != got.B) || want.A > 0 && got != want {
			t.Errorf("at %d it is %v, want %v", x, got, want)
		}
	}
	if by[0].Color != blue {
		t.Error("what it was given is in another order")
	}
}
