package read

import (
	"encoding/json"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// textureUse is a texture of the document and how its bytes are meant.
type textureUse struct {
	index  int
	linear bool
}

// material is the number of a material of the document in the scene.
func (f *gltfFile) material(i *int) (int, error) {
	if i == nil {
		if f.plain < 0 {
			f.plain = f.b.Material(plainMaterial())
		}
		return f.plain, nil
	}
	if m, ok := f.materials[*i]; ok {
		return m, nil
	}
	g, err := at(f, f.doc.Materials, *i, "material")
	if err != nil {
		return 0, err
	}
	if len(f.b.Materials) >= scene.MaterialsMax-2 {
		return 0, f.fault("more than %d materials, the most that is read", scene.MaterialsMax-2)
	}
	m, err := f.translate(g)
	if err != nil {
		return 0, err
	}
	f.materials[*i] = f.b.Material(m)
	return f.materials[*i], nil
}

// translate is a material of glTF as one of the scene.
func (f *gltfFile) translate(g *gltf.Material) (scene.Material, error) {
	m := scene.Material{Name: g.Name, Color: num.V{X: 1, Y: 1, Z: 1}, Metallic: 1, Roughness: 1, Specular: 1, Alpha: 1}
	e := g.EmissiveFactor
	m.Emission = num.V{X: bounded(e[0], 1), Y: bounded(e[1], 1), Z: bounded(e[2], 1)}
	alpha := 1.0
	var err error
	use := func(to *int, index int, linear bool) {
		if err == nil {
			*to, err = f.texture(textureUse{index, linear})
		}
	}
	if p := g.PBRMetallicRoughness; p != nil {
		c := p.BaseColorFactorOrDefault()
		m.Color = num.V{X: bounded(c[0], 1), Y: bounded(c[1], 1), Z: bounded(c[2], 1)}
		alpha = bounded(c[3], 1)
		m.Metallic, m.Roughness = bounded(p.MetallicFactorOrDefault(), 1), bounded(p.RoughnessFactorOrDefault(), 1)
		if p.BaseColorTexture != nil {
			use(&m.ColorTexture, p.BaseColorTexture.Index, false)
		}
		if p.MetallicRoughnessTexture != nil {
			use(&m.RoughTexture, p.MetallicRoughnessTexture.Index, true)
		}
	}
	if t := g.NormalTexture; t != nil && t.Index != nil {
		use(&m.NormalTexture, *t.Index, true)
	}
	if g.EmissiveTexture != nil {
		use(&m.EmissionTexture, g.EmissiveTexture.Index, false)
	}
	if err != nil {
		return m, err
	}
	switch g.AlphaMode {
	case gltf.AlphaMask:
		m.Cutoff = max(1e-3, bounded(g.AlphaCutoffOrDefault(), 1))
		if m.ColorTexture == 0 && alpha < m.Cutoff {
			m.Alpha = 0
		}
	case gltf.AlphaBlend:
		m.Alpha = alpha
	default:
		m.Cutoff = -1
	}
	return m, f.extend(g, &m)
}

// extend applies the extensions of a material that are read.
func (f *gltfFile) extend(g *gltf.Material, m *scene.Material) error {
	var x struct {
		TransmissionFactor, EmissiveStrength, SpecularFactor *float64
		Ior, ThicknessFactor, AttenuationDistance            *float64
		AttenuationColor                                     *[3]float64
	}
	volume := false
	for _, name := range []string{
		"KHR_materials_transmission", "KHR_materials_ior", "KHR_materials_volume", "KHR_materials_emissive_strength", "KHR_materials_specular",
	} {
		raw, ok := g.Extensions[name].(json.RawMessage)
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, &x); err != nil {
			return f.fault("%s of material %q: %v", name, clip(g.Name), err)
		}
	}
	if x.TransmissionFactor != nil {
		m.Transmission = bounded(*x.TransmissionFactor, 1)
	}
	if x.Ior != nil && *x.Ior >= 1 {
		m.IOR = min(10, *x.Ior)
	}
	if x.SpecularFactor != nil {
		m.Specular = bounded(*x.SpecularFactor, 1)
	}
	if x.EmissiveStrength != nil {
		m.Emission = m.Emission.Scale(bounded(*x.EmissiveStrength, 1e9))
	}
	volume = x.ThicknessFactor != nil && *x.ThicknessFactor > 0
	m.Thin = !volume
	if volume && x.AttenuationColor != nil && x.AttenuationDistance != nil && *x.AttenuationDistance > 0 {
		c := *x.AttenuationColor
		at := func(v float64) float64 {
			return min(numberMax, -num.Log(max(1e-6, bounded(v, 1)))/max(1e-9, *x.AttenuationDistance))
		}
		m.Absorption = num.V{X: at(c[0]), Y: at(c[1]), Z: at(c[2])}
	}
	if _, ok := g.Extensions["KHR_materials_unlit"]; ok {
		// It is to look the same in any light: it gives its colour off by itself.
		m.Emission, m.EmissionTexture = m.Color, m.ColorTexture
		m.Color, m.Metallic, m.Specular = num.V{}, 0, 0
	}
	return nil
}

// texture is the number of a texture of the document in the scene.
func (f *gltfFile) texture(use textureUse) (int, error) {
	if t, ok := f.textures[use]; ok {
		return t, nil
	}
	g, err := at(f, f.doc.Textures, use.index, "texture")
	if err != nil {
		return 0, err
	}
	if g.Source == nil {
		return 0, f.fault("texture %d without a picture; expected a source in PNG or JPEG", use.index)
	}
	im, err := at(f, f.doc.Images, *g.Source, "image")
	if err != nil {
		return 0, err
	}
	if len(f.b.Textures) >= scene.TexturesMax {
		return 0, f.fault("more than %d textures, the most that is read", scene.TexturesMax)
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
	t, err := picture(f.name, data)
	if err != nil {
		return 0, f.fault("image %d: %v", *g.Source, err)
	}
	t.Linear = use.linear
	if g.Sampler != nil {
		s, err := at(f, f.doc.Samplers, *g.Sampler, "sampler")
		if err != nil {
			return 0, err
		}
		t.Clamp = s.WrapS == gltf.WrapClampToEdge && s.WrapT == gltf.WrapClampToEdge
	}
	f.textures[use] = f.b.Texture(t)
	return f.textures[use], nil
}
