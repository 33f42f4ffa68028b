package raytracer

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"satingrid/satin/effort"
)

// ofBoard is what is rendered of the picture of all boards here. Whether its noise is filtered
// makes no difference to that.
var ofBoard = sync.OnceValues(func() (Traced, error) {
	p := prepare(boarded(true))
	return Tile{0, 0, p.task.Width, p.task.Height}.render(&p, wanted)
})

func boarded(raw bool) Render {
	return Render{Scene: *simple(), Width: 150, Height: 121, Samples: 2, Bounces: 2, Raw: raw}.full()
}

// onBoard is a board for a picture of many leaves, several to a piece, and all its records.
func onBoard(t *testing.T, raw bool) (b *board, pieces []Tile, packed []byte) {
	t.Helper()
	r := boarded(raw)
	p := prepare(r)
	out, err := ofBoard()
	if err != nil {
		t.Fatal(err)
	}
	// As if each ray were many, which makes pieces of a few leaves.
	for i := range p.rays {
		p.rays[i] *= 600
	}
	pieces = r.pieces(p.estimate)
	b = newBoard(&p, pieces)
	if len(b.leaves) < 100 || len(pieces) < 50 || len(pieces) == len(b.leaves) {
		t.Fatalf("%d leaves in %d pieces", len(b.leaves), len(pieces))
	}
	return b, pieces, out.Records
}

// tracedOf cuts a part out of the whole picture's records. A pixel has one ray.
func tracedOf(r *Render, part Tile, packed []byte) (out Traced) {
	for y := part.Y0; y < part.Y1; y++ {
		out.Records = append(out.Records, packed[(y*r.Width+part.X0)*recordSize:(y*r.Width+part.X1)*recordSize]...)
	}
	out.Rays = (part.X1 - part.X0) * (part.Y1 - part.Y0)
	return out
}

// TestOrderDoesNotShow: leaves and pieces come in any order, some twice, and are filtered when the
// chance comes; the picture is that which is filtered at once, and so is what is told of it, except
// where the noise is not filtered yet.
func TestOrderDoesNotShow(t *testing.T) {
	for seed := range uint64(effort.Of(2, 6, 12)) {
		rng := rand.New(rand.NewPCG(seed, 0))
		b, pieces, packed := onBoard(t, seed%3 == 0)
		r := &b.task
		want := r.develop(packed, 0, r.Height)
		canvas := r.Canvas()
		for _, k := range rng.Perm(len(pieces)) {
			for i := b.first(k); i < b.ends[k]; i++ {
				if rng.IntN(2) == 0 {
					b.leafCame(b.leaves[i].place, tracedOf(r, b.leaves[i].place, packed))
				}
			}
			if err := b.pieceCame(k, tracedOf(r, pieces[k], packed)); err != nil {
				t.Fatal(err)
			}
			b.develop(rng.IntN(5) == 0)
			if m, ok := b.statement(false); ok {
				canvas.Add(m)
			}
			if row := r.Width * r.pixelBytes(); !bytes.Equal(b.pixels[:b.front*row], want[:b.front*row]) {
				t.Fatalf("seed %d: the picture differs above row %d", seed, b.front)
			}
		}
		b.develop(true)
		m, _ := b.statement(false)
		if canvas.Add(m); !bytes.Equal(canvas.Picture().Pixels, want) || canvas.Picture().Done != len(b.leaves) {
			t.Errorf("seed %d: with all %d tiles, of which %d are told, the canvas differs from the picture", seed, len(b.leaves), canvas.Picture().Done)
		}
		if got := b.image(); !bytes.Equal(got.Pixels, want) || got.Done != got.Tiles || got.Tiles != len(b.leaves) || got.Rays != r.Width*r.Height {
			t.Errorf("seed %d: the picture differs; %d of %d tiles, %d rays", seed, got.Done, got.Tiles, got.Rays)
		}
	}
}

// TestStatementsMayBeMissed: whoever hears each statement has all that is finished, and whoever
// misses each second one has it with the next. Whoever hears none for a while has it after as long
// a while. All of them together have each pixel a few times.
func TestStatementsMayBeMissed(t *testing.T) {
	b, _, packed := onBoard(t, false)
	r := &b.task
	b.sketch, b.drawn = Sketch{Cell: 1, Pixels: make([]byte, r.Width*r.Height*r.pixelBytes())}, 1
	all, half, away := r.Canvas(), r.Canvas(), r.Canvas()
	told := 0
	for n, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(b.leaves)) {
		b.leafCame(b.leaves[i].place, tracedOf(r, b.leaves[i].place, packed))
		m, ok := b.statement(false)
		if !ok || m.Said != n+1 {
			t.Fatalf("statement %d is %d: %v", n+1, m.Said, ok)
		}
		for _, p := range m.Parts {
			told += len(p.Pixels)
		}
		if all.Add(m); all.Picture().Done != n+1 {
			t.Fatalf("after statement %d, %d tiles are heard of", m.Said, all.Picture().Done)
		}
		if n%2 == 0 {
			if half.Add(m); half.Picture().Done != n+1 {
				t.Fatalf("after statement %d, %d tiles are heard of by who hears each second one", m.Said, half.Picture().Done)
			}
		}
		if n < 60 || n >= 75 {
			away.Add(m)
		}
		if n > 75+2*15 && away.Picture().Done != n+1 {
			t.Fatalf("after statement %d, %d tiles are heard of by who missed 15", m.Said, away.Picture().Done)
		}
	}
	if most := (2 + bits.Len(uint(b.said))) * len(b.pixels); told > most || told < 3*len(b.pixels) {
		t.Errorf("%d statements have %d bytes, of a picture of %d", b.said, told, len(b.pixels))
	}
	if m, ok := b.statement(false); ok {
		t.Errorf("where nothing is new it says %d parts", len(m.Parts))
	}
	if m, ok := b.statement(true); !ok || len(m.Parts) != len(b.leaves) || m.Sketch.Cell != 1 {
		t.Errorf("at the end it says %d parts of %d: %v", len(m.Parts), len(b.leaves), ok)
	}
}

// TestNothingIsSaidOfNothing: a board without a tile or a sketch has no statement.
func TestNothingIsSaidOfNothing(t *testing.T) {
	b, _, packed := onBoard(t, true)
	if _, ok := b.statement(true); ok {
		t.Error("there is a statement on nothing")
	}
	b.leafCame(Tile{0, 0, 4, 4}, Traced{}) // no leaf of this picture
	b.leafCame(b.leaves[7].place, tracedOf(&b.task, b.leaves[7].place, packed))
	if m, ok := b.statement(true); !ok || m.Done != 1 || len(m.Parts) != 1 || m.Sketch.Cell != 0 {
		t.Errorf("of one tile there are %d parts: %v", len(m.Parts), ok)
	}
}

// TestDamagedPiecesAreRefused: other builds may cut otherwise.
func TestDamagedPiecesAreRefused(t *testing.T) {
	b, pieces, packed := onBoard(t, true)
	good := tracedOf(&b.task, pieces[3], packed)
	for _, bad := range [][]byte{nil, good.Records[1:], append(slices.Clone(good.Records), 0)} {
		if err := b.pieceCame(3, Traced{Records: bad}); err == nil || b.came > 0 {
			t.Errorf("%d bytes are taken for a piece of %d: %d tiles", len(bad), len(good.Records), b.came)
		}
	}
	if err := b.pieceCame(3, good); err != nil || b.came == 0 {
		t.Errorf("a piece is not taken: %v", err)
	}
}
