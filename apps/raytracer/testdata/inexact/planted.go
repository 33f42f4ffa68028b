package planted

import "math"

type real float64

func sums(x, y, z float64) float64 {
	a := x*y + z // fault
	b := float64(x*y) + z
	c := x * y // fault
	c += z
	d := (x * y) - z  // fault
	e := -(x * y) + z // fault
	f := float64((x * y)) + z
	return a + b + c + d + e + f
}

func halves(x, y, z float32) float32 {
	x *= y // fault
	x = float32(x*y) + z
	x += y * z // fault
	return x*y/z + z
}

func calls(x, y float64) (float64, bool) {
	s := math.Sqrt(x * y) // fault
	s += math.Sin(x)      // fault
	s += math.Sqrt(x)
	return s, x*y < s
}

func named(x, y real, i, j int) real {
	k := i*j + 3
	const c = 2.5 * 3
	return x*y + real(k) + c // fault
}
