package store

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"slices"
)

// findChunk is how much is searched at once for a batch behind one that is damaged.
const findChunk = 64 << 10

// item is a value in a file: its head, and its bytes if they are short, or else where they are. The
// zero item is none.
type item struct {
	head
	short string
	at    int64 // where its bytes are, or its head
}

func (i item) there() bool { return i.kind != 0 }

// read is the value, if it is what was written.
func (i item) read(f io.ReaderAt, size int64) ([]byte, bool) {
	if i.isShort() {
		return []byte(i.short), true
	}
	b, ok := readAt(f, size, i.at, int64(i.length))
	return b, ok && digestOf(b) == i.digest
}

// foundBatch is one that was found in a file.
type foundBatch struct {
	header
	at    int64
	heads []byte
	whole bool // or else its heads are damaged
}

func (b foundBatch) end() int64 { return b.at + b.size() }

// items are what the batch says, and where.
func (b foundBatch) items() iter.Seq[item] {
	return func(yield func(item) bool) {
		heads := b.at + headerSize
		values := heads + b.header.heads
		for r := (headReader{left: b.heads}); r.more(); {
			i := item{at: heads + int64(len(b.heads)-len(r.left))}
			var short []byte
			if i.head, short = r.next(); i.isShort() {
				i.short = string(short)
			} else {
				i.at = values
				values += i.behind()
			}
			if !yield(i) {
				return
			}
		}
	}
}

// right tells whether all is as it was written, values too.
func (b foundBatch) right(f io.ReaderAt, size int64) bool {
	if !b.whole {
		return false
	}
	for i := range b.items() {
		if _, ok := i.read(f, size); !ok {
			return false
		}
	}
	return true
}

// contents are what a file says of its run: the last word on everything.
type contents struct {
	preface
	lifetime
	slots   [kindResult]item // by kind: what a run has one of
	results map[Key]item

	end     int64 // of the batches: the next one is written there, and what is behind is torn
	damaged int   // stretches that cannot be read, and are not torn
	doubt   bool  // a best may have been in one of these, and none has come since
}

// scan reads a file but for most of its values.
//
// A batch is only begun when that before it is on the disk. So what is wrong in the last one, or
// behind it, is what a process wrote when it died: that is torn, and no damage.
func scan(f io.ReaderAt, size int64) (*contents, bool) {
	p, ok := readPreface(f, size)
	if !ok {
		return nil, false
	}
	c := &contents{preface: p, results: map[Key]item{}, end: p.size()}
	var last *foundBatch
	for at := c.end; ; at = last.end() {
		next := findBatch(f, size, at, p)
		if next == nil {
			break
		}
		if last != nil {
			c.take(*last)
		}
		if next.at > at {
			c.miss()
		}
		last = next
	}
	if last != nil && last.right(f, size) {
		c.take(*last)
	}
	if _, more := searchMagic(f, size, c.end+1, p.salt, func(int64) bool { return true }); more {
		c.damaged++ // more than one batch is behind the end: they were moved
	}
	if c.doubt || !c.slots[kindBest].there() {
		c.forgetBest()
	}
	return c, true
}

// take has the contents be as of a later batch.
func (c *contents) take(b foundBatch) {
	c.end = b.end()
	if !b.whole {
		c.miss()
		return
	}
	c.lifetime = b.lifetime
	for i := range b.items() {
		switch {
		case i.kind == kindResult && i.gone:
			delete(c.results, i.key)
		case i.kind == kindResult:
			c.results[i.key] = i
		case i.kind == kindBest && i.gone:
			c.forgetBest()
			c.slots[kindBest], c.doubt = item{}, false
		case i.gone:
			c.slots[i.kind] = item{}
		default:
			c.slots[i.kind] = i
			c.doubt = c.doubt && i.kind != kindBest
		}
	}
}

// miss notes that something was here. If it was a best, results behind it may name it, and the one
// before is none that they may be used with. If it was the end of a best, the next one need not be
// better, and what was before may not be used with that.
func (c *contents) miss() {
	c.damaged++
	c.doubt = true
	c.forgetBest()
}

// forgetBest takes the results that name a best: they may be used by none who does not hold it.
func (c *contents) forgetBest() {
	for key, i := range c.results {
		if i.best != (Key{}) {
			delete(c.results, key)
		}
	}
}

// without forgets a value that turned out to be wrong, or that shall go.
func (c *contents) without(i item) {
	switch i.kind {
	case kindResult:
		delete(c.results, i.key)
	case kindBest:
		c.forgetBest()
		fallthrough
	default:
		c.slots[i.kind] = item{}
	}
}

// items are all values, those that a run has one of first: a best before what names it.
func (c *contents) items() (items []item) {
	for _, i := range c.slots {
		if i.there() {
			items = append(items, i)
		}
	}
	return append(items, c.sorted(func(a, b item) int { return cmp.Compare(a.at, b.at) })...)
}

// together are the items with those results after each other that were found under the same: that
// is told once of all of them.
func (c *contents) together() []item {
	items := c.items()
	slices.SortStableFunc(items, func(a, b item) int { return a.found.compare(b.found) })
	return items
}

// dearest are the results, those first that took longest.
func (c *contents) dearest() []item {
	return c.sorted(func(a, b item) int { return cmp.Compare(b.cost, a.cost) })
}

func (c *contents) sorted(by func(a, b item) int) []item {
	results := make([]item, 0, len(c.results))
	for _, i := range c.results {
		results = append(results, i)
	}
	slices.SortFunc(results, func(a, b item) int { return cmp.Or(by(a, b), bytes.Compare(a.key[:], b.key[:])) })
	return results
}

// size is what a file would take that says only this, in one batch.
func (c *contents) size() int64 {
	n := c.preface.size()
	if c.empty() {
		return n
	}
	n += headerSize
	founds := map[found]bool{{}: true}
	for _, i := range c.slots {
		if i.there() {
			n += i.size()
		}
	}
	for _, i := range c.results {
		n += i.size()
		founds[i.found] = true
	}
	return n + foundSize*int64(len(founds)-1)
}

// loose tells whether a quarter of a file or more is no longer said.
func (c *contents) loose(size int64) bool { return c.size() <= size*3/4 }

// holds tells whether a value is still said.
func (c *contents) holds(i item) bool {
	if i.kind == kindResult {
		return c.results[i.key] == i
	}
	return c.slots[i.kind] == i
}

func (c *contents) empty() bool { return c.slots == [kindResult]item{} && len(c.results) == 0 }

// findBatch finds the next batch, at a place or after it; nil: there is none.
func findBatch(f io.ReaderAt, size, at int64, p preface) *foundBatch {
	h, ok := readHeader(f, size, at, p.salt)
	if !ok {
		if h, at, ok = searchHeader(f, size, at+1, p.salt); !ok {
			return nil
		}
	}
	b := &foundBatch{header: h, at: at}
	b.heads, b.whole = readHeads(f, size, at, h, p)
	return b
}

// searchHeader finds the next header where none was expected.
func searchHeader(f io.ReaderAt, size, from int64, salt uint64) (h header, at int64, ok bool) {
	at, ok = searchMagic(f, size, from, salt, func(at int64) (is bool) {
		h, is = readHeader(f, size, at, salt)
		return is
	})
	return h, at, ok
}

// searchMagic finds what headers of a file begin with, where it is taken for one. It reads the file
// once, however many there are.
func searchMagic(f io.ReaderAt, size, from int64, salt uint64, is func(at int64) bool) (int64, bool) {
	magic := appendHeaderMagic(nil, salt)
	for ; from < size; from += findChunk {
		chunk, _ := readAt(f, size, from, min(findChunk+int64(len(magic))-1, size-from))
		for i := 0; ; i++ {
			next := bytes.Index(chunk[i:], magic)
			if next < 0 {
				break
			}
			if i += next; is(from + int64(i)) {
				return from + int64(i), true
			}
		}
	}
	return 0, false
}
