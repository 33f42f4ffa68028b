package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQueueAgainstASlice does the same to a queue and to a slice, which is searched from its end.
func TestQueueAgainstASlice(t *testing.T) {
	const vars = 9
	r := rand.New(rand.NewPCG(2, 7))
	var q queue
	q.init(vars)
	var twin []uint32
	values := make([]int8, 2*vars)
	give := func(v uint32, value int8) { values[v<<1], values[v<<1|1] = value, -value }
	found := 0
	for step := range 20000 {
		v := uint32(r.IntN(vars))
		i := slices.Index(twin, v)
		switch {
		case i < 0 && len(twin) < vars-2:
			q.push(v)
			q.free(v)
			give(v, 0)
			twin = append(twin, v)
		case i >= 0 && r.IntN(20) == 0:
			q.remove(v)
			twin = slices.Delete(twin, i, i+1)
		case i >= 0 && values[v<<1] == 0:
			give(v, 1)
		case i >= 0 && r.IntN(2) == 0:
			q.raise(v)
			twin = append(slices.Delete(twin, i, i+1), v)
		case i >= 0:
			give(v, 0)
			q.free(v)
		}
		want := nobody
		for _, u := range twin {
			if values[u<<1] == 0 {
				want = int32(u)
			}
		}
		if got := q.next(values); got != want {
			t.Fatalf("step %d: %d is next, %d is expected", step, got, want)
		}
		if want != nobody {
			found++
		}
	}
	if found < 5000 || found > 19000 {
		t.Errorf("a variable was free in %d steps", found)
	}
}
