package num

import "math"

// V is a point, a direction or a colour.
type V struct{ X, Y, Z float64 }

// Add is v + w.
func (v V) Add(w V) V { return V{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub is v - w.
func (v V) Sub(w V) V { return V{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Mul is the product component by component, as colours multiply.
func (v V) Mul(w V) V { return V{float64(v.X * w.X), float64(v.Y * w.Y), float64(v.Z * w.Z)} }

// Scale is v times f.
func (v V) Scale(f float64) V { return V{float64(v.X * f), float64(v.Y * f), float64(v.Z * f)} }

// AddScaled is v + f·w.
func (v V) AddScaled(f float64, w V) V {
	return V{v.X + float64(f*w.X), v.Y + float64(f*w.Y), v.Z + float64(f*w.Z)}
}

// Neg is -v.
func (v V) Neg() V { return V{-v.X, -v.Y, -v.Z} }

// Dot is the inner product.
func (v V) Dot(w V) float64 { return float64(v.X*w.X) + float64(v.Y*w.Y) + float64(v.Z*w.Z) }

// Cross is the outer product.
func (v V) Cross(w V) V {
	return V{
		float64(v.Y*w.Z) - float64(v.Z*w.Y),
		float64(v.Z*w.X) - float64(v.X*w.Z),
		float64(v.X*w.Y) - float64(v.Y*w.X),
	}
}

// Len is the length.
func (v V) Len() float64 { return math.Sqrt(v.Dot(v)) }

// Unit is v made one long; the zero vector stays what it is.
func (v V) Unit() V {
	n := v.Len()
	if n == 0 {
		return v
	}
	return V{v.X / n, v.Y / n, v.Z / n}
}

// Max is the largest component.
func (v V) Max() float64 { return max(v.X, v.Y, v.Z) }

// MaxAbs is the largest magnitude of a component.
func (v V) MaxAbs() float64 { return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }

// Finite tells whether no component is infinite or not a number.
func (v V) Finite() bool {
	s := v.MaxAbs()
	return s <= math.MaxFloat64
}

// Luma is the luminance of a linear colour with the primaries of sRGB (ITU-R BT.709).
func (v V) Luma() float64 {
	return float64(0.2126*v.X) + float64(0.7152*v.Y) + float64(0.0722*v.Z)
}

// Mix is a for f = 0 and b for f = 1.
func Mix(a, b V, f float64) V { return a.Scale(1 - f).Add(b.Scale(f)) }

// Frame is an orthonormal basis around its third axis, N.
type Frame struct{ S, T, N V }

// FrameAround makes a frame from a unit vector (after Duff and others, "Building an Orthonormal
// Basis, Revisited", 2017).
func FrameAround(n V) Frame {
	sign := math.Copysign(1, n.Z)
	a := -1 / (sign + n.Z)
	b := float64(float64(n.X*n.Y) * a)
	return Frame{
		S: V{1 + float64(float64(float64(sign*n.X)*n.X)*a), float64(sign * b), float64(-sign * n.X)},
		T: V{b, sign + float64(float64(n.Y*n.Y)*a), -n.Y},
		N: n,
	}
}

// In gives v the frame's coordinates.
func (f *Frame) In(v V) V { return V{v.Dot(f.S), v.Dot(f.T), v.Dot(f.N)} }

// Out is the inverse of In.
func (f *Frame) Out(v V) V {
	return V{
		float64(f.S.X*v.X) + float64(f.T.X*v.Y) + float64(f.N.X*v.Z),
		float64(f.S.Y*v.X) + float64(f.T.Y*v.Y) + float64(f.N.Y*v.Z),
		float64(f.S.Z*v.X) + float64(f.T.Z*v.Y) + float64(f.N.Z*v.Z),
	}
}
