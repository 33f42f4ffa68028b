package raytracer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image/png"
	"io"
	"math"
)

// An animated PNG (W3C, "Portable Network Graphics, Third Edition", 2025, chapter 11.3.4): a PNG
// whose first picture is the first frame, so that whoever knows PNG alone shows that. Pictures are
// packed by the library; what is here puts its chunks into other ones.
//
// It is ours because the standard library has none, and kettek/apng, which is a copy of it, wants
// all frames unpacked at once.

// stripBytesMax bounds a film: what is packed stays in memory until it is written.
const stripBytesMax = 1 << 30

// Strip is a film: pictures of one size that are shown one after the other, packed as an animated
// PNG has them. A copy has the frames that there were when it was made.
type Strip struct {
	wait   [4]byte // between two frames: numerator and denominator of seconds
	head   []byte  // the chunk IHDR of the first frame, as it stands in a file
	frames [][]byte
	bytes  int
}

// NewStrip is one without frames that shows so many a second.
func NewStrip(fps float64) *Strip {
	f := &Strip{}
	// The finest steps that fit 16 bits: 24 a second are 1/24 s, 0.5 are 2 s, 23.976 are
	// 2732/65502 s.
	n, d := 1.0, fps
	switch {
	case fps < 1:
		n, d = min(math.MaxUint16, math.Floor(1000/fps+0.5)), 1000
	case fps != math.Floor(fps) || fps > math.MaxUint16:
		n = math.Floor(math.MaxUint16 / fps)
		d = math.Floor(float64(n*fps) + 0.5)
	}
	binary.BigEndian.PutUint16(f.wait[:], uint16(max(1, n)))
	binary.BigEndian.PutUint16(f.wait[2:], uint16(max(1, min(math.MaxUint16, d))))
	return f
}

// Len is the number of frames.
func (f *Strip) Len() int { return len(f.frames) }

// pngHead is the length of a PNG's signature.
const pngHead = 8

// Add adds a frame.
func (f *Strip) Add(m Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, m.RGBA()); err != nil {
		return fmt.Errorf("raytracer: packing a frame: %w", err)
	}
	var data []byte
	for rest := b.Bytes()[pngHead:]; len(rest) > 0; {
		size := binary.BigEndian.Uint32(rest)
		all, body := rest[:12+size], rest[8:8+size]
		rest = rest[12+size:]
		switch string(all[4:8]) {
		case "IHDR":
			// The library chooses whether there is alpha, which no frame has.
			if f.head == nil {
				f.head = all
			}
			if !bytes.Equal(f.head, all) {
				return errors.New("raytracer: frames of a film have the same size")
			}
		case "IDAT":
			data = append(data, body...)
		}
	}
	if f.bytes += len(data); f.bytes > stripBytesMax {
		return fmt.Errorf("raytracer: a film of more than %d bytes; expected files for its frames, or less of it", stripBytesMax)
	}
	f.frames = append(f.frames, data)
	return nil
}

// Write writes the film, which is shown again and again, as an animated PNG.
func (f *Strip) Write(w io.Writer) error {
	if len(f.frames) == 0 {
		return errors.New("raytracer: writing APNG: a film without frames")
	}
	out := &chunks{w: w}
	out.raw([]byte("\x89PNG\r\n\x1a\n"))
	out.raw(f.head)
	out.chunk("acTL", number(len(f.frames)), number(0))
	size := f.head[8:16] // width and height
	next := 0            // of the chunks that make a film of pictures
	for i, data := range f.frames {
		out.chunk("fcTL", number(next), size, number(0), number(0), f.wait[:], []byte{0, 0})
		next++
		if i == 0 {
			out.chunk("IDAT", data)
			continue
		}
		out.chunk("fdAT", number(next), data)
		next++
	}
	out.chunk("IEND")
	if out.err != nil {
		return fmt.Errorf("raytracer: writing APNG: %w", out.err)
	}
	return nil
}

func number(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// chunks writes the chunks of a PNG until that fails.
type chunks struct {
	w   io.Writer
	err error
}

func (c *chunks) raw(b []byte) {
	if c.err == nil {
		_, c.err = c.w.Write(b)
	}
}

// chunk writes one that has the parts.
func (c *chunks) chunk(kind string, parts ...[]byte) {
	size := 0
	sum := crc32.NewIEEE()
	_, _ = sum.Write([]byte(kind))
	for _, p := range parts {
		size += len(p)
		_, _ = sum.Write(p)
	}
	c.raw(append(number(size), kind...))
	for _, p := range parts {
		c.raw(p)
	}
	c.raw(sum.Sum(nil))
}
