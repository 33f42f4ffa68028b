package recording

import (
	"bufio"
	"compress/flate"
	"io"
	"slices"
	"time"
)

const (
	// windowSize is how far back what is compressed refers to what was before (RFC 1951, 2).
	windowSize = 1 << 15

	// flushed is how a recorder's lines end in the file: with an empty block, to a whole byte.
	flushed = 0x0000ffff

	// madeOf is about how many bytes the states before and after a look take for each that
	// their text has.
	madeOf = 8
)

// Bookmark is a place between two lines of a recording, from which it is read on as if all before
// had been read.
type Bookmark struct {
	preamble Preamble
	offset   int64  // in the file
	window   []byte // of what was read last
	is       []byte
	at       time.Duration
}

// Bookmark is one of where this is read now. There is none where the recorder has not ended a line
// for itself: the file was compressed anew since.
func (r *Playback) Bookmark() (b Bookmark, ok bool) {
	if r.Whole || r.file.last != flushed || r.text.n != r.taken || r.loans.any() {
		return b, false
	}
	return Bookmark{r.Preamble, r.file.n, slices.Clone(r.text.window()), r.is, r.at}, true
}

// Bytes is about how much memory it takes, with the looks on both sides.
func (b Bookmark) Bytes() int { return len(b.window) + (1+madeOf)*len(b.is) }

// OpenAt goes on to read a recording at a bookmark of it.
func OpenAt(from io.ReadSeeker, b Bookmark) (*Playback, error) {
	if _, err := from.Seek(b.offset, io.SeekStart); err != nil {
		return nil, err
	}
	file := &countedFile{from: bufio.NewReader(from), n: b.offset}
	r := play(file, &remembering{from: flate.NewReaderDict(file, b.window), last: slices.Clone(b.window)})
	r.Preamble, r.is, r.at = b.preamble, b.is, b.at
	return r, nil
}

// play reads lines of what the file has when it is decompressed.
func play(file *countedFile, text *remembering) *Playback {
	r := &Playback{file: file, text: text, lines: bufio.NewScanner(text), is: []byte("{}")}
	r.lines.Buffer(nil, lineMax)
	r.lines.Split(func(data []byte, atEnd bool) (n int, token []byte, err error) {
		n, token, err = bufio.ScanLines(data, atEnd)
		r.taken += int64(n)
		return n, token, err
	})
	return r
}

// countedFile counts the bytes that are read of a file, and knows the last four. Who decompresses
// takes no more of them than it needs, since they can be had one by one.
type countedFile struct {
	from *bufio.Reader
	n    int64
	last uint32
}

func (c *countedFile) ReadByte() (byte, error) {
	b, err := c.from.ReadByte()
	if err == nil {
		c.n, c.last = c.n+1, c.last<<8|uint32(b)
	}
	return b, err
}

func (c *countedFile) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	for _, b := range p[max(n-4, 0):max(n, 0)] {
		c.last = c.last<<8 | uint32(b)
	}
	return n, err
}

// remembering keeps the last of what was read.
type remembering struct {
	from io.Reader
	n    int64
	last []byte
}

func (m *remembering) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.n += int64(n)
	if len(m.last)+n > 2*windowSize {
		m.last = append(m.last[:0], m.window()...)
	}
	m.last = append(m.last, p[max(n-windowSize, 0):n]...)
	return n, err
}

func (m *remembering) window() []byte { return m.last[max(len(m.last)-windowSize, 0):] }
