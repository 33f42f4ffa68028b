package scene

import (
	"encoding/binary"
	"math"

	"satingrid/apps/raytracer/num"
)

// Mesh is all triangles of a scene, packed, little-endian.
type Mesh struct {
	Positions []byte // three float32 a vertex
	Normals   []byte // three float32 a vertex; zero where the triangle's own normal is meant
	UVs       []byte // two float32 a vertex, or nothing at all
	UVs2      []byte // another place on pictures, as UVs
	// four uint16 a vertex: red, green, blue and alpha, linear, 65,535 for 1, which the
	// material's are multiplied by; or nothing at all
	Colors    []byte
	Triangles []byte // four uint32 a triangle: three vertices and the material
}

// Sizes of packed records, in bytes.
const (
	positionSize = 12
	uvSize       = 8
	colorSize    = 8
	triangleSize = 16
)

// Vertices counts the vertices.
func (m *Mesh) Vertices() int { return len(m.Positions) / positionSize }

// Count counts the triangles.
func (m *Mesh) Count() int { return len(m.Triangles) / triangleSize }

// Triangle is the i-th triangle.
func (m *Mesh) Triangle(i int) (v [3]int, material int) {
	b := m.Triangles[i*triangleSize:][:triangleSize]
	for k := range v {
		v[k] = int(binary.LittleEndian.Uint32(b[4*k:]))
	}
	return v, int(binary.LittleEndian.Uint32(b[12:]))
}

// Position is where vertex i is.
func (m *Mesh) Position(i int) num.V { return unpack(m.Positions, i) }

// Normal is the normal at vertex i, zero where it has none.
func (m *Mesh) Normal(i int) num.V { return unpack(m.Normals, i) }

// UV is the place of vertex i on its pictures, in one of the two sets.
func (m *Mesh) UV(set, i int) (u, v float64) {
	list := m.UVs
	if set == 1 {
		list = m.UVs2
	}
	if len(list) == 0 {
		return 0, 0
	}
	return float(list[i*uvSize:]), float(list[i*uvSize+4:])
}

// Color is the colour of vertex i, and its alpha.
func (m *Mesh) Color(i int) (num.V, float64) {
	if len(m.Colors) == 0 {
		return num.V{X: 1, Y: 1, Z: 1}, 1
	}
	var c [4]float64
	for k := range c {
		c[k] = float64(binary.LittleEndian.Uint16(m.Colors[i*colorSize+2*k:])) / math.MaxUint16
	}
	return num.V{X: c[0], Y: c[1], Z: c[2]}, c[3]
}

func unpack(b []byte, i int) num.V {
	b = b[i*positionSize:][:positionSize]
	return num.V{X: float(b), Y: float(b[4:]), Z: float(b[8:])}
}

func float(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// AppendFloat packs one number.
func AppendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
}

func appendV(b []byte, v num.V) []byte {
	return AppendFloat(AppendFloat(AppendFloat(b, v.X), v.Y), v.Z)
}

// cut leaves so many vertices and triangles.
func (m *Mesh) cut(vertices, triangles int) {
	for _, list := range []struct {
		of   *[]byte
		size int
	}{{&m.Positions, positionSize}, {&m.Normals, positionSize}, {&m.UVs, uvSize}, {&m.UVs2, uvSize}, {&m.Colors, colorSize}} {
		*list.of = (*list.of)[:min(len(*list.of), vertices*list.size)]
	}
	m.Triangles = m.Triangles[:triangles*triangleSize]
}

// everyPlace calls f with the corners of all triangles, and with all spheres and their radii.
func (s *Scene) everyPlace(f func(at num.V, r float64)) {
	for i := range s.Mesh.Count() {
		v, _ := s.Mesh.Triangle(i)
		for _, k := range v {
			f(s.Mesh.Position(k), 0)
		}
	}
	for i := range s.Spheres {
		f(s.Spheres[i].Center, s.Spheres[i].Radius)
	}
}

// Bounds is the box around everything in the scene that has a size.
func (s *Scene) Bounds() (lo, hi num.V) {
	inf := math.Inf(1)
	lo, hi = num.V{X: inf, Y: inf, Z: inf}, num.V{X: -inf, Y: -inf, Z: -inf}
	s.everyPlace(func(p num.V, r float64) {
		lo = num.V{X: min(lo.X, p.X-r), Y: min(lo.Y, p.Y-r), Z: min(lo.Z, p.Z-r)}
		hi = num.V{X: max(hi.X, p.X+r), Y: max(hi.Y, p.Y+r), Z: max(hi.Z, p.Z+r)}
	})
	if lo.X > hi.X {
		return num.V{}, num.V{}
	}
	return lo, hi
}

// own is Bounds without what Finish has added.
func (s *Scene) own() (lo, hi num.V) {
	bare := *s
	if s.Added {
		bare.Spheres = s.Spheres[:len(s.Spheres)-1]
	}
	if s.Grounded {
		bare.Mesh.cut(s.Mesh.Vertices()-4, s.Mesh.Count()-2)
	}
	return bare.Bounds()
}
