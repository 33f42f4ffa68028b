package raytracer

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/satin"
)

// dear is a picture of pieces that have many tiles each.
func dear() Render {
	r := Render{Scene: *simple(), Width: 320, Height: 181, Samples: 3000, Bounces: 4, Show: true}
	r.Scene.Sky.Zenith, r.Scene.Sky.Horizon = num.V{X: 0.1, Y: 0.2, Z: 0.9}, num.V{X: 0.9, Y: 0.9, Z: 0.9}
	return r
}

// TestInterruptedPicture gives up a picture in one process, with as many workers as have all a
// piece of their own that is not finished. It holds every finished tile: those of unfinished
// pieces, too.
func TestInterruptedPicture(t *testing.T) {
	r := dear()
	ready := prepare(r)
	b := newBoard(&ready, ready.task.pieces(ready.estimate))
	const workers, tiles = 8, 40
	if b.ends[workers-1] < 4*workers {
		t.Fatalf("%d pieces have %d tiles", workers, b.ends[workers-1])
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p, err := satin.Open(ctx, satin.Config{App: app(), Alone: true, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var rendered atomic.Int64
	before := testHookRendered
	testHookRendered = func(Tile) { rendered.Add(1) }
	defer func() { testHookRendered = before }()
	run, err := satin.Submit(ctx, p, r)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Canvas()
	awaitTiles(t, run, c, tiles)
	cancel()
	p.Close() // nobody renders any more
	if last, ok := run.Best(); ok {
		c.Add(last)
	}
	// each worker may have finished one more when it had ended
	got := c.Picture()
	late := int(rendered.Load()) - got.Done
	if late < 0 || late > workers || !got.Ends || got.Done == len(b.leaves) || got.Tiles != len(b.leaves) {
		t.Errorf("%d tiles were rendered, and %d of %d are shown as finished", rendered.Load(), got.Done, got.Tiles)
	}
	isRight(t, &ready, c)
}

// isRight looks at the tiles that a canvas shows as finished: they look as they should before the
// noise is filtered out, or are of the upper part, where it is.
func isRight(t *testing.T, p *prepared, c *Canvas) {
	t.Helper()
	m, right := c.Picture(), 0
	for place := range c.finished {
		out, err := place.render(p, wanted)
		if err != nil {
			t.Fatal(err)
		}
		raw := p.task
		raw.Raw, raw.Width, raw.Height = true, place.X1-place.X0, place.Y1-place.Y0
		want, size := raw.develop(out.Records, 0, raw.Height), raw.pixelBytes()
		same := true
		for y := range raw.Height {
			at := ((place.Y0+y)*m.Width + place.X0) * size
			same = same && bytes.Equal(m.Pixels[at:][:raw.Width*size], want[y*raw.Width*size:][:raw.Width*size])
		}
		if same {
			right++
		} else if place.Y0 > m.Height/2 {
			t.Errorf("tile %v does not look as it should", place)
		}
	}
	if right < len(c.finished)/2 {
		t.Errorf("of %d tiles %d look as they should", len(c.finished), right)
	}
}

// TestShownPictureIsTheSame shows a picture while it is made, and not.
func TestShownPictureIsTheSame(t *testing.T) {
	r := Render{Scene: *simple(), Width: 200, Height: 150, Samples: 40, Bounces: 3, Raw: true}
	if p := prepare(r); p.estimate(Tile{0, 0, r.Width, r.Height}) < showRays {
		t.Fatal("the picture is too small to be shown")
	}
	plain := render(t, r)
	r.Show = true
	if shown := render(t, r); plain.SHA256() != shown.SHA256() || shown.Done != shown.Tiles {
		t.Errorf("the picture differs when it is shown while it is made; %d of %d tiles", shown.Done, shown.Tiles)
	}
}
