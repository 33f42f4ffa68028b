package read

import (
	"math"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// nffFile is an NFF file (Haines, "Neutral File Format", version 3.1) as far as it was read.
type nffFile struct {
	b        scene.Builder
	in       *lines
	material int
	shapes   int
	plain    []int // lights without a colour
}

// nff reads a scene in the Neutral File Format.
func nff(from source) (*scene.Scene, error) {
	if err := from.still(); err != nil {
		return nil, err
	}
	in, err := openLines(from.name, from.open)
	if err != nil {
		return nil, err
	}
	defer in.close()
	f := &nffFile{in: in, material: -1}
	f.b.Classic = true
	for in.next() {
		if err := f.entity(); err != nil {
			return nil, err
		}
	}
	if in.err != nil {
		return nil, in.err
	}
	if f.shapes == 0 {
		return nil, &Error{File: from.name, What: "no shapes; expected at least one of s, p, pp and c"}
	}
	if !f.b.Camera.Given() {
		return nil, &Error{File: from.name, What: "no viewpoint; expected \"v\" and the lines from, at, up, angle, hither and resolution"}
	}
	return f.b.Finish(), nil
}

// entity takes in one entity, which may go on over several lines.
func (f *nffFile) entity() error {
	switch key := f.in.fields[0]; key {
	case "v":
		return f.view()
	case "b":
		c, err := f.color(1)
		f.b.Sky = scene.Sky{Zenith: c, Horizon: c, Ground: c}
		return err
	case "l":
		return f.light()
	case "f":
		return f.fill()
	case "s", "p", "pp", "c":
		if f.material < 0 {
			f.material = f.b.Material(plainMaterial())
		}
		if f.shapes++; f.shapes > scene.TrianglesMax {
			return f.in.fault("more than %d shapes, the most that is read", scene.TrianglesMax)
		}
		switch key {
		case "s":
			return f.sphere()
		case "c":
			return f.cone()
		}
		return f.polygon(key == "pp")
	default:
		return f.in.fault("%q is no entity of NFF; expected v, b, l, f, c, s, p or pp", clip(key))
	}
}

// view reads the six lines after v.
func (f *nffFile) view() error {
	c := &f.b.Camera
	for _, want := range []string{"from", "at", "up", "angle", "hither", "resolution"} {
		if err := f.more(); err != nil {
			return err
		}
		if f.in.fields[0] != want {
			return f.in.fault("%q in a viewpoint; expected %q", clip(f.in.fields[0]), want)
		}
		var err error
		var x []float64
		switch want {
		case "from":
			c.Eye, err = f.in.vector()
		case "at":
			c.Target, err = f.in.vector()
		case "up":
			c.Up, err = f.in.vector()
		case "angle":
			if x, err = f.in.numbers(1); err == nil {
				if c.Fov = x[0]; !(c.Fov > 0 && c.Fov < 180) {
					err = f.in.fault("angle %g; expected above 0 and below 180 degrees", c.Fov)
				}
			}
		case "resolution":
			if x, err = f.in.numbers(2); err == nil {
				if !(x[0] >= 1 && x[1] >= 1 && x[0] <= 1e5 && x[1] <= 1e5) {
					return f.in.fault("resolution %g %g; expected two numbers from 1 to 100000", x[0], x[1])
				}
				c.Width, c.Height = int(x[0]), int(x[1])
			}
		}
		if err != nil {
			return err
		}
	}
	if c.Eye == c.Target {
		return f.in.fault("the viewpoint looks at itself; expected \"from\" and \"at\" in different places")
	}
	return nil
}

// more goes to the next line of an entity.
func (f *nffFile) more() error {
	if f.in.next() {
		return nil
	}
	if f.in.err != nil {
		return f.in.err
	}
	return f.in.fault("the file ends inside an entity")
}

// color is fields 'from' to from+2, from 0 to 1.
func (f *nffFile) color(from int) (num.V, error) {
	x, err := f.in.numbers(from + 2)
	if err != nil {
		return num.V{}, err
	}
	x = x[from-1:]
	for i := range x {
		x[i] = max(0, min(1, x[i]))
	}
	return num.V{X: x[0], Y: x[1], Z: x[2]}, nil
}

// light reads l. Where the file gives no colour, the lights share one unit of light, by the root
// that the format's own programs take.
func (f *nffFile) light() error {
	at, err := f.in.vector()
	if err != nil {
		return err
	}
	l := scene.PointLight{At: at}
	if len(f.in.fields) > 4 {
		if l.Color, err = f.color(4); err != nil {
			return err
		}
	}
	if len(f.in.fields) <= 4 {
		f.plain = append(f.plain, len(f.b.Lights))
	}
	f.b.Lights = append(f.b.Lights, l)
	if len(f.b.Lights) > scene.LightsMax {
		return f.in.fault("more than %d lights, the most that is read", scene.LightsMax)
	}
	share := 1 / math.Sqrt(float64(len(f.b.Lights)))
	for _, i := range f.plain {
		f.b.Lights[i].Color = num.V{X: share, Y: share, Z: share}
	}
	return nil
}

// fill reads f: colour, Kd, Ks, shine, transmittance and index of refraction.
func (f *nffFile) fill() error {
	c, err := f.color(1)
	if err != nil {
		return err
	}
	x, err := f.in.numbers(8)
	if err != nil {
		return err
	}
	if len(f.b.Materials) > scene.MaterialsMax-2 {
		return f.in.fault("more than %d materials, the most that is read", scene.MaterialsMax-2)
	}
	share := func(v float64) float64 { return max(0, min(1, v)) }
	m := scene.Material{Color: c, Roughness: 1, IOR: 1, Alpha: 1, Transmission: share(x[6])}
	kd, ks, shine := share(x[3]), share(x[4]), max(0, min(1e6, x[5]))
	if kd+ks > 0 {
		// What is reflected at all, and the share of it that a mirror reflects.
		m.Color = c.Scale(min(1, kd+ks))
		m.Metallic = ks / (kd + ks)
	}
	if m.Transmission > 0 {
		m.Color, m.Specular, m.Metallic = num.V{X: 1, Y: 1, Z: 1}, 1, 0
	}
	if ks > 0 {
		m.Roughness = math.Sqrt(math.Sqrt(2 / (shine + 2)))
	}
	if x[7] >= 1 {
		m.IOR = min(10, x[7])
	}
	f.material = f.b.Material(m)
	return nil
}
