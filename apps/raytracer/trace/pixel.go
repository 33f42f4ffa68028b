package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

const (
	// BlockSize is the side of the squares of pixels that are sampled together, in pixels. Whether their samples suffice is
	// judged by all of them: a single pixel whose rare bright samples did not come up yet looks calm.
	BlockSize = 4
	// calm is the standard error of a block's pixels, on a scale from 0 to 1 as the eye sees it, at which it needs no more
	// samples.
	calm = 0.011
	// samplesMore is how many times the samples asked for the noisiest block gets.
	samplesMore = 4
)

// estimate is what the samples of a pixel say so far.
type estimate struct {
	sum          num.V
	mean, square float64 // of the brightness (Welford's sums)
}

// Block is the colours of the block with the upper left corner (x, y), both multiples of BlockSize: linear, exposed, before
// tone mapping, row by row, as far as the picture goes. It also counts the rays.
func (w *World) Block(x, y, width, height int, set Settings) ([]num.V, int) {
	t := &tracer{World: w}
	cols, rows := min(BlockSize, width-x), min(BlockSize, height-y)
	all := make([]estimate, cols*rows)
	n, goal := 0, max(1, set.Samples/2)
	for {
		for i := range all {
			for k := n; k < goal; k++ {
				t.add(&all[i], x+i%cols, y+i/cols, width, height, k, set.Bounces)
			}
		}
		n = goal
		if n >= samplesMore*set.Samples || n > 1 && noise(all, n) < calm {
			break
		}
		goal = min(samplesMore*set.Samples, n+max(1, n/2))
	}
	out := make([]num.V, len(all))
	for i := range all {
		out[i] = all[i].sum.Scale(t.lens.exposure / float64(n))
	}
	return out, t.rays
}

// add takes sample k of pixel (x, y) into its estimate.
func (t *tracer) add(e *estimate, x, y, width, height, k, bounces int) {
	c := t.one(x, y, width, height, uint32(k), bounces)
	e.sum = e.sum.Add(c)
	// The square root is about what the eye makes of light, the quotient what the tone curve does.
	l := float64(c.Luma() * t.lens.exposure)
	l = math.Sqrt(l / (1 + l))
	d := l - e.mean
	e.mean += d / float64(k+1)
	e.square += float64(d * (l - e.mean))
}

// noise is the standard error of pixels of n samples each.
func noise(all []estimate, n int) float64 {
	sum := 0.0
	for i := range all {
		sum += all[i].square
	}
	return math.Sqrt(sum / float64(len(all)*n*(n-1)))
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
