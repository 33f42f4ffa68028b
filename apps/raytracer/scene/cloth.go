package scene

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// cloth is the satin of the example: a height over the plane, pressed in under the
// balls that rest on it.
type cloth struct {
	balls []Sphere
}

// at is the cloth's place over (x, z).
func (c *cloth) at(x, z float64) num.V {
	y := folds(x, z)
	for i := range c.balls {
		y = pressed(y, x, z, &c.balls[i])
	}
	return num.V{X: x, Y: y, Z: z}
}

// folds is the height of the cloth with nothing on it: ridges that wander, low where the jewels
// lie, and a rise behind.
func folds(x, z float64) float64 {
	w := float64(0.7*num.Sin(float64(0.62*x)+float64(0.35*z)+1.1)) + float64(0.5*num.Sin(float64(0.8*z)-float64(0.45*x)))
	big := ridge(float64(1.05*x)+float64(0.75*z)+float64(1.3*w)+0.6, 1.1)
	mid := ridge(float64(-1.5*x)+float64(1.9*z)+float64(2.1*w)+2.2, 1.4)
	fine := ridge(float64(3.1*x)+float64(1.2*z)+float64(3.4*w), 1.0)
	d2 := float64(0.16*float64(x*x)) + float64(0.30*float64((z-0.2)*(z-0.2)))
	calm := 1 - float64(0.60*num.Exp(-d2))
	h := float64(calm*(float64(0.42*big)+float64(0.26*mid)+float64(0.06*fine))) + float64(0.02*big)
	return h + rise(z, x)
}

// ridge is a wave with round crests and wide valleys, from 0 to 1, the narrower the larger k is.
func ridge(t, k float64) float64 {
	lo := num.Exp(float64(-2 * k))
	return (num.Exp(float64(k*(num.Cos(t)-1))) - lo) / (1 - lo)
}

// rise lifts the cloth to a curtain behind the jewels, with folds of its own.
func rise(z, x float64) float64 {
	d := max(0, -1.9-z)
	up := float64(0.55*float64(d*d)) / (1 + float64(0.16*d))
	pleat := ridge(float64(1.9*x)+float64(0.8*num.Sin(float64(0.9*x)+float64(0.4*z))), 1.3)
	return up + float64(float64(0.34*min(1, d))*pleat)
}

// pressed is a height y made to pass under a ball, softly.
func pressed(y, x, z float64, s *Sphere) float64 {
	dx, dz := x-s.Center.X, z-s.Center.Z
	d2 := float64(dx*dx) + float64(dz*dz)
	reach := float64(1.7 * s.Radius)
	if d2 > float64(reach*reach) {
		return y
	}
	// Under the ball its lower side; beyond, a cone that goes on from it.
	r2 := float64(s.Radius * s.Radius)
	under := s.Center.Y
	if edge := float64(0.72 * r2); d2 < edge {
		under -= math.Sqrt(r2 - d2)
	} else {
		slope := math.Sqrt(0.72 / 0.28)
		under += float64(slope*(math.Sqrt(d2)-math.Sqrt(edge))) - math.Sqrt(r2-edge)
	}
	under -= float64(0.012 * s.Radius)
	// A smooth minimum, over a band in proportion to the ball.
	band := float64(0.12 * s.Radius)
	t := max(0, min(1, 0.5+float64(0.5*(y-under))/band))
	return float64(y*(1-t)) + float64(under*t) - float64(band*float64(t*(1-t)))
}

// rest puts a ball over (x, z) down on the cloth, a little into it, and returns its centre.
func (c *cloth) rest(x, z, radius float64) num.V {
	y := math.Inf(-1)
	const n = 12
	for i := -n; i <= n; i++ {
		for j := -n; j <= n; j++ {
			dx, dz := float64(float64(i)*radius)/n, float64(float64(j)*radius)/n
			if d2 := float64(dx*dx) + float64(dz*dz); d2 < float64(radius*radius) {
				y = max(y, folds(x+dx, z+dz)+math.Sqrt(float64(radius*radius)-d2))
			}
		}
	}
	s := Sphere{Center: num.V{X: x, Y: y - float64(0.1*radius), Z: z}, Radius: radius}
	c.balls = append(c.balls, s)
	return s.Center
}
