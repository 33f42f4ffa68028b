package knapsack

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/apps/knapsack/check"
	"satingrid/apps/knapsack/instance"
	"satingrid/satin/satintest"
)

// drawn is a problem of a few items with copies, of one constraint or several.
func drawn(r *rand.Rand) *instance.Instance {
	n, most := 1+r.IntN(10), int64(1)<<r.IntN(16)
	p := &instance.Instance{Name: "drawn"}
	constraint := func() (weights []int64, capacity int64) {
		sum := int64(0)
		for range n {
			w := r.Int64N(most + 1)
			weights, sum = append(weights, w), sum+w
		}
		return weights, r.Int64N(2*sum + 1)
	}
	weights, capacity := constraint()
	p.Capacity = capacity
	for _, w := range weights {
		p.Items = append(p.Items, instance.Item{Profit: r.Int64N(most + 1), Weight: w})
	}
	for range r.IntN(4) {
		weights, capacity := constraint()
		p.Further = append(p.Further, instance.Constraint{Weights: weights, Capacity: capacity})
	}
	if r.IntN(2) == 0 {
		for range n {
			p.Counts = append(p.Counts, r.Int64N(3))
		}
	}
	return p
}

// TestDumbTwinOfMany: copies, and several constraints, have the answers that the checker finds by
// looking at all sets.
func TestDumbTwinOfMany(t *testing.T) {
	peer := alone(t, 2)
	r := rand.New(rand.NewPCG(7, 9))
	for range 500 {
		p := drawn(r)
		got := solve(t, peer, New(p), p)
		if report, err := check.Verify(p, claim(got)); err != nil || !report.Optimal {
			t.Fatalf("%+v: %+v, %v, %v", p, got, report, err)
		}
	}
}

// TestManyCopies: of what there is any number of, bundles make as many as fit.
func TestManyCopies(t *testing.T) {
	p := &instance.Instance{
		Items:    []instance.Item{{Profit: 10, Weight: 7}, {Profit: 3, Weight: 2}, {Profit: 1, Weight: 0}},
		Counts:   []int64{1_000_000, 1_000_000, 5},
		Capacity: 1_000_001,
	}
	got := solve(t, alone(t, 1), New(p), p)
	if want := int64(499_997*3 + 10 + 5); got.Value != want {
		t.Errorf("value %d, one of the first instead of three of the second makes %d", got.Value, want)
	}
}

// TestOnAGridOfSeveral: peers die, leave, join and are cut off, and the best packing is as good.
func TestOnAGridOfSeveral(t *testing.T) {
	p, err := instance.GenerateFurther(30, 5, 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	same := func(alone, grid Packing) bool {
		value, _, err := check.Packing(p, claim(grid).Items, claim(grid).Copies)
		return err == nil && value == grid.Value && alone.Value == grid.Value && grid.Bound == grid.Value
	}
	c := satintest.Config{App: App(), Strict: true}
	satintest.Check(t, c, satintest.Storm{Seed: 1, Every: 20 * time.Millisecond}, New(p), time.Minute, same)
}

// TestTooMuchProfit: what several constraints cannot be bounded with is refused.
func TestTooMuchProfit(t *testing.T) {
	v := Solve{
		Profits: []int64{1 << 60, 1}, Weights: []int64{1, 1}, Capacity: 1,
		Further: []instance.Constraint{{Weights: []int64{1, 1}, Capacity: 1}},
	}
	if err := v.Check(); err == nil {
		t.Error("2^60 + 1 is accepted")
	}
	if v.Profits[0]--; v.Check() != nil {
		t.Error(v.Check())
	}
}
