package raytracer

import (
	"encoding/binary"
	"math"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/trace"
)

// recordSize is the bytes of a pixel as tiles return it: three floats of colour, one of noise, one
// of depth, three bytes of albedo and three of the normal.
const recordSize = 26

// appendRecord appends a pixel as tiles return it.
func appendRecord(out []byte, p *trace.Pixel) []byte {
	for _, x := range [5]float64{p.Color.X, p.Color.Y, p.Color.Z, p.Noise, p.Depth} {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
	}
	for _, x := range [3]float64{p.Albedo.X, p.Albedo.Y, p.Albedo.Z} {
		out = append(out, byte(float64(255*math.Sqrt(min(1, x)))+0.5))
	}
	for _, x := range [3]float64{p.Normal.X, p.Normal.Y, p.Normal.Z} {
		out = append(out, byte(math.Floor(float64(127*max(-1, min(1, x)))+128.5)))
	}
	return out
}

// record is a pixel that came back, in the measures of the filter.
type record struct {
	color  num.V
	shade  [3]float32 // of each channel
	guide  [6]float32 // albedo and normal
	depth  float32
	noise  float32
	smooth [3]float32 // shade, averaged with the pixels around
}

// records unpacks what tiles returned.
func records(packed []byte) []record {
	out := make([]record, len(packed)/recordSize)
	for i := range out {
		b, r := packed[i*recordSize:][:recordSize], &out[i]
		r.color = colorOf(b)
		r.noise, r.depth = float(b[12:]), float(b[16:])
		for k, x := range [3]float64{r.color.X, r.color.Y, r.color.Z} {
			r.shade[k] = float32(trace.Shade(x))
		}
		for k := range 3 {
			r.guide[k] = float32(b[20+k]) / 255
			r.guide[3+k] = (float32(b[23+k]) - 128) / 127
		}
	}
	return out
}

// colorOf is the colour of a packed record.
func colorOf(b []byte) num.V {
	return num.V{X: float64(float(b)), Y: float64(float(b[4:])), Z: float64(float(b[8:]))}
}
