package gridsim

import "testing"

// ring is a value that leads to itself, by as many ways as it has levels doubled.
type ring struct {
	no          int
	left, right *ring
	back        *ring
}

func rings(n int, last int) *ring {
	first := &ring{}
	at := first
	for k := range n {
		next := &ring{no: k, back: first}
		at.left, at.right = next, next
		at = next
	}
	at.no = last
	return first
}

// TestSumsOfStates: two that are equal have one sum, wherever they are in memory, and two that
// differ somewhere below have two. What is reached in very many ways is looked at once.
func TestSumsOfStates(t *testing.T) {
	if one, same := rings(64, 1), rings(64, 1); sumOf(one) != sumOf(same) {
		t.Error("equal states have two sums")
	}
	if sumOf(rings(64, 1)) == sumOf(rings(64, 2)) {
		t.Error("two states have one sum")
	}
	type both struct {
		a ring
		p *ring
	}
	x, y := &both{a: ring{no: 1}}, &both{a: ring{no: 1}, p: &ring{no: 2}}
	x.p = &x.a // at the address of x
	if sumOf(x) == sumOf(y) {
		t.Error("a first field is taken for what it is the field of")
	}
}
