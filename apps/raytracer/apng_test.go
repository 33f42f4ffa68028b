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
	"slices"
	"strings"
	"testing"
)

// plainFrame is a frame of one colour.
func plainFrame(width, height int, c byte) Image {
	m := Image{Width: width, Height: height}
	for range width * height {
		m.Pixels = append(m.Pixels, c, 2*c, 3*c, 255)
	}
	return m
}

// chunksOf are the chunks of a PNG: their kinds, and what is in them.
func chunksOf(t *testing.T, file []byte) (kinds []string, bodies [][]byte) {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")) {
		t.Fatalf("no PNG: %.8q", file)
	}
	for rest := file[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		if crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) {
			t.Errorf("chunk %s has a wrong sum", rest[4:8])
		}
		kinds, bodies = append(kinds, string(rest[4:8])), append(bodies, rest[8:8+n])
		rest = rest[12+n:]
	}
	return kinds, bodies
}

// TestStripHoldsItsFrames takes a film apart again: a viewer of pictures sees the first frame, and
// the data of each other makes a PNG that shows it.
func TestStripHoldsItsFrames(t *testing.T) {
	f := NewStrip(24)
	var frames []Image
	for i := range 3 {
		frames = append(frames, plainFrame(5, 4, byte(10*i)))
		if err := f.Add(frames[i]); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := f.Write(&file); err != nil || f.Len() != 3 {
		t.Fatal(f.Len(), err)
	}
	kinds, bodies := chunksOf(t, file.Bytes())
	want := []string{"IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"}
	if !slices.Equal(kinds, want) {
		t.Fatalf("%v, want %v", kinds, want)
	}
	if got := bodies[1]; binary.BigEndian.Uint32(got) != 3 || binary.BigEndian.Uint32(got[4:]) != 0 {
		t.Errorf("acTL: %v", got)
	}
	next := uint32(0) // the order of the chunks that pictures do not have
	for i, k := range kinds {
		b := bodies[i]
		if k != "fcTL" && k != "fdAT" {
			continue
		}
		if got := binary.BigEndian.Uint32(b); got != next {
			t.Errorf("%s has number %d, want %d", k, got, next)
		}
		next++
		if k == "fcTL" && !bytes.Equal(b[4:], []byte{0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 24, 0, 0}) {
			t.Errorf("fcTL: %v", b)
		}
	}
	for i, data := range [][]byte{bodies[3], bodies[5][4:], bodies[7][4:]} {
		var alone bytes.Buffer
		c := &chunks{w: &alone}
		c.raw(file.Bytes()[:8])
		c.chunk("IHDR", bodies[0])
		c.chunk("IDAT", data)
		c.chunk("IEND")
		m, err := ReadImage(&alone, "a.png")
		if err != nil || m.SHA256() != frames[i].SHA256() {
			t.Errorf("frame %d differs, or is %v", i, err)
		}
	}
	if m, err := png.Decode(&file); err != nil || m.Bounds().Dx() != 5 {
		t.Error(err)
	}
}

// TestStripSpeed: what a frame waits is exact for whole frames a second and whole seconds, and
// within a thousandth for others.
func TestStripSpeed(t *testing.T) {
	for fps, want := range map[float64]string{24: "1/24", 1: "1/1", 60: "1/60", 0.5: "2000/1000", 1000: "1/1000"} {
		w := NewStrip(fps).wait
		if got := fmt.Sprintf("%d/%d", binary.BigEndian.Uint16(w[:]), binary.BigEndian.Uint16(w[2:])); got != want {
			t.Errorf("%g frames a second wait %s s, want %s", fps, got, want)
		}
	}
	for _, fps := range []float64{23.976, 29.97, 0.1, 0.7, 1.5, 12.5, 59.94, 1234.5, 30000} {
		w := NewStrip(fps).wait
		n, d := float64(binary.BigEndian.Uint16(w[:])), float64(binary.BigEndian.Uint16(w[2:]))
		if off := math.Abs(n/d*fps - 1); !(off < 1e-3) {
			t.Errorf("%g frames a second wait %g/%g s", fps, n, d)
		}
	}
	for _, fps := range []float64{1e-9, 1e6} { // as slow, as fast as it goes
		if w := NewStrip(fps).wait; binary.BigEndian.Uint16(w[:]) == 0 || binary.BigEndian.Uint16(w[2:]) == 0 {
			t.Errorf("%g frames a second wait %v", fps, w)
		}
	}
}

func TestStripFaults(t *testing.T) {
	f := NewStrip(1)
	if err := f.Write(io.Discard); err == nil || !strings.HasSuffix(err.Error(), "a film without frames") {
		t.Error(err)
	}
	if err := f.Add(plainFrame(5, 4, 1)); err != nil {
		t.Fatal(err)
	}
	if err := f.Add(plainFrame(4, 4, 1)); err == nil || f.Len() != 1 {
		t.Errorf("a frame of another size: %v", err)
	}
	full := errors.New("the disk is full")
	if err := f.Write(broken{full}); !errors.Is(err, full) {
		t.Error(err)
	}
	f.bytes = stripBytesMax
	if err := f.Add(plainFrame(5, 4, 1)); err == nil || f.Len() != 1 {
		t.Errorf("a film too long: %v", err)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
