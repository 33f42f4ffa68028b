package read

import (
	"image/color"
	"testing"

	"satingrid/apps/raytracer/scene"
)

// TestMTLPlaces lays pictures by the options of their maps.
func TestMTLPlaces(t *testing.T) {
	f := files{"a.obj": "mtllib m.mtl\n" + square + "usemtl m\nf 1 2 3\n", "p.png": pngOf(t, color.NRGBA{1, 2, 3, 255})}
	for _, c := range []struct {
		options string
		want    scene.Texture
		said    int
	}{
		{"", scene.Texture{}, 0},
		{"-s 1 1 1 -o 0 0 0", scene.Texture{}, 0},
		{"-o 0.25 0.5 0", scene.Texture{Turn: scene.Affine{UU: 1, VV: 1, U: 0.25, V: -0.5}}, 0},
		{"-s 2 4 1", scene.Texture{Turn: scene.Affine{UU: 2, VV: 4, V: -3}}, 0},
		{"-s 3", scene.Texture{Turn: scene.Affine{UU: 3, VV: 1}}, 0},
		{"-s 2 4 1 -o 0.25 0.5", scene.Texture{Turn: scene.Affine{UU: 2, VV: 4, U: 0.25, V: -3.5}}, 0},
		{"-clamp on", scene.Texture{EdgeU: scene.Clamp, EdgeV: scene.Clamp}, 0},
		{"-clamp off -blendu on", scene.Texture{}, 0},
		{"-mm 0.1 2", scene.Texture{}, 1},
	} {
		f["m.mtl"] = "newmtl m\nmap_Kd " + c.options + " p.png\nnewmtl n\nmap_Kd " + c.options + " p.png\n"
		s, said, err := Scene("a.obj", f.open, Rest)
		if err != nil || len(said) != c.said {
			t.Fatal(err, said)
		}
		if len(s.Textures) != 1 || s.Textures[0] != c.want {
			t.Errorf("%q: %+v, want %+v", c.options, s.Textures, c.want)
		}
	}
}
