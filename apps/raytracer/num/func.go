package num

import "math"

// Parts of ln 2 and of π/2, the first few bits short so that their products with small
// whole numbers are exact.
const (
	ln2Hi  = 6.93147180369123816490e-01
	ln2Lo  = 1.90821492927058770002e-10
	pio2Hi = 1.57079632673412561417e+00
	pio2Lo = 6.07710050630396597660e-11
	pio2Ex = 2.02226624879595063154e-21
)

// Exp is e to the power x.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.78:
		return math.Inf(1)
	case x < -745.13:
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*ln2Hi)
	r -= float64(k * ln2Lo)
	// Taylor's series: |r| ≤ 0.347, so that the first term left out is below 1e-17.
	p := 0.0
	for _, f := range expTerms {
		p = float64(r * (f + p))
	}
	p++
	return scale2(p, int(k))
}

// expTerms is 1/14!, …, 1/1!; oddTerms is 1/23, 1/21, …, 1/3.
var (
	expTerms = [...]float64{
		1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
		1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1,
	}
	oddTerms = [...]float64{
		1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3,
	}
)

// sinTerms is 1/17!, -1/15!, …, -1/3!; cosTerms is 1/16!, -1/14!, …, -1/2!.
var (
	sinTerms = [...]float64{
		1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040,
		1.0 / 120, -1.0 / 6,
	}
	cosTerms = [...]float64{
		1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720,
		1.0 / 24, -1.0 / 2,
	}
)

// scale2 is p·2^k, through two exact steps so that subnormal results round once.
func scale2(p float64, k int) float64 {
	if k < -1000 {
		return float64(float64(p*power2(k+1000)) * power2(-1000))
	}
	if k > 1000 {
		return float64(float64(p*power2(k-1000)) * power2(1000))
	}
	return float64(p * power2(k))
}

func power2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// Log is the natural logarithm.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	e := 0
	if x < 0x1p-1022 {
		x = float64(x * 0x1p54)
		e = -54
	}
	b := math.Float64bits(x)
	e += int(b>>52) - 1023
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m /= 2
		e++
	}
	// ln m = 2 artanh s with |s| ≤ 0.172.
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := 0.0
	for _, f := range oddTerms {
		p = float64(z * (f + p))
	}
	k := float64(e)
	return float64(k*ln2Hi) + (float64(2*s) + (float64(float64(2*s)*p) + float64(k*ln2Lo)))
}

// Pow is x to the power y for x ≥ 0.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x == 0 && y > 0:
		return 0
	case x == 0:
		return math.Inf(1)
	}
	return Exp(float64(y * Log(x)))
}

// Sin is the sine of x, in radians.
func Sin(x float64) float64 {
	s, _ := Sincos(x)
	return s
}

// Cos is the cosine of x, in radians.
func Cos(x float64) float64 {
	_, c := Sincos(x)
	return c
}

// Sincos is Sin and Cos in one.
func Sincos(x float64) (sin, cos float64) {
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := x - float64(k*pio2Hi)
	r -= float64(k * pio2Lo)
	r -= float64(k * pio2Ex)
	z := float64(r * r)
	// Taylor's series: |r| ≤ π/4, so that the first terms left out are below 1e-17.
	s, c := 0.0, 0.0
	for i := range sinTerms {
		s = float64(z * (sinTerms[i] + s))
		c = float64(z * (cosTerms[i] + c))
	}
	s = r + float64(r*s)
	c++
	switch int64(k) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	}
	return -c, s
}

// Tan is the tangent of x, in radians.
func Tan(x float64) float64 {
	s, c := Sincos(x)
	return s / c
}

// Atan2 is the angle of the point (x, y), from -π to π.
func Atan2(y, x float64) float64 {
	ax, ay := math.Abs(x), math.Abs(y)
	if ax == 0 && ay == 0 {
		return 0
	}
	a := 0.0
	if ay <= ax {
		a = atan(ay / ax)
	} else {
		a = math.Pi/2 - atan(ax/ay)
	}
	if x < 0 {
		a = math.Pi - a
	}
	return math.Copysign(a, y)
}

// Acos is the angle whose cosine is x, from 0 to π.
func Acos(x float64) float64 {
	x = max(-1, min(1, x))
	return Atan2(math.Sqrt(float64((1-x)*(1+x))), x)
}

// atan is for 0 ≤ x ≤ 1. Halving the angle twice leaves x ≤ 0.199.
func atan(x float64) float64 {
	for range 2 {
		x /= 1 + math.Sqrt(1+float64(x*x))
	}
	z := float64(x * x)
	p := 0.0
	for _, f := range oddTerms {
		p = float64(z * (f - p))
	}
	return float64(4 * (x - float64(x*p)))
}
