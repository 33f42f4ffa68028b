package multi_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/knapsack/multi"
)

// drawn is a problem drawn at random, so small that all packings can be looked at.
func drawn(r *rand.Rand) *multi.Knapsack {
	n, m := 1+r.IntN(12), 1+r.IntN(4)
	most := int64(1) << r.IntN(20)
	p := &multi.Knapsack{Room: make([]int64, m)}
	for range n {
		p.Profits = append(p.Profits, r.Int64N(most+1))
	}
	for i := range m {
		var weights []int64
		sum := int64(0)
		for range n {
			w := r.Int64N(most + 1)
			weights, sum = append(weights, w), sum+w
		}
		p.Weights = append(p.Weights, weights)
		p.Room[i] = r.Int64N(sum + 1)
	}
	return p
}

// best is the most profit of all packings.
func best(p *multi.Knapsack) (most int64) {
	for set := range 1 << len(p.Profits) {
		var items []int32
		for k := range p.Profits {
			if set>>k&1 == 1 {
				items = append(items, int32(k))
			}
		}
		if _, ok := p.Take(nil, items); ok {
			most = max(most, p.Profit(items))
		}
	}
	return most
}

// TestDumbTwin: the bound is none that a packing exceeds, what is settled is so in all better
// packings, and the search finds the best packing, as looking at all of them does.
func TestDumbTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	settled := 0
	for range 2000 {
		p := drawn(r)
		want := best(p)
		b := p.Relax()
		if b.Value() < want {
			t.Fatalf("%+v: the bound is %d, and %d is reached", p, b.Value(), want)
		}
		greedy := p.Greedy(b)
		if _, ok := p.Take(nil, greedy); !ok || p.Profit(greedy) > want {
			t.Fatalf("%+v: %v is no packing", p, greedy)
		}
		z := p.Profit(greedy)
		in, free, open := p.Settle(b, z)
		if !open {
			if want > z {
				t.Fatalf("%+v: closed at %d, and %d is reached", p, z, want)
			}
			continue
		}
		settled += len(p.Profits) - len(free)
		rest, ok := p.Take(free, in)
		got, inside := z, p.Profit(in)
		if ok {
			found := func(items []int32) { got = rest.Profit(items) + inside }
			more := func() (int64, bool) { return got - inside, true }
			if !rest.Search(rest.Relax(), z-inside, 1<<30, found, more) {
				t.Fatal("a search without an end has given up")
			}
		}
		if got != want {
			t.Fatalf("%+v: %d is found after %v are in and %v are left, the best is %d", p, got, in, free, want)
		}
	}
	if settled < 2000 {
		t.Errorf("%d items were settled of 2000 problems", settled)
	}
}

// TestBoundIsTight: with one constraint the bound is Dantzig's.
func TestBoundIsTight(t *testing.T) {
	p := &multi.Knapsack{Profits: []int64{60, 100, 120}, Weights: [][]int64{{10, 20, 30}}, Room: []int64{50}}
	if got := p.Relax().Value(); got != 240 {
		t.Errorf("the bound is %d, 60 + 100 + 20 of 30 parts of 120 are 240", got)
	}
}

// TestSearchGivesUp after its steps, and when it is told to.
func TestSearchGivesUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := &multi.Knapsack{Weights: make([][]int64, 2), Room: make([]int64, 2)}
	for range 60 {
		p.Profits = append(p.Profits, 1000+r.Int64N(10))
		for i := range p.Weights {
			w := 1000 + r.Int64N(100)
			p.Weights[i] = append(p.Weights[i], w)
			p.Room[i] += w / 2
		}
	}
	b := p.Relax()
	on := func() (int64, bool) { return 0, true }
	off := func() (int64, bool) { return 0, false }
	if p.Search(b, 0, 10_000, func([]int32) {}, on) || p.Search(b, 0, 1<<40, func([]int32) {}, off) {
		t.Error("all packings of 60 items were looked at")
	}
}

// TestLargeNumbers: profits and weights of many bits have true bounds.
func TestLargeNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		p := drawn(r)
		for k := range p.Profits {
			p.Profits[k] = r.Int64N(multi.ProfitMax / int64(len(p.Profits)))
		}
		for i := range p.Weights {
			for k := range p.Weights[i] {
				p.Weights[i][k] = r.Int64N(1 << 57)
			}
			p.Room[i] = r.Int64N(1 << 60)
		}
		b, want := p.Relax(), best(p)
		got := int64(-1)
		p.Search(b, -1, 1<<30, func(items []int32) { got = p.Profit(items) }, func() (int64, bool) { return got, true })
		if b.Value() < want || got != want {
			t.Fatalf("%+v: bound %d, found %d, the best is %d", p, b.Value(), got, want)
		}
	}
}

// TestDivisor is the item that is cut.
func TestDivisor(t *testing.T) {
	p := &multi.Knapsack{Profits: []int64{60, 100, 120}, Weights: [][]int64{{10, 20, 30}}, Room: []int64{50}}
	if got := p.Relax().Divisor(); got != 2 {
		t.Errorf("item %d divides, the last is cut", got)
	}
	whole := &multi.Knapsack{Profits: []int64{5, 7}, Weights: [][]int64{{1, 1}}, Room: []int64{2}}
	if got := whole.Relax().Divisor(); !slices.Contains([]int{0, 1}, got) {
		t.Errorf("item %d of two divides", got)
	}
}
