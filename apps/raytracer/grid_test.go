package raytracer

import (
	"context"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

func app() satin.App { return satin.App{Name: "picture", Tasks: Tasks()} }

// TestShownOnAGrid: peers die, the root's among them, while the picture is shown; it is the same to
// the last bit as alone.
func TestShownOnAGrid(t *testing.T) {
	r := Render{Scene: *simple(), Width: 200, Height: 120, Samples: 60, Bounces: 4, Show: true}
	same := func(alone, grid Image) bool {
		return alone.SHA256() == grid.SHA256() && grid.Done == alone.Tiles && grid.Tiles == alone.Tiles
	}
	c := satintest.Config{App: app(), Strict: true}
	satintest.Check(t, c, satintest.Storm{Seed: 2, Every: 200 * time.Millisecond}, r, 5*time.Minute, same)
}

// TestInterruptedOnAGrid gives up a picture on a grid: what its client has heard of is right. When
// the root's process dies, its successor's statements go on, and what was heard stays.
func TestInterruptedOnAGrid(t *testing.T) {
	r := dear()
	ready := prepare(r)
	g := satintest.Start(t, satintest.Config{App: app()})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := satin.Submit(ctx, g.Client, r)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Canvas()
	const enough = 10
	awaitTiles(t, run, c, enough)
	said := c.Picture().Said
	g.Kill("a/1") // the master, which is the oldest
	awaitTiles(t, run, c, 2*c.Picture().Done)
	if c.Picture().Said <= said {
		t.Errorf("statement %d came after statement %d", c.Picture().Said, said)
	}
	cancel()
	<-run.Done()
	isRight(t, &ready, c)
}

// awaitTiles hears of a run until so many tiles are told.
func awaitTiles(t *testing.T, run *satin.Submission[Image], c *Canvas, tiles int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); c.Picture().Done < tiles; time.Sleep(time.Millisecond) {
		if m, ok := run.Best(); ok {
			c.Add(m)
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d tiles are told within five minutes", c.Picture().Done)
		}
	}
}
