package tsp

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/tsp/tsplib"
)

// someNode is a node of a random problem, after some decisions. ok is false if they left no tour.
func someNode(rng *rand.Rand, n int) (s *search, m *matrix, ok bool) {
	d, err := DistancesOf(explicit(rng, n, rng.IntN(2)))
	if err != nil {
		panic(err)
	}
	m = newMatrix(&d, nil)
	s = &search{cutoff: impossible / 4}
	s.first(m)
	for c := range s.pi {
		s.pi[c] = rng.Int64N(4*scale) - 2*scale
	}
	s.refresh()
	for range rng.IntN(n) {
		e := rng.IntN(len(s.u))
		if s.state[e] == free && !s.decide(int32(e), in+rng.IntN(2)) {
			return nil, nil, false
		}
	}
	s.refresh()
	return s, m, s.chosen < n && s.build() != impossible
}

// dumbBound is the bound of the smallest 1-tree with this leaf, by trying edges in order with
// labels of components.
func dumbBound(s *search, leaf int16) int64 {
	weight := func(e int) int64 { return s.graph.cost[e] + s.pi[s.u[e]] + s.pi[s.v[e]] }
	var order []int
	for e, state := range s.state {
		if state != out {
			order = append(order, e)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if s.state[a] != s.state[b] {
			return int(s.state[b]) - int(s.state[a]) // in before free
		}
		return int(weight(a) - weight(b))
	})
	label := make([]int, s.cities)
	for c := range label {
		label[c] = c
	}
	var bound int64
	joined, hung := 0, 0
	for _, e := range order {
		u, v := s.u[e], s.v[e]
		if u == leaf || v == leaf {
			if hung < 2 {
				hung++
				bound += weight(e)
			}
			continue
		}
		if a, b := label[u], label[v]; a != b {
			joined++
			bound += weight(e)
			for c := range label {
				if label[c] == a {
					label[c] = b
				}
			}
		}
	}
	if joined < s.cities-2 || hung < 2 {
		return impossible
	}
	for _, p := range s.pi {
		bound -= 2 * p
	}
	return bound
}

// TestMarginals compares bounds and marginal values with bounds of the dumb twin, which
// makes each decision.
func TestMarginals(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	checked := 0
	for range 400 {
		s, _, ok := someNode(rng, 5+rng.IntN(6))
		if !ok {
			continue
		}
		bound := s.build()
		if want := dumbBound(s, s.leaf); bound != want {
			t.Fatalf("the bound is %d, want %d", bound, want)
		}
		s.measure()
		for k, x := range s.arcs {
			taken := s.taken[k] || int32(k) == s.second
			s.state[x.edge] = in
			if taken {
				s.state[x.edge] = out
			}
			want := dumbBound(s, s.leaf)
			s.state[x.edge] = free
			gain := s.with[k]
			if taken {
				gain = s.without[k]
			}
			// An edge that is in beside what closes a ring of edges in has no 1-tree,
			// which the twin does not see.
			if gain < forever/2 && want != bound+gain || gain >= forever/2 && taken && want != impossible {
				t.Fatalf("another decision about %d-%d, taken %v: the bound gains %d, want %d", x.u, x.v, taken, gain, want-bound)
			}
			checked++
		}
	}
	if checked < 1000 {
		t.Errorf("%d decisions are not enough", checked)
	}
}

// TestUndo makes decisions and takes them back: everything is as before.
func TestUndo(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		s, _, ok := someNode(rng, 5+rng.IntN(8))
		if !ok {
			continue
		}
		mark := len(s.trail)
		state, degIn, degFree, end := slices.Clone(s.state), slices.Clone(s.degIn), slices.Clone(s.degFree), slices.Clone(s.end)
		chosen, cost := s.chosen, s.fixing.cost
		for range 5 {
			if e := rng.IntN(len(s.u)); s.state[e] == free && !s.decide(int32(e), in+rng.IntN(2)) {
				break
			}
		}
		s.undo(mark)
		ends := slices.Clone(s.end)
		for c := range end {
			if degIn[c] == 2 { // inside a path an end means nothing
				ends[c] = end[c]
			}
		}
		if !slices.Equal(s.state, state) || !slices.Equal(s.degIn, degIn) || !slices.Equal(s.degFree, degFree) ||
			!slices.Equal(ends, end) || s.chosen != chosen || s.fixing.cost != cost {
			t.Fatal("undone decisions have left traces")
		}
	}
}

// TestImprover keeps tours tours, and counts its gains right.
func TestImprover(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for round := range 60 {
		n := 3 + rng.IntN(40)
		d, _ := DistancesOf(explicit(rng, n, round%5))
		im := newImprover(newMatrix(&d, nil))
		im.begin(int16(rng.IntN(n)))
		before := im.d.length(im.tour)
		gain := im.descend()
		if after := im.d.length(im.tour); after != before-gain {
			t.Fatalf("%d less %d is not %d", before, gain, after)
		}
		if n >= kickedMin {
			before = im.d.length(im.tour)
			if length := im.perturb(n, rng, never); length > before || length != im.d.length(im.tour) {
				t.Fatalf("kicks made %d of %d, and say %d", im.d.length(im.tour), before, length)
			}
		}
		tour := slices.Clone(im.tour)
		slices.Sort(tour)
		for k, c := range tour {
			if int(c) != k || im.tour[im.pos[c]] != c {
				t.Fatalf("%v is no tour", im.tour)
			}
		}
	}
}

func never() bool { return false }

// TestWithdrawnRootsEnd: what the root does before there are jobs may take minutes, and is left
// when nobody waits for it.
func TestWithdrawnRootsEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	d, _ := DistancesOf(explicit(rng, 200, 0))
	m := newMatrix(&d, nil)
	im := newImprover(m)
	im.begin(0)
	im.descend()
	const asked = 20
	count := 0
	soon := func() bool { count++; return count > asked }
	im.perturb(100*m.n, rng, soon)
	if count != asked+1 {
		t.Errorf("kicks went on for %d questions", count)
	}
	count = 0
	s := &search{aborted: soon}
	s.cutoff = 2 * m.length(im.tour) * scale // so that it stays open
	s.first(m)
	rootOf(s, m, im.tour)
	if count < asked || count > asked+10 {
		t.Errorf("the root went on for %d questions", count)
	}
}

// TestWhole has the bound of all edges that Kruskal's algorithm has with a list of them.
func TestWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for round := range 200 {
		p := explicit(rng, 8+rng.IntN(12), round%5)
		fixSome(rng, p, rng.IntN(4))
		d, _ := DistancesOf(p)
		s, m := new(search), newMatrix(&d, p.Fixed)
		s.first(m)
		for c := range s.pi {
			s.pi[c] = rng.Int64N(4*scale) - 2*scale
		}
		s.restart(m, m.pairs())
		want := s.build()
		bound, edges := s.whole(m)
		// Where lengths differ there is one smallest tree. What follows from fixed edges
		// makes the list shorter, and the bound better.
		if unique := round%5 == 3; unique && bound > want || unique && m.mates == nil && bound != want {
			t.Fatalf("round %d: %d, want %d", round, bound, want)
		}
		if s.restart(m, edges); s.chosen < m.n && s.build() == impossible {
			t.Fatalf("round %d: its edges have no 1-tree", round)
		}
	}
}

// TestGrid compares with sorting all.
func TestGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for round := range 20 {
		d := Distances{Cities: 3 + rng.IntN(80), Metric: tsplib.Max2D}
		for range d.Cities {
			p := tsplib.Point{X: float64(rng.IntN(1 + 40*(round%4))), Y: float64(rng.IntN(30))}
			d.Points = append(d.Points, p)
		}
		squared := func(a, b int) float64 {
			x, y := d.Points[a].X-d.Points[b].X, d.Points[a].Y-d.Points[b].Y
			return x*x + y*y
		}
		k := 1 + rng.IntN(12)
		for c, near := range newGrid(&d).nearCities(k) {
			var all, some []float64
			for o := range d.Cities {
				if o != c {
					all = append(all, squared(c, o))
				}
			}
			for _, o := range near {
				some = append(some, squared(c, int(o)))
			}
			slices.Sort(all)
			slices.Sort(some)
			if !slices.Equal(some, all[:min(k, len(all))]) {
				t.Fatalf("%d cities: %v are not the %d nearest", d.Cities, near, k)
			}
		}
	}
}

// TestNearCities compares with sorting all.
func TestNearCities(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for round := range 30 {
		d, _ := DistancesOf(explicit(rng, 3+rng.IntN(30), round%5))
		m, k := newMatrix(&d, nil), 1+rng.IntN(12)
		for c, near := range nearCities(m, k) {
			row, all := m.row(int16(c), nil), []int16{}
			for o := range m.n {
				if o != c {
					all = append(all, int16(o))
				}
			}
			slices.SortStableFunc(all, func(a, b int16) int { return cmp.Compare(row[a], row[b]) })
			if !slices.Equal(near, all[:min(k, len(all))]) {
				t.Fatalf("%d cities: the %d near %d are %v, not %v", m.n, k, c, near, all[:min(k, len(all))])
			}
		}
	}
}

// rootOf does what the root does before there are jobs, and tells whether it is open.
func rootOf(s *search, m *matrix, tour []int16) bool {
	s.rounds(m, tour)
	return s.eliminate(m)
}
