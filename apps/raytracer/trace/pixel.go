package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

const (
	// BlockSize is the side of the squares of pixels that are sampled together, in pixels.
	// Whether their samples suffice is judged by all of them: a single pixel whose rare bright
	// samples did not come up yet looks calm.
	BlockSize = 4
	// calm is the standard error of a block's pixels, on a scale from 0 to 1 as the eye sees
	// it, at which it needs no more samples.
	calm = 0.02
	// samplesMore is how many times the samples asked for the noisiest block gets.
	samplesMore = 4
	// classicLess is how many times fewer samples than asked for calm pixels of a classic
	// picture get.
	classicLess = 6
	// even is how far the pixels of a block are apart at most that has no edge, as Shade sees
	// them.
	even = 0.04
)

// Pixel is what is known of a pixel: its colour, and what a filter needs to tell noise from
// what is seen. Where the eye looks at mirrors and glass, albedo, normal and depth are those of
// what is seen in them.
type Pixel struct {
	Color  num.V   // linear, exposed, before tone mapping
	Albedo num.V   // of the surface that scatters
	Normal num.V   // mean over the samples: shorter than one at edges
	Depth  float64 // of the way to it
	Noise  float64 // squared standard error of the pixel as Shade sees its brightness
}

// Shade is about how bright the eye sees light of the given amount: the quotient is what a tone
// curve does, the root what the eye does.
func Shade(light float64) float64 { return math.Sqrt(light / (1 + light)) }

// estimate is what the samples of a pixel say so far.
type estimate struct {
	color, albedo, normal num.V // sums
	depth                 float64
	mean, square          float64 // of Shade (Welford's sums)
}

// Block is the pixels of the block with the upper left corner (x, y), both multiples of
// BlockSize, row by row, as far as the picture goes. They are there until the next call. It
// also counts the rays.
func (t *Tracer) Block(x, y, width, height int, set Settings) (pixels []Pixel, rays int) {
	cols, rows := min(BlockSize, width-x), min(BlockSize, height-y)
	all := t.estimates[:cols*rows]
	clear(all)
	t.rays = 0
	n, goal := 0, set.first()
	for {
		for i := range all {
			for k := n; k < goal; k++ {
				t.add(&all[i], x+i%cols, y+i/cols, width, height, k, set)
			}
		}
		n = goal
		if n >= samplesMore*set.Samples || n > 1 && noise(all, n) < calm && (n >= set.Samples/2 || spread(all) < even) {
			break
		}
		goal = min(samplesMore*set.Samples, n+max(1, n/2))
	}
	for i := range all {
		e, f := &all[i], 1/float64(n)
		t.pixels[i] = Pixel{
			Color: e.color.Scale(float64(t.lens.exposure * f)), Albedo: e.albedo.Scale(f), Normal: e.normal.Scale(f),
			Depth: float64(e.depth * f), Noise: e.square / float64(max(1, n*(n-1))),
		}
	}
	return t.pixels[:len(all)], t.rays
}

// first is how many samples a calm pixel gets. In a classic picture mirrors, lights and shadows are
// sharp, so that samples differ at edges alone: where the block has none, which its pixels tell by
// being even, a few are enough.
func (s *Settings) first() int {
	if s.Whitted {
		return max(1, s.Samples/classicLess)
	}
	return max(1, s.Samples/2)
}

// add takes sample k of pixel (x, y) into its estimate.
func (t *Tracer) add(e *estimate, x, y, width, height, k int, set Settings) {
	t.one(x, y, width, height, uint32(k), set)
	p := &t.path
	e.color = e.color.Add(p.light)
	e.albedo, e.normal = e.albedo.Add(p.albedo), e.normal.Add(p.normal)
	e.depth += p.depth
	l := Shade(float64(p.light.Luma() * t.lens.exposure))
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

// spread is how far pixels are apart.
func spread(all []estimate) float64 {
	low, high := all[0].mean, all[0].mean
	for i := range all {
		low, high = min(low, all[i].mean), max(high, all[i].mean)
	}
	return high - low
}

// one follows sample number i of a pixel: a path through a place near its middle, drawn from a
// tent two pixels wide.
func (t *Tracer) one(x, y, width, height int, i uint32, set Settings) {
	s := num.NewSampler(x, y, i)
	u, v := s.Two()
	px, py := float64(x)+0.5+tent(u), float64(y)+0.5+tent(v)
	h := float64(height)
	px, py = (float64(2*px)-float64(width))/h, (h-float64(2*py))/h
	if set.Whitted {
		t.classic(px, py, &s, set.Bounces)
	} else {
		t.sample(px, py, &s, set.Bounces)
	}
}

// tent maps [0, 1) to (-1, 1), denser in the middle.
func tent(u float64) float64 {
	if u < 0.5 {
		return math.Sqrt(float64(2*u)) - 1
	}
	return 1 - math.Sqrt(float64(2*(1-u)))
}

// Probe counts the rays of one path through a pixel.
func (t *Tracer) Probe(x, y, width, height int, set Settings) int {
	t.rays = 0
	t.one(x, y, width, height, 0, set)
	return t.rays
}
