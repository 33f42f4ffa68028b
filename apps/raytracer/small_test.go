package raytracer

import (
	"bytes"
	"image/png"
	"testing"
)

// TestSmall: each pixel is the mean of a square, and those at the edges of what there is of theirs.
func TestSmall(t *testing.T) {
	m := Image{Width: 5, Height: 1}
	for x := range 5 {
		m.Pixels = append(m.Pixels, byte(10*x), 0, 100, 255)
	}
	for side, want := range map[int][]byte{9: {0, 10, 20, 30, 40}, 3: {5, 25, 40}, 0: {20}} {
		var b bytes.Buffer
		if err := m.Small(&b, side); err != nil {
			t.Fatal(err)
		}
		small, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if size := small.Bounds().Size(); size.X != len(want) || size.Y != 1 {
			t.Fatalf("at most %d pixels: they are %v", side, size)
		}
		for x, red := range want {
			if r, _, blue, _ := small.At(x, 0).RGBA(); byte(r>>8) != red || byte(blue>>8) != 100 {
				t.Errorf("at most %d pixels: pixel %d is %v, wanted a red of %d", side, x, small.At(x, 0), red)
			}
		}
	}
}
