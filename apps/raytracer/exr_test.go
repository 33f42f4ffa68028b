package raytracer

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"
)

// chequers is a picture whose pixels tell where they are.
func chequers(width, height int) Image {
	m := Image{Width: width, Height: height, Linear: true}
	for y := range height {
		for x := range width {
			for _, v := range [3]float32{float32(x), float32(y) / 3, float32((x + y) % 2)} {
				m.Pixels = binary.LittleEndian.AppendUint32(m.Pixels, math.Float32bits(v))
			}
		}
	}
	return m
}

func TestEXRComesBack(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 15}, {7, 16}, {7, 17}, {64, 50}} {
		m := chequers(size[0], size[1])
		var file bytes.Buffer
		if err := m.EXR(&file); err != nil {
			t.Fatal(err)
		}
		if size[0] == 64 && file.Len() > len(m.Pixels)/2 {
			t.Errorf("%d bytes of pixels take %d", len(m.Pixels), file.Len())
		}
		got, err := ReadImage(&file, "a.exr")
		if err != nil || got.Width != m.Width || got.Height != m.Height || !got.Linear || !bytes.Equal(got.Pixels, m.Pixels) {
			t.Errorf("%v: %d×%d, %v", size, got.Width, got.Height, err)
		}
	}
	if err := (Image{}).EXR(io.Discard); err == nil {
		t.Error("a picture of bytes was written as EXR")
	}
}

// TestEXRAsOthersReadIt goes through a file by the format's description alone: header, table of
// blocks, and in the second block the row of blue numbers before the green ones.
func TestEXRAsOthersReadIt(t *testing.T) {
	m := chequers(5, 18)
	var buf bytes.Buffer
	if err := m.EXR(&buf); err != nil {
		t.Fatal(err)
	}
	file := buf.Bytes()
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(file[at:])) }
	if u32(0) != 20000630 || u32(4) != 2 {
		t.Fatalf("it begins with %x", file[:8])
	}
	at := 8
	word := func() string {
		end := at + bytes.IndexByte(file[at:], 0)
		s := string(file[at:end])
		at = end + 1
		return s
	}
	found := map[string]int{}
	for file[at] != 0 {
		name, kind := word(), word()
		size := u32(at)
		at += 4
		found[name+" "+kind] = size
		if name == "dataWindow" && (u32(at+8) != 4 || u32(at+12) != 17) {
			t.Errorf("the window ends at %d, %d", u32(at+8), u32(at+12))
		}
		at += size
	}
	at++
	for name, size := range map[string]int{"channels chlist": 55, "compression compression": 1, "dataWindow box2i": 16, "displayWindow box2i": 16,
		"lineOrder lineOrder": 1, "pixelAspectRatio float": 4, "screenWindowCenter v2f": 8, "screenWindowWidth float": 4} {
		if found[name] != size {
			t.Errorf("%s has %d bytes, want %d", name, found[name], size)
		}
	}
	second := int(binary.LittleEndian.Uint64(file[at+8:]))
	if u32(second) != 16 || second+8+u32(second+4) != len(file) {
		t.Fatalf("the second block begins with row %d and ends at %d of %d", u32(second), second+8+u32(second+4), len(file))
	}
	z, err := zlib.NewReader(bytes.NewReader(file[second+8:]))
	if err != nil {
		t.Fatal(err)
	}
	moved, err := io.ReadAll(z)
	if err != nil || len(moved) != 5*2*12 {
		t.Fatal(len(moved), err)
	}
	for i := 1; i < len(moved); i++ {
		moved[i] = byte(int(moved[i]) + int(moved[i-1]) - 128)
	}
	number := func(i int) float32 {
		var b [4]byte
		for k := range b {
			b[k] = moved[(4*i+k)/2+(4*i+k)%2*len(moved)/2]
		}
		return math.Float32frombits(binary.LittleEndian.Uint32(b[:]))
	}
	for x := range 5 {
		if blue, green, red := number(x), number(5+x), number(10+x); blue != float32((x+16)%2) || green != float32(16)/3 || red != float32(x) {
			t.Errorf("pixel %d of row 16 is %g, %g, %g", x, red, green, blue)
		}
	}
}

func TestEXRFaults(t *testing.T) {
	var file bytes.Buffer
	if err := chequers(5, 18).EXR(&file); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	for text, want := range map[string]string{
		exrMagic:           "a.exr: an EXR picture without a data window",
		good[:400]:         "a.exr: the EXR picture ends in row ",
		good[:len(good)-3]: "a.exr: the EXR picture ends in row 16 of 18",
		strings.Replace(good, "compression\x00\x01\x00\x00\x00\x03", "compression\x00\x01\x00\x00\x00\x02", 1): "a.exr: an EXR picture of another kind",
		strings.Replace(good, "\x78\x9c", "\x78\x9d", 1):                                                       "a.exr: the EXR picture is broken in row 0",
		strings.Replace(good, "\x11\x00\x00\x00", "\xff\xff\xff\xff", 2):                                       "a.exr: ",
	} {
		if _, err := ReadImage(strings.NewReader(text), "a.exr"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q…: got %v, want %s", text, err, want)
		}
	}
}
