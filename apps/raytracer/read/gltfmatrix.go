package read

import (
	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
)

// matrix is an affine transformation: where the axes go, and the origin.
type matrix struct{ x, y, z, o num.V }

var identity = matrix{x: num.V{X: 1}, y: num.V{Y: 1}, z: num.V{Z: 1}}

// local is a node's own transformation: its matrix or, without one, scale, then
// rotation, then translation.
func local(n *gltf.Node) matrix {
	if m := n.MatrixOrDefault(); m != gltf.DefaultMatrix {
		return columns(m[:])
	}
	q, s, t := n.RotationOrDefault(), n.ScaleOrDefault(), n.TranslationOrDefault()
	v := num.V{X: q[0], Y: q[1], Z: q[2]}
	turn := func(p num.V) num.V {
		c := v.Cross(p)
		return p.AddScaled(float64(2*q[3]), c).AddScaled(2, v.Cross(c))
	}
	return matrix{
		x: turn(num.V{X: s[0]}), y: turn(num.V{Y: s[1]}), z: turn(num.V{Z: s[2]}),
		o: num.V{X: t[0], Y: t[1], Z: t[2]},
	}
}

// columns is a matrix in the order of glTF.
func columns(m []float64) matrix {
	return matrix{
		x: num.V{X: m[0], Y: m[1], Z: m[2]}, y: num.V{X: m[4], Y: m[5], Z: m[6]},
		z: num.V{X: m[8], Y: m[9], Z: m[10]}, o: num.V{X: m[12], Y: m[13], Z: m[14]},
	}
}

// plus is m + f·b.
func (m matrix) plus(f float64, b matrix) matrix {
	return matrix{m.x.AddScaled(f, b.x), m.y.AddScaled(f, b.y), m.z.AddScaled(f, b.z), m.o.AddScaled(f, b.o)}
}

// times is the transformation by b, then by m.
func (m matrix) times(b matrix) matrix {
	return matrix{m.direction(b.x), m.direction(b.y), m.direction(b.z), m.point(b.o)}
}

func (m matrix) direction(v num.V) num.V {
	return m.x.Scale(v.X).AddScaled(v.Y, m.y).AddScaled(v.Z, m.z)
}

func (m matrix) point(v num.V) num.V { return m.direction(v).Add(m.o) }

// normal turns a normal so that it stays one: by the cofactors, which are the inverse, transposed,
// times the determinant.
func (m matrix) normal(v num.V) num.V {
	n := m.y.Cross(m.z).Scale(v.X).AddScaled(v.Y, m.z.Cross(m.x)).AddScaled(v.Z, m.x.Cross(m.y))
	if m.x.Dot(m.y.Cross(m.z)) < 0 {
		n = n.Neg()
	}
	return n.Unit()
}

func (m matrix) finite() bool {
	for _, v := range []num.V{m.x, m.y, m.z, m.o} {
		if !(v.MaxAbs() <= numberMax) {
			return false
		}
	}
	return true
}
