package raytracer

import "satingrid/apps/raytracer/num"

// shown is a linear colour as a screen shows it. The curve is Hill's fit of the reference rendering
// and output transforms of ACES: bright colours lose their saturation softly, as on film, instead
// of turning yellow or magenta.
func shown(r, g, b float32, plain bool) []byte {
	c := num.V{X: float64(r), Y: float64(g), Z: float64(b)}
	if plain {
		return []byte{code(c.X), code(c.Y), code(c.Z), 255}
	}
	c = num.V{
		X: c.Dot(num.V{X: 0.59719, Y: 0.35458, Z: 0.04823}),
		Y: c.Dot(num.V{X: 0.07600, Y: 0.90834, Z: 0.01566}),
		Z: c.Dot(num.V{X: 0.02840, Y: 0.13383, Z: 0.83777}),
	}
	c = num.V{X: curve(c.X), Y: curve(c.Y), Z: curve(c.Z)}
	c = num.V{
		X: c.Dot(num.V{X: 1.60475, Y: -0.53108, Z: -0.07367}),
		Y: c.Dot(num.V{X: -0.10208, Y: 1.10813, Z: -0.00605}),
		Z: c.Dot(num.V{X: -0.00327, Y: -0.07276, Z: 1.07602}),
	}
	return []byte{code(c.X), code(c.Y), code(c.Z), 255}
}

// gain makes a matt white in full light come out as bright as it does without a curve.
const gain = 1.6

func curve(x float64) float64 {
	x = float64(min(x, 1e6) * gain)
	return (float64(x*(x+0.0245786)) - 0.000090537) / (float64(x*(float64(0.983729*x)+0.4329510)) + 0.238081)
}

// code is a linear value in sRGB's 8 bits.
func code(x float64) byte {
	switch {
	case !(x > 0):
		return 0
	case x >= 1:
		return 255
	case x <= 0.0031308:
		x = float64(12.92 * x)
	default:
		x = float64(1.055*num.Pow(x, 1/2.4)) - 0.055
	}
	return byte(float64(x*255) + 0.5)
}
