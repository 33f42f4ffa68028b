package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// texture is a picture as surfaces ask for it.
type texture struct {
	*scene.Picture
	scene.Texture
	turned bool
}

// srgb is the linear value of each byte of a colour in sRGB, linear of each byte that is a number.
var srgb, linear = func() (s, l [256]float64) {
	for i := range s {
		x := float64(i) / 255
		l[i] = x
		if s[i] = x / 12.92; x > 0.04045 {
			s[i] = num.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return s, l
}()

// at is the colour and the alpha at a place, (0, 0) being the upper left corner, smoothed between
// the four nearest pixels.
func (t *texture) at(u, v float64) (num.V, float64) {
	if t.turned {
		a := &t.Turn
		u, v = float64(a.UU*u)+float64(a.UV*v)+a.U, float64(a.VU*u)+float64(a.VV*v)+a.V
	}
	if t.Blocky {
		x, y := math.Floor(float64(u*float64(t.Width))), math.Floor(float64(v*float64(t.Height)))
		return t.pixel(wrap(t.EdgeU, x, t.Width), wrap(t.EdgeV, y, t.Height))
	}
	x, y := float64(u*float64(t.Width))-0.5, float64(v*float64(t.Height))-0.5
	fx, fy := math.Floor(x), math.Floor(y)
	dx, dy := x-fx, y-fy
	x0, x1 := wrap(t.EdgeU, fx, t.Width), wrap(t.EdgeU, fx+1, t.Width)
	y0, y1 := wrap(t.EdgeV, fy, t.Height), wrap(t.EdgeV, fy+1, t.Height)
	var c num.V
	alpha := 0.0
	for _, p := range [4]struct {
		x, y int
		f    float64
	}{
		{x0, y0, float64((1 - dx) * (1 - dy))}, {x1, y0, float64(dx * (1 - dy))},
		{x0, y1, float64((1 - dx) * dy)}, {x1, y1, float64(dx * dy)},
	} {
		pc, pa := t.pixel(p.x, p.y)
		c = c.AddScaled(p.f, pc)
		alpha += float64(p.f * pa)
	}
	return c, alpha
}

// transparent tells whether some pixel's alpha is not whole.
func (t *texture) transparent() bool {
	for i := 3; !t.Float && i < len(t.Pixels); i += 4 {
		if t.Pixels[i] < 255 {
			return true
		}
	}
	return false
}

// wrap is the pixel of a row of n that stands for x.
func wrap(e scene.Edge, x float64, n int) int {
	if e == scene.Clamp {
		return int(max(0, min(float64(n-1), x)))
	}
	all := n
	if e == scene.Mirror {
		all = 2 * n
	}
	k := int(int64(x) % int64(all)) // an int may have 32 bits
	if k < 0 {
		k += all
	}
	if k >= n {
		k = all - 1 - k
	}
	return k
}

func (t *texture) pixel(x, y int) (num.V, float64) {
	i := y*t.Width + x
	if t.Float {
		p := t.Pixels[12*i:][:12]
		return num.V{X: float64(float(p)), Y: float64(float(p[4:])), Z: float64(float(p[8:]))}, 1
	}
	table := &srgb
	if t.Linear {
		table = &linear
	}
	p := t.Pixels[4*i:][:4]
	return num.V{X: table[p[0]], Y: table[p[1]], Z: table[p[2]]}, linear[p[3]]
}
