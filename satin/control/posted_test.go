package control

import (
	"slices"
	"testing"
)

// TestPostedIsDoneInOrder, also what is posted meanwhile, and by an inner call where the outer one
// was; and the loop is woken once for all.
func TestPostedIsDoneInOrder(t *testing.T) {
	p := newPosted()
	var did []int
	does := func(n int) func() { return func() { did = append(did, n) } }
	p.post(does(1))
	p.post(func() {
		p.post(does(4))
		p.doAll()
		did = append(did, 5)
	})
	p.post(does(3))
	if len(p.wake) != 1 {
		t.Errorf("the loop is woken %d times", len(p.wake))
	}
	p.doAll()
	if !slices.Equal(did, []int{1, 3, 4, 5}) || len(p.queue) > 0 {
		t.Errorf("did %v, %d are left", did, len(p.queue))
	}
}
