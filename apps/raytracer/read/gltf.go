package read

import (
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// Limits on a glTF document. Instances multiply, so that what is visited is bounded, not
// only what is written.
const (
	jsonMax  = 64 << 20
	depthMax = 64
	nodesMax = 1 << 16
)

// gltfFile is a glTF 2.0 document on its way to be a scene.
type gltfFile struct {
	b         scene.Builder
	name      string
	open      Open
	skip      *ignored
	doc       gltf.Document
	chunk     []byte // the binary part of a .glb file
	buffers   map[int][]byte
	materials map[int]int
	pictures  map[int]int
	textures  map[textureUse]int
	plain     int
	skins     map[int][]matrix
	above     map[int]int // the parents of nodes
	visited   int
}

// gltfKnown are the extensions that a document may require.
var gltfKnown = []string{
	"KHR_materials_transmission", "KHR_materials_ior", "KHR_materials_volume", "KHR_materials_emissive_strength",
	"KHR_materials_specular", "KHR_materials_clearcoat", "KHR_materials_unlit", "KHR_lights_punctual",
	"KHR_mesh_quantization", "KHR_texture_transform",
}

// gltfPacked are the extensions that pack meshes. A document may have them beside the plain mesh,
// and is refused where it has only them: there is no decoder in Go alone.
var gltfPacked = []string{"KHR_draco_mesh_compression", "EXT_meshopt_compression"}

// gltfScene reads a .gltf or .glb file and the files that it names.
func gltfScene(from source) (*scene.Scene, error) {
	data, err := bytesOf(from.name, from.open)
	if err != nil {
		return nil, err
	}
	f := &gltfFile{name: from.name, open: from.open, skip: from.skip, buffers: map[int][]byte{}, materials: map[int]int{}, pictures: map[int]int{}, textures: map[textureUse]int{}, skins: map[int][]matrix{}, plain: -1}
	if err := f.decode(data); err != nil {
		return nil, err
	}
	for _, x := range f.doc.ExtensionsRequired {
		if slices.Contains(gltfPacked, x) {
			return nil, f.packed(x)
		}
		if !slices.Contains(gltfKnown, x) {
			return nil, f.fault("it requires %s, which is not read; expected none but %v", clip(x), gltfKnown)
		}
	}
	roots, err := f.roots()
	if err != nil {
		return nil, err
	}
	f.ignore()
	if err := f.animate(from.time); err != nil {
		return nil, err
	}
	for _, r := range roots {
		if err := f.node(r, identity, 0); err != nil {
			return nil, err
		}
	}
	if lo, hi := f.b.Bounds(); f.b.Mesh.Count() == 0 || lo == hi {
		return nil, f.fault("no triangles that can be seen; expected at least one mesh in the scene")
	}
	s := f.b.Finish()
	switch e := s.Expose(); {
	case e > 1:
		f.skip.add(f.name, 0, "its lights are so dim that all would be black: the picture is exposed to them")
	case e > 0:
		f.skip.add(f.name, 0, "its lights are so bright that all would be white: the picture is exposed to them")
	}
	return s, nil
}

// ignore says what the document has that is not looked at.
func (f *gltfFile) ignore() {
	for _, x := range f.doc.ExtensionsUsed {
		if !slices.Contains(gltfKnown, x) && !slices.Contains(gltfPacked, x) {
			f.skip.add(f.name, 0, clip(x)+" is ignored")
		}
	}
}

func (f *gltfFile) fault(format string, args ...any) error {
	return &Error{File: f.name, What: fmt.Sprintf(format, args...)}
}

// at is element i of one of the document's lists.
func at[T any](f *gltfFile, list []*T, i int, what string) (*T, error) {
	if i < 0 || i >= len(list) || list[i] == nil {
		return nil, f.fault("%s %d is named but not there; expected one of %d", what, i, len(list))
	}
	return list[i], nil
}

// packed is the fault of a mesh that is there only as an extension packs it.
func (f *gltfFile) packed(extension string) error {
	return f.fault("its meshes are packed by %s, which is not read; expected plain ones: export it without compression", extension)
}

// roots are the top nodes of the scene that the document wants shown, or of all
// where it does not say.
func (f *gltfFile) roots() ([]int, error) {
	if len(f.doc.Scenes) == 0 {
		var all []int
		child := map[int]bool{}
		for _, n := range f.doc.Nodes {
			if n != nil {
				for _, c := range n.Children {
					child[c] = true
				}
			}
		}
		for i := range f.doc.Nodes {
			if !child[i] {
				all = append(all, i)
			}
		}
		return all, nil
	}
	shown := 0
	if f.doc.Scene != nil {
		shown = *f.doc.Scene
	}
	s, err := at(f, f.doc.Scenes, shown, "scene")
	if err != nil {
		return nil, err
	}
	return s.Nodes, nil
}

// node adds a node and what is below it.
func (f *gltfFile) node(i int, above matrix, depth int) error {
	if f.visited++; depth > depthMax || f.visited > nodesMax {
		return f.fault("nodes more than %d deep, or more than %d of them; expected a tree", depthMax, nodesMax)
	}
	n, err := at(f, f.doc.Nodes, i, "node")
	if err != nil {
		return err
	}
	if _, many := n.Extensions["EXT_mesh_gpu_instancing"]; many {
		return f.fault("node %d stands for many by EXT_mesh_gpu_instancing, which is not read; expected a node for each", i)
	}
	m := above.times(local(n))
	if !m.finite() {
		return f.fault("node %d has a transformation that is too large", i)
	}
	if n.Camera != nil {
		if err := f.camera(*n.Camera, m); err != nil {
			return err
		}
	}
	if err := f.lamp(n, m); err != nil {
		return err
	}
	if n.Mesh != nil {
		mesh, err := at(f, f.doc.Meshes, *n.Mesh, "mesh")
		if err != nil {
			return err
		}
		place, err := f.placing(n, mesh, m)
		if err != nil {
			return err
		}
		for _, p := range mesh.Primitives {
			if p == nil {
				continue
			}
			if err := f.primitive(p, &place); err != nil {
				return err
			}
		}
	}
	for _, c := range n.Children {
		if err := f.node(c, m, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// camera takes the first camera of the scene. An orthographic one is not what this renderer
// has; it goes without.
func (f *gltfFile) camera(i int, m matrix) error {
	c, err := at(f, f.doc.Cameras, i, "camera")
	if err != nil {
		return err
	}
	if f.b.Camera.Given() {
		f.skip.add(f.name, 0, "all cameras but the first are ignored")
		return nil
	}
	if c.Perspective == nil {
		f.skip.add(f.name, 0, "cameras without perspective are ignored")
		return nil
	}
	fov := float64(c.Perspective.Yfov * (180 / math.Pi))
	if !(fov > 0 && fov < 180) {
		return f.fault("camera %d has an angle of %g; expected above 0 and below π", i, c.Perspective.Yfov)
	}
	eye := m.point(num.V{})
	ahead := m.direction(num.V{Z: -1}).Unit()
	if ahead == (num.V{}) {
		return f.fault("camera %d is scaled to nothing", i)
	}
	f.b.Camera = scene.Camera{Eye: eye, Target: eye.Add(ahead), Up: m.direction(num.V{Y: 1}).Unit(), Fov: fov}
	return nil
}
