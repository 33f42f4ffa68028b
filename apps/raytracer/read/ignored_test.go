package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestIgnoredIsSaid reads scenes that have what their pictures do not show. Each kind of thing is
// said once, with the place where it is met first.
func TestIgnoredIsSaid(t *testing.T) {
	lines := strings.Replace(triangleDoc(dataURI(triangleBuffer()), "", "", ""), `"primitives":[`,
		`"primitives":[{"mode":1,"attributes":{"POSITION":0}},{"mode":0,"attributes":{"POSITION":0}},`, 1)
	const cameras = `,"cameras":[{"type":"orthographic","orthographic":{"xmag":1,"ymag":1,"zfar":9,"znear":1}}]`
	const sun = `,"extensions":{"KHR_lights_punctual":{"lights":[{"type":"directional","intensity":50000}]}}`
	for _, c := range []struct {
		name  string
		files files
		want  []string
	}{
		{"a.obj", files{"a.obj": "o name\ng part\n" + square + "f 1 2 3\n"}, nil},
		{"a.obj", files{"a.obj": square + "l 1 2\nlod 1\nl 2 3\nf 1 2 3\n"},
			[]string{"a.obj:5: lines, which have no surface, are ignored", "a.obj:6: lod is ignored"}},
		{"a.obj", files{"a.obj": square + "usemtl red\nf 1 2 3\nusemtl red\nf 1 2 4\n"},
			[]string{`a.obj:5: material "red" is ignored, as no mtllib names a file that has it`}},
		{"a.obj", files{"a.obj": "mtllib m.mtl\n" + square + "usemtl red\nf 1 2 3\n", "m.mtl": "newmtl red\nKd 1 0 0\nbump b.png\nPs 1\nnewmtl blue\nbump c.png\n"},
			[]string{`m.mtl:3: "bump" is ignored`, `m.mtl:4: "Ps" is ignored`}},
		{"a.gltf", files{"a.gltf": triangleDoc(dataURI(triangleBuffer()), "", "", `,"extensionsUsed":["KHR_lights_punctual"]`)}, nil},
		{"a.gltf", files{"a.gltf": triangleDoc(dataURI(triangleBuffer()), "", "", `,"extensionsUsed":["KHR_materials_sheen"],"animations":[{}]`)},
			[]string{"a.gltf: KHR_materials_sheen is ignored", "a.gltf: animations are ignored, 1 of them, as no time is asked for"}},
		{"a.gltf", files{"a.gltf": triangleDoc(dataURI(triangleBuffer()), `,"extensions":{"KHR_lights_punctual":{"light":0}}`, "", sun)},
			[]string{"a.gltf: its lights are so bright that all would be white: the picture is exposed to them"}},
		{"a.gltf", files{"a.gltf": lines}, []string{"a.gltf: points and lines, which have no surface, are ignored"}},
		{"a.gltf", files{"a.gltf": triangleDoc(dataURI(triangleBuffer()), `,"camera":0`, "", cameras)},
			[]string{"a.gltf: cameras without perspective are ignored"}},
	} {
		_, said, err := Scene(c.name, c.files.open, Rest)
		if err != nil || !slices.Equal(said, c.want) {
			t.Errorf("%v:\n got %q, %v\nwant %q", c.files, said, err, c.want)
		}
	}
}

func TestIgnoredIsBounded(t *testing.T) {
	var g ignored
	for i := range 3 * ignoredMax {
		g.add("a.obj", 0, fmt.Sprint(i))
	}
	got := g.all("a.obj")
	if want := fmt.Sprintf("a.obj: more is ignored, %d times", 2*ignoredMax); len(got) != ignoredMax+1 || got[ignoredMax] != want {
		t.Errorf("%d lines, the last is %q, want %q", len(got), got[len(got)-1], want)
	}
}
