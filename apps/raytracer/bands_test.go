package raytracer

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"satingrid/apps/raytracer/num"
	"satingrid/satin"
)

// TestBandsCoverThePicture cuts pictures of many shapes, with cheap and dear rows.
func TestBandsCoverThePicture(t *testing.T) {
	for _, c := range []struct {
		width, height int
		row           float64 // rays in a row of pixels
		bands         int
	}{
		{1280, 720, 1e3, 4}, {1280, 720, 250_000, 180}, {3, 5, 1e9, 2}, {4000, 4, 1e9, 1}, {200_000, 60, 1, 15}, {1, 1, 1e9, 1}, {16, 5000, 1e5, 417},
	} {
		r := Render{Width: c.width, Height: c.height}
		bands := r.bands(func(t Tile) float64 { return c.row * float64(t.Y1-t.Y0) })
		if len(bands) != c.bands {
			t.Errorf("%+v: %d bands", c, len(bands))
		}
		y := 0
		for _, b := range bands {
			if b.From != y || b.To <= y || (b.To-b.From)*c.width > bandMax && b.To-b.From > 4 {
				t.Errorf("%+v: band %v at %d", c, b, y)
			}
			y = b.To
		}
		if y != c.height {
			t.Errorf("%+v: the bands end at %d", c, y)
		}
	}
}

// TestBandsDoNotShow makes a picture band by band, of all heights, and filters it at once.
func TestBandsDoNotShow(t *testing.T) {
	r := Render{Scene: *simple(), Width: 50, Height: 61, Samples: 2, Bounces: 2}.full()
	p := prepare(r)
	piece, err := Tile{0, 0, r.Width, r.Height}.render(&p, wanted)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []bool{false, true} {
		r.Raw = raw
		packed := piece.Records
		want := r.develop(packed, 0, r.Height)
		for step := 1; step <= 64; step++ {
			for _, next := range []int{step, 3, 31} { // one height, or two by turns
				inBands(t, r, packed, want, step, next)
			}
		}
	}
}

// inBands puts a picture together of bands of two heights by turns.
func inBands(t *testing.T, r Render, packed, want []byte, height, next int) {
	m := making{task: r, image: r.blank()}
	for y := 0; y < r.Height; {
		b := Band{y, min(r.Height, y+height)}
		strip := r.strip(b, Piece{Records: packed[y*r.Width*recordSize : b.To*r.Width*recordSize]})
		before := bytes.Clone(strip.Below)
		if err := m.take(b, strip); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(before, strip.Below) {
			t.Fatal("what a band returned was changed")
		}
		done := (r.Height - m.image.Coarse) * r.Width * r.pixelBytes()
		if !bytes.Equal(m.image.Pixels[:done], want[:done]) {
			t.Fatalf("bands of %d and %d rows: the picture differs above row %d", height, next, r.Height-m.image.Coarse)
		}
		if missing := r.Height - m.image.Coarse; missing < b.To-r.margin() {
			t.Fatalf("bands of %d and %d rows: %d rows are finished after row %d", height, next, missing, b.To)
		}
		y, height, next = b.To, next, height
	}
	if m.image.Coarse != 0 {
		t.Errorf("bands of %d and %d rows: %d rows are missing", height, next, m.image.Coarse)
	}
}

// TestDamagedStripsAreRefused: other builds may cut otherwise.
func TestDamagedStripsAreRefused(t *testing.T) {
	r := Render{Width: 8, Height: 60}.full()
	b := Band{16, 48}
	good := r.strip(b, Piece{Records: make([]byte, 32*8*recordSize)})
	if !good.fits(&r, b) {
		t.Fatal("what a band returns does not fit")
	}
	for k, bad := range []Strip{{}, {Above: good.Above, Pixels: good.Pixels}, {Above: good.Above[1:], Pixels: good.Pixels, Below: good.Below}, {Above: make([]byte, 32*8*recordSize)}} {
		m := making{task: r, image: r.blank()}
		if err := m.take(b, bad); err == nil {
			t.Errorf("strip %d is taken", k)
		}
	}
}

// TestPictureSoFar interrupts runs: what they have is a whole picture, rough at its foot.
func TestPictureSoFar(t *testing.T) {
	r := Render{Scene: *simple(), Width: 640, Height: 361, Samples: 2000, Bounces: 4, Show: true, Watch: true}
	r.Scene.Sky.Zenith, r.Scene.Sky.Horizon = num.V{X: 0.1, Y: 0.2, Z: 0.9}, num.V{X: 0.9, Y: 0.9, Z: 0.9}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := satin.Submit(ctx, nil, r)
	if err != nil {
		t.Fatal(err)
	}
	var seen []Image
	for deadline := time.Now().Add(5 * time.Minute); len(seen) < 2 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if m, ok := run.Best(); ok && (len(seen) == 0 || m.Better(seen[0])) {
			seen = append(seen, m)
		}
	}
	cancel()
	if len(seen) < 2 {
		t.Fatalf("%d pictures within five minutes", len(seen))
	}
	sketch, later := seen[0], seen[1]
	if sketch.Coarse != r.Height || later.Coarse <= 0 || later.Coarse >= r.Height {
		t.Errorf("%d and then %d of %d rows are coarse", sketch.Coarse, later.Coarse, r.Height)
	}
	row := 4 * r.Width
	done := (r.Height - later.Coarse) * row
	if len(sketch.Pixels) != r.Height*row || len(later.Pixels) != r.Height*row || !bytes.Equal(sketch.Pixels[done:], later.Pixels[done:]) {
		t.Error("below what is made there is no sketch")
	}
	if bytes.Equal(sketch.Pixels[:done], later.Pixels[:done]) {
		t.Error("what is made looks like the sketch")
	}
	if slices.Max(sketch.Pixels[:row*200]) == 0 {
		t.Error("the sketch is black")
	}
}

// TestShownPictureIsTheSame shows a picture while it is made, and not.
func TestShownPictureIsTheSame(t *testing.T) {
	r := Render{Scene: *simple(), Width: 200, Height: 150, Samples: 40, Bounces: 3, Raw: true}
	if p := prepare(r); p.estimate(Tile{0, 0, r.Width, r.Height}) < showRays {
		t.Fatal("the picture is too small to be shown")
	}
	plain := render(t, r)
	r.Show, r.Watch = true, true
	if shown := render(t, r); plain.SHA256() != shown.SHA256() || shown.Coarse != 0 {
		t.Errorf("the picture differs when it is shown while it is made; %d rows are coarse", shown.Coarse)
	}
}
