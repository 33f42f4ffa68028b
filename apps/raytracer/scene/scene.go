// Package scene is what the raytracer draws: shapes, materials, pictures on them,
// lights, sky and camera.
//
// A [Scene] is plain data, every field exported, so that it travels whole as a part of the root
// task. Long lists of numbers are packed into byte strings ([Mesh], [Picture]), which encode and
// decode at the speed of memory. A [Builder] makes one shape after the other; [Example] is the
// scene made for this project.
//
// # Limitations
//
// Positions are single precision: a scene that is very small beside its distance from the
// origin loses detail. There are no instances: a shape that occurs a thousand times is
// stored a thousand times.
package scene

import "satingrid/apps/raytracer/num"

// Limits on a scene. They bound memory, and leave room for what a renderer of
// this kind is used for.
const (
	VerticesMax  = 16 << 20
	TrianglesMax = 16 << 20 // a leaf of the tree over them has 27 bits for the first one
	SpheresMax   = 4 << 20
	MaterialsMax = 64 << 10
	TexturesMax  = 1 << 10
	LightsMax    = 64       // point lights: each is asked at each hit
	TexelsMax    = 64 << 20 // of all textures together
)

// Scene is a world and the camera that looks at it.
type Scene struct {
	Camera    Camera
	Sky       Sky
	Materials []Material
	Pictures  []Picture
	Textures  []Texture
	Mesh      Mesh
	Spheres   []Sphere
	Lights    []PointLight
	Classic   bool // made for Whitted's way of rendering, as NFF's scenes are
	Found     bool // the camera is Finish's
	Added     bool // the light is Finish's: the sky, and a lamp, which is the last sphere
	Grounded  bool // the ground is Finish's: the last four vertices and two triangles
}

// Camera is a thin lens. With Aperture 0 everything is sharp.
type Camera struct {
	Eye, Target, Up num.V
	Fov             float64 // vertical angle of view, in degrees
	Aperture        float64 // radius of the lens, in the scene's units
	Focus           float64 // distance of what is sharp; 0: the distance of the target
	Exposure        float64 // factor before tone mapping; 0: 1
	Width, Height   int     // of the picture that the scene's file asks for; 0: none
}

// Given tells whether the scene's file had a camera.
func (c *Camera) Given() bool { return c.Fov > 0 }

// Sky is the light from beyond all shapes: a gradient from Ground (below) over Horizon to Zenith
// (the y axis), or, where there is one, a Map.
type Sky struct {
	Zenith, Horizon, Ground num.V
	// a whole panorama, longitude across and latitude down; Float
	Map Picture
	// lights the scene but is black where the camera sees it directly
	Hidden bool
}

// Black tells whether no light comes from the sky.
func (s *Sky) Black() bool {
	return s.Zenith == num.V{} && s.Horizon == num.V{} && s.Ground == num.V{} && s.Map.Width == 0
}

// Material says what a surface does with light, in the terms of glTF 2.0's metallic-roughness model
// and its extensions for transmission, volume, specular and clearcoat. Textures are numbers into
// Scene.Textures plus one; 0 is none.
type Material struct {
	Name      string
	Color     num.V   // reflected by diffuse surfaces, by metals, and let through by glass
	Metallic  float64 // 0: plastic, stone, glass; 1: metal
	Roughness float64 // 0: a perfect mirror, 1: matt
	// strength of the reflection on what is not metal; 0: none, 1: as the index of refraction
	// says
	Specular     float64
	IOR          float64 // index of refraction; 0: 1.5
	Transmission float64 // share of the light that goes through, refracted
	// what light goes through is a film: nothing is refracted, and there is no inside
	Thin       bool
	Absorption num.V // of light inside, for each unit of length
	// it looks the same in any light: it gives its colour off by itself and reflects nothing
	Unlit    bool
	Emission num.V
	// a layer of clear lacquer over all else, from 0 to 1, and how rough that is
	Coat          float64
	CoatRoughness float64
	// share of light that passes straight through, as if nothing were there, is 1 - Alpha
	Alpha float64

	// Cutoff says what the alpha of pictures means: from 0 excluded to 1 what is below it is
	// not there and the rest is whole, 0 blends, below 0 it is ignored.
	Cutoff float64

	ColorTexture    int // red, green, blue and alpha
	RoughTexture    int // green: roughness, blue: metallic
	NormalTexture   int
	NormalScale     float64 // how far it leans; 0: 1
	EmissionTexture int

	// red: how much of the light from the sky and from other surfaces arrives, which is held
	// back by relief that the shape does not have; and, from 0 to 1, how much that counts
	OcclusionTexture int
	Occlusion        float64

	TransmissionTexture int // red
	ThicknessTexture    int // green; where that is 0, the material is Thin
	CoatTexture         int // red
	CoatRoughTexture    int // green
	CoatNormalTexture   int
}

// Matte is a plain diffuse material.
func Matte(color num.V) Material { return Material{Color: color, Roughness: 1, Alpha: 1} }

// Glows tells whether the material gives light.
func (m *Material) Glows() bool { return m.Emission.Max() > 0 }

// lamp tells whether the material is there to light others: it is brighter than a white surface in
// full light. Whatever glows less, as displays and pilot lights do, is drawn for its own sake.
func (m *Material) lamp() bool { return m.Emission.Max() > 1 }

// Texture is a picture as it lies on surfaces.
type Texture struct {
	Picture int // number into Scene.Pictures
	// bytes are numbers, as in a normal map; otherwise they are colours in sRGB
	Linear bool
	Blocky bool // each pixel is a square of one colour; otherwise they are smoothed
	// what is beyond the picture's edges, along u and along v
	EdgeU, EdgeV Edge
	Set          int    // which of a vertex's two places counts: 0 or 1
	Turn         Affine // from that place to the one on the picture
}

// Edge says what is beyond the edge of a picture.
type Edge uint8

// The picture again, its last pixels for ever, or the picture mirrored.
const (
	Repeat Edge = iota
	Clamp
	Mirror
)

// Affine takes (u, v) to (UU·u + UV·v + U, VU·u + VV·v + V). The zero value leaves it as it is.
type Affine struct{ UU, UV, U, VU, VV, V float64 }

// Plain tells whether a leaves places as they are.
func (a *Affine) Plain() bool { return *a == Affine{} || *a == Affine{UU: 1, VV: 1} }

// Sphere is a sphere.
type Sphere struct {
	Center   num.V
	Radius   float64
	Material int
}

// PointLight is a light without size, for the classic pictures.
type PointLight struct {
	At    num.V
	Color num.V // arriving at distance 1 where Fade is set, at any distance where it is not
	Fade  bool
	// where a spot light shines: a unit vector; zero: everywhere
	Aim num.V
	// cosines of the angles from there within which there is all of its light, and beyond which
	// there is none
	Inner, Outer float64
}

// Toward is the light that arrives at a place, apart from what is in between.
func (l *PointLight) Toward(p num.V) num.V {
	c, way := l.Color, p.Sub(l.At)
	if l.Fade {
		c = c.Scale(1 / max(1e-12, way.Dot(way)))
	}
	if l.Aim == (num.V{}) {
		return c
	}
	// As in glTF's KHR_lights_punctual.
	edge := max(0, min(1, (l.Aim.Dot(way.Unit())-l.Outer)/max(1e-3, l.Inner-l.Outer)))
	return c.Scale(float64(edge * edge))
}
