package raytracer

import (
	"bytes"
	"context"
	"testing"
	"time"

	"satingrid/satin"
)

// TestLateBands: bands that come when the picture is given up are in it, in their places, though
// one above them is missing.
func TestLateBands(t *testing.T) {
	r := Render{Scene: *simple(), Width: 96, Height: 120, Samples: 2, Bounces: 2}
	whole := render(t, r)
	full := r.full()
	ready := prepare(r)
	m := making{task: full, image: full.blank()}
	for _, b := range []Band{{24, 64}, {64, r.Height}} { // the first has not come
		packed, err := b.tile(&full).render(&ready, func() bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		m.late(b, full.strip(b, packed))
	}
	got := m.image
	row := full.Width * full.pixelBytes()
	if got.Done != 2 {
		t.Errorf("%d are done", got.Done)
	}
	for _, b := range []Band{{24, 64}, {64, r.Height}} {
		from, to := full.inner(b)
		if !bytes.Equal(got.Pixels[from*row:to*row], whole.Pixels[from*row:to*row]) {
			t.Errorf("the rows from %d to %d differ from the picture's", from, to)
		}
	}
	if !bytes.Equal(got.Pixels[:24*row], make([]byte, 24*row)) {
		t.Error("a band that has not come is in the picture")
	}
}

// TestPictureSoFarOfFewBands interrupts a picture of a few bands when some are finished: it holds
// them, though nobody watches it.
func TestPictureSoFarOfFewBands(t *testing.T) {
	r := Render{Scene: *simple(), Width: 640, Height: 361, Samples: 60, Bounces: 4, Show: true}
	ready := prepare(r)
	full := r.full()
	if n := len(full.bands(ready.estimate)); n < 4 || ready.estimate(Tile{0, 0, r.Width, r.Height}) >= showEvery*2 {
		t.Fatalf("the picture has %d bands", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := satin.Submit(ctx, nil, r)
	if err != nil {
		t.Fatal(err)
	}
	var seen Image
	for deadline := time.Now().Add(5 * time.Minute); seen.Done < 2 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		seen, _ = run.Best()
	}
	cancel()
	<-run.Done()
	last, ok := run.Best()
	if !ok || last.Done < seen.Done || seen.Done < 2 || last.Done >= last.Bands {
		t.Errorf("of %d bands %d were seen, and %d are left: %v", seen.Bands, seen.Done, last.Done, ok)
	}
}
