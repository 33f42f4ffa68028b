package tsp

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
	"satingrid/satin"
)

// everyTour calls f with all tours that begin with city 0, in both directions.
func everyTour(n int, f func(tour []int)) {
	tour := make([]int, n)
	for k := range tour {
		tour[k] = k
	}
	var down func(k int)
	down = func(k int) {
		if k == n {
			f(tour)
			return
		}
		for j := k; j < n; j++ {
			tour[k], tour[j] = tour[j], tour[k]
			down(k + 1)
			tour[k], tour[j] = tour[j], tour[k]
		}
	}
	down(1)
}

// least is the length of a shortest tour that has all fixed edges, by looking at all tours.
func least(p *tsplib.Problem) int64 {
	best := int64(math.MaxInt64)
	everyTour(p.Cities, func(tour []int) {
		sum, has := int64(0), 0
		for k, c := range tour {
			next := tour[(k+1)%len(tour)]
			if c != next {
				sum += int64(p.Number(c, next))
			}
			for _, e := range p.Fixed {
				if e == [2]int{c, next} || e == [2]int{next, c} {
					has++
				}
			}
		}
		if has == len(p.Fixed) {
			best = min(best, sum)
		}
	})
	return best
}

// fixSome fixes edges of a random tour.
func fixSome(rng *rand.Rand, p *tsplib.Problem, edges int) {
	tour := rng.Perm(p.Cities)
	for _, k := range rng.Perm(p.Cities)[:edges] {
		e := [2]int{tour[k], tour[(k+1)%len(tour)]}
		if rng.IntN(2) == 0 {
			e[0], e[1] = e[1], e[0]
		}
		p.Fixed = append(p.Fixed, e)
	}
}

// TestFixedEdges solves small problems with any number of fixed edges as looking at all tours does.
// The checker finds the edges in the tours, and accepts the certificates, but not those of one
// more.
func TestFixedEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for round := range 150 {
		p := explicit(rng, 3+rng.IntN(6), round%4)
		fixSome(rng, p, rng.IntN(p.Cities+1))
		want := least(p)
		got := solve(t, p, 1+round%2, nil, true)
		if got.Length != want {
			t.Fatalf("%v, fixed %v: %d, want %d", p.Numbers, p.Fixed, got.Length, want)
		}
		claimMore(t, p, got)
	}
}

// TestFixedEdgesOfMore solves problems that have to be searched, where the dynamic programme has
// the answer: a fixed edge that is that much shorter is in each shortest tour.
func TestFixedEdgesOfMore(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for round := range 16 {
		p := explicit(rng, 11+rng.IntN(3), round%4)
		fixSome(rng, p, 1+rng.IntN(5))
		d, err := DistancesOf(p)
		if err != nil {
			t.Fatal(err)
		}
		const shorter = tsplib.WeightMax * 20
		plain := Distances{Cities: d.Cities, Upper: slices.Clone(d.Upper)}
		less := make(map[int]bool)
		for _, e := range p.Fixed {
			less[pairAt(d.Cities, min(e[0], e[1]), max(e[0], e[1]))] = true
		}
		for k := range plain.Upper {
			if !less[k] {
				continue
			}
			plain.Upper[k] -= shorter
		}
		want := shortest(&plain) + int64(len(p.Fixed))*shorter
		if got := solve(t, p, 1+round%2, nil, true); got.Length != want {
			t.Fatalf("%v, fixed %v: %d, want %d", p.Numbers, p.Fixed, got.Length, want)
		}
	}
}

// claimMore has the checker refuse a certificate that says one more than it proves.
func claimMore(t *testing.T, p *tsplib.Problem, got Tour) {
	t.Helper()
	got.Length++
	var b bytes.Buffer
	if err := WriteCertificate(&b, got); err != nil {
		t.Fatal(err)
	}
	if r, err := check.Certificate(p, &b, "proof"); err == nil {
		t.Fatalf("%v, fixed %v: a tour has %d, proved is %d", p.Numbers, p.Fixed, got.Length-1, r.Length)
	}
}

// TestDirected solves small asymmetric problems as looking at all tours does.
func TestDirected(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for round := range 150 {
		p := arcs(rng, 1+rng.IntN(8), round%4)
		got := solve(t, p, 1+round%2, nil, true)
		if want := least(p); got.Length != want {
			t.Fatalf("%v: %d, want %d", p.Numbers, got.Length, want)
		}
		claimMore(t, p, got)
		if again := solve(t, p, 1, got.Cities, true); again.Length != got.Length {
			t.Fatalf("%v: %d, and begun with it %d", p.Numbers, got.Length, again.Length)
		}
	}
}

// arcs is an asymmetric problem of random lengths: of few, so that there are ties; uphill and
// downhill; or anything.
func arcs(rng *rand.Rand, n, kind int) *tsplib.Problem {
	p := &tsplib.Problem{Name: "random", Cities: n, Metric: tsplib.Explicit, Layout: tsplib.FullMatrix, Directed: true}
	for i := range n {
		for j := range n {
			w := 0
			switch {
			case i == j:
			case kind == 0:
				w = 1 + rng.IntN(3)
			case kind == 1:
				w = rng.IntN(100)
			case kind == 2:
				w = max(0, 3*(i*7%n-j*7%n)) + rng.IntN(4)
			default:
				w = rng.IntN(tsplib.WeightMax)
			}
			p.Numbers = append(p.Numbers, w)
		}
	}
	return p
}

// TestOneTour: one city, and two, have one tour, with a certificate.
func TestOneTour(t *testing.T) {
	for _, p := range []*tsplib.Problem{
		{Name: "one", Cities: 1, Metric: tsplib.Euc2D, Points: make([]tsplib.Point, 1)},
		{Name: "one", Cities: 1, Metric: tsplib.Explicit, Layout: tsplib.UpperRow, Numbers: []int{}},
		{Name: "two", Cities: 2, Metric: tsplib.Man2D, Points: []tsplib.Point{{}, {X: 3, Y: 4}}},
		{Name: "two", Cities: 2, Metric: tsplib.Man2D, Points: []tsplib.Point{{}, {X: 3, Y: 4}}, Fixed: [][2]int{{1, 0}}},
		{Name: "there and back", Cities: 2, Metric: tsplib.Explicit, Layout: tsplib.FullMatrix, Numbers: []int{0, 13, 1, 0}, Directed: true},
	} {
		want := int64(14 * (p.Cities - 1))
		got := solve(t, p, 1, nil, true)
		if got.Length != want || got.Nodes != 1 {
			t.Errorf("%s: %+v, want a tour of %d", p.Name, got, want)
		}
		claimMore(t, p, got)
	}
}

// TestShifter keeps tours tours, and makes them no longer.
func TestShifter(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 38))
	for round := range 40 {
		n := 3 + rng.IntN(40)
		d, _ := DistancesOf(arcs(rng, n, round%4))
		m := newMatrix(&d, nil)
		h := newShifter(m)
		h.begin(rng.IntN(n))
		before := h.length()
		h.descend()
		after := h.length()
		h.perturb(n, rng, never)
		if kicked := h.length(); after > before || kicked > after || kicked != m.length(m.nodes(h.tour)) {
			t.Fatalf("%d cities: %d became %d and %d", n, before, after, kicked)
		}
		tour := slices.Clone(h.tour)
		slices.Sort(tour)
		for k, c := range tour {
			if c != k || h.tour[h.pos[c]] != c {
				t.Fatalf("%v is no tour", h.tour)
			}
		}
	}
}

// TestImproverKeepsFixedEdges: no move, and no kick, takes one apart.
func TestImproverKeepsFixedEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 40))
	for round := range 60 {
		p := explicit(rng, 8+rng.IntN(40), round%4)
		fixSome(rng, p, rng.IntN(p.Cities-1))
		d, _ := DistancesOf(p)
		im := newImprover(newMatrix(&d, p.Fixed))
		im.begin(int16(rng.IntN(p.Cities)))
		for range 3 {
			if _, err := check.Length(p, im.d.cities(im.tour)); err != nil {
				t.Fatal(err)
			}
			im.descend()
			im.perturb(20, rng, never)
		}
	}
}

// TestRootsThatNobodyMade refuses roots with fixed edges or ways that no problem has.
func TestRootsThatNobodyMade(t *testing.T) {
	four := Distances{Cities: 4, Upper: make([]int32, 6)}
	ways := Distances{Cities: 4, Square: make([]int32, 16)}
	for want, task := range map[string]Solve{
		"the fixed edge 1-1 joins a city to itself":             {Distances: four, Fixed: [][2]int{{0, 0}}},
		"the fixed edge 1-5 has a city that is none of 4":       {Distances: four, Fixed: [][2]int{{0, 4}}},
		"the fixed edge 0-2 is the third":                       {Distances: four, Fixed: [][2]int{{1, 0}, {0, 3}, {0, 2}}, Map: tsplib.Map{Numbering: tsplib.FromZero}},
		"the fixed edge 3-1 closes a ring":                      {Distances: four, Fixed: [][2]int{{0, 1}, {1, 2}, {2, 0}}},
		"the fixed edge 2-1 is there for the second time":       {Distances: four, Fixed: [][2]int{{0, 1}, {1, 0}}},
		"the initial tour has not the fixed edge 1-3":           {Distances: four, Fixed: [][2]int{{0, 2}}, Initial: []int{0, 1, 2, 3}},
		"an asymmetric problem has fixed edges":                 {Distances: ways, Fixed: [][2]int{{0, 2}}},
		"15 distances of 4 cities, 16 are expected":             {Distances: Distances{Cities: 4, Square: make([]int32, 15)}},
		"places of 4 cities with EDGE_WEIGHT_TYPE":              {Distances: Distances{Cities: 4, Points: make([]tsplib.Point, 4), Metric: tsplib.Euc2D}},
		"16 distances of 4 cities, 16 are expected":             {Distances: Distances{Cities: 4, Square: make([]int32, 16), Upper: make([]int32, 6)}},
		"1001 cities: 1 to 1000 are expected":                   {Distances: Distances{Cities: 1001, Square: []int32{1}}},
		"initial tour visits city 0 twice, or there is no such": {Distances: ways, Initial: []int{0, 1, 2, 0}, Map: tsplib.Map{Numbering: tsplib.FromZero}},
	} {
		if _, err := satin.Run(t.Context(), nil, task); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
