package read

import (
	"encoding/json"

	"github.com/qmuntal/gltf"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

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
	if _, old := g.Extensions["KHR_materials_pbrSpecularGlossiness"]; old && g.PBRMetallicRoughness == nil {
		return m, f.fault("material %q is given by KHR_materials_pbrSpecularGlossiness alone, which is not read; expected pbrMetallicRoughness", clip(g.Name))
	}
	alpha := 1.0
	var err error
	use := func(to *int, t *gltf.TextureInfo, linear bool) {
		if t != nil && err == nil {
			*to, err = f.texture(t, linear)
		}
	}
	if p := g.PBRMetallicRoughness; p != nil {
		c := p.BaseColorFactorOrDefault()
		m.Color = num.V{X: bounded(c[0], 1), Y: bounded(c[1], 1), Z: bounded(c[2], 1)}
		alpha = bounded(c[3], 1)
		m.Metallic, m.Roughness = bounded(p.MetallicFactorOrDefault(), 1), bounded(p.RoughnessFactorOrDefault(), 1)
		use(&m.ColorTexture, p.BaseColorTexture, false)
		use(&m.RoughTexture, p.MetallicRoughnessTexture, true)
	}
	if t := g.NormalTexture; t != nil && t.Index != nil && t.ScaleOrDefault() != 0 {
		use(&m.NormalTexture, &gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions}, true)
		m.NormalScale = t.ScaleOrDefault()
	}
	if t := g.OcclusionTexture; t != nil && t.Index != nil {
		use(&m.OcclusionTexture, &gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions}, true)
		m.Occlusion = bounded(t.StrengthOrDefault(), 1)
	}
	use(&m.EmissionTexture, g.EmissiveTexture, false)
	if err != nil {
		return m, err
	}
	switch g.AlphaMode {
	case gltf.AlphaMask:
		m.Cutoff, m.Alpha = max(1e-3, bounded(g.AlphaCutoffOrDefault(), 1)), alpha
	case gltf.AlphaBlend:
		m.Alpha = alpha
	default:
		m.Cutoff = -1
	}
	if err := f.extend(g, &m); err != nil {
		return m, err
	}
	return m, f.lacquer(g, &m)
}

// extend applies the extensions of a material that are read.
func (f *gltfFile) extend(g *gltf.Material, m *scene.Material) error {
	var x struct {
		TransmissionFactor, EmissiveStrength, SpecularFactor *float64
		Ior, ThicknessFactor, AttenuationDistance            *float64
		AttenuationColor                                     *[3]float64
		TransmissionTexture, ThicknessTexture                *gltf.TextureInfo
		SpecularTexture, SpecularColorTexture                *gltf.TextureInfo
		SpecularColorFactor                                  *[3]float64
	}
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
	if err := f.numeric(layer{&m.TransmissionTexture, x.TransmissionTexture}, layer{&m.ThicknessTexture, x.ThicknessTexture}); err != nil {
		return err
	}
	if x.SpecularTexture != nil || x.SpecularColorTexture != nil || x.SpecularColorFactor != nil && *x.SpecularColorFactor != [3]float64{1, 1, 1} {
		f.skip.add(f.name, 0, "the textures and colours of KHR_materials_specular are ignored")
	}
	volume := x.ThicknessFactor != nil && *x.ThicknessFactor > 0
	m.Thin = !volume
	if volume && x.AttenuationColor != nil && x.AttenuationDistance != nil && *x.AttenuationDistance > 0 {
		c := *x.AttenuationColor
		at := func(v float64) float64 {
			return min(numberMax, -num.Log(max(1e-6, bounded(v, 1)))/max(1e-9, *x.AttenuationDistance))
		}
		m.Absorption = num.V{X: at(c[0]), Y: at(c[1]), Z: at(c[2])}
	}
	if _, ok := g.Extensions["KHR_materials_unlit"]; ok {
		m.Unlit, m.Emission, m.EmissionTexture = true, num.V{}, 0
		m.Metallic, m.Specular, m.Coat = 0, 0, 0
	}
	return nil
}

// lacquer applies KHR_materials_clearcoat.
func (f *gltfFile) lacquer(g *gltf.Material, m *scene.Material) error {
	raw, ok := g.Extensions["KHR_materials_clearcoat"].(json.RawMessage)
	if !ok {
		return nil
	}
	var x struct {
		ClearcoatFactor, ClearcoatRoughnessFactor                           float64
		ClearcoatTexture, ClearcoatRoughnessTexture, ClearcoatNormalTexture *gltf.TextureInfo
	}
	if err := json.Unmarshal(raw, &x); err != nil {
		return f.fault("KHR_materials_clearcoat of material %q: %v", clip(g.Name), err)
	}
	m.Coat, m.CoatRoughness = bounded(x.ClearcoatFactor, 1), bounded(x.ClearcoatRoughnessFactor, 1)
	if m.Coat == 0 {
		return nil
	}
	return f.numeric(
		layer{&m.CoatTexture, x.ClearcoatTexture}, layer{&m.CoatRoughTexture, x.ClearcoatRoughnessTexture},
		layer{&m.CoatNormalTexture, x.ClearcoatNormalTexture})
}

// layer is a texture of a material, which may be none, and where the scene names it.
type layer struct {
	to *int
	of *gltf.TextureInfo
}

// numeric reads textures whose bytes are numbers.
func (f *gltfFile) numeric(all ...layer) (err error) {
	for _, l := range all {
		if l.of != nil && err == nil {
			*l.to, err = f.texture(l.of, true)
		}
	}
	return err
}
