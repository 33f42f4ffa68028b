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
	p.joined()
	begin(16, -1)
	p.joined()

	begin(1, 5, 6) // somebody else has split 5
	p.split([]int32{5, 6})
	begin(2, 5, 6, 7)
	begin(1, 8) // while the other half is elsewhere
	p.split([]int32{8})
	begin(2, 8, 9)
	begin(4, 8, -9)
	p.joined()
	if p.joined(); p.times != 1 || len(p.open) > 0 {
		t.Errorf("%d times the budget after a half was taken, %d cubes are open", p.times, len(p.open))
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
