package read

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// object is a part of a document.
type object = map[string]any

// document is a glTF document that grows: each list of numbers gets an accessor.
type document struct {
	data      []byte
	views     []object
	accessors []object
	rest      object // what else there is, by name
}

func (d *document) view(b []byte) int {
	for len(d.data)%4 != 0 {
		d.data = append(d.data, 0)
	}
	d.views = append(d.views, object{"buffer": 0, "byteOffset": len(d.data), "byteLength": len(b)})
	d.data = append(d.data, b...)
	return len(d.views) - 1
}

func (d *document) accessor(a object) int {
	d.accessors = append(d.accessors, a)
	return len(d.accessors) - 1
}

func packed(xs ...float64) []byte {
	var b []byte
	for _, x := range xs {
		b = scene.AppendFloat(b, x)
	}
	return b
}

var components = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

// floats is an accessor of numbers of the given type.
func (d *document) floats(kind string, xs ...float64) int {
	return d.accessor(object{"bufferView": d.view(packed(xs...)), "componentType": 5126, "count": len(xs) / components[kind], "type": kind})
}

func (d *document) bytes(kind string, normalized bool, xs ...byte) int {
	return d.accessor(object{"bufferView": d.view(xs), "componentType": 5121, "count": len(xs) / components[kind], "type": kind, "normalized": normalized})
}

func (d *document) read(t *testing.T) (*scene.Scene, []string, error) {
	t.Helper()
	return Scene("a.gltf", d.files(t).open, Rest)
}

// at reads the document as it is at a time.
func (d *document) at(t *testing.T, time float64) (*scene.Scene, error) {
	t.Helper()
	s, _, err := Scene("a.gltf", d.files(t).open, time)
	return s, err
}

func (d *document) files(t testing.TB) files {
	t.Helper()
	all := object{
		"asset": object{"version": "2.0"}, "bufferViews": d.views, "accessors": d.accessors,
		"buffers": []object{{"byteLength": len(d.data), "uri": "data:;base64," + base64.StdEncoding.EncodeToString(d.data)}},
	}
	for k, v := range d.rest {
		all[k] = v
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return files{"a.gltf": string(text)}
}

// mustRead reads a document that is right and has nothing to ignore.
func (d *document) mustRead(t *testing.T) *scene.Scene {
	t.Helper()
	s, said, err := d.read(t)
	if err != nil || len(said) > 0 {
		t.Fatal(err, said)
	}
	return s
}

// corner is the triangle (0, 0, 0), (1, 0, 0), (0, 1, 0).
func (d *document) corner() int { return d.floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0) }

// one is a document of one mesh with one primitive.
func (d *document) one(primitive object) *document {
	d.rest = object{"nodes": []object{{"mesh": 0}}, "meshes": []object{{"primitives": []object{primitive}}}}
	return d
}

func TestGLTFColorsOfVertices(t *testing.T) {
	var d document
	rgba := d.bytes("VEC4", true, 255, 0, 51, 255, 0, 255, 0, 102, 1, 2, 3, 4)
	s := d.one(object{"attributes": object{"POSITION": d.corner(), "COLOR_0": rgba}}).mustRead(t)
	for i, want := range [][4]float64{{1, 0, 0.2, 1}, {0, 1, 0, 0.4}, {1.0 / 255, 2.0 / 255, 3.0 / 255, 4.0 / 255}} {
		if c, a := s.Mesh.Color(i); c.Sub(num.V{X: want[0], Y: want[1], Z: want[2]}).MaxAbs() > 1e-9 || math.Abs(a-want[3]) > 1e-9 {
			t.Errorf("vertex %d: %v, %g, want %v", i, c, a, want)
		}
	}
	d = document{}
	rgb := d.floats("VEC3", 0.5, 0.25, 7, -1, 1, 0, 0, 0, 0)
	s = d.one(object{"attributes": object{"POSITION": d.corner(), "COLOR_0": rgb}}).mustRead(t)
	for i, want := range []num.V{{X: 0.5, Y: 0.25, Z: 1}, {Y: 1}, {}} {
		if c, a := s.Mesh.Color(i); c.Sub(want).MaxAbs() > 1e-4 || a != 1 {
			t.Errorf("vertex %d: %v, %g, want %v", i, c, a, want)
		}
	}
}

// TestGLTFPlacesOnPictures reads both sets of places, and what a material's textures do with them.
func TestGLTFPlacesOnPictures(t *testing.T) {
	var d document
	p := object{"material": 0, "attributes": object{
		"POSITION": d.corner(), "TEXCOORD_0": d.floats("VEC2", 0, 0, 1, 0, 0, 1), "TEXCOORD_1": d.floats("VEC2", 2, 3, 4, 5, 6, 7),
	}}
	d.one(p)
	turn := object{"KHR_texture_transform": object{"offset": []float64{0.25, 0.5}, "scale": []float64{2, 3}, "rotation": math.Pi / 2, "texCoord": 1}}
	d.rest["materials"] = []object{{
		"pbrMetallicRoughness": object{"baseColorTexture": object{"index": 0, "extensions": turn}, "metallicRoughnessTexture": object{"index": 1}},
		"normalTexture":        object{"index": 1, "scale": 0.5}, "occlusionTexture": object{"index": 0, "texCoord": 1, "strength": 0.75},
		"extensions": object{
			"KHR_materials_clearcoat":    object{"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25, "clearcoatTexture": object{"index": 0}, "clearcoatNormalTexture": object{"index": 1}},
			"KHR_materials_transmission": object{"transmissionFactor": 1, "transmissionTexture": object{"index": 1}},
			"KHR_materials_volume":       object{"thicknessFactor": 1, "thicknessTexture": object{"index": 1}},
		},
	}}
	d.rest["extensionsUsed"] = []string{"KHR_texture_transform", "KHR_materials_clearcoat", "KHR_materials_transmission", "KHR_materials_volume"}
	d.rest["textures"] = []object{{"source": 0, "sampler": 0}, {"source": 0}}
	d.rest["samplers"] = []object{{"wrapS": 33648, "wrapT": 33071, "magFilter": 9728}}
	d.rest["images"] = []object{{"uri": "data:image/png;base64," + onePixel}}
	s := d.mustRead(t)
	if u, v := s.Mesh.UV(1, 2); u != 6 || v != 7 {
		t.Errorf("the second place is %g, %g", u, v)
	}
	m := s.Materials[0]
	of := func(i int) scene.Texture { return s.Textures[i-1] }
	c := of(m.ColorTexture)
	if c.Set != 1 || c.EdgeU != scene.Mirror || c.EdgeV != scene.Clamp || !c.Blocky || c.Linear {
		t.Errorf("colour: %+v", c)
	}
	// scaled, then turned so that what was u goes against v, then moved
	if want := (scene.Affine{UV: 3, U: 0.25, VU: -2, V: 0.5}); !close(c.Turn, want) {
		t.Errorf("colour is turned by %+v, want %+v", c.Turn, want)
	}
	if o := of(m.OcclusionTexture); o.Set != 1 || !o.Linear || !o.Turn.Plain() || m.Occlusion != 0.75 {
		t.Errorf("occlusion %g: %+v", m.Occlusion, o)
	}
	if n := of(m.NormalTexture); n.Set != 0 || !n.Linear || n.Blocky || m.NormalScale != 0.5 {
		t.Errorf("normals by %g: %+v", m.NormalScale, n)
	}
	if m.Coat != 0.5 || m.CoatRoughness != 0.25 || m.CoatTexture == 0 || m.CoatRoughTexture != 0 || m.CoatNormalTexture != m.NormalTexture ||
		m.TransmissionTexture != m.NormalTexture || m.ThicknessTexture != m.NormalTexture || m.Thin {
		t.Errorf("%+v", m)
	}
	if len(s.Pictures) != 1 {
		t.Errorf("one picture is there %d times", len(s.Pictures))
	}
}

// onePixel is a PNG.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func close(a, b scene.Affine) bool {
	return math.Abs(a.UU-b.UU)+math.Abs(a.UV-b.UV)+math.Abs(a.U-b.U)+math.Abs(a.VU-b.VU)+math.Abs(a.VV-b.VV)+math.Abs(a.V-b.V) < 1e-9
}

func TestGLTFSparse(t *testing.T) {
	for _, c := range []struct {
		base  bool // the accessor has a buffer view, too
		which []byte
		want  []num.V
		fault string
	}{
		{true, []byte{1, 2}, []num.V{{}, {X: 7, Y: 8, Z: 9}, {X: 4, Y: 5, Z: 6}}, ""},
		{false, []byte{0, 2}, []num.V{{X: 7, Y: 8, Z: 9}, {}, {X: 4, Y: 5, Z: 6}}, ""},
		{true, []byte{1, 3}, nil, "a.gltf: accessor 0 replaces element 3; expected below 3"},
		{true, []byte{0, 1, 2, 0}, nil, "a.gltf: accessor 0 replaces 4 elements of 3"},
		{true, []byte{0, 1, 2}, nil, "a.gltf: accessor 0 goes beyond its buffer view of 24 bytes"},
	} {
		var d document
		d.corner()
		d.accessors[0]["sparse"] = object{"count": len(c.which), "indices": object{"bufferView": d.view(c.which), "componentType": 5121},
			"values": object{"bufferView": d.view(packed(7, 8, 9, 4, 5, 6))}}
		if !c.base {
			delete(d.accessors[0], "bufferView")
		}
		s, _, err := d.one(object{"attributes": object{"POSITION": 0}}).read(t)
		if c.fault != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.fault) {
				t.Errorf("got %v, want %s", err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if got := s.Mesh.Position(i); got != want {
				t.Errorf("%+v: vertex %d is at %v", c, i, got)
			}
		}
	}
}

// skinned is a triangle that two joints bend, each vertex by four weights.
func skinned(weights ...float64) *document {
	d := &document{}
	d.one(object{"attributes": object{
		"POSITION": d.corner(), "NORMAL": d.floats("VEC3", 0, 0, 1, 0, 0, 1, 0, 0, 1),
		"JOINTS_0": d.bytes("VEC4", false, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0), "WEIGHTS_0": d.floats("VEC4", weights...),
	}})
	bind := d.floats("MAT4", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1)
	d.rest["nodes"] = []object{
		{"mesh": 0, "skin": 0, "translation": []float64{100, 0, 0}},
		{"children": []int{2}, "translation": []float64{0, 0, 5}},
		{"translation": []float64{1, 0, 0}, "rotation": []float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}},
	}
	d.rest["skins"] = []object{{"joints": []int{1, 2}, "inverseBindMatrices": bind}}
	return d
}

// TestGLTFSkin bends a triangle by two joints: the first vertex follows one, the second the other,
// the third both. Where the mesh's own node is does not count.
func TestGLTFSkin(t *testing.T) {
	s := skinned(1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0).mustRead(t)
	// The second joint turns z to x about (1, 0, 5), where the second vertex is.
	for i, want := range []struct{ at, n num.V }{
		{num.V{Z: 5}, num.V{Z: 1}}, {num.V{X: 1, Z: 5}, num.V{X: 1}}, {num.V{X: 0.5, Y: 1, Z: 5.5}, num.V{X: 1, Z: 1}.Unit()},
	} {
		if s.Mesh.Position(i).Sub(want.at).MaxAbs() > 1e-6 || s.Mesh.Normal(i).Sub(want.n).MaxAbs() > 1e-6 {
			t.Errorf("vertex %d is at %v, normal %v; want %v, %v", i, s.Mesh.Position(i), s.Mesh.Normal(i), want.at, want.n)
		}
	}
	// Weights that were rounded are made to sum up to 1.
	s = skinned(2, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0).mustRead(t)
	if got := s.Mesh.Position(0); got.Sub(num.V{Z: 5}).MaxAbs() > 1e-6 {
		t.Errorf("with twice the weight the first vertex is at %v", got)
	}
	if _, _, err := skinned(0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0).read(t); err == nil || !strings.Contains(err.Error(), "vertex 0 follows no joint") {
		t.Errorf("no joint: %v", err)
	}
	d := skinned(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
	d.rest["skins"].([]object)[0]["joints"] = []int{1}
	if _, _, err := d.read(t); err == nil || !strings.Contains(err.Error(), "vertex 1 follows joint 1 by 1; expected one of 1") {
		t.Errorf("one joint: %v", err)
	}
}

func TestGLTFTargets(t *testing.T) {
	for _, c := range []struct {
		mesh, node []float64
		want       num.V // of the first vertex
	}{{nil, nil, num.V{}}, {[]float64{0.5}, nil, num.V{Z: 1}}, {[]float64{0.5, 1}, nil, num.V{X: 3, Z: 1}}, {[]float64{0.5}, []float64{0, 2}, num.V{X: 6}}} {
		var d document
		up := d.floats("VEC3", 0, 0, 2, 0, 0, 0, 0, 0, 0)
		along := d.floats("VEC3", 3, 0, 0, 0, 0, 0, 0, 0, 0)
		d.one(object{"attributes": object{"POSITION": d.corner()}, "targets": []object{{"POSITION": up}, {"POSITION": along}}})
		if c.mesh != nil {
			d.rest["meshes"].([]object)[0]["weights"] = c.mesh
		}
		if c.node != nil {
			d.rest["nodes"].([]object)[0]["weights"] = c.node
		}
		if got := d.mustRead(t).Mesh.Position(0); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.mesh, c.node, got, c.want)
		}
	}
}

func TestGLTFSpotLights(t *testing.T) {
	build := func(light string) (*scene.Scene, error) {
		node := `,"rotation":[0,0.70710678,0,0.70710678],"extensions":{"KHR_lights_punctual":{"light":0}}`
		more := `,"extensions":{"KHR_lights_punctual":{"lights":[` + light + `]}}`
		s, _, err := Scene("a.gltf", files{"a.gltf": triangleDoc(dataURI(triangleBuffer()), node, "", more)}.open, Rest)
		return s, err
	}
	s, err := build(`{"type":"spot","intensity":1,"spot":{"innerConeAngle":0.5,"outerConeAngle":1}}`)
	if err != nil {
		t.Fatal(err)
	}
	l := s.Lights[0]
	if l.Aim.Sub(num.V{X: -1}).MaxAbs() > 1e-6 || math.Abs(l.Inner-math.Cos(0.5)) > 1e-9 || math.Abs(l.Outer-math.Cos(1)) > 1e-9 {
		t.Errorf("%+v", l)
	}
	if s, err = build(`{"type":"spot"}`); err != nil || s.Lights[0].Inner != 1 || math.Abs(s.Lights[0].Outer-math.Sqrt2/2) > 1e-9 {
		t.Errorf("%+v, %v", s, err)
	}
	// as Blender writes a sharp edge, and half of everything
	if s, err = build(`{"type":"spot","spot":{"innerConeAngle":1.5707963705062866,"outerConeAngle":1.5707963705062866}}`); err != nil || s.Lights[0].Inner != s.Lights[0].Outer {
		t.Errorf("%+v, %v", s, err)
	}
	for light, want := range map[string]string{
		`{"type":"spot","spot":{"innerConeAngle":1,"outerConeAngle":0.5}}`: "a.gltf: a spot light with the angles 1 and 0.5",
		`{"type":"area"}`: "a.gltf: a light of the type \"area\"; expected point, spot or directional",
	} {
		if _, err := build(light); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
