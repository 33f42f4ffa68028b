package knapsack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/knapsack/instance"
)

// plain is Bellman's dynamic programming over capacities: a dumb twin of all solvers.
func plain(items []instance.Item, capacity int64) int64 {
	best := make([]int64, capacity+1)
	for _, x := range items {
		for c := capacity; c >= x.Weight; c-- {
			best[c] = max(best[c], best[c-x.Weight]+x.Profit)
		}
	}
	return best[capacity]
}

// tiny draws an instance of any class that plain can solve.
func tiny(t testing.TB, r *rand.Rand, itemsMax int) *instance.Instance {
	t.Helper()
	class := r.IntN(instance.Classes)
	if class == instance.SimilarWeights {
		class = instance.Uncorrelated
	}
	p, err := instance.Generate(class, 1+r.IntN(itemsMax), []int64{10, 30, 100, 1000}[r.IntN(4)], r.Int64())
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, x := range p.Items {
		sum += x.Weight
	}
	p.Capacity = r.Int64N(sum + 2)
	return p
}

// TestSpans cuts half sums into intervals of random lengths, which together find what plain finds.
func TestSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		p := tiny(t, r, 24)
		v := New(p)
		g := newGround(&v)
		f := &spanner{n: node{problem: g.problem}, known: map[cut]lower{}}
		f.divide(g.problem)
		z, chosen := int64(-1), []int32(nil)
		for from := int64(0); from <= g.room; {
			to := min(from+1+r.Int64N(max(g.room/2, 1)), g.room+1)
			if a, b, ok := f.best(from, to, z); ok {
				z = a.p + b.p
				chosen = append(f.choice(g.problem, 0, a), f.choice(g.problem, 2, b)...)
			}
			from = to
		}
		got := g.packing(&v, f.n.packed(chosen))
		if want := plain(p.Items, p.Capacity); got.Value != want || got.Weight > p.Capacity || g.value(z) != want {
			t.Fatalf("%s, capacity %d: %d and %d, want %d", p.Name, p.Capacity, got.Value, g.value(z), want)
		}
	}
}

// TestSort sorts intervals of many shapes, also ones that leave insertion too much to do.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	f := new(spanner)
	for k := range 60 {
		width := int64(1) << (k + 1)
		a := make([]sum, r.IntN(5000))
		for k := range a {
			a[k].w = 1000 + r.Int64N(width)
			if k%2 == 0 {
				a[k].w = 1000 + r.Int64N(min(width, 3000)) // a crowd in one corner
			}
		}
		want := slices.Clone(a)
		slices.SortFunc(want, func(x, y sum) int { return int(min(1, max(-1, x.w-y.w))) })
		if f.sort(a, 1000, 1000+width); !slices.Equal(a, want) {
			t.Fatalf("%d sums in 2^%d are out of order", len(a), k+1)
		}
	}
}

// TestBelow compares what is told about an interval with all its sums.
func TestBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		p := tiny(t, r, 12)
		v := New(p)
		g := newGround(&v)
		f := new(spanner)
		f.divide(g.problem)
		lo := r.Int64N(g.room + 1)
		hi := lo + r.Int64N(g.room+2)
		all := gather(f.part[0], f.part[1], lo, hi, nil)
		some, _ := below(f.part[0], f.part[1], lo)
		more, got := below(f.part[0], f.part[1], hi)
		if more-some != int64(len(all)) {
			t.Fatalf("%d sums were counted, there are %d", more-some, len(all))
		}
		var top int64
		for _, x := range gather(f.part[0], f.part[1], 0, hi, nil) {
			top = max(top, x.p)
		}
		if hi > 0 && got.p != top {
			t.Fatalf("the most profitable sum is said to be %d, it is %d", got.p, top)
		}
	}
}
