package cdcl

import "testing"

// TestPhases tells what variables are decided for before and after each change.
func TestPhases(t *testing.T) {
	var p phases
	p.init(3)
	says := func(when string, stable bool, want ...int32) {
		t.Helper()
		for v, w := range want {
			if got := p.of(uint32(v), stable).dimacs(); got != w {
				t.Errorf("%s: variable %d is decided as %d, %d is expected", when, v+1, got, w)
			}
		}
	}
	says("at first", true, -1, -2, -3)
	p.reached([]lit{litOf(1), litOf(-2)})
	p.reached([]lit{litOf(3)})
	says("after a longer and a shorter trail", true, 1, -2, -3)
	says("with many restarts", false, -1, -2, -3)
	p.change(1000)
	says("as at first", true, -1, -2, -3)
	p.change(3000)
	says("the opposite", true, 1, 2, 3)
	p.change(6000)
	says("the best", true, 1, -2, 3)
	p.reached([]lit{litOf(2)})
	says("a short trail is a target again", true, 1, 2, 3)
	p.change(10000)
	says("as at first again", true, -1, -2, -3)
	p.change(15000)
	says("the best since the last time, and before", true, 1, 2, -3)
	if p.next != 15000+5*rephaseEvery {
		t.Errorf("the next change is at %d", p.next)
	}
}
