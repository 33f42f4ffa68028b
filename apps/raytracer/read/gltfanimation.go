package read

import (
	"fmt"
	"math"
	"sort"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
)

// animate moves the document's nodes to where its first animation has them at a time, in seconds.
// Before its first key and after its last one, everything stays as it is there.
func (f *gltfFile) animate(time float64) error {
	all := f.doc.Animations
	switch {
	case time < 0 && len(all) > 0:
		f.skip.add(f.name, 0, fmt.Sprintf("animations are ignored, %d of them, as no time is asked for", len(all)))
		return nil
	case time < 0:
		return nil
	case len(all) == 0 || all[0] == nil:
		return f.fault("it has no animation, and no time; expected one, or no time to be asked for")
	case len(all) > 1:
		f.skip.add(f.name, 0, fmt.Sprintf("animations but the first, %q, are ignored", clip(all[0].Name)))
	}
	for _, c := range all[0].Channels {
		if c == nil {
			continue
		}
		if c.Target.Node == nil {
			f.skip.add(f.name, 0, "what moves nothing but a node's place, turn, size or weights is ignored in animations")
			continue
		}
		if err := f.channel(all[0], c, time); err != nil {
			return err
		}
	}
	return nil
}

// channel moves one property of a node.
func (f *gltfFile) channel(a *gltf.Animation, c *gltf.AnimationChannel, time float64) error {
	n, err := at(f, f.doc.Nodes, *c.Target.Node, "node")
	if err != nil {
		return err
	}
	s, err := at(f, a.Samplers, c.Sampler, "sampler of an animation")
	if err != nil {
		return err
	}
	width := 3
	switch c.Target.Path {
	case gltf.TRSRotation:
		width = 4
	case gltf.TRSWeights:
		width = 1
	}
	k := keys{kind: s.Interpolation, turns: c.Target.Path == gltf.TRSRotation}
	if k.times, err = f.numbers(s.Input, 1, keysMax); err != nil {
		return err
	}
	if k.values, err = f.numbers(s.Output, width, keysMax); err != nil {
		return err
	}
	if !k.fit(width) {
		return f.fault("an animation with %d times and %d values; expected times that grow and as many values, three times as many for a spline", len(k.times), len(k.values)/width)
	}
	x := k.at(time)
	switch c.Target.Path {
	case gltf.TRSTranslation:
		copy(n.Translation[:], x)
	case gltf.TRSRotation:
		copy(n.Rotation[:], x)
	case gltf.TRSScale:
		// All zeros would stand for no scale at all.
		for i := range n.Scale {
			n.Scale[i] = x[i]
			if x[i] == 0 {
				n.Scale[i] = 1e-9
			}
		}
	default:
		n.Weights = x
	}
	return nil
}

// keysMax bounds the numbers of an animation's channel.
const keysMax = 1 << 24

// keys are the values of one property at some times.
type keys struct {
	kind   gltf.Interpolation
	turns  bool // values are unit quaternions
	times  []float64
	values []float64
	width  int // numbers of a value
	parts  int // values of a key: with a spline its slopes before and after, too
}

// fit works out how values belong to times, and tells whether they do. Weights have a value for
// each target, so that only their number says how many.
func (k *keys) fit(width int) bool {
	k.parts = 1
	if k.kind == gltf.InterpolationCubicSpline {
		k.parts = 3
	}
	n := len(k.times) * k.parts
	if n == 0 || len(k.values) == 0 || len(k.values)%n != 0 {
		return false
	}
	if k.width = len(k.values) / n; width > 1 && k.width != width {
		return false
	}
	for i := 1; i < len(k.times); i++ {
		if !(k.times[i] > k.times[i-1]) {
			return false
		}
	}
	return true
}

// value is a part of a key.
func (k *keys) value(key, part int) []float64 {
	return k.values[(key*k.parts+part)*k.width:][:k.width]
}

// at is the value at a time.
func (k *keys) at(t float64) []float64 {
	middle := k.parts / 2
	next := sort.SearchFloat64s(k.times, t)
	switch {
	case next == len(k.times):
		return append([]float64(nil), k.value(next-1, middle)...)
	case k.times[next] == t || next == 0:
		return append([]float64(nil), k.value(next, middle)...)
	}
	span := k.times[next] - k.times[next-1]
	x := (t - k.times[next-1]) / span
	a, b := k.value(next-1, middle), k.value(next, middle)
	switch {
	case k.kind == gltf.InterpolationStep:
		return append([]float64(nil), a...)
	case k.kind == gltf.InterpolationCubicSpline:
		return k.unit(spline(a, b, k.value(next-1, 2), k.value(next, 0), x, span))
	case k.turns:
		return k.unit(slerp(a, b, x))
	}
	return mix(a, b, 1-x, x)
}

// unit is a quaternion of length 1; other values stay.
func (k *keys) unit(q []float64) []float64 {
	if !k.turns {
		return q
	}
	sum := 0.0
	for _, x := range q {
		sum += float64(x * x)
	}
	if !(sum > 0) {
		return []float64{0, 0, 0, 1}
	}
	for i := range q {
		q[i] /= math.Sqrt(sum)
	}
	return q
}

func mix(a, b []float64, fa, fb float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = float64(fa*a[i]) + float64(fb*b[i])
	}
	return out
}

// spline is the cubic Hermite spline from a to b, with the slopes leaving and coming, at the share
// x of a span of time (glTF 2.0, appendix C).
func spline(a, b, leaving, coming []float64, x, span float64) []float64 {
	x2 := float64(x * x)
	x3 := float64(x2 * x)
	ends := mix(a, b, float64(2*x3)-float64(3*x2)+1, float64(3*x2)-float64(2*x3))
	slopes := mix(leaving, coming, float64(span*(x3-float64(2*x2)+x)), float64(span*(x3-x2)))
	return mix(ends, slopes, 1, 1)
}

// slerp turns from a to b on the shorter way, evenly.
func slerp(a, b []float64, x float64) []float64 {
	cos, side := 0.0, 1.0
	for i := range a {
		cos += float64(a[i] * b[i])
	}
	if cos < 0 {
		cos, side = -cos, -1
	}
	if cos > 0.9995 { // an arc so short is straight
		return mix(a, b, 1-x, float64(side*x))
	}
	angle := num.Acos(cos)
	sin := num.Sin(angle)
	return mix(a, b, num.Sin(float64((1-x)*angle))/sin, float64(side*num.Sin(float64(x*angle)))/sin)
}
