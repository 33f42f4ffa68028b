package read

import (
	"encoding/json"
	"math"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// textureUse is a texture of the document and how a material means it.
type textureUse struct {
	index  int
	linear bool
	set    int
	turn   scene.Affine
}

// texture is the number in the scene of a texture that a material names.
func (f *gltfFile) texture(g *gltf.TextureInfo, linear bool) (int, error) {
	use := textureUse{index: g.Index, linear: linear, set: g.TexCoord}
	if err := f.turned(g.Extensions, &use); err != nil {
		return 0, err
	}
	if use.set != 0 && use.set != 1 {
		return 0, f.fault("a texture that lies by TEXCOORD_%d; expected 0 or 1", use.set)
	}
	if t, ok := f.textures[use]; ok {
		return t, nil
	}
	if len(f.b.Textures) >= scene.TexturesMax {
		return 0, f.fault("more than %d textures, the most that is read", scene.TexturesMax)
	}
	t, err := at(f, f.doc.Textures, use.index, "texture")
	if err != nil {
		return 0, err
	}
	if t.Source == nil {
		return 0, f.fault("texture %d without a picture; expected a source in PNG or JPEG", use.index)
	}
	out := scene.Texture{Linear: linear, Set: use.set, Turn: use.turn}
	if out.Picture, err = f.picture(*t.Source); err != nil {
		return 0, err
	}
	if t.Sampler != nil {
		s, err := at(f, f.doc.Samplers, *t.Sampler, "sampler")
		if err != nil {
			return 0, err
		}
		out.EdgeU, out.EdgeV = edges[s.WrapS], edges[s.WrapT]
		out.Blocky = s.MagFilter == gltf.MagNearest
	}
	f.textures[use] = f.b.Texture(out)
	return f.textures[use], nil
}

var edges = map[gltf.WrappingMode]scene.Edge{gltf.WrapClampToEdge: scene.Clamp, gltf.WrapMirroredRepeat: scene.Mirror}

// turned takes in KHR_texture_transform: places are scaled, rotated, then moved. The rotation is
// the one that the extension's words and all viewers mean, counter-clockwise where v grows
// downwards; the formula in its text turns the other way.
func (f *gltfFile) turned(from gltf.Extensions, use *textureUse) error {
	raw, ok := from["KHR_texture_transform"].(json.RawMessage)
	if !ok {
		return nil
	}
	x := struct {
		Offset, Scale [2]float64
		Rotation      float64
		TexCoord      *int
	}{Scale: [2]float64{1, 1}}
	if err := json.Unmarshal(raw, &x); err != nil {
		return f.fault("KHR_texture_transform: %v", err)
	}
	if x.TexCoord != nil {
		use.set = *x.TexCoord
	}
	if !(math.Abs(x.Rotation) <= 1e6) {
		return f.fault("KHR_texture_transform turns by %g; expected an angle", x.Rotation)
	}
	sin, cos := num.Sincos(x.Rotation)
	use.turn = scene.Affine{
		UU: float64(cos * x.Scale[0]), UV: float64(sin * x.Scale[1]), U: x.Offset[0],
		VU: float64(-sin * x.Scale[0]), VV: float64(cos * x.Scale[1]), V: x.Offset[1],
	}
	if x.Scale[0] == 0 || x.Scale[1] == 0 {
		return f.fault("KHR_texture_transform scales by %g and %g; expected numbers other than 0", x.Scale[0], x.Scale[1])
	}
	return nil
}

// picture is the number in the scene of an image of the document.
func (f *gltfFile) picture(i int) (int, error) {
	if p, ok := f.pictures[i]; ok {
		return p, nil
	}
	im, err := at(f, f.doc.Images, i, "image")
	if err != nil {
		return 0, err
	}
	var data []byte
	if im.BufferView != nil {
		data, _, err = f.view(*im.BufferView)
	} else {
		data, err = f.resource(im.URI)
	}
	if err != nil {
		return 0, err
	}
	p, err := picture(f.name, data)
	if err != nil {
		return 0, f.fault("image %d: %v", i, err)
	}
	f.pictures[i] = f.b.Picture(p)
	return f.pictures[i], nil
}
