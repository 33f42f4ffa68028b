package raytracer

import (
	"satingrid/apps/raytracer/num"
)

// The filter's measures, chosen by eye on the example and by error against
// pictures of 1,000 samples.
const (
	polishReach = 6 // pixels to each side
	// how far a pixel depends on others: blur takes the noise from one further
	polishMargin = polishReach + 1
	// how many squared standard errors of shade apart two pixels may be
	polishShade  = 4
	polishGuide  = 0.02 // squared difference of albedo or normal
	polishDepth  = 0.02 // relative difference of depth
	polishFloor  = 1e-6 // squared shade that nobody sees
	weightSteps  = 64   // of the table, for each unit of the exponent
	weightFarest = 8    // exponents from here on are nothing
)

// falling is e to the power -x/weightSteps.
var falling = func() (t [weightSteps * weightFarest]float32) {
	for i := range t {
		t[i] = float32(num.Exp(-(float64(i) + 0.5) / weightSteps))
	}
	return t
}()

// polish takes the noise out of the rows from up to and without to: each pixel becomes the mean of
// the pixels near it that show the same surface (by albedo, normal and depth) and differ by no more
// than their own noise explains. Pixels without noise stay as they are, and so do those with none
// in reach that anybody sees. (A cross bilateral filter with the variance of Rousselle and others,
// "Adaptive Rendering with Non-Local Means Filtering", 2012.)
func polish(all []record, width, from, to int) []num.V {
	height := len(all) / width
	blur(all, width, height)
	noisy := newTally(all, width, height)
	out := make([]num.V, 0, (to-from)*width)
	for y := from; y < to; y++ {
		for x := range width {
			if noisy.around(x, y) == 0 {
				out = append(out, all[y*width+x].color)
			} else {
				out = append(out, polished(all, x, y, width, height))
			}
		}
	}
	return out
}

// tally counts the pixels whose noise can be seen: entry (x, y) has those above and to the
// left of pixel (x, y).
type tally struct {
	width, height int
	sums          []int32
}

func newTally(all []record, width, height int) tally {
	t := tally{width, height, make([]int32, (width+1)*(height+1))}
	for y := range height {
		n := int32(0)
		for x := range width {
			if all[y*width+x].noise > polishFloor {
				n++
			}
			t.sums[(y+1)*(width+1)+x+1] = t.sums[y*(width+1)+x+1] + n
		}
	}
	return t
}

// around is how many there are within the filter's reach of a pixel.
func (t *tally) around(x, y int) int32 {
	x0, x1 := max(0, x-polishReach), min(t.width, x+polishReach+1)
	y0, y1 := max(0, y-polishReach)*(t.width+1), min(t.height, y+polishReach+1)*(t.width+1)
	return t.sums[y1+x1] - t.sums[y1+x0] - t.sums[y0+x1] + t.sums[y0+x0]
}

// blur sets smooth, and spreads the noise, over three by three pixels: the differences between
// pixels of the noise itself must not decide.
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
	left, right := max(0, x-polishReach), min(width-1, x+polishReach)
	r, g, b, weights := p.color.X, p.color.Y, p.color.Z, 1.0
	var far [2*polishReach + 1]int
	for v := max(0, y-polishReach); v <= min(height-1, y+polishReach); v++ {
		row := all[v*width+left : v*width+right+1]
		row = row[:min(len(row), len(far))]
		differences(p, row, &far)
		for k := range row {
			q := &row[k]
			if i := far[k]; uint(i) < uint(len(falling)) && q != p {
				w := float64(falling[i])
				r += float64(w * q.color.X)
				g += float64(w * q.color.Y)
				b += float64(w * q.color.Z)
				weights += w
			}
		}
	}
	return num.V{X: r, Y: g, Z: b}.Scale(1 / weights)
}

// differences sets far to the exponents of the weights of some pixels for pixel p, in steps: 0
// where they are the same. Here the filter's time is spent, so it has no branch, no call, and
// what is p's at hand.
func differences(p *record, row []record, far *[2*polishReach + 1]int) {
	s0, s1, s2 := p.smooth[0], p.smooth[1], p.smooth[2]
	g0, g1, g2, g3, g4, g5 := p.guide[0], p.guide[1], p.guide[2], p.guide[3], p.guide[4], p.guide[5]
	noise, depth := p.noise, p.depth
	for k := range row {
		q := &row[k]
		a, b, c := s0-q.smooth[0], s1-q.smooth[1], s2-q.smooth[2]
		d := float32(a*a) + float32(b*b) + float32(c*c)
		a, b, c = g0-q.guide[0], g1-q.guide[1], g2-q.guide[2]
		g := float32(a*a) + float32(b*b) + float32(c*c)
		a, b, c = g3-q.guide[3], g4-q.guide[4], g5-q.guide[5]
		g = g + float32(a*a) + float32(b*b) + float32(c*c)
		h := (depth - q.depth) / (float32(polishDepth*(depth+q.depth)) + 1e-9)
		e := d/(float32(polishShade*(noise+q.noise))+polishFloor) + g/polishGuide + float32(h*h)
		far[k] = int(float32(weightSteps * e))
	}
}
