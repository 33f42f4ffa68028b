package raytracer

import (
	"satingrid/apps/raytracer/num"
)

// The filter's measures, chosen by eye on the example and by error against pictures of 1,000 samples.
const (
	polishReach  = 6               // pixels to each side
	polishMargin = polishReach + 1 // how far a pixel depends on others: blur takes the noise from one further
	polishShade  = 4               // how many squared standard errors of shade apart two pixels may be
	polishGuide  = 0.02            // squared difference of albedo or normal
	polishDepth  = 0.02            // relative difference of depth
	polishFloor  = 1e-6            // squared shade that nobody sees
	weightSteps  = 64              // of the table, for each unit of the exponent
	weightFarest = 8               // exponents from here on are nothing
)

// falling is e to the power -x/weightSteps.
var falling = func() (t [weightSteps * weightFarest]float32) {
	for i := range t {
		t[i] = float32(num.Exp(-(float64(i) + 0.5) / weightSteps))
	}
	return t
}()

// polish takes the noise out of a picture: each pixel becomes the mean of the pixels near it that show the same surface
// (by albedo, normal and depth) and differ by no more than their own noise explains. Pixels without noise stay as they
// are. (A cross bilateral filter with the variance of Rousselle and others, "Adaptive Rendering with Non-Local Means
// Filtering", 2012.)
func polish(all []record, width, height int) []num.V {
	blur(all, width, height)
	out := make([]num.V, len(all))
	for y := range height {
		for x := range width {
			out[y*width+x] = polished(all, x, y, width, height)
		}
	}
	return out
}

// blur sets smooth, and spreads the noise, over three by three pixels: the differences between pixels of the noise itself
// must not decide.
func blur(all []record, width, height int) {
	noise := make([]float32, len(all))
	for y := range height {
		for x := range width {
			r := &all[y*width+x]
			n := float32(0)
			for v := max(0, y-1); v <= min(height-1, y+1); v++ {
				for u := max(0, x-1); u <= min(width-1, x+1); u++ {
					q := &all[v*width+u]
					for k := range 3 {
						r.smooth[k] += q.shade[k]
					}
					noise[y*width+x] += q.noise
					n++
				}
			}
			for k := range 3 {
				r.smooth[k] /= n
			}
			noise[y*width+x] /= n
		}
	}
	for i := range all {
		all[i].noise = noise[i]
	}
}

// polished is the filtered colour of pixel (x, y).
func polished(all []record, x, y, width, height int) num.V {
	p := &all[y*width+x]
	sum, weights := p.color, 1.0
	for v := max(0, y-polishReach); v <= min(height-1, y+polishReach); v++ {
		row := all[v*width : (v+1)*width]
		for u := max(0, x-polishReach); u <= min(width-1, x+polishReach); u++ {
			if u == x && v == y {
				continue
			}
			q := &row[u]
			if i := int(float32(weightSteps * alike(p, q))); i >= 0 && i < len(falling) {
				w := float64(falling[i])
				sum = sum.AddScaled(w, q.color)
				weights += w
			}
		}
	}
	return sum.Scale(1 / weights)
}

// alike is the exponent of the weight of pixel q for pixel p: 0 where they are the same.
func alike(p, q *record) float32 {
	d := float32(0)
	for k := range 3 {
		x := p.smooth[k] - q.smooth[k]
		d += float32(x * x)
	}
	e := d / (float32(polishShade*(p.noise+q.noise)) + polishFloor)
	if e >= weightFarest {
		return e
	}
	g := float32(0)
	for k := range 6 {
		x := p.guide[k] - q.guide[k]
		g += float32(x * x)
	}
	z := (p.depth - q.depth) / (float32(polishDepth*(p.depth+q.depth)) + 1e-9)
	return min(weightFarest, e+g/polishGuide+float32(z*z))
}
