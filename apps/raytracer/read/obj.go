package read

import (
	"fmt"
	"strconv"
	"strings"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// cornersMax bounds one polygon: cutting it takes time with the square of its corners.
const cornersMax = 4096

// objFile is an OBJ file as far as it was read.
type objFile struct {
	b         scene.Builder
	in        *lines
	open      Open
	skip      *ignored
	places    []num.V
	colors    []num.V // as many as places
	hasColors bool    // some of them are not white
	normals   []num.V
	uvs       [][2]float64
	triangles []objTriangle
	materials map[string]int
	material  int // in use; -1: none yet
	plain     int // the material of what names none; -1: not made yet
	smoothing int
	mentioned map[string]bool // material files
}

// objTriangle is a triangle of a face. Its corners name a place, a place on pictures and a
// normal, -1 for none.
type objTriangle struct {
	corner    [3][3]int
	material  int
	smoothing int
}

// Smoothing groups: what a file numbers is from 1 up.
const (
	smoothUnsaid = -1
	smoothOff    = 0
)

// objNames are the keywords that change nothing that could be seen: names of parts.
var objNames = map[string]bool{"g": true, "o": true, "mg": true}

// objIgnored are the keywords that a picture can do without, and what is left out with them.
var objIgnored = map[string]string{
	"l": "lines, which have no surface, are ignored", "p": "points, which have no surface, are ignored",
	"vp": "points of curves (vp) are ignored", "bevel": "bevel is ignored", "c_interp": "c_interp is ignored",
	"d_interp": "d_interp is ignored", "lod": "lod is ignored", "usemap": "usemap is ignored: pictures are those of the materials",
	"maplib": "maplib is ignored: pictures are those of the materials", "shadow_obj": "shadow_obj is ignored: shapes cast their own shadows",
	"trace_obj": "trace_obj is ignored: shapes are reflected as they are", "ctech": "ctech is ignored", "stech": "stech is ignored",
}

// objSurfaces are the keywords of curves and surfaces given by formulas.
var objSurfaces = map[string]bool{
	"cstype": true, "deg": true, "bmat": true, "step": true, "curv": true, "curv2": true, "surf": true, "parm": true,
	"trim": true, "hole": true, "scrv": true, "sp": true, "end": true, "con": true, "bzp": true, "bsp": true, "cdc": true,
	"cdp": true, "res": true,
}

// objPrograms are the keywords that take in other files or run programs.
var objPrograms = map[string]bool{"call": true, "csh": true}

// obj reads a Wavefront OBJ file and the material files that it names.
func obj(from source) (*scene.Scene, error) {
	if err := from.still(); err != nil {
		return nil, err
	}
	in, err := openLines(from.name, from.open)
	if err != nil {
		return nil, err
	}
	defer in.close()
	o := &objFile{in: in, open: from.open, skip: from.skip, materials: map[string]int{}, mentioned: map[string]bool{}, material: -1, plain: -1, smoothing: smoothUnsaid}
	for in.next() {
		if err := o.statement(); err != nil {
			return nil, err
		}
	}
	if in.err != nil {
		return nil, in.err
	}
	if len(o.triangles) == 0 {
		return nil, &Error{File: from.name, What: "no faces; expected at least one line \"f …\""}
	}
	o.build()
	return o.b.Finish(), nil
}

// statement takes in one line.
func (o *objFile) statement() error {
	switch f := o.in.fields; f[0] {
	case "v":
		v, err := o.in.vector()
		if err != nil {
			return err
		}
		o.places = append(o.places, v)
		if err := o.painted(); err != nil {
			return err
		}
		return o.bounded(len(o.places), scene.VerticesMax, "vertices")
	case "vn":
		v, err := o.in.vector()
		if err != nil {
			return err
		}
		o.normals = append(o.normals, v.Unit())
		return o.bounded(len(o.normals), scene.VerticesMax, "normals")
	case "vt":
		return o.texturePlace()
	case "f", "fo":
		return o.face()
	case "s":
		return o.smooth()
	case "usemtl":
		return o.use()
	case "mtllib":
		return o.library()
	default:
		switch {
		case objNames[f[0]]:
			return nil
		case objIgnored[f[0]] != "":
			o.skip.add(o.in.name, o.in.line, objIgnored[f[0]])
			return nil
		case objPrograms[f[0]]:
			return o.in.fault("%q: what other files or programs would add is not read; expected one whole file", f[0])
		case objSurfaces[f[0]]:
			return o.in.fault("%q: curves and surfaces given by formulas are not read; expected polygons", f[0])
		}
		return o.in.fault("%q is no statement of an OBJ file; expected v, vt, vn, f, usemtl, …", clip(f[0]))
	}
}

// clip is text short enough for one line of an error.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

func (o *objFile) bounded(n, most int, what string) error {
	if n > most {
		return o.in.fault("more than %d %s, the most that is read", most, what)
	}
	return nil
}

// painted takes in the colour after a vertex's place, which many programs write there, in sRGB.
// A seventh number, or one alone, is the weight of a rational curve.
func (o *objFile) painted() error {
	c := num.V{X: 1, Y: 1, Z: 1}
	if len(o.in.fields) >= 7 {
		x, err := o.in.numbers(6)
		if err != nil {
			return err
		}
		c = num.V{X: decoded(x[3]), Y: decoded(x[4]), Z: decoded(x[5])}
		o.hasColors = true
	}
	o.colors = append(o.colors, c)
	return nil
}

// decoded is the linear light, from 0 to 1, of a colour in sRGB.
func decoded(x float64) float64 {
	if x = bounded(x, 1); x <= 0.04045 {
		return x / 12.92
	}
	return num.Pow((x+0.055)/1.055, 2.4)
}

// texturePlace takes in vt, whose second number may be missing. OBJ counts v from the bottom,
// pictures from the top.
func (o *objFile) texturePlace() error {
	n := min(2, len(o.in.fields)-1)
	x, err := o.in.numbers(max(1, n))
	if err != nil {
		return err
	}
	uv := [2]float64{x[0], 1}
	if n == 2 {
		uv[1] = 1 - x[1]
	}
	if !(uv[0] > -1e6 && uv[0] < 1e6 && uv[1] > -1e6 && uv[1] < 1e6) {
		return o.in.fault("texture coordinates %g, %g; expected numbers within a million of 0", x[0], 1-uv[1])
	}
	o.uvs = append(o.uvs, uv)
	return o.bounded(len(o.uvs), scene.VerticesMax, "texture coordinates")
}

func (o *objFile) smooth() error {
	if len(o.in.fields) < 2 || o.in.fields[1] == "off" {
		o.smoothing = smoothOff
		return nil
	}
	n, err := strconv.Atoi(o.in.fields[1])
	if err != nil || n < 0 {
		return o.in.fault("smoothing group %q; expected a number from 0, or off", clip(o.in.fields[1]))
	}
	o.smoothing = n
	return nil
}

func (o *objFile) use() error {
	name := strings.Join(o.in.fields[1:], " ")
	m, ok := o.materials[name]
	if !ok && len(o.mentioned) > 0 {
		return o.in.fault("material %q is in no material file; expected one that \"newmtl\" starts", clip(name))
	}
	if !ok {
		// A file without any mtllib lost its materials on the way; its shape can still be
		// looked at.
		o.skip.add(o.in.name, o.in.line, fmt.Sprintf("material %q is ignored, as no mtllib names a file that has it", clip(name)))
		m = -1
	}
	o.material = m
	return nil
}

// library reads the material files of a mtllib line: several names, or one with blanks in it.
func (o *objFile) library() error {
	names := o.in.fields[1:]
	if len(names) == 0 {
		return o.in.fault("mtllib without a name; expected the name of a material file")
	}
	if whole := strings.Join(names, " "); len(names) > 1 && strings.Count(strings.ToLower(whole), ".mtl") == 1 {
		names = []string{whole}
	}
	for _, n := range names {
		full := beside(o.in.name, n)
		if o.mentioned[full] {
			continue
		}
		o.mentioned[full] = true
		if err := mtl(full, o.open, &o.b, o.materials, o.skip); err != nil {
			return err
		}
		if len(o.b.Materials) > scene.MaterialsMax-2 {
			return o.in.fault("more than %d materials, the most that is read", scene.MaterialsMax-2)
		}
	}
	return nil
}

// face takes in a polygon and cuts it into triangles.
func (o *objFile) face() error {
	f := o.in.fields[1:]
	if len(f) < 3 || len(f) > cornersMax {
		return o.in.fault("a face with %d corners; expected 3 to %d", len(f), cornersMax)
	}
	corners := make([][3]int, len(f))
	places := make([]num.V, len(f))
	for i, text := range f {
		c, err := o.corner(text)
		if err != nil {
			return err
		}
		corners[i], places[i] = c, o.places[c[0]]
	}
	m := o.material
	if m < 0 {
		if o.plain < 0 {
			o.plain = o.b.Material(plainMaterial())
		}
		m = o.plain
	}
	for _, t := range cut(places) {
		o.triangles = append(o.triangles, objTriangle{
			corner:   [3][3]int{corners[t[0]], corners[t[1]], corners[t[2]]},
			material: m, smoothing: o.smoothing,
		})
	}
	return o.bounded(len(o.triangles), scene.TrianglesMax, "triangles")
}

// plainMaterial is for faces that name none: a light clay.
func plainMaterial() scene.Material {
	return scene.Material{Name: "clay", Color: num.V{X: 0.72, Y: 0.69, Z: 0.65}, Roughness: 0.6, Specular: 0.6, Alpha: 1}
}

// corner reads 7, 7/1, 7//3 or 7/1/3. Numbers count from 1, or, below 0, back from
// the last one so far.
func (o *objFile) corner(text string) (c [3]int, err error) {
	c = [3]int{-1, -1, -1}
	counts := [3]int{len(o.places), len(o.uvs), len(o.normals)}
	kinds := [3]string{"vertex", "texture coordinate", "normal"}
	parts := strings.Split(text, "/")
	if len(parts) > 3 || parts[0] == "" {
		return c, o.in.fault("corner %q; expected vertex, vertex/texture, vertex//normal or vertex/texture/normal", clip(text))
	}
	for i, p := range parts {
		if p == "" {
			continue
		}
		n, err := strconv.Atoi(p)
		if err != nil || n == 0 {
			return c, o.in.fault("%s %q in corner %q; expected a whole number other than 0", kinds[i], clip(p), clip(text))
		}
		if n < 0 {
			n += counts[i] + 1
		}
		if n < 1 || n > counts[i] {
			return c, o.in.fault("%s %s in corner %q; expected %s", kinds[i], p, clip(text), upTo(counts[i], kinds[i]))
		}
		c[i] = n - 1
	}
	return c, nil
}

// upTo says which numbers there are.
func upTo(n int, kind string) string {
	if n == 0 {
		return "none, as no " + kind + " is above this line"
	}
	return fmt.Sprintf("1 to %d or -%d to -1, as that many are above this line", n, n)
}
