package read

import "satingrid/apps/raytracer/num"

const (
	// creaseCos is the cosine of the angle between two faces above which their common edge is
	// sharp, in files that do not say: 40 degrees, between the facets that people mean (an
	// octagonal column's 45) and the ones that they do not.
	creaseCos = 0.766
	// facesMax is how many faces around a vertex are compared with each other; a vertex of
	// more is not smoothed.
	facesMax = 256
)

// build hands the triangles to the scene, with the normals that the file leaves out.
func (o *objFile) build() {
	across := make([]num.V, len(o.triangles)) // normals as long as the faces are large
	around := make([][]int32, len(o.places))
	for i := range o.triangles {
		t := &o.triangles[i]
		a, b, c := o.places[t.corner[0][0]], o.places[t.corner[1][0]], o.places[t.corner[2][0]]
		across[i] = b.Sub(a).Cross(c.Sub(a))
		for _, k := range t.corner {
			if k[2] < 0 && t.smoothing != smoothOff && len(around[k[0]]) <= facesMax {
				around[k[0]] = append(around[k[0]], int32(i))
			}
		}
	}
	type key struct {
		place, uv int
		normal    num.V
	}
	made := map[key]int{}
	for i := range o.triangles {
		t := &o.triangles[i]
		var v [3]int
		for k, c := range t.corner {
			n := num.V{}
			if c[2] >= 0 {
				n = o.normals[c[2]]
			} else if t.smoothing != smoothOff && len(around[c[0]]) <= facesMax {
				n = o.smoothed(i, around[c[0]], across)
			}
			at := key{c[0], c[1], n}
			id, ok := made[at]
			if !ok {
				if c[1] >= 0 {
					id = o.b.VertexUV(o.places[c[0]], n, o.uvs[c[1]][0], o.uvs[c[1]][1])
				} else {
					id = o.b.Vertex(o.places[c[0]], n)
				}
				if o.hasColors {
					o.b.Paint(o.colors[c[0]], 1)
				}
				made[at] = id
			}
			v[k] = id
		}
		o.b.Triangle(v[0], v[1], v[2], t.material)
	}
}

// smoothed is the normal of face i at a vertex: the sum of those of the faces around it that
// belong together with i.
func (o *objFile) smoothed(i int, around []int32, across []num.V) num.V {
	sum, own := num.V{}, across[i]
	group := o.triangles[i].smoothing
	for _, j := range around {
		n := across[j]
		switch {
		case group != o.triangles[j].smoothing:
			continue
		case group == smoothUnsaid && !(own.Dot(n) >= float64(creaseCos*float64(own.Len()*n.Len()))):
			continue
		}
		sum = sum.Add(n)
	}
	if u := sum.Unit(); u.Finite() {
		return u
	}
	return num.V{}
}
