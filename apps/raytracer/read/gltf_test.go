package read

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// triangleBuffer is three positions, three places on pictures and three bytes of index.
func triangleBuffer() []byte {
	var b []byte
	for _, x := range []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1} {
		b = scene.AppendFloat(b, x)
	}
	return append(b, 0, 1, 2, 0)
}

// triangleDoc is a document of one triangle; extra goes into its node, material
// into its only material.
func triangleDoc(uri, node, material, more string) string {
	return fmt.Sprintf(`{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"mesh":0%s}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":2,"material":0}]}],
"materials":[{%s}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
 {"bufferView":0,"byteOffset":36,"componentType":5126,"count":3,"type":"VEC2"},
 {"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":60},{"buffer":0,"byteOffset":60,"byteLength":3}],
"buffers":[{%s"byteLength":63}]%s}`, node, material, uri, more)
}

func dataURI(b []byte) string {
	return `"uri":"data:application/octet-stream;base64,` + base64.StdEncoding.EncodeToString(b) + `",`
}

// glb packs a document and its buffer as one file.
func glb(doc string, bin []byte) string {
	for len(doc)%4 != 0 {
		doc += " "
	}
	b := append([]byte("glTF"), make([]byte, 8)...)
	binary.LittleEndian.PutUint32(b[4:], 2)
	for _, c := range []struct{ kind, text string }{{"JSON", doc}, {"BIN\x00", string(bin)}} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(c.text)))
		b = append(append(b, c.kind...), c.text...)
	}
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)))
	return string(b)
}

func TestGLTFFindsItsBuffer(t *testing.T) {
	for name, f := range map[string]files{
		"d/a.gltf": {"d/a.gltf": triangleDoc(`"uri":"b%20c.bin",`, "", "", ""), "d/b c.bin": string(triangleBuffer())},
		"b.gltf":   {"b.gltf": triangleDoc(dataURI(triangleBuffer()), "", "", "")},
		"c.glb":    {"c.glb": glb(triangleDoc("", "", "", ""), triangleBuffer())},
	} {
		s, _, err := Scene(name, f.open, Rest)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Mesh.Count() != 1 || s.Mesh.Position(1) != (num.V{X: 1}) {
			t.Errorf("%s: %d triangles, %v", name, s.Mesh.Count(), s.Mesh.Position(1))
		}
	}
}

func TestGLTFTransformsAndCamera(t *testing.T) {
	node := `,"translation":[1,2,3],"rotation":[0,0,0.70710678,0.70710678],"scale":[2,2,2],"camera":0`
	doc := triangleDoc(dataURI(triangleBuffer()), node, "", `,"cameras":[{"type":"perspective","perspective":{"yfov":0.5,"znear":1}}]`)
	s, _, err := Scene("a.gltf", files{"a.gltf": doc}.open, Rest)
	if err != nil {
		t.Fatal(err)
	}
	// x goes to y, twice as long, then to (1, 2, 3).
	if d := s.Mesh.Position(1).Sub(num.V{X: 1, Y: 4, Z: 3}).Len(); d > 1e-6 {
		t.Errorf("position %v", s.Mesh.Position(1))
	}
	c := s.Camera
	if c.Eye != (num.V{X: 1, Y: 2, Z: 3}) || c.Target.Sub(num.V{X: 1, Y: 2, Z: 2}).Len() > 1e-9 || c.Up.Sub(num.V{X: -1}).Len() > 1e-6 || math.Abs(c.Fov-28.6479) > 1e-3 {
		t.Errorf("camera %+v", c)
	}
}

func TestGLTFNormalsOfStretchedShapes(t *testing.T) {
	m := matrix{x: num.V{X: 4}, y: num.V{Y: 1}, z: num.V{Z: -1}}
	along, n := m.direction(num.V{X: 1, Y: -1}), m.normal(num.V{X: 1, Y: 1})
	if math.Abs(along.Dot(n)) > 1e-12 || n.Dot(num.V{X: 1}) <= 0 {
		t.Errorf("the normal %v is not across %v", n, along)
	}
}

func TestGLTFMaterials(t *testing.T) {
	var pic bytes.Buffer
	if err := png.Encode(&pic, image.NewGray(image.Rect(0, 0, 2, 3))); err != nil {
		t.Fatal(err)
	}
	material := `"name":"m","alphaMode":"MASK","alphaCutoff":0.25,"emissiveFactor":[1,0.5,0],
 "pbrMetallicRoughness":{"baseColorFactor":[0.5,1,1,0.75],"metallicFactor":0.25,"roughnessFactor":0.5,"baseColorTexture":{"index":0},"metallicRoughnessTexture":{"index":0}},
 "extensions":{"KHR_materials_transmission":{"transmissionFactor":0.5},"KHR_materials_ior":{"ior":1.33},"KHR_materials_emissive_strength":{"emissiveStrength":10},
 "KHR_materials_volume":{"thicknessFactor":1,"attenuationDistance":2,"attenuationColor":[0.5,1,1]}}`
	more := `,"textures":[{"source":0,"sampler":0}],"samplers":[{"wrapS":33071,"wrapT":33071}],"images":[{"uri":"data:image/png;base64,` +
		base64.StdEncoding.EncodeToString(pic.Bytes()) + `"}],"extensionsRequired":["KHR_lights_punctual"],
 "extensions":{"KHR_lights_punctual":{"lights":[{"type":"point","intensity":6.283185307,"color":[1,0.5,0]}]}}`
	node := `,"extensions":{"KHR_lights_punctual":{"light":0}}`
	s, _, err := Scene("a.gltf", files{"a.gltf": triangleDoc(dataURI(triangleBuffer()), node, material, more)}.open, Rest)
	if err != nil {
		t.Fatal(err)
	}
	m := s.Materials[0]
	if m.Color.X != 0.5 || m.Metallic != 0.25 || m.Roughness != 0.5 || m.Cutoff != 0.25 || m.Emission != (num.V{X: 10, Y: 5}) ||
		m.Transmission != 0.5 || m.IOR != 1.33 || m.Thin || math.Abs(m.Absorption.X-math.Ln2/2) > 1e-9 {
		t.Errorf("%+v", m)
	}
	if len(s.Textures) != 2 || m.ColorTexture == m.RoughTexture || !s.Textures[m.RoughTexture-1].Linear || s.Textures[m.ColorTexture-1].Linear || s.Textures[0].EdgeU != scene.Clamp || s.Textures[0].EdgeV != scene.Clamp || len(s.Pictures) != 1 {
		t.Errorf("%d textures, colour %d, roughness %d", len(s.Textures), m.ColorTexture, m.RoughTexture)
	}
	if len(s.Lights) != 1 || math.Abs(s.Lights[0].Color.X-2) > 1e-6 || !s.Lights[0].Fade {
		t.Errorf("%+v", s.Lights)
	}
}

func TestGLTFFaults(t *testing.T) {
	good := triangleDoc(dataURI(triangleBuffer()), "", "", "")
	change := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("%q is not in the document", from)
		}
		return strings.Replace(good, from, to, 1)
	}
	for text, want := range map[string]string{
		"":                                                  "a.gltf:1: broken JSON",
		"{\n\"asset\":\n}":                                  "a.gltf:3: broken JSON",
		"{\n\"asset\":{\"version\":2}}":                     "a.gltf:2: a number for ",
		"{}":                                                "a.gltf: glTF version \"\"",
		change(`"2.0"`, `"1.0"`):                            "a.gltf: glTF version \"1.0\"",
		change(`"scene":0`, `"scene":7`):                    "a.gltf: scene 7 is named but not there",
		change(`"nodes":[0]`, `"nodes":[-1]`):               "a.gltf: node -1 is named",
		change(`"mesh":0`, `"mesh":1`):                      "a.gltf: mesh 1 is named",
		change(`"mesh":0`, `"children":[0]`):                "a.gltf: nodes more than 64 deep",
		change(`"material":0`, `"material":5`):              "a.gltf: material 5",
		change(`"POSITION":0`, `"POSITION":9`):              "a.gltf: accessor 9",
		change(`"count":3`, `"count":4`):                    "a.gltf: TEXCOORD_0 of 3 vertices, positions of 4",
		change(`"count":3`, `"count":400`):                  "a.gltf: accessor 0 goes beyond",
		change(`"count":3`, `"count":-3`):                   "a.gltf: accessor 0 has -3 elements",
		change(`"type":"VEC3"`, `"type":"VEC2"`):            "a.gltf: accessor 0 has 3 elements of 2 numbers",
		change(`"byteOffset":60`, `"byteOffset":61`):        "a.gltf: buffer view 1 is 3 bytes from 61",
		change(`"byteOffset":60`, `"byteOffset":-1`):        "a.gltf: buffer view 1",
		change(`"byteLength":63`, `"byteLength":65`):        "a.gltf: buffer 0 has 64 bytes; expected 65",
		change(`"buffer":0`, `"buffer":3`):                  "a.gltf: buffer 3",
		change(`"scene":0`, `"extensionsRequired":["X_y"]`): "a.gltf: it requires X_y, which is not read",
		change(`"scene":0`, `"extensionsRequired":["KHR_draco_mesh_compression"]`):                                            "a.gltf: its meshes are packed by KHR_draco_mesh_compression, which is not read",
		change(`"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"`, `"componentType":5126,"count":3,"type":"VEC3"`): "a.gltf: accessor 0, positions of a mesh, has no data",
		triangleDoc(`"extensions":{"EXT_meshopt_compression":{"fallback":true}},`, "", "", ""):                                "a.gltf: its meshes are packed by EXT_meshopt_compression",
		triangleDoc(dataURI(append(make([]byte, 60), 0, 1, 2)), "", "", ""):                                                   "a.gltf: no triangles that can be seen",
		triangleDoc(dataURI(triangleBuffer()), "", `"name":"m","extensions":{"KHR_materials_pbrSpecularGlossiness":{}}`, ""):  "a.gltf: material \"m\" is given by KHR_materials_pbrSpecularGlossiness alone",
		triangleDoc(dataURI(triangleBuffer()), `,"extensions":{"EXT_mesh_gpu_instancing":{}}`, "", ""):                        "a.gltf: node 0 stands for many by EXT_mesh_gpu_instancing",
		triangleDoc(`"uri":"no.bin",`, "", "", ""):                                                                            "no.bin: cannot be read",
		triangleDoc(`"uri":"http://x/y",`, "", "", ""):                                                                        "a.gltf: a file named \"http://x/y\"",
		triangleDoc(dataURI(append(triangleBuffer()[:60], 0, 1, 3)), "", "", ""):                                              "a.gltf: a triangle of vertex 3; expected below 3",
	} {
		_, _, err := Scene("a.gltf", files{"a.gltf": text}.open, Rest)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.80q:\n got %v\nwant %s…", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"glTF": "a.glb: a glTF binary of another version",
		"glTF\x02\x00\x00\x00\x00\x00\x00\x00\xff\x00\x00\x00JSON": "a.glb: the file ends 255 bytes early",
	} {
		if _, _, err := Scene("a.glb", files{"a.glb": text}.open, Rest); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s…", text, err, want)
		}
	}
}

// TestGLTFDracoAlone refuses a mesh that only Draco has, also where the document does not say that
// it requires Draco, and reads one that has both.
func TestGLTFDracoAlone(t *testing.T) {
	const draco = `"indices":2,"extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}`
	both := strings.Replace(triangleDoc(dataURI(triangleBuffer()), "", "", `,"extensionsUsed":["KHR_draco_mesh_compression"]`), `"indices":2`, draco, 1)
	if _, said, err := Scene("a.gltf", files{"a.gltf": both}.open, Rest); err != nil || len(said) != 0 {
		t.Errorf("%v, %q", err, said)
	}
	alone := strings.Replace(both, `"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"`, `"componentType":5126,"count":3,"type":"VEC3"`, 1)
	want := "a.gltf: its meshes are packed by KHR_draco_mesh_compression, which is not read; expected plain ones: export it without compression"
	if _, _, err := Scene("a.gltf", files{"a.gltf": alone}.open, Rest); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSharedGLTF(t *testing.T) {
	dir := os.Getenv("SATIN_DATA")
	if dir == "" {
		t.Skip("SATIN_DATA is not set: scenes/Box.* are missing")
	}
	for _, name := range []string{"Box.gltf", "Box.glb"} {
		s, _, err := Scene(filepath.Join(dir, "scenes", name), func(n string) (io.ReadCloser, error) { return os.Open(n) }, Rest)
		if err != nil {
			t.Error(err)
		} else if s.Mesh.Count() != 12+2 || !s.Grounded || s.Materials[0].Color.X != 0.8 && math.Abs(s.Materials[0].Color.X-0.8) > 1e-3 {
			t.Errorf("%s: %d triangles, %+v", name, s.Mesh.Count(), s.Materials[0])
		}
	}
}

// TestSharedGLTFOfOthers reads models as they are handed around.
func TestSharedGLTFOfOthers(t *testing.T) {
	dir := os.Getenv("SATIN_DATA")
	if dir == "" {
		t.Skip("SATIN_DATA is not set: more/scenes is missing")
	}
	read := func(name string) (*scene.Scene, []string, error) {
		return Scene(filepath.Join(dir, "more/scenes", name), func(n string) (io.ReadCloser, error) { return os.Open(n) }, Rest)
	}
	s, said, err := read("DamagedHelmet.glb")
	if err != nil || len(said) > 0 {
		t.Fatal(err, said)
	}
	if m := s.Materials[0]; !s.Added || !m.Glows() || m.OcclusionTexture == 0 || m.NormalTexture == 0 || len(s.Pictures) != 5 {
		t.Errorf("the helmet: light was added: %v, %d pictures, %+v", s.Added, len(s.Pictures), m)
	}
	size := 0
	for i := range s.Pictures {
		size += len(s.Pictures[i].Pixels)
	}
	if size > 4<<20 {
		t.Errorf("the helmet's pictures take %d bytes, which every peer is sent", size)
	}
	if s, said, err = read("BoxVertexColors.glb"); err != nil || len(said) > 0 {
		t.Fatal(err, said)
	}
	colors := map[num.V]bool{}
	for i := range s.Mesh.Vertices() {
		c, _ := s.Mesh.Color(i)
		colors[c] = true
	}
	if len(colors) < 8 {
		t.Errorf("the box has %d colours", len(colors))
	}
	for name, packed := range map[string]string{"BoxDraco.gltf": gltfPacked[0], "BoxMeshopt.glb": gltfPacked[1]} {
		if _, _, err := read(name); err == nil || !strings.Contains(err.Error(), "its meshes are packed by "+packed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzGLTF(f *testing.F) {
	f.Add([]byte(triangleDoc(dataURI(triangleBuffer()), `,"camera":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]`, `"alphaMode":"BLEND"`, `,"cameras":[{"perspective":{"yfov":1}}]`)))
	f.Add([]byte(glb(triangleDoc("", "", "", ""), triangleBuffer())))
	f.Add([]byte(skinned(1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0).files(f)["a.gltf"]))
	times := func(d *document) int { return d.floats("SCALAR", 0, 1) }
	f.Add([]byte(moved("scale", "LINEAR", times, func(d *document) int { return d.floats("VEC3", 1, 1, 1, 2, 2, 2) }).files(f)["a.gltf"]))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, time := range []float64{Rest, 0.5} {
			s, _, err := Scene("a.glb", files{"a.glb": string(data)}.open, time)
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("an error of another type: %v", err)
			}
			if err == nil && s.Check() != nil {
				t.Fatal(s.Check())
			}
		}
	})
}
