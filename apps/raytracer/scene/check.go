package scene

import (
	"errors"
	"fmt"
	"math"

	"satingrid/apps/raytracer/num"
)

// Check tells what is wrong with a scene, so that everything behind it may rely on its numbers.
func (s *Scene) Check() error {
	for _, f := range []func() error{s.checkCamera, s.checkMesh, s.checkShapes, s.checkMaterials, s.checkTextures} {
		if err := f(); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	}
	return nil
}

func (s *Scene) checkCamera() error {
	c := &s.Camera
	view := c.Target.Sub(c.Eye)
	switch {
	case !(c.Fov > 0 && c.Fov < 180):
		return fmt.Errorf("the camera's angle of view is %g degrees; expected above 0 and below 180", c.Fov)
	case !near(c.Eye) || !near(c.Target) || !near(c.Up):
		return fmt.Errorf("the camera's place is no number within %g of 0", reachMax)
	case view.Len() == 0:
		return errors.New("the camera looks at the place where it is; expected a target elsewhere")
	case !(c.Aperture >= 0 && c.Focus >= 0 && c.Exposure >= 0) || math.IsInf(c.Aperture+c.Focus+c.Exposure, 0):
		return errors.New("aperture, focus and exposure are numbers from 0")
	}
	return nil
}

func (s *Scene) checkMesh() error {
	m := &s.Mesh
	n := m.Vertices()
	switch {
	case n > VerticesMax || m.Count() > TrianglesMax:
		return fmt.Errorf("%d vertices and %d triangles; at most %d and %d are possible", n, m.Count(), VerticesMax, TrianglesMax)
	case len(m.Positions) != n*positionSize || len(m.Normals) != n*positionSize ||
		len(m.UVs) != n*uvSize && len(m.UVs) != 0 || len(m.UVs2) != n*uvSize && len(m.UVs2) != 0 ||
		len(m.Colors) != n*colorSize && len(m.Colors) != 0 || len(m.Triangles) != m.Count()*triangleSize:
		return errors.New("the lists of the mesh do not have the same length")
	}
	for i := range n {
		if !near(m.Position(i)) || !near(m.Normal(i)) {
			return fmt.Errorf("vertex %d or its normal is no number within %g of 0", i, reachMax)
		}
		for set := range 2 {
			if u, v := m.UV(set, i); !(math.Abs(u) < placeMax && math.Abs(v) < placeMax) {
				return fmt.Errorf("vertex %d has the texture coordinates %g, %g", i, u, v)
			}
		}
	}
	for i := range m.Count() {
		v, mat := m.Triangle(i)
		if max(v[0], v[1], v[2]) >= n || mat >= len(s.Materials) {
			return fmt.Errorf("triangle %d names a vertex or a material that is not there", i)
		}
	}
	return nil
}

func (s *Scene) checkShapes() error {
	if len(s.Spheres) > SpheresMax || len(s.Lights) > LightsMax {
		return fmt.Errorf("%d spheres and %d point lights; at most %d and %d are possible", len(s.Spheres), len(s.Lights), SpheresMax, LightsMax)
	}
	for i := range s.Spheres {
		b := &s.Spheres[i]
		if !near(b.Center) || !(b.Radius > 0 && b.Radius <= reachMax) {
			return fmt.Errorf("sphere %d: center %v, radius %g; expected a radius above 0", i, b.Center, b.Radius)
		}
		if b.Material < 0 || b.Material >= len(s.Materials) {
			return fmt.Errorf("sphere %d names a material that is not there", i)
		}
	}
	for i := range s.Lights {
		l := &s.Lights[i]
		if !near(l.At) || !light(l.Color) || !(l.Aim.MaxAbs() <= 1) || !(l.Outer >= -1 && l.Outer <= l.Inner && l.Inner <= 1) {
			return fmt.Errorf("point light %d is not a number", i)
		}
	}
	return nil
}

func (s *Scene) checkMaterials() error {
	if len(s.Materials) > MaterialsMax {
		return fmt.Errorf("%d materials; at most %d are possible", len(s.Materials), MaterialsMax)
	}
	for i := range s.Materials {
		m := &s.Materials[i]
		if !unit(m.Color.X, m.Color.Y, m.Color.Z, m.Metallic, m.Roughness, m.Specular, m.Transmission, m.Alpha, m.Coat, m.CoatRoughness, m.Occlusion) {
			return fmt.Errorf("material %q: colours and shares are numbers from 0 to 1", m.Name)
		}
		if !light(m.Emission) || !light(m.Absorption) || !(m.Cutoff <= 1) || !(math.Abs(m.NormalScale) <= turnMax) || m.IOR != 0 && !(m.IOR >= 1 && m.IOR <= 10) {
			return fmt.Errorf("material %q: emission and absorption are numbers from 0, the index of refraction from 1 to 10", m.Name)
		}
		for _, t := range []int{
			m.ColorTexture, m.RoughTexture, m.NormalTexture, m.EmissionTexture, m.OcclusionTexture,
			m.TransmissionTexture, m.ThicknessTexture, m.CoatTexture, m.CoatRoughTexture, m.CoatNormalTexture,
		} {
			if t < 0 || t > len(s.Textures) {
				return fmt.Errorf("material %q names a texture that is not there", m.Name)
			}
		}
	}
	if !light(s.Sky.Zenith) || !light(s.Sky.Horizon) || !light(s.Sky.Ground) {
		return errors.New("the sky's colours are numbers from 0")
	}
	return nil
}

func (s *Scene) checkTextures() error {
	if len(s.Textures) > TexturesMax {
		return fmt.Errorf("%d textures; at most %d are possible", len(s.Textures), TexturesMax)
	}
	for i := range s.Textures {
		t := &s.Textures[i]
		if t.Picture < 0 || t.Picture >= len(s.Pictures) || t.Set < 0 || t.Set > 1 || t.EdgeU > Mirror || t.EdgeV > Mirror {
			return fmt.Errorf("texture %d names a picture, a set of places or a kind of edge that is not there", i)
		}
		for _, x := range [...]float64{t.Turn.UU, t.Turn.UV, t.Turn.U, t.Turn.VU, t.Turn.VV, t.Turn.V} {
			if !(math.Abs(x) <= turnMax) {
				return fmt.Errorf("texture %d is turned by %g; expected a number within %g of 0", i, x, float64(turnMax))
			}
		}
	}
	return s.checkPictures()
}

func (s *Scene) checkPictures() error {
	if len(s.Pictures) > TexturesMax {
		return fmt.Errorf("%d pictures; at most %d are possible", len(s.Pictures), TexturesMax)
	}
	texels := 0
	all := s.Pictures
	if s.Sky.Map.Width != 0 || len(s.Sky.Map.Pixels) != 0 {
		all = append(all[:len(all):len(all)], s.Sky.Map)
		if !s.Sky.Map.Float || s.Sky.Map.Packed {
			return errors.New("the sky's map is not one of floats")
		}
	}
	for i := range all {
		t := &all[i]
		if t.Width <= 0 || t.Height <= 0 || t.Width > TexelsMax || t.Height > TexelsMax || t.Packed && t.Float || !t.Packed && len(t.Pixels) != t.size() {
			return fmt.Errorf("picture %d: %d×%d pixels in %d bytes", i, t.Width, t.Height, len(t.Pixels))
		}
		if texels += t.Width * t.Height; texels > TexelsMax {
			return fmt.Errorf("more than %d pixels of pictures", TexelsMax)
		}
		for k := 0; t.Float && k < len(t.Pixels); k += 4 {
			if x := float(t.Pixels[k:]); !(x >= 0 && x < math.Inf(1)) {
				return fmt.Errorf("picture %d: a pixel is %g; expected a number from 0", i, x)
			}
		}
	}
	return nil
}

// reachMax is how far from the origin anything may be. Its cube, which intersections need, is a
// single-precision number.
const reachMax = 1e12

// Limits on places on pictures and on what they are turned by. Their product, times a picture's
// width, is within an int64.
const (
	placeMax = 1e6
	turnMax  = 1e4
)

// near tells whether v is a place within reach.
func near(v num.V) bool { return v.MaxAbs() <= reachMax }

// light tells whether v may be an amount of light.
func light(v num.V) bool { return v.MaxAbs() <= reachMax && v.X >= 0 && v.Y >= 0 && v.Z >= 0 }

func unit(xs ...float64) bool {
	for _, x := range xs {
		if !(x >= 0 && x <= 1) {
			return false
		}
	}
	return true
}
