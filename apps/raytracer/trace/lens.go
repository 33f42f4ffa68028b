package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// lens sends rays through pixels.
type lens struct {
	eye, right, up, ahead num.V
	half                  float64 // height of the upper half of the picture at distance 1
	aperture, focus       float64
	exposure              float64
}

func newLens(c *scene.Camera) lens {
	l := lens{eye: c.Eye, aperture: c.Aperture, focus: c.Focus, exposure: c.Exposure}
	view := c.Target.Sub(c.Eye)
	if l.focus == 0 {
		l.focus = view.Len()
	}
	if l.exposure == 0 {
		l.exposure = 1
	}
	l.ahead = view.Unit()
	l.right = l.ahead.Cross(c.Up.Unit())
	if l.right.Len() < 1e-6 {
		// The camera looks straight along up, or there is none: any direction across does.
		l.right = num.FrameAround(l.ahead).S
	}
	l.right = l.right.Unit()
	l.up = l.right.Cross(l.ahead)
	l.half = num.Tan(float64(c.Fov * (math.Pi / 360)))
	return l
}

// through is the ray through the place (x, y) of the picture, both from -1 to 1 but for x, which
// goes on to the picture's width over its height, and through the place (u, v) of the lens.
func (l *lens) through(x, y, u, v float64) (o, d num.V) {
	d = l.ahead.AddScaled(float64(x*l.half), l.right).AddScaled(float64(y*l.half), l.up)
	if l.aperture == 0 {
		return l.eye, d.Unit()
	}
	a, b := num.Disk(u, v)
	off := l.right.Scale(float64(a*l.aperture)).AddScaled(float64(b*l.aperture), l.up)
	return l.eye.Add(off), d.Scale(l.focus).Sub(off).Unit()
}
