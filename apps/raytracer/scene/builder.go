package scene

import (
	"bytes"
	"encoding/binary"
	"math"

	"satingrid/apps/raytracer/num"
)

// Builder makes a scene, shape by shape.
type Builder struct{ Scene }

// Material adds a material and returns its number.
func (b *Builder) Material(m Material) int {
	b.Materials = append(b.Materials, m)
	return len(b.Materials) - 1
}

// Picture adds a picture and returns its number.
func (b *Builder) Picture(p Picture) int {
	b.Pictures = append(b.Pictures, p)
	return len(b.Pictures) - 1
}

// Texture adds a texture and returns its number, counted from one as materials name it.
func (b *Builder) Texture(t Texture) int {
	b.Textures = append(b.Textures, t)
	return len(b.Textures)
}

// Vertex adds a vertex and returns its number. A zero normal stands for that of the triangle.
func (b *Builder) Vertex(at, normal num.V) int {
	m := &b.Mesh
	m.Positions = appendV(m.Positions, at)
	m.Normals = appendV(m.Normals, normal)
	return m.Vertices() - 1
}

// VertexUV adds a vertex with a place on the pictures of its material.
func (b *Builder) VertexUV(at, normal num.V, u, v float64) int {
	i := b.Vertex(at, normal)
	b.Place(0, u, v)
	return i
}

// Place gives the last vertex a place on pictures, in one of the two sets. Vertices that are given
// none are at (0, 0).
func (b *Builder) Place(set int, u, v float64) {
	list := &b.Mesh.UVs
	if set == 1 {
		list = &b.Mesh.UVs2
	}
	*list = AppendFloat(AppendFloat(filled(*list, (b.Mesh.Vertices()-1)*uvSize, 0), u), v)
}

// Paint gives the last vertex a colour, linear, and an alpha, all from 0 to 1. Vertices that are
// given none are white.
func (b *Builder) Paint(c num.V, alpha float64) {
	m := &b.Mesh
	m.Colors = filled(m.Colors, (m.Vertices()-1)*colorSize, 0xff)
	for _, x := range [4]float64{c.X, c.Y, c.Z, alpha} {
		m.Colors = binary.LittleEndian.AppendUint16(m.Colors, uint16(float64(x*math.MaxUint16)+0.5))
	}
}

// even makes the lists of the mesh that have anything as long as there are vertices.
func (m *Mesh) even() {
	for _, list := range []struct {
		of   *[]byte
		size int
		fill byte
	}{{&m.UVs, uvSize, 0}, {&m.UVs2, uvSize, 0}, {&m.Colors, colorSize, 0xff}} {
		if len(*list.of) > 0 {
			*list.of = filled(*list.of, m.Vertices()*list.size, list.fill)
		}
	}
}

// filled is a list that is at least n bytes long.
func filled(list []byte, n int, fill byte) []byte {
	if more := n - len(list); more > 0 {
		list = append(list, bytes.Repeat([]byte{fill}, more)...)
	}
	return list
}

// Triangle adds a triangle of three vertices.
func (b *Builder) Triangle(i, j, k, material int) {
	t := b.Mesh.Triangles
	for _, x := range [4]int{i, j, k, material} {
		t = append(t, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	b.Mesh.Triangles = t
}

// Quad adds a flat four-sided polygon, its corners in order.
func (b *Builder) Quad(p0, p1, p2, p3 num.V, material int) {
	v := [4]int{}
	for i, p := range [4]num.V{p0, p1, p2, p3} {
		v[i] = b.Vertex(p, num.V{})
	}
	b.Triangle(v[0], v[1], v[2], material)
	b.Triangle(v[0], v[2], v[3], material)
}

// Sphere adds a sphere.
func (b *Builder) Sphere(center num.V, radius float64, material int) {
	b.Spheres = append(b.Spheres, Sphere{center, radius, material})
}

// Surface adds the smooth surface at(u, v) over the unit square, as a grid of nu by nv quads. Its
// normals are those of the surface, from finite differences.
func (b *Builder) Surface(nu, nv, material int, at func(u, v float64) num.V) {
	const h = 1e-4
	first := b.Mesh.Vertices()
	for j := 0; j <= nv; j++ {
		for i := 0; i <= nu; i++ {
			u, v := float64(i)/float64(nu), float64(j)/float64(nv)
			du := at(u+h, v).Sub(at(u-h, v))
			dv := at(u, v+h).Sub(at(u, v-h))
			b.VertexUV(at(u, v), dv.Cross(du).Unit(), u, v)
		}
	}
	for j := range nv {
		for i := range nu {
			p := first + j*(nu+1) + i
			b.Triangle(p, p+nu+1, p+1, material)
			b.Triangle(p+1, p+nu+1, p+nu+2, material)
		}
	}
}

// Box adds a box with the corners lo and hi, turned by the angle about the y axis through its
// middle.
func (b *Builder) Box(lo, hi num.V, angle float64, material int) {
	mid := lo.Add(hi).Scale(0.5)
	sin, cos := num.Sincos(angle)
	corner := func(i int) num.V {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		x, z := p.X-mid.X, p.Z-mid.Z
		return num.V{
			X: mid.X + float64(cos*x) + float64(sin*z),
			Y: p.Y,
			Z: mid.Z + float64(cos*z) - float64(sin*x),
		}
	}
	for _, f := range [6][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		b.Quad(corner(f[0]), corner(f[1]), corner(f[2]), corner(f[3]), material)
	}
}
