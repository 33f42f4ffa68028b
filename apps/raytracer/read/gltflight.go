package read

import (
	"encoding/json"
	"math"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// spotSlack is how far above π/2 an angle is that was written as a float of 32 bits.
const spotSlack = 1e-6

// lamp adds a light that hangs at a node: a point, a spot or one from far away.
func (f *gltfFile) lamp(n *gltf.Node, m matrix) error {
	raw, ok := n.Extensions["KHR_lights_punctual"].(json.RawMessage)
	if !ok {
		return nil
	}
	var which struct{ Light int }
	var all struct {
		Lights []struct {
			Type      string
			Color     *[3]float64
			Intensity *float64
			Spot      struct{ InnerConeAngle, OuterConeAngle *float64 }
		}
	}
	list, _ := f.doc.Extensions["KHR_lights_punctual"].(json.RawMessage)
	if json.Unmarshal(raw, &which) != nil || json.Unmarshal(list, &all) != nil || which.Light < 0 || which.Light >= len(all.Lights) {
		return f.fault("a light that is named but not there")
	}
	if len(f.b.Lights) >= scene.LightsMax {
		return f.fault("more than %d lights, the most that is read", scene.LightsMax)
	}
	l := all.Lights[which.Light]
	c, power := [3]float64{1, 1, 1}, 1.0
	if l.Color != nil {
		c = *l.Color
	}
	if l.Intensity != nil {
		power = *l.Intensity
	}
	// A matt white surface sends on one part in π of the light that it gets.
	power = max(0, min(numberMax, power)) / math.Pi
	out := scene.PointLight{At: m.o, Fade: true, Color: num.V{X: bounded(c[0], 1), Y: bounded(c[1], 1), Z: bounded(c[2], 1)}.Scale(power)}
	switch l.Type {
	case "directional":
		// So far away that its light is as good as parallel.
		out.At, out.Fade = m.direction(num.V{Z: 1}).Unit().Scale(1e6), false
	case "spot":
		inner, outer := 0.0, math.Pi/4
		if a := l.Spot.InnerConeAngle; a != nil {
			inner = *a
		}
		if a := l.Spot.OuterConeAngle; a != nil {
			outer = *a
		}
		out.Aim = m.direction(num.V{Z: -1}).Unit()
		// Blender writes one angle twice where the edge is sharp, and π/2 as a float,
		// which is more.
		if !(inner >= 0 && inner <= outer && outer > 0 && outer < math.Pi/2+spotSlack) || out.Aim == (num.V{}) {
			return f.fault("a spot light with the angles %g and %g; expected numbers from 0 to π/2, the second one not smaller", inner, outer)
		}
		out.Inner, out.Outer = num.Cos(inner), num.Cos(outer)
	case "point":
	default:
		return f.fault("a light of the type %q; expected point, spot or directional", clip(l.Type))
	}
	f.b.Lights = append(f.b.Lights, out)
	return nil
}
