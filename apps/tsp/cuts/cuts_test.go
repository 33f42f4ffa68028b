package cuts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/tsp/lp"
)

// somePoint is a mean of random rounds of all cities, each city with two edges, but in one or
// several rings.
func somePoint(rng *rand.Rand, n, rounds int) *Solution {
	at := make(map[[2]int16]float64)
	weights, sum := make([]float64, rounds), 0.0
	for k := range weights {
		weights[k] = float64(1 + rng.IntN(3))
		sum += weights[k]
	}
	for _, w := range weights {
		order := rng.Perm(n)
		for start := 0; start < n; {
			size := n - start
			if size >= 6 && rng.IntN(2) == 0 {
				size = 3 + rng.IntN(size-5)
			}
			for k := range size {
				a, b := int16(order[start+k]), int16(order[start+(k+1)%size])
				at[[2]int16{min(a, b), max(a, b)}] += w / sum
			}
			start += size
		}
	}
	g := &Solution{Cities: n}
	for u := range int16(n) {
		for v := u + 1; v < int16(n); v++ {
			if x := at[[2]int16{u, v}]; x > 0 {
				g.U, g.V, g.X = append(g.U, u), append(g.V, v), append(g.X, x)
			}
		}
	}
	return g
}

// somePeak is a point that a linear program has as its best, where cities have two edges and no
// set of cities is left by less than 2: no mean of rounds, where it is not one of them.
func somePeak(rng *rand.Rand, n int) *Solution {
	var p lp.Simplex
	p.Limit = math.Inf(1)
	rows := make([]lp.Row, n)
	for c := range rows {
		rows[c].Right = 2
	}
	p.Reset(rows)
	var u, v []int16
	for a := range int16(n) {
		for b := a + 1; b < int16(n); b++ {
			p.Column(lp.Column{Cost: float64(1+rng.IntN(3)) + 1e-3*rng.Float64(), High: 1})
			p.Put(len(u), int(a), 1)
			p.Put(len(u), int(b), 1)
			u, v = append(u, a), append(v, b)
		}
	}
	p.Begin(nil, nil)
	for {
		if p.Solve(1000) != lp.Optimal {
			panic("a program that tours satisfy has no solution")
		}
		g := &Solution{Cities: n}
		for e := range u {
			if x := p.At(e); x > near {
				g.U, g.V, g.X = append(g.U, u[e]), append(g.V, v[e]), append(g.X, x)
			}
		}
		sets := g.Connected()
		if sets == nil {
			if sets, _ = g.Subtours(); sets == nil {
				return g
			}
		}
		for _, set := range sets {
			var columns []int32
			var values []float64
			for e := range u {
				if slices.Contains(set, u[e]) != slices.Contains(set, v[e]) {
					columns, values = append(columns, int32(e)), append(values, 1)
				}
			}
			p.Add(lp.Row{Right: 2, Slack: true}, columns, values)
		}
	}
}

// leastCut is the value of the edges that leave a set of some cities, but not all: the least.
func leastCut(g *Solution) float64 {
	least := math.Inf(1)
	for set := 1; set < 1<<(g.Cities-1); set++ {
		sum := 0.0
		for e, x := range g.X {
			if set>>g.U[e]&1 != set>>g.V[e]&1 {
				sum += x
			}
		}
		least = min(least, sum)
	}
	return least
}

// TestSubtours finds a violated set where looking at all sets does.
func TestSubtours(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	violations, connected := 0, 0
	for range 1500 {
		g := somePoint(rng, 6+rng.IntN(5), 1+rng.IntN(4))
		least := leastCut(g)
		sets := g.Connected()
		if (sets != nil) != (least < near) {
			t.Fatalf("%+v: parts %v, the least cut is %g", g, sets, least)
		}
		var tight [][]int16
		if sets == nil {
			connected++
			sets, tight = g.Subtours()
		}
		if (len(sets) > 0) != (least < 2-violated) {
			t.Fatalf("%+v: found %v, the least cut is %g", g, sets, least)
		}
		for _, set := range sets {
			if by := g.Value(Cut{[][]int16{set}}); by < violated {
				t.Fatalf("%+v: %v is violated by %g", g, set, by)
			}
			violations++
		}
		for _, set := range tight {
			if by := g.Value(Cut{[][]int16{set}}); math.Abs(by) > 1e-5 {
				t.Fatalf("%+v: %v is not tight but violated by %g", g, set, by)
			}
		}
	}
	if violations < 500 || connected < 500 {
		t.Errorf("%d violations, %d connected graphs", violations, connected)
	}
}

// worst is by how much the worst blossom is violated, by looking at all handles.
func worst(g *Solution) float64 {
	most := math.Inf(-1)
	for set := 1; set < 1<<g.Cities; set++ {
		rest, turned, odd := 0.0, math.Inf(1), false
		for e, x := range g.X {
			if set>>g.U[e]&1 == set>>g.V[e]&1 {
				continue
			}
			rest += min(x, 1-x)
			odd = odd != (x > 0.5)
			turned = min(turned, math.Abs(1-2*x))
		}
		if !odd {
			rest += turned
		}
		most = max(most, 1-rest)
	}
	return most
}

// TestBlossoms finds one where looking at all handles does.
func TestBlossoms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found, missed := 0, 0
	for range 1500 {
		g := somePeak(rng, 6+rng.IntN(5))
		list, by := g.Blossoms(), worst(g)
		for _, c := range list {
			if c.sound(g.Cities) && g.Value(c) > by*2+near {
				t.Fatalf("%+v: %v is violated by %g, the worst by %g", g, c, g.Value(c), by)
			}
		}
		if by > 0.01 {
			if len(list) == 0 {
				missed++
			}
			found++
		}
	}
	if found < 50 || missed > 0 {
		t.Errorf("%d of %d were missed", missed, found)
	}
}

// everyTour calls f with all tours, as edges of which each has a number.
func everyTour(n int, f func(g *Solution)) {
	order := make([]int16, n)
	for k := range order {
		order[k] = int16(k)
	}
	g := &Solution{Cities: n, U: make([]int16, n), V: make([]int16, n), X: make([]float64, n)}
	for k := range g.X {
		g.X[k] = 1
	}
	var down func(k int)
	down = func(k int) {
		if k == n {
			for k, c := range order {
				g.U[k], g.V[k] = c, order[(k+1)%n]
			}
			f(g)
			return
		}
		for j := k; j < n; j++ {
			order[k], order[j] = order[j], order[k]
			down(k + 1)
			order[k], order[j] = order[j], order[k]
		}
	}
	down(1)
}

// TestAllTours has all tours of eight cities satisfy what is found, each of which some solution
// violates.
func TestAllTours(t *testing.T) {
	const n = 8
	rng := rand.New(rand.NewPCG(5, 6))
	all := make(map[string]Cut)
	combs := 0
	for round := range 2000 {
		g := somePeak(rng, n)
		if round%4 == 0 {
			g = somePoint(rng, n, 1+rng.IntN(4))
		}
		for _, c := range g.Separate() {
			if by := g.Value(c); by < violated {
				t.Fatalf("%v is violated by %g", c, by)
			}
			if key := string(c.Append(nil)); len(all) < 400 && len(all[key].Sets) == 0 {
				all[key] = c
				if len(c.Sets) > 1 {
					combs++
				}
			}
		}
	}
	everyTour(n, func(g *Solution) {
		for _, c := range all {
			if by := g.Value(c); by > 0 {
				t.Fatalf("the tour %v violates %v by %g", g, c, by)
			}
		}
	})
	if combs < 10 {
		t.Errorf("%d combs of %d cuts", combs, len(all))
	}
}

// TestBytes reads what was written, and refuses what is no cut.
func TestBytes(t *testing.T) {
	comb := Cut{[][]int16{{0, 1, 2}, {0, 3}, {1, 4}, {2, 5}}}
	for _, c := range []Cut{{[][]int16{{2, 5, 6}}}, comb} {
		data := append(c.Append(nil), 7)
		again, rest, ok := Read(data, 8)
		if !ok || len(rest) != 1 || !slices.EqualFunc(c.Sets, again.Sets, slices.Equal[[]int16]) {
			t.Errorf("%v became %v, %v", c, again, rest)
		}
		for k := range data[:len(data)-1] {
			if _, _, ok := Read(data[:k], 8); ok {
				t.Errorf("%v is read from %d of its bytes", c, k)
			}
		}
	}
	for what, c := range map[string]Cut{
		"no sets":               {},
		"an empty set":          {[][]int16{{}}},
		"all cities":            {[][]int16{{0, 1, 2, 3, 4, 5, 6, 7}}},
		"no such city":          {[][]int16{{8}}},
		"two teeth":             {[][]int16{{0, 1}, {0, 3}, {1, 4}}},
		"four teeth":            {[][]int16{{0, 1, 2, 3}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}},
		"teeth with one city":   {[][]int16{{0, 1, 2}, {0, 3}, {1, 4}, {2, 4}}},
		"a tooth in the handle": {[][]int16{{0, 1, 2}, {0, 1}, {2, 4}, {3, 5}}},
		"a tooth outside":       {[][]int16{{0, 1}, {0, 3}, {1, 4}, {2, 5}}},
	} {
		if _, _, ok := Read(c.Append(nil), 8); ok {
			t.Errorf("%s: %v is read", what, c)
		}
	}
}

// TestTour lists the cities of a tour, and of nothing else.
func TestTour(t *testing.T) {
	g := &Solution{Cities: 4, U: []int16{0, 0, 1, 2}, V: []int16{1, 2, 3, 3}, X: []float64{1, 1, 1, 1}}
	if tour := g.Tour(); !slices.Equal(tour, []int16{0, 1, 3, 2}) && !slices.Equal(tour, []int16{0, 2, 3, 1}) {
		t.Errorf("%v", tour)
	}
	for what, g := range map[string]*Solution{
		"half an edge": {Cities: 4, U: g.U, V: g.V, X: []float64{1, 1, 1, 0.5}},
		"three edges":  {Cities: 4, U: g.U[:3], V: g.V[:3], X: g.X[:3]},
		"two rings":    {Cities: 6, U: []int16{0, 0, 1, 3, 3, 4}, V: []int16{1, 2, 2, 4, 5, 5}, X: []float64{1, 1, 1, 1, 1, 1}},
		"a fork":       {Cities: 4, U: []int16{0, 0, 0, 1}, V: []int16{1, 2, 3, 2}, X: []float64{1, 1, 1, 1}},
	} {
		if tour := g.Tour(); tour != nil {
			t.Errorf("%s is called the tour %v", what, tour)
		}
	}
}
