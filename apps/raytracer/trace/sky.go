package trace

import (
	"math"
	"sort"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// sky is the light from beyond all shapes. A gradient is smooth, so that it is left to chance; a
// panorama may have a sun in it, and is sampled by its brightness.
type sky struct {
	*scene.Sky
	tex  texture
	rows []float64   // share of the light in the rows up to this one
	cols [][]float64 // in each row, share in the columns up to this one
	mean float64     // luminance
}

func newSky(s *scene.Sky) sky {
	k := sky{Sky: s}
	if s.Map.Width == 0 {
		return k
	}
	m := s.Map
	k.tex = texture{Picture: &m}
	total := 0.0
	for y := range m.Height {
		// Rows near the poles cover less of the sphere.
		area := num.Sin(float64(math.Pi * (float64(y) + 0.5) / float64(m.Height)))
		row, sum := make([]float64, m.Width), 0.0
		for x := range m.Width {
			c, _ := k.tex.pixel(x, y)
			sum += c.Luma()
			row[x] = sum
		}
		k.mean += float64(float64(sum*area) / float64(m.Width*m.Height) * (math.Pi / 2))
		total += float64(sum * area)
		k.rows, k.cols = append(k.rows, total), append(k.cols, row)
	}
	return k
}

// sampled tells whether the sky is among the lights that rays are sent to.
func (k *sky) sampled() bool { return k.mean > 0 }

// in is the light that comes from direction d.
func (k *sky) in(d num.V) num.V {
	if k.Map.Width > 0 {
		u, v := skyUV(d)
		// The nearest pixel, as sampling sees it.
		c, _ := k.tex.pixel(min(int(float64(u*float64(k.Map.Width))), k.Map.Width-1), min(int(float64(v*float64(k.Map.Height))), k.Map.Height-1))
		return c
	}
	if d.Y < 0 {
		return num.Mix(k.Horizon, k.Ground, math.Sqrt(min(1, -d.Y)))
	}
	return num.Mix(k.Horizon, k.Zenith, math.Sqrt(min(1, d.Y)))
}

// skyUV is the place of a direction on the panorama: -z in its middle, +y at its top.
func skyUV(d num.V) (u, v float64) {
	u = 0.5 + float64(num.Atan2(d.X, -d.Z)*(1/(2*math.Pi)))
	v = float64(num.Acos(d.Y) * (1 / math.Pi))
	return u, v
}

// sample draws a direction, and how dense such directions are.
func (k *sky) sample(u, v float64) (d num.V, density float64) {
	y, fy := pick(k.rows, v)
	x, fx := pick(k.cols[y], u)
	su, sv := (float64(x)+fx)/float64(k.Map.Width), (float64(y)+fy)/float64(k.Map.Height)
	sinT, cosT := num.Sincos(float64(math.Pi * sv))
	sinP, cosP := num.Sincos(float64(2 * math.Pi * (su - 0.5)))
	d = num.V{X: float64(sinT * sinP), Y: cosT, Z: -float64(sinT * cosP)}
	return d, k.density(d)
}

// density is how dense the directions near d are drawn, for each unit of solid angle.
func (k *sky) density(d num.V) float64 {
	_, v := skyUV(d)
	y := min(int(float64(v*float64(k.Map.Height))), k.Map.Height-1)
	area := num.Sin(float64(math.Pi * (float64(y) + 0.5) / float64(k.Map.Height)))
	sin := math.Sqrt(max(0, 1-float64(d.Y*d.Y)))
	if sin < 1e-6 {
		return 0
	}
	share := float64(k.in(d).Luma()*area) / k.rows[len(k.rows)-1]
	return float64(share*float64(k.Map.Width*k.Map.Height)) / float64(2*math.Pi*math.Pi*sin)
}

// pick draws from sums that never fall: the first above the share x of the last one,
// and where in its step.
func pick(sums []float64, x float64) (int, float64) {
	target := float64(x * sums[len(sums)-1])
	i := sort.Search(len(sums)-1, func(i int) bool { return sums[i] > target })
	before := 0.0
	if i > 0 {
		before = sums[i-1]
	}
	step := sums[i] - before
	if !(step > 0) {
		return i, 0.5
	}
	return i, max(0, min(1-0x1p-53, (target-before)/step))
}
