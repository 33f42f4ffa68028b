package trace

import "golang.org/x/sys/cpu"

// quick tells whether the machine has what marchQuick needs, which is so since 2011.
var quick = cpu.X86.HasAVX

// marchQuick is marchPlain with four boxes and four triangles at a time.
//
//go:noescape
func marchQuick(r *ray, nodes *node, packs *pack, stack *place, top int, anyDoes bool) (left int, c child)
