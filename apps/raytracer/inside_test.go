package raytracer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/raytracer/read"
)

// TestSceneStaysInItsFolder: what a scene names is read in its folder, and nowhere else,
// whichever way it leads out.
func TestSceneStaysInItsFolder(t *testing.T) {
	base := t.TempDir()
	folder := filepath.Join(base, "scene")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const material = "newmtl m\nKd 1 0 0\n"
	for _, name := range []string{"outside.mtl", "scene/in.mtl", "scene/deep/in.mtl"} {
		write(filepath.Join(base, name), material)
	}
	if err := os.Symlink(filepath.Join(base, "outside.mtl"), filepath.Join(folder, "link.mtl")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for link, to := range map[string]string{"link.bin": "outside.bin", "way": "."} {
		if err := os.Symlink(filepath.Join(base, to), filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(base, "outside.png"), "no picture")
	write(filepath.Join(folder, "picture.mtl"), "newmtl m\nmap_Kd ../outside.png\n")
	write(filepath.Join(folder, "deep/picture.mtl"), "newmtl m\nmap_Kd ../way/outside.png\n")
	const shape = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n"
	const gltf = `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],` +
		`"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],` +
		`"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"URI"}]}`
	points := "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x00"
	write(filepath.Join(base, "outside.bin"), points)
	write(filepath.Join(folder, "in.bin"), points)
	for _, c := range []struct{ kind, named, fault string }{
		{"obj", "in.mtl", ""},
		{"obj", "deep/in.mtl", ""},
		{"obj", "deep/../in.mtl", ""},
		{"obj", filepath.Join(folder, "in.mtl"), ""},
		{"obj", "../outside.mtl", "outside of the scene's folder"},
		{"obj", "..\\outside.mtl", "outside of the scene's folder"},
		{"obj", filepath.Join(base, "outside.mtl"), "outside of the scene's folder"},
		{"obj", "../scene-not/../outside.mtl", "outside of the scene's folder"},
		{"obj", "link.mtl", "escapes"},
		{"obj", "way/outside.mtl", "escapes"},
		{"obj", "picture.mtl", "outside of the scene's folder"},
		{"obj", "deep/picture.mtl", "escapes"},
		{"gltf", "in.bin", ""},
		{"gltf", "link.bin", "escapes"},
		{"gltf", "way/outside.bin", "escapes"},
		{"gltf", "..%2Foutside.bin", "outside of the scene's folder"},
		{"gltf", "..%5coutside.bin", "outside of the scene's folder"},
		{"gltf", "%252e%252e/outside.bin", "no such file"},
		{"gltf", "file://" + filepath.Join(folder, "in.bin"), "a file named"},
		{"gltf", "../outside.bin", "outside of the scene's folder"},
		{"gltf", "%2e%2e/outside.bin", "outside of the scene's folder"},
		{"gltf", filepath.Join(base, "outside.bin"), "outside of the scene's folder"},
	} {
		text := "mtllib " + c.named + "\n" + shape
		if c.kind == "gltf" {
			text = strings.Replace(gltf, "URI", c.named, 1)
		}
		name := filepath.Join(folder, "a."+c.kind)
		write(name, text)
		_, _, err := ReadScene(name, read.Rest)
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: %v, wanted %q", c.named, err, c.fault)
		}
	}
}
