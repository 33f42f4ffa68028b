package trace

import (
	"math"
	"runtime"
	"sync"
)

// node is a place of the tree where it parts in up to four: the boxes of its children, and what is
// inside them. Four instead of two halve the number of places that a ray visits, each waiting for
// memory, and make the work at each one wide enough to hide that.
type node struct {
	side  [6][4]float32 // of the four boxes: low x, y, z, high x, y, z
	child [4]child
	_     [4]int32 // to two lines of the cache
}

// pack is four triangles side by side: corners, edges and numbers. Where there are fewer, the
// others have no size.
type pack struct {
	v0, e1, e2 [3][4]float32
	id         [4]int32
}

// child refers to what is inside a box: from 0 up a node, below 0 a leaf. A leaf's complement is 32
// times its first pack plus the number of its packs, or, where it has spheres, 32 times its first
// odd shape plus their number plus oddLeaf.
type child int32

const oddLeaf = 16

func leaf(first, count int) child { return ^child(first<<5 | count) }

func (c child) odd() bool { return ^c&oddLeaf != 0 }

// shapes is where a leaf's packs or odd shapes are.
func (c child) shapes() (from, to int) {
	from = int(^c >> 5)
	return from, from + int(^c&(oddLeaf-1))
}

// Limits and costs of the tree.
const (
	binsAxis = 16 // finer bins gained less than 1 % of the rays' time
	leafMax  = 8  // shapes in a leaf
	// deeper, halves are taken: there are at most 48 + log2(shapes) = 73 places
	// on top of each other
	depthSAH = 48
	// above three for each of them; a power of two, so that an index needs no check
	stackSize = 256
	forkMin   = 4096 // shapes that two goroutines build faster than one
	// of visiting a place where the tree parts in two, in intersections of a pack
	costStep = 0.5
)

// box is a bounding box while the tree is made.
type box struct{ lo, hi [3]float32 }

var emptyBox = box{
	[3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32},
	[3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32},
}

func (b *box) grow(o *box) {
	for a := range 3 {
		b.lo[a] = min(b.lo[a], o.lo[a])
		b.hi[a] = max(b.hi[a], o.hi[a])
	}
}

func (b *box) growPoint(p *[3]float32) {
	for a := range 3 {
		b.lo[a] = min(b.lo[a], p[a])
		b.hi[a] = max(b.hi[a], p[a])
	}
}

// area is half the surface.
func (b *box) area() float32 {
	x, y, z := b.hi[0]-b.lo[0], b.hi[1]-b.lo[1], b.hi[2]-b.lo[2]
	if x < 0 {
		return 0
	}
	return float32(x*y) + float32(y*z) + float32(z*x)
}

// treeBuilder makes a tree by the surface area heuristic with bins (Wald, "On fast
// Construction of SAH-based Bounding Volume Hierarchies", 2007), first one that parts in
// two, then one that parts in four.
type treeBuilder struct {
	boxes   []box
	centers [][3]float32
	order   []int32
	pairs   []pair // by where they part the order
	nodes   []node
	helpers chan struct{} // a place for each goroutine that builds a part

	shapeOf func(i int32) shape
	packs   []pack
	odd     []shape
}

// pair is a place where the tree parts in two.
type pair struct {
	box   [2]box
	child [2]child
}

// tree is what rays walk through.
type tree struct {
	nodes []node  // the first one is the root
	packs []pack  // of triangles
	odd   []shape // of leaves that have spheres
	all   box
}

// buildTree makes the tree of the shapes that have the boxes.
func buildTree(boxes []box, shapeOf func(i int32) shape) tree {
	b := &treeBuilder{boxes: boxes, centers: make([][3]float32, len(boxes)), order: make([]int32, len(boxes)), shapeOf: shapeOf, helpers: make(chan struct{}, runtime.GOMAXPROCS(0)-1)}
	all := emptyBox
	for i := range boxes {
		b.order[i] = int32(i)
		for a := range 3 {
			b.centers[i][a] = float32(boxes[i].lo[a]*0.5) + float32(boxes[i].hi[a]*0.5)
		}
		all.grow(&boxes[i])
	}
	if len(boxes) == 0 {
		return tree{all: all}
	}
	b.pairs = make([]pair, len(boxes))
	root := b.build(0, len(boxes), &all, 0)
	if root < 0 {
		b.pairs[0] = pair{[2]box{all, emptyBox}, [2]child{root, leaf(0, 0)}}
		root = 0
	}
	// About as many as a mesh of even triangles takes.
	b.nodes, b.packs = make([]node, 0, len(boxes)/7), make([]pack, 0, 2*len(boxes)/7)
	b.widen(root)
	return tree{b.nodes, append(b.packs, pack{}), b.odd, all}
}

// widen makes the node of pair i and returns its number: of its children that part, the largest is
// replaced by its own two until there are four.
func (b *treeBuilder) widen(i child) child {
	at := len(b.nodes)
	b.nodes = append(b.nodes, node{})
	var box [4]box
	var kids [4]child
	copy(box[:], b.pairs[i].box[:])
	copy(kids[:], b.pairs[i].child[:])
	have := 2
	for ; have < 4; have++ {
		widest := -1
		for k := range have {
			if kids[k] >= 0 && (widest < 0 || box[k].area() > box[widest].area()) {
				widest = k
			}
		}
		if widest < 0 {
			break
		}
		p := &b.pairs[kids[widest]]
		copy(box[widest+2:], box[widest+1:have])
		copy(kids[widest+2:], kids[widest+1:have])
		copy(box[widest:], p.box[:])
		copy(kids[widest:], p.child[:])
	}
	for k := have; k < 4; k++ {
		box[k], kids[k] = emptyBox, leaf(0, 0)
	}
	for k, c := range kids {
		if c >= 0 {
			c = b.widen(c)
		} else {
			c = b.fill(c)
		}
		n := &b.nodes[at]
		n.child[k] = c
		for a := range 3 {
			n.side[a][k], n.side[a+3][k] = box[k].lo[a], box[k].hi[a]
		}
	}
	return child(at)
}

// fill puts the shapes of a leaf side by side. Until then the leaf refers to a part
// of order, without odd.
func (b *treeBuilder) fill(c child) child {
	from, to := c.shapes()
	all := b.order[from:to]
	for _, i := range all {
		if b.shapeOf(i).id < 0 {
			for _, i := range all {
				b.odd = append(b.odd, b.shapeOf(i))
			}
			return leaf(len(b.odd)-len(all), len(all)|oddLeaf)
		}
	}
	first := len(b.packs)
	for n, i := range all {
		if n%4 == 0 {
			b.packs = append(b.packs, pack{id: [4]int32{noShape, noShape, noShape, noShape}})
		}
		p, s := &b.packs[len(b.packs)-1], b.shapeOf(i)
		for a := range 3 {
			p.v0[a][n%4], p.e1[a][n%4], p.e2[a][n%4] = s.v0[a], s.e1[a], s.e2[a]
		}
		p.id[n%4] = s.id
	}
	return leaf(first, len(b.packs)-first)
}

// build makes the pairs of order[from:to] and returns what a parent needs to refer to them. The
// pair whose second part starts at mid has number mid-1, and no other has: both parts can be built
// at the same time, and come out the same.
func (b *treeBuilder) build(from, to int, bounds *box, depth int) child {
	mid, inner := -1, [2]box{}
	if to-from > 1 {
		mid, inner = b.split(from, to, bounds, depth)
	}
	if mid < 0 {
		return leaf(from, to-from)
	}
	p := &b.pairs[mid-1]
	p.box = inner
	first := func() { p.child[0] = b.build(from, mid, &inner[0], depth+1) }
	second := func() { p.child[1] = b.build(mid, to, &inner[1], depth+1) }
	if to-from < forkMin || !b.fork(first, second) {
		first()
		second()
	}
	return child(mid - 1)
}

// fork does both at the same time, if a processor is left for it.
func (b *treeBuilder) fork(first, second func()) bool {
	select {
	case b.helpers <- struct{}{}:
	default:
		return false
	}
	var helper sync.WaitGroup
	// by the first of the two: the other goes on alone
	finished := sync.OnceFunc(func() { <-b.helpers })
	helper.Go(func() {
		second()
		finished()
	})
	first()
	finished()
	helper.Wait()
	return true
}

// split orders order[from:to] in two parts and returns where the second one starts, or -1 for a
// leaf, and their boxes.
func (b *treeBuilder) split(from, to int, bounds *box, depth int) (mid int, inner [2]box) {
	n := to - from
	cen := emptyBox
	for _, i := range b.order[from:to] {
		cen.growPoint(&b.centers[i])
	}
	best := b.bestCut(from, to, &cen)
	asLeaf := float32(packsFor(n) * bounds.area())
	whole := float32(costStep*bounds.area()) + best.cost
	switch {
	case best.axis < 0 || depth >= depthSAH:
		// The centres cannot be told apart, or the heuristic peels off shape after shape.
		if n <= leafMax {
			return -1, inner
		}
		mid = from + n/2
		return mid, [2]box{b.bounds(from, mid), b.bounds(mid, to)}
	case whole >= asLeaf && n <= leafMax:
		return -1, inner
	}
	i, j := from, to
	for i < j {
		if binOf(b.centers[b.order[i]][best.axis], &cen, best.axis) <= best.bin {
			i++
		} else {
			j--
			b.order[i], b.order[j] = b.order[j], b.order[i]
		}
	}
	return i, best.inner
}

// bounds is the box of order[from:to].
func (b *treeBuilder) bounds(from, to int) box {
	all := emptyBox
	for _, i := range b.order[from:to] {
		all.grow(&b.boxes[i])
	}
	return all
}

// packsFor is how many packs n triangles take.
func packsFor(n int) float32 { return float32((n + 3) / 4) }

// binOf is the bin of a centre. Both passes call it, so that they agree whatever the rounding.
func binOf(c float32, cen *box, axis int) int {
	width := cen.hi[axis] - cen.lo[axis]
	k := int(float32((c-cen.lo[axis])*binsAxis) / width)
	return max(0, min(binsAxis-1, k))
}

// bins are shapes by where their centres lie along an axis.
type bins struct {
	boxes  [binsAxis]box
	counts [binsAxis]int
}

// cut parts shapes after a bin.
type cut struct {
	axis, bin int
	cost      float32
	inner     [2]box // of both parts
}

// bestCut is the one with the least cost, or that of axis -1 where no cut parts anything.
func (b *treeBuilder) bestCut(from, to int, cen *box) cut {
	var all [3]bins
	for a := range all {
		for k := range all[a].boxes {
			all[a].boxes[k] = emptyBox
		}
	}
	for _, i := range b.order[from:to] {
		// once for all axes: what takes time is to fetch the shapes
		c, shape := &b.centers[i], &b.boxes[i]
		for a := range all {
			if cen.hi[a] > cen.lo[a] {
				k := binOf(c[a], cen, a)
				all[a].counts[k]++
				all[a].boxes[k].grow(shape)
			}
		}
	}
	best := cut{axis: -1, cost: math.MaxFloat32}
	for a := range all {
		if cen.hi[a] > cen.lo[a] {
			all[a].improve(&best, a)
		}
	}
	return best
}

// improve takes the best cut of an axis if it costs less.
func (s *bins) improve(best *cut, axis int) {
	var right [binsAxis]box
	var packs [binsAxis]float32 // that the right part takes
	acc, total := emptyBox, 0
	for k := binsAxis - 1; k >= 0; k-- {
		if s.counts[k] > 0 {
			acc.grow(&s.boxes[k])
			total += s.counts[k]
		}
		right[k], packs[k] = acc, packsFor(total)
	}
	acc, n := emptyBox, 0
	for k := range binsAxis - 1 {
		if s.counts[k] == 0 {
			continue // parts the shapes as the bin before does
		}
		acc.grow(&s.boxes[k])
		if n += s.counts[k]; n == total {
			return
		}
		c := float32(packsFor(n)*acc.area()) + float32(packs[k+1]*right[k+1].area())
		if c < best.cost {
			*best = cut{axis, k, c, [2]box{acc, right[k+1]}}
		}
	}
}
