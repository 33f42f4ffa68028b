package satin

// Inside the package: what costs are made of is nobody's but the estimate's.

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestGeometric(t *testing.T) {
	for _, growth := range []float64{-0.7, -0.01, 0, 0.3, 1.5} {
		for first := -5; first < 5; first++ {
			for last := first - 1; last < 8; last++ {
				want := 0.0
				for k := first; k <= last; k++ {
					want += math.Exp(growth * float64(k))
				}
				if got := geometric(growth, first, last); math.Abs(got-want) > 1e-9*(1+want) {
					t.Errorf("growth %v from %d to %d: %v, not %v", growth, first, last, got, want)
				}
			}
		}
	}
}

// TestSumOfUnits compares the sum with one that adds unit by unit, also beyond where growth is held
// to go on.
func TestSumOfUnits(t *testing.T) {
	for _, growth := range []float64{-0.5, 0, 0.9} {
		x := siblings{growth: growth, latest: 60, far: 15}
		for _, ends := range [][2]int{{0, 100}, {0, 10}, {50, 60}, {61, 63}, {61, 90}, {80, 90}, {5, 4}} {
			for _, power := range []float64{1, 2} {
				want := 0.0
				for k := ends[0]; k <= ends[1]; k++ {
					want += math.Pow(x.unit(k), power)
				}
				if got := x.sumOf(power, ends[0], ends[1]); math.Abs(got-want) > 1e-9*(1+want) {
					t.Errorf("growth %v, places %v, power %v: %v, not %v", growth, ends, power, got, want)
				}
			}
		}
	}
}

func TestTrend(t *testing.T) {
	if g, v, _ := (&trend{}).growth(); g != 0 || v != spreadUnknown {
		t.Errorf("of nothing: %v %v", g, v)
	}
	r := rand.New(rand.NewPCG(1, 2))
	steady, wild := &trend{common: &trend{}}, &trend{common: &trend{}}
	for range 20 {
		var a, b costs
		for n := range 8 {
			if x, ok := a.add(math.Exp(0.96*float64(n)+0.1*r.NormFloat64()), false); ok {
				steady.add(x)
			}
			if x, ok := b.add(math.Exp(2*r.NormFloat64()), false); ok {
				wild.add(x)
			}
		}
	}
	if g, v, _ := steady.growth(); g < 0.85 || g > 1 || v > 0.3 {
		t.Errorf("of siblings 2.6 times their elders: growth %v, variance %v", g, v)
	}
	if g, v, _ := wild.growth(); math.Abs(g) > 0.2 || v < 2 {
		t.Errorf("of siblings that differ by much: growth %v, variance %v", g, v)
	}
	if _, v, _ := (&trend{common: wild.common}).growth(); v < 2 {
		t.Errorf("of a kind of which nothing is known, in a run where siblings differ: variance %v", v)
	}
}

// TestAmong: what a running child seems to cost by its own children alone gives way to what its
// siblings have cost, the more the less sure it is.
func TestAmong(t *testing.T) {
	wild := appraisal{spent: 0.5, left: 1e6, variance: 50}
	if got := wild.among(1, 0.1, 0); got.left > 10 || got.spent != 0.5 || got.variance > 1 {
		t.Errorf("a wild guess among siblings that cost 1: %+v", got)
	}
	sure := appraisal{spent: 0.5, left: 4, variance: 0.001}
	if got := sure.among(1, 0.1, 0); got.left < 3.5 {
		t.Errorf("a sure guess among siblings that cost 1: %+v", got)
	}
	blind := appraisal{spent: 0.25, left: 0.25, variance: 1, blind: true}
	if got := blind.among(1, 0.02, 0); math.Abs(got.left-0.75) > 0.01 {
		t.Errorf("a quarter of the way, among siblings that all cost 1: %+v", got)
	}
	if got := (appraisal{spent: 8, left: 8, variance: 1, blind: true}).among(1, 0.02, 0); got.left < 2 || got.left > 16 {
		t.Errorf("eight times its siblings: %+v", got)
	}
}
