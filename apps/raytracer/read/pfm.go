package read

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// pfm decodes a portable float map: PF (three numbers a pixel) or Pf (one), width, height, a scale
// whose sign is the order of bytes, and the rows from the bottom.
func pfm(name string, data []byte) (scene.Picture, error) {
	fault := func(format string, args ...any) (scene.Picture, error) {
		return scene.Picture{}, &Error{File: name, What: fmt.Sprintf(format, args...)}
	}
	var words [4]string
	rest := data
	for i := range words {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		n := bytes.IndexAny(rest, " \t\r\n")
		if n < 0 || n > 32 {
			return fault("no PFM file; expected PF or Pf, width, height and scale")
		}
		words[i], rest = string(rest[:n]), rest[n:]
	}
	rest = rest[1:]
	channels := map[string]int{"PF": 3, "Pf": 1}[words[0]]
	width, err1 := strconv.Atoi(words[1])
	height, err2 := strconv.Atoi(words[2])
	scale, err3 := strconv.ParseFloat(words[3], 64)
	switch {
	case channels == 0:
		return fault("no PFM file: it starts with %q; expected PF or Pf", words[0])
	case err1 != nil || err2 != nil || width < 1 || height < 1 || width > scene.TexelsMax || height > scene.TexelsMax || width*height > scene.TexelsMax:
		return fault("%s×%s pixels; expected at most %d", words[1], words[2], scene.TexelsMax)
	case err3 != nil || scale == 0 || !(math.Abs(scale) <= numberMax):
		return fault("scale %q; expected a number other than 0", words[3])
	case len(rest) < width*height*channels*4:
		return fault("%d bytes of pixels; expected %d", len(rest), width*height*channels*4)
	}
	var order binary.ByteOrder = binary.BigEndian
	if scale < 0 {
		order = binary.LittleEndian
	}
	t := scene.Picture{Width: width, Height: height, Float: true, Pixels: make([]byte, 0, width*height*12)}
	for y := height - 1; y >= 0; y-- {
		for x := range width {
			var c [3]float64
			for k := range 3 {
				at := ((y*width+x)*channels + min(k, channels-1)) * 4
				v := float64(math.Abs(scale) * float64(math.Float32frombits(order.Uint32(rest[at:]))))
				if !(math.Abs(v) <= numberMax) {
					return fault("pixel %d, %d is no number; expected one from 0", x, height-1-y)
				}
				c[k] = max(0, v)
			}
			t.Pixels = appendColor(t.Pixels, num.V{X: c[0], Y: c[1], Z: c[2]})
		}
	}
	return t, nil
}

func appendColor(b []byte, c num.V) []byte {
	return scene.AppendFloat(scene.AppendFloat(scene.AppendFloat(b, c.X), c.Y), c.Z)
}
