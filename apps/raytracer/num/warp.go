package num

import "math"

// Disk maps the unit square to the unit disk, keeping areas and neighbours
// (Shirley and Chiu, 1997).
func Disk(u, v float64) (x, y float64) {
	a, b := float64(2*u)-1, float64(2*v)-1
	if a == 0 && b == 0 {
		return 0, 0
	}
	r, phi := a, 0.0
	if math.Abs(a) > math.Abs(b) {
		phi = float64(math.Pi/4*b) / a
	} else {
		r = b
		phi = math.Pi/2 - float64(math.Pi/4*a)/b
	}
	s, c := Sincos(phi)
	return float64(r * c), float64(r * s)
}

// CosineHemisphere maps the unit square to directions above the plane, as dense as the cosine with
// its normal. The density is cos/π.
func CosineHemisphere(u, v float64) V {
	x, y := Disk(u, v)
	return V{x, y, math.Sqrt(max(0, 1-float64(x*x)-float64(y*y)))}
}

// Cone maps the unit square to directions within the angle of cosMax from the third axis, evenly.
func Cone(u, v, cosMax float64) V {
	z := 1 - float64(u*(1-cosMax))
	r := math.Sqrt(max(0, 1-float64(z*z)))
	s, c := Sincos(float64(2 * math.Pi * v))
	return V{float64(r * c), float64(r * s), z}
}

// Triangle maps the unit square to the barycentric coordinates (b1, b2) of a triangle, evenly
// (after Heitz, 2019).
func Triangle(u, v float64) (b1, b2 float64) {
	if v > u {
		u /= 2
		return u, v - u
	}
	v /= 2
	return u - v, v
}
