package tsp

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
)

// data is the folder of the shared instances.
func data(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	return folder
}

// shared reads an instance of the shared data and its optimum.
func shared(t testing.TB, name string) (*tsplib.Problem, int64) {
	t.Helper()
	folder := data(t)
	f, err := os.Open(filepath.Join(folder, "tsp", name+".tsp"))
	if err != nil {
		t.Skipf("an instance of SATIN_DATA is missing: %v", err)
	}
	defer f.Close()
	p, err := tsplib.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(manifest)) {
		if f := strings.Split(line, "\t"); f[0] == "tsp/"+name+".tsp" {
			optimum, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return p, optimum
		}
	}
	t.Fatalf("%s is not in the manifest", name)
	return nil, 0
}

// TestDistances has the checker agree about all distances, and about the lengths of
// TSPLIB's optimal tours.
func TestDistances(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(data(t), "tsp", "*.tsp"))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tsp")
		p, optimum := shared(t, name)
		d, err := DistancesOf(p)
		if err != nil {
			t.Fatal(err)
		}
		order := make([]int, p.Cities)
		for k := range order {
			order[k] = k
		}
		for i := range min(p.Cities, 50) {
			order[0], order[i] = order[i], order[0]
			compare(t, name, p, &d, order)
		}
		f, err := os.Open(strings.TrimSuffix(file, ".tsp") + ".opt.tour")
		if err != nil {
			continue
		}
		tour, err := tsplib.ReadTour(f, f.Name(), p.Cities, p.Numbering)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if length := compare(t, name, p, &d, tour); length != optimum {
			t.Errorf("%s: the optimal tour has %d, want %d", name, length, optimum)
		}
	}
}

func compare(t *testing.T, name string, p *tsplib.Problem, d *Distances, tour []int) int64 {
	t.Helper()
	short := make([]int16, len(tour))
	for k, c := range tour {
		short[k] = int16(c)
	}
	length := newMatrix(d, nil).length(short)
	if other, err := check.Length(p, tour); err != nil || other != length {
		t.Fatalf("%s: a tour of %d has %d for the checker, %v", name, length, other, err)
	}
	return length
}

// TestMetrics computes by hand.
func TestMetrics(t *testing.T) {
	for _, c := range []struct {
		metric tsplib.Metric
		a, b   tsplib.Point
		want   int
	}{
		{tsplib.Euc2D, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: 1, Y: 1}, 1},
		{tsplib.Euc2D, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: 0, Y: 2.5}, 3},
		{tsplib.Ceil2D, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: 1, Y: 1}, 2},
		{tsplib.Ceil2D, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: 3, Y: 4}, 5},
		{tsplib.Man2D, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: -1.2, Y: 1.2}, 2},
		{tsplib.Max2D, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: -1.6, Y: 1.2}, 2},
		{tsplib.Att, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: 10, Y: 0}, 4},
		{tsplib.Geo, tsplib.Point{X: 0, Y: 0}, tsplib.Point{X: 0, Y: 90}, 10020},
		{tsplib.Geo, tsplib.Point{X: 10.30, Y: 0}, tsplib.Point{X: -10.30, Y: 0}, 2338},
	} {
		p := &tsplib.Problem{Cities: 3, Metric: c.metric, Points: []tsplib.Point{c.a, c.b, c.a}}
		d, err := DistancesOf(p)
		if err != nil || d.Between(0, 1) != c.want {
			t.Errorf("%s %v %v: %d, want %d (%v)", c.metric, c.a, c.b, d.Between(0, 1), c.want, err)
		}
		if length, _ := check.Length(p, []int{0, 1, 2}); length != int64(2*c.want)+int64(d.Between(0, 2)) {
			t.Errorf("%s %v %v: the checker has %d", c.metric, c.a, c.b, length)
		}
	}
}

// TestFar refuses distances that would overflow.
func TestFar(t *testing.T) {
	p := &tsplib.Problem{Cities: 3, Metric: tsplib.Euc2D, Points: []tsplib.Point{{}, {X: 1e9}, {Y: 1}}}
	if _, err := DistancesOf(p); err == nil || !strings.Contains(err.Error(), "cities 1 and 2 are 1000000000 apart") {
		t.Error(err)
	}
}

// TestSharedOtherwise solves instances of the shared data in other clothes: with edges of a
// shortest tour fixed, and with a matrix that could have other ways back, they have the same
// optimum.
func TestSharedOtherwise(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, name := range []string{"burma14", "ulysses16", "gr17", "bayg29", "swiss42"} {
		p, optimum := shared(t, name)
		plain := solve(t, p, 1, nil, false)
		fixed := *p
		for _, k := range rng.Perm(p.Cities)[:p.Cities/3] {
			fixed.Fixed = append(fixed.Fixed, [2]int{plain.Cities[(k+1)%p.Cities], plain.Cities[k]})
		}
		if got := solve(t, &fixed, 1, nil, true); got.Length != optimum {
			t.Errorf("%s with fixed edges: %d, want %d", name, got.Length, optimum)
		}
		d, err := DistancesOf(p)
		if err != nil {
			t.Fatal(err)
		}
		ways := &tsplib.Problem{Name: name, Cities: p.Cities, Metric: tsplib.Explicit, Layout: tsplib.FullMatrix, Directed: true}
		for i := range p.Cities {
			for j := range p.Cities {
				w := 0
				if i != j {
					w = d.Between(i, j)
				}
				ways.Numbers = append(ways.Numbers, w)
			}
		}
		if got := solve(t, ways, 1, nil, true); got.Length != optimum {
			t.Errorf("%s as an ATSP: %d, want %d", name, got.Length, optimum)
		}
	}
}
