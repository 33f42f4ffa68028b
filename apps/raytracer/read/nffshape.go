package read

import (
	"math"
	"strconv"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// coneSides is how many flat sides stand for a round one. Its normals are smooth, so that only
// the outline shows them.
const coneSides = 48

func (f *nffFile) sphere() error {
	x, err := f.in.numbers(4)
	if err != nil {
		return err
	}
	r := math.Abs(x[3])
	if r == 0 {
		return f.in.fault("a sphere of radius 0; expected another")
	}
	if len(f.b.Spheres) >= scene.SpheresMax {
		return f.in.fault("more than %d spheres, the most that is read", scene.SpheresMax)
	}
	f.b.Sphere(num.V{X: x[0], Y: x[1], Z: x[2]}, r, f.material)
	return nil
}

// polygon reads p or, with normals, pp.
func (f *nffFile) polygon(normals bool) error {
	if len(f.in.fields) != 2 {
		return f.in.fault("%q without its number of corners", f.in.fields[0])
	}
	n, err := strconv.Atoi(f.in.fields[1])
	if err != nil || n < 3 || n > cornersMax {
		return f.in.fault("a polygon with %q corners; expected 3 to %d", clip(f.in.fields[1]), cornersMax)
	}
	places := make([]num.V, n)
	ids := make([]int, n)
	size := 3
	if normals {
		size = 6
	}
	for i := range n {
		if err := f.more(); err != nil {
			return err
		}
		x, err := f.row(size)
		if err != nil {
			return err
		}
		places[i] = num.V{X: x[0], Y: x[1], Z: x[2]}
		normal := num.V{}
		if normals {
			normal = num.V{X: x[3], Y: x[4], Z: x[5]}.Unit()
		}
		ids[i] = f.b.Vertex(places[i], normal)
	}
	for _, t := range cut(places) {
		f.b.Triangle(ids[t[0]], ids[t[1]], ids[t[2]], f.material)
	}
	return f.room()
}

// row is a line of n numbers and nothing else.
func (f *nffFile) row(n int) ([]float64, error) {
	if len(f.in.fields) != n {
		return nil, f.in.fault("a line of %d numbers; expected %d", len(f.in.fields), n)
	}
	out := make([]float64, n)
	for i := range out {
		var err error
		if out[i], err = f.in.number(i); err != nil {
			return nil, f.in.fault("%q in place %d; expected a number", clip(f.in.fields[i]), i+1)
		}
	}
	return out, nil
}

func (f *nffFile) room() error {
	if f.b.Mesh.Count() > scene.TrianglesMax || f.b.Mesh.Vertices() > scene.VerticesMax {
		return f.in.fault("more than %d triangles, the most that is read", scene.TrianglesMax)
	}
	return nil
}

// coneEnds reads the places and radii of both ends: on a line each, as the format has it, or, as
// some programs write them, on that of the c.
func (f *nffFile) coneEnds() (x []float64, err error) {
	switch n := len(f.in.fields) - 1; n {
	case 0:
	case 8:
		return f.in.numbers(8)
	default:
		return nil, f.in.fault("a cone with %d numbers; expected 8, or two lines of 4 after it", n)
	}
	for range 2 {
		if err := f.more(); err != nil {
			return nil, err
		}
		end, err := f.row(4)
		if err != nil {
			return nil, err
		}
		x = append(x, end...)
	}
	return x, nil
}

// cone reads c: the open mantle of a cone or cylinder.
func (f *nffFile) cone() error {
	x, err := f.coneEnds()
	if err != nil {
		return err
	}
	ends := [2]num.V{{X: x[0], Y: x[1], Z: x[2]}, {X: x[4], Y: x[5], Z: x[6]}}
	radii := [2]float64{math.Abs(x[3]), math.Abs(x[7])}
	axis := ends[1].Sub(ends[0])
	if axis.Len() == 0 || radii[0]+radii[1] == 0 {
		return f.in.fault("a cone without length or width; expected two places and a radius above 0")
	}
	frame := num.FrameAround(axis.Unit())
	lean := (radii[0] - radii[1]) / axis.Len()
	first := f.b.Mesh.Vertices()
	for i := range coneSides {
		s, c := num.Sincos(float64(2*math.Pi*float64(i)) / coneSides)
		normal := frame.Out(num.V{X: c, Y: s, Z: lean}).Unit()
		for k := range 2 {
			f.b.Vertex(ends[k].Add(frame.Out(num.V{X: float64(c * radii[k]), Y: float64(s * radii[k])})), normal)
		}
	}
	for i := range coneSides {
		a, b := first+2*i, first+2*((i+1)%coneSides)
		f.b.Triangle(a, b, b+1, f.material)
		f.b.Triangle(a, b+1, a+1, f.material)
	}
	return f.room()
}
