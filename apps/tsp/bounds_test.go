package tsp

import (
	"math/rand/v2"
	"testing"
)

// leastOf is the length of a shortest tour of a node, by looking at all tours.
func leastOf(e *explorer, m *matrix) int64 {
	side := make(map[[2]int16]uint8)
	for k, state := range e.state {
		side[pair(e.u[k], e.v[k])] = state + 1
	}
	best := int64(forever)
	everyTour(m.n, func(tour []int) {
		sum, ins := int64(0), 0
		for k, c := range tour {
			p := pair(int16(c), int16(tour[(k+1)%len(tour)]))
			switch side[p] {
			case 0, out + 1:
				return
			case in + 1:
				ins++
			}
			sum += int64(m.at(p[0], p[1]))
		}
		if ins == e.chosen {
			best = min(best, sum)
		}
	})
	return best
}

// TestBoundsHold has no bound of a node above its shortest tour, whatever the program has come to:
// after any number of steps, and with prices that are those of another one.
func TestBoundsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	tried, sharp := 0, 0
	for range 150 {
		e, m, ok := someProgram(rng, 5+rng.IntN(3))
		if !ok {
			continue
		}
		best := leastOf(e, m) * fine
		bound := e.prices(&e.program)
		if bound > best {
			t.Fatalf("the bound is %d, a tour has %d", bound, best)
		}
		if best-bound < fine/100 {
			sharp++
		}
		// other bounds, a few steps, and what is then there
		for k := range e.state {
			if rng.IntN(4) == 0 {
				e.program.Bound(k, 0, float64(rng.IntN(2)))
			}
		}
		e.program.Settle()
		e.program.Limit = 1e9
		e.program.Solve(rng.IntN(6))
		if bound := e.prices(&e.program); bound > best {
			t.Fatalf("the bound is %d, a tour has %d", bound, best)
		}
		tried++
	}
	if tried < 60 || sharp < tried/3 {
		t.Errorf("%d bounds, %d of them sharp", tried, sharp)
	}
}
