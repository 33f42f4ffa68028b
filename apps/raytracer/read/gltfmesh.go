package read

import (
	"math"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// primitive adds the triangles of a primitive. Points and lines have no surface.
func (f *gltfFile) primitive(p *gltf.Primitive, place *placing) error {
	corners := 0
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		f.skip.add(f.name, 0, "points and lines, which have no surface, are ignored")
		return nil
	}
	where, ok := p.Attributes[gltf.POSITION]
	if !ok {
		f.skip.add(f.name, 0, "meshes without POSITION are ignored")
		return nil
	}
	if err := f.hasPlaces(p, where); err != nil {
		return err
	}
	places, err := f.numbers(where, 3, scene.VerticesMax)
	if err != nil {
		return err
	}
	corners = len(places) / 3
	if f.b.Mesh.Vertices()+corners > scene.VerticesMax {
		return f.fault("more than %d vertices, counting instances, the most that is read", scene.VerticesMax)
	}
	index := make([]float64, corners)
	for i := range index {
		index[i] = float64(i)
	}
	if p.Indices != nil {
		if index, err = f.numbers(*p.Indices, 1, 3*scene.TrianglesMax); err != nil {
			return err
		}
	}
	mat, err := f.material(p.Material)
	if err != nil {
		return err
	}
	first := f.b.Mesh.Vertices()
	v := vertices{places: places}
	if err := f.describe(p, &v, place); err != nil {
		return err
	}
	if err := f.add(&v, place.whole); err != nil {
		return err
	}
	return f.triangles(p.Mode, index, first, corners, mat)
}

// hasPlaces tells whether the document has the positions of a primitive: where it does not, they
// would all be 0, and nothing would be seen of it.
func (f *gltfFile) hasPlaces(p *gltf.Primitive, where int) error {
	a, err := at(f, f.doc.Accessors, where, "accessor")
	if err != nil || a.BufferView != nil || a.Sparse != nil {
		return err
	}
	for _, x := range gltfPacked {
		if _, ok := p.Extensions[x]; ok {
			return f.packed(x)
		}
	}
	return f.fault("accessor %d, positions of a mesh, has no data; expected a buffer view", where)
}

// attribute is one attribute of each of a primitive's vertices; nil where it does not have it.
func (f *gltfFile) attribute(p *gltf.Primitive, name string, n, count int) ([]float64, error) {
	i, ok := p.Attributes[name]
	if !ok {
		return nil, nil
	}
	a, err := at(f, f.doc.Accessors, i, "accessor")
	if err != nil {
		return nil, err
	}
	if a.Count != count {
		return nil, f.fault("%s of %d vertices, positions of %d; expected as many", name, a.Count, count)
	}
	return f.numbers(i, n, scene.VerticesMax)
}

// vertices are what a primitive says of its vertices; a list is nil where it says nothing.
type vertices struct {
	places, normals []float64
	uvs             [2][]float64
	colors          []float64
	channels        int      // of a colour
	bends           []matrix // of a mesh with a skin
}

// describe looks up what a primitive says of its vertices, beside their places.
func (f *gltfFile) describe(p *gltf.Primitive, v *vertices, place *placing) (err error) {
	count := len(v.places) / 3
	if v.normals, err = f.attribute(p, gltf.NORMAL, 3, count); err != nil {
		return err
	}
	if err := f.morph(p, gltf.POSITION, v.places, place.weights); err != nil {
		return err
	}
	if err := f.morph(p, gltf.NORMAL, v.normals, place.weights); err != nil {
		return err
	}
	for set, name := range [2]string{gltf.TEXCOORD_0, gltf.TEXCOORD_1} {
		if v.uvs[set], err = f.attribute(p, name, 2, count); err != nil {
			return err
		}
	}
	if i, ok := p.Attributes[gltf.COLOR_0]; ok {
		a, err := at(f, f.doc.Accessors, i, "accessor")
		if err != nil {
			return err
		}
		v.channels = max(3, a.Type.Components())
		if v.colors, err = f.attribute(p, gltf.COLOR_0, v.channels, count); err != nil {
			return err
		}
	}
	if place.joints != nil {
		v.bends, err = f.bends(p, place.joints, count)
	}
	for name := range p.Attributes {
		if name == "COLOR_1" || name == "TEXCOORD_2" {
			f.skip.add(f.name, 0, name+" is ignored")
		}
	}
	return err
}

// add adds the vertices of a primitive.
func (f *gltfFile) add(v *vertices, whole matrix) error {
	for i := range len(v.places) / 3 {
		m := whole
		if v.bends != nil {
			m = v.bends[i]
		}
		n := num.V{}
		if v.normals != nil {
			n = m.normal(triple(v.normals, i))
		}
		f.b.Vertex(m.point(triple(v.places, i)), n)
		for set, list := range v.uvs {
			if list == nil {
				continue
			}
			x, y := list[2*i], list[2*i+1]
			if !(math.Abs(x) < 1e6 && math.Abs(y) < 1e6) {
				return f.fault("texture coordinates %g, %g; expected numbers within a million of 0", x, y)
			}
			f.b.Place(set, x, y)
		}
		if v.colors != nil {
			c := v.colors[v.channels*i:]
			alpha := 1.0
			if v.channels == 4 {
				alpha = bounded(c[3], 1)
			}
			f.b.Paint(num.V{X: bounded(c[0], 1), Y: bounded(c[1], 1), Z: bounded(c[2], 1)}, alpha)
		}
	}
	return nil
}

// triple is element i of a list of vectors.
func triple(list []float64, i int) num.V {
	return num.V{X: list[3*i], Y: list[3*i+1], Z: list[3*i+2]}
}

// triangles adds the triangles of a list, a strip or a fan.
func (f *gltfFile) triangles(mode gltf.PrimitiveMode, index []float64, first, count, mat int) error {
	n := len(index) / 3
	if mode != gltf.PrimitiveTriangles {
		n = max(0, len(index)-2)
	}
	if f.b.Mesh.Count()+n > scene.TrianglesMax {
		return f.fault("more than %d triangles, counting instances, the most that is read", scene.TrianglesMax)
	}
	for i := range n {
		c := [3]int{3 * i, 3*i + 1, 3*i + 2}
		switch {
		case mode == gltf.PrimitiveTriangleFan:
			c = [3]int{0, i + 1, i + 2}
		case mode == gltf.PrimitiveTriangleStrip:
			c = [3]int{i, i + 1 + i&1, i + 2 - i&1}
		}
		for k := range c {
			v := index[c[k]]
			if !(v >= 0 && v < float64(count)) {
				return f.fault("a triangle of vertex %g; expected below %d", v, count)
			}
			c[k] = first + int(v)
		}
		f.b.Triangle(c[0], c[1], c[2], mat)
	}
	return nil
}

// bounded is x between 0 and most.
func bounded(x, most float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, most)
}
