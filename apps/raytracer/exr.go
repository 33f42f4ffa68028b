package raytracer

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// An OpenEXR file (openexr.com, "OpenEXR File Layout") as it is written and read here: version 2,
// one part of scan lines, three channels of floats named B, G and R, in blocks of 16 rows that zlib
// has packed.
//
// It is ours because none of the Go packages that we found writes one (mokiat/goexr reads), and the
// library of openexr.com is C++, which a build without cgo cannot have.
const (
	exrMagic   = "\x76\x2f\x31\x01\x02\x00\x00\x00"
	exrFloat   = 2 // a channel's type
	exrZIP     = 3
	exrRows    = 16 // of a block that ZIP has packed
	exrHeadMax = 64 << 10
)

// exrHead is the header of a picture, up to the table of blocks.
func exrHead(width, height int) []byte {
	i32 := func(xs ...int) (b []byte) {
		for _, x := range xs {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		return b
	}
	var channels []byte
	for _, name := range []string{"B", "G", "R"} {
		channels = append(append(channels, name+"\x00"...), i32(exrFloat, 0, 1, 1)...)
	}
	window := i32(0, 0, width-1, height-1)
	const one = 0x3f800000 // the float 1
	head := []byte(exrMagic)
	for _, a := range []struct {
		name, kind string
		value      []byte
	}{
		{"channels", "chlist", append(channels, 0)}, {"compression", "compression", []byte{exrZIP}},
		{"dataWindow", "box2i", window}, {"displayWindow", "box2i", window}, {"lineOrder", "lineOrder", []byte{0}},
		{"pixelAspectRatio", "float", i32(one)}, {"screenWindowCenter", "v2f", i32(0, 0)}, {"screenWindowWidth", "float", i32(one)},
	} {
		head = append(head, a.name+"\x00"+a.kind+"\x00"...)
		head = append(append(head, i32(len(a.value))...), a.value...)
	}
	return append(head, 0)
}

// EXR writes the linear colours as an OpenEXR file. The picture must be Linear.
func (m Image) EXR(w io.Writer) error {
	if !m.Linear {
		return errors.New("raytracer: writing EXR: the picture has no floats; render it with Linear set")
	}
	head := exrHead(m.Width, m.Height)
	var blocks [][]byte
	for y := 0; y < m.Height; y += exrRows {
		block, err := exrPack(m.planes(y, min(m.Height, y+exrRows)))
		if err != nil {
			return fmt.Errorf("raytracer: writing EXR: %w", err)
		}
		blocks = append(blocks, block)
	}
	at := uint64(len(head) + 8*len(blocks))
	for _, b := range blocks {
		head = binary.LittleEndian.AppendUint64(head, at)
		at += uint64(8 + len(b))
	}
	out := bufio.NewWriter(w)
	// What fails here fails again in Flush.
	_, _ = out.Write(head)
	for i, b := range blocks {
		size := binary.LittleEndian.AppendUint32(nil, uint32(i*exrRows))
		_, _ = out.Write(binary.LittleEndian.AppendUint32(size, uint32(len(b))))
		_, _ = out.Write(b)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("raytracer: writing EXR: %w", err)
	}
	return nil
}

// planes is rows as EXR has them: in each the blue of all pixels, then their green, then their red.
func (m Image) planes(from, to int) []byte {
	out := make([]byte, 0, (to-from)*m.Width*12)
	for y := from; y < to; y++ {
		for c := 8; c >= 0; c -= 4 {
			for x := range m.Width {
				out = append(out, m.Pixels[12*(y*m.Width+x)+c:][:4]...)
			}
		}
	}
	return out
}

// exrPack packs a block: bytes at even places before those at odd ones, each as the difference to
// the one before, by zlib. One that does not get shorter stays.
func exrPack(raw []byte) ([]byte, error) {
	half := (len(raw) + 1) / 2
	moved := make([]byte, len(raw))
	for i, b := range raw {
		moved[i/2+i%2*half] = b
	}
	for i := len(moved) - 1; i > 0; i-- {
		moved[i] -= moved[i-1] - 128
	}
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, err := z.Write(moved)
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	if out.Len() >= len(raw) {
		return raw, nil
	}
	return out.Bytes(), nil
}

// exrUnpack undoes exrPack.
func exrUnpack(packed []byte, size int) ([]byte, error) {
	if len(packed) == size {
		return packed, nil
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	moved := make([]byte, size)
	if _, err := io.ReadFull(z, moved); err != nil {
		return nil, err
	}
	for i := 1; i < size; i++ {
		moved[i] += moved[i-1] - 128
	}
	half := (size + 1) / 2
	raw := make([]byte, size)
	for i := range raw {
		raw[i] = moved[i/2+i%2*half]
	}
	return raw, nil
}

// readEXR reads a file as Image.EXR writes it, bit by bit. Other programs' have other headers.
func readEXR(data []byte, file string) (Image, error) {
	m := Image{Linear: true}
	head := data[:min(len(data), exrHeadMax)]
	_, window, ok := bytes.Cut(head, []byte("dataWindow\x00box2i\x00\x10\x00\x00\x00"))
	if !ok || len(window) < 16 {
		return m, fmt.Errorf("%s: an EXR picture without a data window", file)
	}
	m.Width = int(binary.LittleEndian.Uint32(window[8:])) + 1
	m.Height = int(binary.LittleEndian.Uint32(window[12:])) + 1
	if m.Width < 1 || m.Height < 1 || m.Width > pixelBytesMax/12/m.Height {
		return m, fmt.Errorf("%s: %d×%d pixels, at most %d are expected", file, m.Width, m.Height, pixelBytesMax/12)
	}
	want := exrHead(m.Width, m.Height)
	if !bytes.HasPrefix(data, want) {
		return m, fmt.Errorf("%s: an EXR picture of another kind: one that was written here is expected, three channels of floats, packed by ZIP", file)
	}
	blocks := (m.Height + exrRows - 1) / exrRows
	rest := data[min(len(data), len(want)+8*blocks):]
	m.Pixels = make([]byte, 12*m.Width*m.Height)
	for y := 0; y < m.Height; y += exrRows {
		rows := min(exrRows, m.Height-y)
		if len(rest) < 8 || uint64(len(rest)-8) < uint64(binary.LittleEndian.Uint32(rest[4:])) {
			return m, fmt.Errorf("%s: the EXR picture ends in row %d of %d", file, y, m.Height)
		}
		size := int(binary.LittleEndian.Uint32(rest[4:]))
		planes, err := exrUnpack(rest[8:8+size], 12*m.Width*rows)
		if err != nil {
			return m, fmt.Errorf("%s: the EXR picture is broken in row %d: %w", file, y, err)
		}
		rest = rest[8+size:]
		m.fill(planes, y, rows)
	}
	return m, nil
}

// fill undoes planes for rows from y on.
func (m *Image) fill(planes []byte, y, rows int) {
	for r := range rows {
		for c := range 3 {
			for x := range m.Width {
				from := 4 * ((3*r+2-c)*m.Width + x)
				copy(m.Pixels[12*((y+r)*m.Width+x)+4*c:][:4], planes[from:from+4])
			}
		}
	}
}
