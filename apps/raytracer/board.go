package raytracer

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/apps/raytracer/trace"
	"satingrid/satin"
)

const (
	// showRays is how many rays a picture has at least that is shown before it is finished:
	// about a second of one core.
	showRays = 1_000_000
	// statementEvery is how long what is finished waits until it is told.
	statementEvery = time.Second
	// developRows is how many rows are filtered at once: each time the filter must look at
	// twice its margin besides.
	developRows = 32
)

// board is what the process that has a picture's root knows of it.
//
// While the root runs, whatever finishes a tile in its process puts it here, before the job whose
// part it is has a result. That decides what is shown, never what a job returns.
type board struct {
	task   Render // with its defaults
	leaves []leaf // the tiles that are rendered in one go, piece by piece
	pieces []Tile
	ends   []int        // of each piece, in leaves
	at     []int32      // for each block of the picture, 1 + the leaf that begins there
	shows  bool         // statements are made
	since  time.Time    // for due
	due    atomic.Int64 // when the next statement is, after since

	mu      sync.Mutex // protects what follows, and when leaves changed
	came    int
	rays    int      // that were followed for what came
	counted []int    // those of each piece
	records [][]byte // of each row of blocks; nil: none has come, or is needed any more
	missing []int    // blocks of each of these rows that have not come
	whole   int      // rows of blocks above the first that lacks some
	front   int      // rows above it are in pixels, finished
	upper   int      // pieces above the front
	pixels  []byte   // as in Image.Pixels
	said    int      // the last statement
	changed int      // leaves since then
	ended   bool     // that was for the run's early end
	sketch  Sketch
	drawn   int // the first statement with the sketch; 0: there is none yet
}

// leaf is a tile as it is shown. It changes when it comes, and when it is filtered.
type leaf struct {
	place   Tile
	changed int // the first statement that shows it as it is; 0: it has not come
}

func newBoard(p *prepared, pieces []Tile) *board {
	r := &p.task
	cols, rows := blocks(r.Width), blocks(r.Height)
	b := &board{
		task: *r, pieces: pieces, at: make([]int32, cols*rows), since: time.Now(), records: make([][]byte, rows), missing: make([]int, rows),
		pixels: make([]byte, r.Width*r.Height*r.pixelBytes()),
	}
	var all []Tile
	for _, piece := range pieces {
		all = piece.cut(all, p.estimate, leafRays)
		b.ends = append(b.ends, len(all))
	}
	b.leaves, b.counted = make([]leaf, len(all)), make([]int, len(b.ends))
	for i, t := range all {
		b.leaves[i].place = t
		b.at[t.Y0/trace.BlockSize*cols+t.X0/trace.BlockSize] = int32(i) + 1
	}
	for i := range b.missing {
		b.missing[i] = cols
	}
	return b
}

// blocks is how many blocks there are along a side.
func blocks(pixels int) int { return (pixels + trace.BlockSize - 1) / trace.BlockSize }

// pieceCame puts a piece on the board.
func (b *board) pieceCame(i int, out Traced) error {
	piece := b.pieces[i]
	if len(out.Records) != (piece.X1-piece.X0)*(piece.Y1-piece.Y0)*recordSize {
		return errPiece
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put(b.first(i), b.ends[i], piece, out.Records)
	b.rays += out.Rays - b.counted[i]
	b.counted[i] = out.Rays
	return nil
}

// first is the first leaf of a piece.
func (b *board) first(piece int) int {
	if piece == 0 {
		return 0
	}
	return b.ends[piece-1]
}

// leafCame puts a tile on the board that was rendered in one go.
func (b *board) leafCame(t Tile, out Traced) {
	i := int(b.at[t.Y0/trace.BlockSize*blocks(b.task.Width)+t.X0/trace.BlockSize]) - 1
	if i < 0 || b.leaves[i].place != t {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.put(i, i+1, t, out.Records) {
		piece, _ := slices.BinarySearch(b.ends, i+1)
		b.counted[piece] += out.Rays
		b.rays += out.Rays
	}
}

// show puts a tile on the board, if one is in this process, and says so in time. Of a job that was
// told to stop there is none, but perhaps much to say.
func (p *prepared) show(s *satin.Scope, t Tile, out Traced) {
	if b := p.board.Load(); b != nil {
		if out.Records != nil {
			b.leafCame(t, out)
		}
		b.say(s)
	}
}

// put puts those of some tiles on the board that are not there yet, and tells whether it did. All
// are in the part of the picture that has these records.
func (b *board) put(from, to int, part Tile, packed []byte) (some bool) {
	for i := from; i < to; i++ {
		if t := &b.leaves[i]; t.changed == 0 {
			t.changed = b.said + 1
			b.changed++
			b.came++
			b.copyIn(t.place, part, packed)
			some = true
		}
	}
	return some
}

// copyIn copies a tile's records to their rows.
func (b *board) copyIn(t, part Tile, packed []byte) {
	width := b.task.Width
	for y := t.Y0; y < t.Y1; y++ {
		k := y / trace.BlockSize
		if y%trace.BlockSize == 0 {
			b.missing[k] -= blocks(t.X1 - t.X0)
		}
		if b.records[k] == nil {
			b.records[k] = make([]byte, min(trace.BlockSize, b.task.Height-k*trace.BlockSize)*width*recordSize)
		}
		from := ((y-part.Y0)*(part.X1-part.X0) + t.X0 - part.X0) * recordSize
		to := (y%trace.BlockSize*width + t.X0) * recordSize
		copy(b.records[k][to:][:(t.X1-t.X0)*recordSize], packed[from:])
	}
}

// develop filters the rows that have all around them, from the top, once there are enough of them
// or some must be the last. The root alone calls it.
func (b *board) develop(last bool) {
	r := &b.task
	to, packed := b.ripe(last)
	if to == b.front {
		return
	}
	first := max(0, b.front-r.margin())
	pixels := r.develop(packed, b.front-first, to-first)
	b.mu.Lock()
	defer b.mu.Unlock()
	copy(b.pixels[b.front*r.Width*r.pixelBytes():], pixels)
	clear(b.records[first/trace.BlockSize : max(0, to-r.margin())/trace.BlockSize])
	b.front = to
	b.filtered()
}

// filtered notes which tiles look otherwise, now that all above the front is filtered.
func (b *board) filtered() {
	for b.upper < len(b.pieces) && b.pieces[b.upper].Y1 <= b.front {
		if b.task.margin() > 0 {
			for i := b.first(b.upper); i < b.ends[b.upper]; i++ {
				b.leaves[i].changed = b.said + 1
				b.changed++
			}
		}
		b.upper++
	}
}

// ripe is up to where rows can be filtered, with the records that this takes.
func (b *board) ripe(last bool) (to int, packed []byte) {
	r := &b.task
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.whole < len(b.missing) && b.missing[b.whole] == 0 {
		b.whole++
	}
	to = r.Height
	if b.whole < len(b.missing) {
		to = max(b.front, b.whole*trace.BlockSize-r.margin())
	}
	if to == b.front || to-b.front < developRows && !last {
		return b.front, nil
	}
	first, row := max(0, b.front-r.margin()), r.Width*recordSize
	for k := first / trace.BlockSize; k*trace.BlockSize < min(r.Height, to+r.margin()); k++ {
		packed = append(packed, b.records[k]...)
	}
	return to, packed[first%trace.BlockSize*row:]
}

// image is the whole picture.
func (b *board) image() Image {
	b.develop(true)
	m := b.task.blank()
	m.Pixels, m.Tiles, m.Done, m.Rays = b.pixels, len(b.leaves), b.came, b.rays
	return m
}

// begin has what is finished shown from now on, and where nothing is a sketch. An earlier root,
// elsewhere, may have made statements.
func (b *board) begin(s *satin.Scope, ready *prepared) error {
	if so, ok := satin.Best[Image](s); ok {
		b.said = so.Said
	}
	b.shows = true
	ready.board.Store(b)
	sketch, err := b.task.sketch(ready, s.Aborted)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.sketch, b.drawn = sketch, b.said+1
	b.mu.Unlock()
	b.due.Store(0)
	b.say(s)
	return nil
}

// say makes a statement if it is time for one. When the run ends early everybody makes one who
// notices it: none of them may be in time to make the last.
func (b *board) say(s *satin.Scope) {
	if !b.shows {
		return
	}
	ends := s.Context().Err() != nil
	due, now := b.due.Load(), int64(time.Since(b.since))
	if !ends && (now < due || !b.due.CompareAndSwap(due, now+int64(statementEvery))) {
		return
	}
	if m, ok := b.statement(ends); ok {
		satin.Offer(s, m)
	}
}

// statement is the next statement on a picture that is not finished.
//
//   - It has what is new since the last but one, so that whoever misses one has lost nothing.
//   - Each second one has what is new in four, each fourth in eight and so on, so that whoever
//     misses some for a while has them again after as long a while.
//   - It has all that there is, if the run ends early.
func (b *board) statement(ends bool) (m Image, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	news := b.changed > 0 || b.drawn > b.said || ends && !b.ended
	if !news || b.came == 0 && b.drawn == 0 {
		return m, false
	}
	b.said++
	b.changed, b.ended = 0, ends
	m = b.task.blank()
	m.Said, m.Ends, m.Tiles, m.Done, m.Rays = b.said, ends, len(b.leaves), b.came, b.rays
	from := b.said - 2*(b.said&-b.said)
	if ends {
		from = 0
	}
	if b.drawn > max(0, from) {
		m.Sketch = b.sketch
	}
	for i := range b.leaves {
		if t := &b.leaves[i]; t.changed > max(0, from) {
			m.Parts = append(m.Parts, Part{t.place, b.shown(t.place)})
		}
	}
	return m, true
}

// shown is a tile's pixels: filtered where they have all around them, otherwise as they came.
func (b *board) shown(t Tile) []byte {
	r := &b.task
	size := r.pixelBytes()
	m := r.blank()
	for y := t.Y0; y < t.Y1; y++ {
		if y < b.front {
			m.Pixels = append(m.Pixels, b.pixels[(y*r.Width+t.X0)*size:(y*r.Width+t.X1)*size]...)
			continue
		}
		row := b.records[y/trace.BlockSize][(y%trace.BlockSize)*r.Width*recordSize:]
		for x := t.X0; x < t.X1; x++ {
			m.append(colorOf(row[x*recordSize:]))
		}
	}
	return m.Pixels
}
