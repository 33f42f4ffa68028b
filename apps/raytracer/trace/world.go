// Package trace finds the light that arrives at a camera's pixel.
//
// A [World] is a scene made ready: a tree of boxes over its shapes, its lights with the share of
// rays that each gets, its materials and pictures unpacked. A [Tracer] follows rays through it;
// [Tracer.Block] is the colours of a few pixels. They are a function of the scene, the place and
// the settings: no clock, no shared state, no random number but those counted by pixel and sample,
// so that they come out the same in any order, on any machine.
//
// Half of the time goes into the march through the tree. On amd64 that is assembly, which tests
// four boxes or triangles at a time; its plain twin does the same operations in the same order, and
// a test compares the two to the last bit.
//
// # Costs
//
// A World takes about 100 bytes a triangle besides the scene and, on two cores, 0.07 s for 94,000
// triangles (-bench New). A ray through 100,000 triangles takes 0.3 µs with all that is made of it,
// 0.5 µs where the march is the plain one:
//
//	SATIN_DATA=… go test ./apps/raytracer/trace -run '^$' -bench Spot
//
// # Limitations
//
// The march is slow on machines that are not amd64, or have no AVX (before 2011).
//
// Light that reaches a matt surface through glass is found by chance only, from lights that
// have a size. Rough glass is not lit by point lights. No fog, no motion, no colours of the
// spectrum beyond three.
package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"satingrid/apps/raytracer/scene"
)

// World is a scene made ready for rays. It is read-only, and may be used from many goroutines.
type World struct {
	scene *scene.Scene
	tree

	pos, nor []num32         // vertices
	uv       [2][][2]float32 // in both sets
	col      [][4]uint16
	tri      [][4]int32 // vertices and material
	mats     []scene.Material
	tex      []texture
	sky      sky
	lights   lights
	lens     lens
	// seeThrough is set where some material lets light pass straight through, which shadows
	// then have to look at.
	seeThrough bool
	// of the scene and its camera: the size that rounding errors are measured with
	extent float64
}

type num32 [3]float32

// shape is a triangle (a corner and two edges) or, with id below 0, the sphere ^id (centre,
// and radius in e1[0]).
type shape struct {
	v0, e1, e2 num32
	id         int32
}

// New makes a scene ready. It fails on a scene that cannot be drawn.
func New(s *scene.Scene) (*World, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	w := &World{scene: s, mats: s.Materials}
	w.unpack()
	boxes := make([]box, 0, len(w.tri)+len(s.Spheres))
	for i := range w.tri {
		boxes = append(boxes, w.triangleBox(i))
	}
	for i := range s.Spheres {
		boxes = append(boxes, sphereBox(&s.Spheres[i]))
	}
	w.tree = buildTree(boxes, w.shapeOf)
	w.extent = s.Camera.Eye.MaxAbs()
	for a := range 3 {
		if len(boxes) > 0 {
			w.extent = max(w.extent, math.Abs(float64(w.all.lo[a])), math.Abs(float64(w.all.hi[a])))
		}
	}
	pictures := make([]scene.Picture, len(s.Pictures))
	for i := range s.Pictures {
		var err error
		if pictures[i], err = s.Pictures[i].Unpacked(); err != nil {
			return nil, fmt.Errorf("scene: picture %d: %w", i, err)
		}
	}
	for i := range s.Textures {
		t := s.Textures[i]
		w.tex = append(w.tex, texture{&pictures[t.Picture], t, !t.Turn.Plain()})
	}
	for i := range s.Materials {
		m := &s.Materials[i]
		w.seeThrough = w.seeThrough || m.Alpha < 1 || m.Cutoff >= 0 && (w.faded() || m.ColorTexture > 0 && w.tex[m.ColorTexture-1].transparent())
	}
	w.sky = newSky(&s.Sky)
	w.lights = w.findLights()
	w.lens = newLens(&s.Camera)
	return w, nil
}

func (w *World) unpack() {
	m := &w.scene.Mesh
	n := m.Vertices()
	w.pos, w.nor = make([]num32, n), make([]num32, n)
	for i := range n {
		for a := range 3 {
			w.pos[i][a] = float(m.Positions[12*i+4*a:])
			w.nor[i][a] = float(m.Normals[12*i+4*a:])
		}
	}
	for set, list := range [2][]byte{m.UVs, m.UVs2} {
		for i := 0; i < len(list); i += 8 {
			w.uv[set] = append(w.uv[set], [2]float32{float(list[i:]), float(list[i+4:])})
		}
	}
	for i := 0; i < len(m.Colors); i += 8 {
		c := m.Colors[i:]
		w.col = append(w.col, [4]uint16{
			binary.LittleEndian.Uint16(c), binary.LittleEndian.Uint16(c[2:]), binary.LittleEndian.Uint16(c[4:]), binary.LittleEndian.Uint16(c[6:]),
		})
	}
	w.tri = make([][4]int32, m.Count())
	for i := range w.tri {
		v, mat := m.Triangle(i)
		w.tri[i] = [4]int32{int32(v[0]), int32(v[1]), int32(v[2]), int32(mat)}
	}
}

// faded tells whether some vertex's alpha is not whole.
func (w *World) faded() bool {
	return slices.ContainsFunc(w.col, func(c [4]uint16) bool { return c[3] < math.MaxUint16 })
}

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

func (w *World) triangleBox(i int) box {
	b := emptyBox
	for _, v := range w.tri[i][:3] {
		p := box{w.pos[v], w.pos[v]}
		b.grow(&p)
	}
	return b
}

func sphereBox(s *scene.Sphere) box {
	// One part in a million more than the radius covers the rounding to single precision.
	r := float64(s.Radius * (1 + 1e-6))
	c := [3]float64{s.Center.X, s.Center.Y, s.Center.Z}
	var b box
	for a := range 3 {
		slack := float64(1e-6 * math.Abs(c[a]))
		b.lo[a], b.hi[a] = float32(c[a]-r-slack), float32(c[a]+r+slack)
	}
	return b
}

// shapeOf is shape k as rays meet it; triangles come before spheres.
func (w *World) shapeOf(i int32) shape {
	k := int(i)
	if k >= len(w.tri) {
		k -= len(w.tri)
		s := &w.scene.Spheres[k]
		return shape{
			v0: num32{float32(s.Center.X), float32(s.Center.Y), float32(s.Center.Z)},
			e1: num32{float32(s.Radius)},
			id: ^int32(k),
		}
	}
	t := &w.tri[k]
	a, b, c := w.pos[t[0]], w.pos[t[1]], w.pos[t[2]]
	return shape{v0: a, e1: b.sub(a), e2: c.sub(a), id: int32(k)}
}
