package read

import (
	"fmt"
	"math"
	"strings"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// mtlMaterial is a material as its file describes it.
type mtlMaterial struct {
	line           int
	name           string
	kd, ks, ka, ke num.V
	tf             num.V
	ns, ni, d      float64
	illum          int
	pr, pm         float64 // below 0: not given
	hasTF          bool
	mapKd, mapKe   int // textures
	mapD           int // a texture that says where the surface is
}

// mtlFile is a material file as far as it was read.
type mtlFile struct {
	in       *lines
	open     Open
	skip     *ignored
	b        *scene.Builder
	all      []mtlMaterial
	pictures map[mapUse]int
	masked   map[[2]int]int // textures that mask has made, by those of colours and of the mask
}

// mtl reads a material file into the scene and the table of names.
func mtl(name string, open Open, b *scene.Builder, names map[string]int, skip *ignored) error {
	in, err := openLines(name, open)
	if err != nil {
		return err
	}
	defer in.close()
	f := &mtlFile{in: in, open: open, skip: skip, b: b, pictures: map[mapUse]int{}, masked: map[[2]int]int{}}
	for in.next() {
		if err := f.statement(); err != nil {
			return err
		}
	}
	if in.err != nil {
		return in.err
	}
	for i := range f.all {
		if err := f.mask(&f.all[i]); err != nil {
			return err
		}
		names[f.all[i].name] = b.Material(f.all[i].material())
	}
	return nil
}

// statement takes in one line. Keywords that are not known are other renderers', and so are some
// that are: they say how to take short cuts.
func (f *mtlFile) statement() error {
	key := f.in.fields[0]
	if key == "newmtl" {
		if len(f.all) >= scene.MaterialsMax {
			return f.in.fault("more than %d materials, the most that is read", scene.MaterialsMax)
		}
		f.all = append(f.all, mtlMaterial{
			line: f.in.line, name: strings.Join(f.in.fields[1:], " "),
			kd: num.V{X: 0.8, Y: 0.8, Z: 0.8}, ni: 1.5, d: 1, illum: -1, pr: -1, pm: -1,
		})
		return nil
	}
	if len(f.all) == 0 {
		return f.in.fault("%q before any material; expected \"newmtl NAME\" first", clip(key))
	}
	m := &f.all[len(f.all)-1]
	var err error
	switch strings.ToLower(key) {
	case "kd":
		m.kd, err = f.color(1)
	case "ks":
		m.ks, err = f.color(1)
	case "ka":
		m.ka, err = f.color(numberMax)
	case "ke":
		m.ke, err = f.color(numberMax)
	case "tf":
		m.tf, err = f.color(1)
		m.hasTF = true
	case "ns":
		m.ns, err = f.one(0, 1e9)
	case "ni":
		m.ni, err = f.one(0, 10)
	case "d":
		m.d, err = f.one(0, 1)
	case "tr":
		m.d, err = f.one(0, 1)
		m.d = 1 - m.d
	case "pr":
		m.pr, err = f.one(0, 1)
	case "pm":
		m.pm, err = f.one(0, 1)
	case "illum":
		var x float64
		x, err = f.one(0, 20)
		m.illum = int(x)
	case "map_kd":
		m.mapKd, err = f.picture()
	case "map_d":
		m.mapD, err = f.picture()
	case "map_ke":
		m.mapKe, err = f.picture()
	case "map_ka", "map_aat", "sharpness":
	default:
		f.skip.add(f.in.name, f.in.line, fmt.Sprintf("%q is ignored", clip(key)))
	}
	return err
}

// color is the line's colour: three numbers, or one for all three.
func (f *mtlFile) color(most float64) (num.V, error) {
	n := 3
	if len(f.in.fields) == 2 {
		n = 1
	}
	if len(f.in.fields) > 1 && (f.in.fields[1] == "spectral" || f.in.fields[1] == "xyz") {
		return num.V{}, f.in.fault("%q colours are not read; expected red, green and blue", f.in.fields[1])
	}
	x, err := f.in.numbers(n)
	if err != nil {
		return num.V{}, err
	}
	for i := range x {
		if x[i] < 0 {
			return num.V{}, f.in.fault("%q with %g; expected numbers from 0", f.in.fields[0], x[i])
		}
		// Exporters round; a reflectance above one would make light from nothing.
		x[i] = min(x[i], most)
	}
	if n == 1 {
		return num.V{X: x[0], Y: x[0], Z: x[0]}, nil
	}
	return num.V{X: x[0], Y: x[1], Z: x[2]}, nil
}

// one is the line's last number, held between lo and hi.
func (f *mtlFile) one(lo, hi float64) (float64, error) {
	if len(f.in.fields) < 2 {
		return 0, f.in.fault("%q without a number; expected one", f.in.fields[0])
	}
	x, err := f.in.number(len(f.in.fields) - 1)
	return max(lo, min(hi, x)), err
}

// material translates from Phong's terms. Where a file has the physical terms Pr
// and Pm, those count.
func (m *mtlMaterial) material() scene.Material {
	out := scene.Material{
		Name: m.name, Color: m.kd, Roughness: 1, IOR: 1.5, Alpha: 1, Emission: m.ke, ColorTexture: m.mapKd, EmissionTexture: m.mapKe,
	}
	if m.ka.Max() > 1 && m.ke.Max() == 0 {
		// An ambient "reflectance" above one is how files from before Ke say that
		// a surface is a lamp.
		out.Emission = m.ka
	}
	if m.mapKe > 0 && out.Emission.Max() == 0 {
		out.Emission = num.V{X: 1, Y: 1, Z: 1}
	}
	if m.ni >= 1 {
		out.IOR = m.ni
	}
	if m.ks.Max() > 0 {
		// The width of Blinn's highlight with exponent Ns as GGX's α, which is roughness
		// squared.
		out.Roughness = math.Sqrt(math.Sqrt(2 / (m.ns + 2)))
		out.Specular = min(1, float64(2*m.ks.Luma()))
	}
	mirror := m.illum == 3 || m.illum == 5
	if m.ks.Max() > 0 && (mirror && m.ks.Luma() > 0.5 || m.kd.Max() == 0) {
		out.Metallic, out.Color = 1, m.ks
	}
	if mirror {
		out.Roughness = min(out.Roughness, 0.02)
	}
	switch m.illum {
	case 4, 6, 7, 9:
		out.Transmission, out.Specular, out.Roughness, out.Metallic = 1-m.d, 1, 0, 0
		if m.d >= 1 {
			out.Transmission = 1
		}
		out.Color = num.V{X: 1, Y: 1, Z: 1}
		if m.hasTF {
			out.Color = m.tf
		}
	default:
		out.Alpha = m.d
	}
	if m.pr >= 0 {
		out.Roughness = m.pr
		out.Specular = max(out.Specular, 0.5)
	}
	if m.pm >= 0 {
		out.Metallic = m.pm
		if m.pm > 0 {
			out.Color = m.kd
		}
	}
	return out
}
