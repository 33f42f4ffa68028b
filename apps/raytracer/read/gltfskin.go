package read

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
)

// influencesMax is how many lists of four joints a vertex may have.
const influencesMax = 4

// placing is where a mesh goes: as a whole, or, where it has a skin, by joints.
type placing struct {
	whole   matrix
	joints  []matrix
	weights []float64 // of the mesh's targets
}

// placing is that of the mesh at a node, whose place is m. Of a mesh with a skin the joints
// alone say where it is.
func (f *gltfFile) placing(n *gltf.Node, mesh *gltf.Mesh, m matrix) (placing, error) {
	at := placing{whole: m, weights: mesh.Weights}
	if len(n.Weights) > 0 {
		at.weights = n.Weights
	}
	if n.Skin == nil {
		return at, nil
	}
	var err error
	at.joints, err = f.joints(*n.Skin)
	return at, err
}

// joints is what each joint of a skin does to a vertex that is where the mesh has it.
func (f *gltfFile) joints(skin int) ([]matrix, error) {
	if j, ok := f.skins[skin]; ok {
		return j, nil
	}
	s, err := at(f, f.doc.Skins, skin, "skin")
	if err != nil {
		return nil, err
	}
	var bind []float64
	if s.InverseBindMatrices != nil {
		if bind, err = f.numbers(*s.InverseBindMatrices, 16, nodesMax); err != nil {
			return nil, err
		}
		if len(bind) < 16*len(s.Joints) {
			return nil, f.fault("skin %d has %d joints and %d matrices; expected as many", skin, len(s.Joints), len(bind)/16)
		}
	}
	out := make([]matrix, 0, len(s.Joints))
	for k, j := range s.Joints {
		m, err := f.placeOf(j)
		if err != nil {
			return nil, err
		}
		if bind != nil {
			m = m.times(columns(bind[16*k:]))
		}
		if !m.finite() {
			return nil, f.fault("joint %d of skin %d has a transformation that is too large", k, skin)
		}
		out = append(out, m)
	}
	f.skins[skin] = out
	return out, nil
}

// placeOf is where a node is.
func (f *gltfFile) placeOf(i int) (matrix, error) {
	if f.above == nil {
		f.above = map[int]int{}
		for k, n := range f.doc.Nodes {
			if n != nil {
				for _, c := range n.Children {
					f.above[c] = k
				}
			}
		}
	}
	m := identity
	for range depthMax + 1 {
		n, err := at(f, f.doc.Nodes, i, "node")
		if err != nil {
			return m, err
		}
		m = local(n).times(m)
		up, ok := f.above[i]
		if !ok {
			return m, nil
		}
		i = up
	}
	return m, f.fault("nodes more than %d deep; expected a tree", depthMax)
}

// bends is, for each vertex of a primitive with a skin, what its joints do to it.
func (f *gltfFile) bends(p *gltf.Primitive, joints []matrix, count int) ([]matrix, error) {
	out := make([]matrix, count)
	sums := make([]float64, count)
	for set := range influencesMax {
		which, err := f.attribute(p, fmt.Sprintf("JOINTS_%d", set), 4, count)
		if err != nil {
			return nil, err
		}
		share, err := f.attribute(p, fmt.Sprintf("WEIGHTS_%d", set), 4, count)
		if err != nil {
			return nil, err
		}
		if which == nil || share == nil {
			break
		}
		for i, w := range share {
			if w == 0 {
				continue
			}
			j := which[i]
			if !(j >= 0 && j < float64(len(joints)) && w > 0) {
				return nil, f.fault("vertex %d follows joint %g by %g; expected one of %d, by more than 0", i/4, j, w, len(joints))
			}
			out[i/4] = out[i/4].plus(w, joints[int(j)])
			sums[i/4] += w
		}
	}
	for i, sum := range sums {
		if !(sum > 0) {
			return nil, f.fault("vertex %d follows no joint; expected weights that sum up to 1", i)
		}
		if math.Abs(sum-1) > 1e-6 {
			out[i] = matrix{}.plus(1/sum, out[i])
		}
	}
	return out, nil
}

// morph adds to places or normals what the targets of a primitive move them by.
func (f *gltfFile) morph(p *gltf.Primitive, name string, to, weights []float64) error {
	for k, t := range p.Targets {
		if k >= len(weights) || weights[k] == 0 || to == nil {
			continue
		}
		i, ok := t[name]
		if !ok {
			continue
		}
		by, err := f.numbers(i, 3, len(to)/3)
		if err != nil {
			return err
		}
		if len(by) != len(to) || !(math.Abs(weights[k]) <= numberMax) {
			return f.fault("target %d moves %d vertices by %g; expected %d, by a number", k, len(by)/3, weights[k], len(to)/3)
		}
		for e := range to {
			to[e] += float64(weights[k] * by[e])
		}
	}
	return nil
}
