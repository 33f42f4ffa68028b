package trace

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// A coarse mesh with smooth normals stands for a round shape that it is not. Near its outline the
// normals look away from the eye, and near the edge of its shadow the flat triangles shade
// themselves. Both leave black where the round shape has none.

// bentLeast is how high above the surface a mirror's ray stays, of the eye's height.
const bentLeast = 0.1

// bent is the normal n of a surface whose shape has the normal flat, turned so far that what is
// reflected toward a ray in direction d comes from above the shape. The ray that a mirror would
// reflect is lifted, and the normal is half-way between that and the eye (Keller and others, "The
// Iray Light Transport Simulation and Rendering System", 2017, local shading normal adaption).
func bent(n, flat, d num.V) num.V {
	eye := d.Neg()
	ray := mirrored(eye, n)
	least := float64(bentLeast * eye.Dot(flat))
	low := ray.Dot(flat)
	if low >= least {
		return n
	}
	out := ray.AddScaled(least-low, flat).Unit().Add(eye).Unit()
	if !(out.Dot(eye) > 0) || !out.Finite() {
		return flat
	}
	return out
}

// facing is the normal n after relief was added to it, turned toward the eye where it would look
// away or nearly so: there the steepest relief hides.
func facing(n, flat, d num.V) num.V {
	high := -n.Dot(d)
	if high >= facingLeast || n == flat {
		return n
	}
	return num.Mix(bent(n, flat, d), n, max(0, high/facingLeast)).Unit()
}

// facingLeast is the cosine between eye and normal below which relief is turned.
const facingLeast = 0.25

// lift moves the place where light arrives off the triangle, to about where the round shape is
// (Hanika, "Hacking the Shadow Terminator", Ray Tracing Gems II, 2021): onto the planes across the
// normals at the corners, each as far as its corner is near. Where the mesh is hollow there is
// nothing to shade itself, and the place stays.
func (w *World) lift(s *surface, b1, b2, side float64) {
	t := &w.tri[s.id]
	off := num.V{}
	for k, share := range [3]float64{1 - b1 - b2, b1, b2} {
		n := w.nor[t[k]].wide().Scale(side)
		if !(float64(side*n.Dot(s.flat)) > 0) {
			return
		}
		if low := s.p.Sub(w.pos[t[k]].wide()).Dot(n); low < 0 {
			off = off.AddScaled(-float64(share*low), n)
		}
	}
	if off.MaxAbs() <= math.MaxFloat32 {
		s.lifted = s.p.Add(off)
	}
}
