package read

import (
	"encoding/json"
	"math"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// primitive adds the triangles of a primitive. Points and lines have no surface.
func (f *gltfFile) primitive(p *gltf.Primitive, m matrix) error {
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
	if err := f.vertices(p, places, mat, m); err != nil {
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

// vertices adds the vertices of a primitive, with normals and places on pictures where it has them.
func (f *gltfFile) vertices(p *gltf.Primitive, places []float64, mat int, m matrix) error {
	attribute := func(name string, n int) ([]float64, error) {
		i, ok := p.Attributes[name]
		if !ok {
			return nil, nil
		}
		x, err := f.numbers(i, n, scene.VerticesMax)
		if err == nil && len(x)/n != len(places)/3 {
			err = f.fault("%s of %d vertices, positions of %d; expected as many", name, len(x)/n, len(places)/3)
		}
		return x, err
	}
	normals, err := attribute(gltf.NORMAL, 3)
	if err != nil {
		return err
	}
	uvs, err := attribute(gltf.TEXCOORD_0, 2)
	if err != nil {
		return err
	}
	for i := range len(places) / 3 {
		at, n := m.point(num.V{X: places[3*i], Y: places[3*i+1], Z: places[3*i+2]}), num.V{}
		if normals != nil {
			n = m.normal(num.V{X: normals[3*i], Y: normals[3*i+1], Z: normals[3*i+2]})
		}
		if uvs == nil {
			f.b.Vertex(at, n)
			continue
		}
		u, v := uvs[2*i], uvs[2*i+1]
		if !(math.Abs(u) < 1e6 && math.Abs(v) < 1e6) {
			return f.fault("texture coordinates %g, %g; expected numbers within a million of 0", u, v)
		}
		f.b.VertexUV(at, n, u, v)
	}
	return nil
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

// lamp adds a light that hangs at a node: a point, a spot (as a point) or one from far away.
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
	if l.Type == "directional" {
		// So far away that its light is as good as parallel.
		out.At, out.Fade = m.direction(num.V{Z: 1}).Unit().Scale(1e6), false
	}
	f.b.Lights = append(f.b.Lights, out)
	return nil
}

// bounded is x between 0 and most.
func bounded(x, most float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, most)
}
