package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// calm is the standard error of a pixel's brightness, on a scale from 0 to 1, below which it needs no more samples:
// about what one step of 8 bits hides.
const calm = 0.01

// Pixel is the linear colour of pixel (x, y) of a picture, exposed, before tone mapping, and the rays that it took.
func (w *World) Pixel(x, y, width, height int, set Settings) (num.V, int) {
	t := &tracer{World: w}
	return t.pixel(x, y, width, height, set), t.rays
}

// Row appends the pixels (x0, y) to (x1-1, y) to out.
func (w *World) Row(out []num.V, x0, x1, y, width, height int, set Settings) ([]num.V, int) {
	t := &tracer{World: w}
	for x := x0; x < x1; x++ {
		out = append(out, t.pixel(x, y, width, height, set))
	}
	return out, t.rays
}

func (t *tracer) pixel(x, y, width, height int, set Settings) num.V {
	var sum num.V
	var mean, square float64
	n := 0
	goal := max(1, set.Samples/2)
	for {
		for ; n < goal; n++ {
			c := t.one(x, y, width, height, uint32(n), set.Bounces)
			sum = sum.Add(c)
			// Welford's way to the variance, of brightness as the eye and the tone curve see it.
			l := float64(c.Luma() * t.lens.exposure)
			l = math.Sqrt(l / (1 + l))
			d := l - mean
			mean += d / float64(n+1)
			square += float64(d * (l - mean))
		}
		if n >= 4*set.Samples || n > 1 && math.Sqrt(square/float64(n*(n-1))) < calm {
			break
		}
		goal = min(4*set.Samples, 2*n)
	}
	return sum.Scale(t.lens.exposure / float64(n))
}

// one is sample number i of a pixel: a path through a place near its middle, drawn from a tent two pixels wide.
func (t *tracer) one(x, y, width, height int, i uint32, bounces int) num.V {
	s := num.NewSampler(x, y, i)
	u, v := s.Two()
	px, py := float64(x)+0.5+tent(u), float64(y)+0.5+tent(v)
	h := float64(height)
	return t.sample((float64(2*px)-float64(width))/h, (h-float64(2*py))/h, &s, bounces)
}

// tent maps [0, 1) to (-1, 1), denser in the middle.
func tent(u float64) float64 {
	if u < 0.5 {
		return math.Sqrt(float64(2*u)) - 1
	}
	return 1 - math.Sqrt(float64(2*(1-u)))
}

// Probe counts the rays of one path through a pixel.
func (w *World) Probe(x, y, width, height int, set Settings) int {
	t := &tracer{World: w}
	t.one(x, y, width, height, 0, set.Bounces)
	return t.rays
}
