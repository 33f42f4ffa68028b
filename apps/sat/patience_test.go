package sat

import "testing"

// TestPatience has a worker split cubes, some of which go elsewhere or come from there.
func TestPatience(t *testing.T) {
	var p patience
	begin := func(want int64, cube ...int32) {
		t.Helper()
		if p.begin(cube); p.times != want {
			t.Errorf("cube %v: %d times its budget, wanted %d", cube, p.times, want)
		}
	}
	begin(1)
	p.split(nil)
	begin(2, 1) // nobody has taken it
	p.split([]int32{1})
	begin(4, 1, 2)
	begin(8, 1, -2)
	begin(16, -1)
	p.split([]int32{-1})
	begin(32, -1, 3) // the other half of which goes elsewhere

	begin(1, 5, 6) // somebody else has split 5
	p.split([]int32{5, 6})
	begin(2, 5, 6, 7)
	p.split([]int32{5, 6, 7})
	begin(4, 5, 6, 7, 8)
	begin(1, 5, 6, -7) // while the other half of that is elsewhere
	if len(p.open) != 1 {
		t.Errorf("%d cubes are open, want 1", len(p.open))
	}
	begin(1, 9)
	if len(p.open) != 0 {
		t.Errorf("%d cubes are open, want none", len(p.open))
	}

	p.split(nil)
	for range 20 {
		p.begin([]int32{1})
	}
	for _, c := range []struct{ conflicts, propagations, want int64 }{
		{0, 0, 64000}, {1000, 100_000, 64000}, {1000, 1 << 20 * 1000, 1000}, {1000, 1 << 13 * 1000, 2048},
	} {
		if got := p.stretch(1000, c.conflicts, c.propagations); got != c.want {
			t.Errorf("a budget of %d after %+v", got, c)
		}
	}
}
