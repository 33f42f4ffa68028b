package num

import (
	"math"
	"testing"
)

// TestSamplesSpread checks what makes the sequence worth having: of 2^k samples of a pixel every
// elementary interval (a box of 2^a by 2^(k-a) equal ones) gets exactly one, for every a.
func TestSamplesSpread(t *testing.T) {
	const k = 6
	for pixel := range 20 {
		for block := range uint32(2) {
			for a := 0; a <= k; a++ {
				var hit [1 << k]int
				for i := range uint32(1 << k) {
					s := NewSampler(pixel, 3*pixel, block<<k+i)
					s.One()
					u, v := s.Two()
					col, row := int(u*float64(int(1)<<a)), int(v*float64(int(1)<<(k-a)))
					hit[col<<(k-a)+row]++
				}
				for b, n := range hit {
					if n != 1 {
						t.Fatalf("pixel %d, block %d, boxes 2^%d by 2^%d: box %d has %d samples, want 1", pixel, block, a, k-a, b, n)
					}
				}
			}
		}
	}
}

func TestDrawsAreIndependent(t *testing.T) {
	// The correlation of two draws of a sample, and of one draw of two pixels, over many
	// samples is near none.
	const n = 4096
	var between, across float64
	for i := range uint32(n) {
		s, o := NewSampler(1, 2, i), NewSampler(2, 1, i)
		a, _ := s.Two()
		b, _ := s.Two()
		c, _ := o.Two()
		between += (a - 0.5) * (b - 0.5) * 12 / n
		across += (a - 0.5) * (c - 0.5) * 12 / n
	}
	if math.Abs(between) > 0.05 || math.Abs(across) > 0.05 {
		t.Errorf("correlation between draws %.3f, across pixels %.3f; want near 0", between, across)
	}
}

func TestSampleIsAFunctionOfItsCounters(t *testing.T) {
	draw := func() (v [5]float64) {
		s := NewSampler(12, 34, 56)
		v[0], v[1] = s.Two()
		v[2] = s.One()
		v[3], v[4] = s.Two()
		return v
	}
	if draw() != draw() {
		t.Error("the same pixel, sample and draws gave different numbers")
	}
}

func TestWarpsStayInsideAndKeepTheirMean(t *testing.T) {
	const n = 1 << 12
	var mean V
	var tri, cone float64
	for i := range uint32(n) {
		s := NewSampler(5, 6, i)
		u, v := s.Two()
		if x, y := Disk(u, v); x*x+y*y > 1+1e-12 {
			t.Fatalf("Disk(%g, %g) is outside", u, v)
		}
		d := CosineHemisphere(u, v)
		if math.Abs(d.Len()-1) > 1e-12 || d.Z < 0 {
			t.Fatalf("CosineHemisphere(%g, %g) = %v", u, v, d)
		}
		mean = mean.Add(d)
		b1, b2 := Triangle(u, v)
		if b1 < 0 || b2 < 0 || b1+b2 > 1+1e-12 {
			t.Fatalf("Triangle(%g, %g) = %g, %g", u, v, b1, b2)
		}
		tri += b1
		c := Cone(u, v, 0.9)
		if c.Z < 0.9-1e-12 || math.Abs(c.Len()-1) > 1e-12 {
			t.Fatalf("Cone(%g, %g, 0.9) = %v", u, v, c)
		}
		cone += c.Z
	}
	mean = mean.Scale(1.0 / n)
	if math.Abs(mean.Z-2.0/3) > 1e-3 || math.Abs(mean.X) > 1e-3 || math.Abs(tri/n-1.0/3) > 1e-3 || math.Abs(cone/n-0.95) > 1e-4 {
		t.Errorf("means: hemisphere %v, triangle %g, cone %g", mean, tri/n, cone/n)
	}
}
