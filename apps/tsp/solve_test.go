package tsp

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
	"satingrid/satin"
)

// solve solves with so many workers, and checks tour, bound and certificate with the checker's
// code.
func solve(t testing.TB, p *tsplib.Problem, workers int, initial []int, certify bool) Tour {
	t.Helper()
	d, err := DistancesOf(p)
	if err != nil {
		t.Fatal(err)
	}
	peer, err := satin.Open(context.Background(), satin.Config{App: App(), Alone: true, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	got, err := satin.Run(context.Background(), peer, Solve{Distances: d, Fixed: p.Fixed, Initial: initial, Certify: certify})
	if err != nil {
		t.Fatal(err)
	}
	if length, err := check.Length(p, got.Cities); err != nil || length != got.Length || got.Bound != length {
		t.Fatalf("a tour of %d, %v, bound %d, is called %d", length, err, got.Bound, got.Length)
	}
	if certify {
		var b bytes.Buffer
		if err := WriteCertificate(&b, got); err != nil {
			t.Fatal(err)
		}
		if r, err := check.Certificate(p, &b, p.Name); err != nil || r.Length != got.Length {
			t.Fatalf("the certificate of %d is refused: %+v, %v", got.Length, r, err)
		}
	}
	return got
}

// explicit is a problem of random distances: of few values, so that there are ties; on a line; or
// anything, negative too.
func explicit(rng *rand.Rand, n, kind int) *tsplib.Problem {
	p := &tsplib.Problem{Name: "random", Cities: n, Metric: tsplib.Explicit, Layout: tsplib.UpperRow}
	at := make([]int, n)
	for i := range at {
		at[i] = rng.IntN(20)
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			var w int
			switch kind {
			case 0:
				w = 1 + rng.IntN(2)
			case 1:
				w = rng.IntN(10)
			case 2:
				w = max(at[i]-at[j], at[j]-at[i])
			case 3:
				w = rng.IntN(tsplib.WeightMax)
			default:
				w = 7
			}
			p.Numbers = append(p.Numbers, w)
		}
	}
	return p
}

// shortest is the length of a shortest tour by Held's and Karp's dynamic programme.
func shortest(d *Distances) int64 {
	n := d.Cities - 1 // the last city is where the tour begins
	best := make([]int64, n<<n)
	for set := range 1 << n {
		for end := range n {
			at := &best[set*n+end]
			*at = math.MaxInt64 / 2
			if set == 1<<end {
				*at = int64(d.Between(end, n))
			}
			for before := range n {
				if rest := set &^ (1 << end); rest != set && rest&(1<<before) != 0 {
					*at = min(*at, best[rest*n+before]+int64(d.Between(before, end)))
				}
			}
		}
	}
	length := int64(math.MaxInt64)
	for end := range n {
		length = min(length, best[((1<<n)-1)*n+end]+int64(d.Between(end, n)))
	}
	return length
}

// TestDumbTwin solves small problems with many ties as the dynamic programme does, and has
// each answer certified.
func TestDumbTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 3; n <= 11; n++ {
		for round := range 25 {
			p := explicit(rng, n, round%5)
			d, _ := DistancesOf(p)
			if got, want := solve(t, p, 1+round%2, nil, true).Length, shortest(&d); got != want {
				t.Fatalf("%v: %d, want %d", p.Numbers, got, want)
			}
		}
	}
}

// TestInitial begins with optimal tours: the number of nodes is then that of the tree,
// whoever explores it.
func TestInitial(t *testing.T) {
	p := paths(8)
	first := solve(t, p, 1, nil, false)
	nodes := solve(t, p, 1, first.Cities, false).Nodes
	if nodes < 100 {
		t.Errorf("%d nodes are not enough for several jobs", nodes)
	}
	for workers := 2; workers <= 3; workers++ {
		var tally tally
		Tally = &tally
		defer func() { Tally = nil }()
		if again := solve(t, p, workers, first.Cities, workers == 3); again.Nodes != nodes || tally.Load() != nodes {
			t.Errorf("%d workers: %d nodes, %d explored, want %d", workers, again.Nodes, tally.Load(), nodes)
		}
	}
}

// tally counts bytes.
type tally struct{ atomic.Int64 }

func (t *tally) Write(p []byte) (int, error) {
	t.Add(int64(len(p)))
	return len(p), nil
}

// paths is the metric of three paths of k cities between two triangles. The bound of its root is a
// quarter below the shortest tour, and its tree has twice as many nodes for each k more.
func paths(k int) *tsplib.Problem {
	n := 3 * k
	way := make([]int, n*n)
	for i := range way {
		way[i] = n
	}
	join := func(a, b int) { way[a*n+b], way[b*n+a] = 1, 1 }
	for i := range 3 {
		for j := range k - 1 {
			join(i*k+j, i*k+j+1)
		}
		join(i*k, (i+1)%3*k)
		join(i*k+k-1, (i+1)%3*k+k-1)
	}
	for m := range n {
		for i := range n {
			for j := range n {
				way[i*n+j] = min(way[i*n+j], way[i*n+m]+way[m*n+j])
			}
		}
	}
	for i := range n {
		way[i*n+i] = 0
	}
	return &tsplib.Problem{Name: "paths", Cities: n, Metric: tsplib.Explicit, Layout: tsplib.FullMatrix, Numbers: way}
}

// TestRefused refuses what is no problem.
func TestRefused(t *testing.T) {
	d := Distances{Cities: 4, Upper: make([]int32, 6)}
	for _, c := range []struct {
		task Solve
		want string
	}{
		{Solve{}, "0 cities"},
		{Solve{Distances: Distances{Cities: 4}}, "0 distances of 4 cities, 6 are expected"},
		{Solve{Distances: d, Map: tsplib.Map{Names: []string{"a"}}}, "a map that has 1 of 4 cities"},
		{Solve{Distances: d, Initial: []int{0, 1, 2}}, "visits 3 of 4 cities"},
		{Solve{Distances: d, Initial: []int{0, 1, 2, 2}}, "visits city 3 twice"},
		{Solve{Distances: d, Initial: []int{0, 1, 2, 4}}, "there is no such city"},
	} {
		if _, err := satin.Run(t.Context(), nil, c.task); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.task, err, c.want)
		}
	}
}

// TestBetter orders tours.
func TestBetter(t *testing.T) {
	order := []Tour{{Length: 5, Bound: 5}, {Length: 5, Bound: 3}, {Length: 6, Bound: 6}}
	for i, a := range order {
		for j, b := range order {
			if a.Better(b) != (i < j) {
				t.Errorf("%+v better than %+v: %v", a, b, a.Better(b))
			}
		}
	}
}

// TestExample solves the embedded problem; all of its cities have names.
func TestExample(t *testing.T) {
	p, names := Example()
	if len(names) != p.Cities || !slices.IsSorted(slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "Chișinău" })) {
		t.Errorf("%d names of %d cities, or out of order", len(names), p.Cities)
	}
	if got := solve(t, p, 2, nil, true); got.Length != 22734 {
		t.Errorf("%d", got.Length)
	}
}

func ExampleSolve() {
	square := &tsplib.Problem{Cities: 4, Metric: tsplib.Euc2D, Points: []tsplib.Point{{X: 0, Y: 0}, {X: 10, Y: 10}, {X: 10, Y: 0}, {X: 0, Y: 10}}}
	d, err := DistancesOf(square)
	if err != nil {
		fmt.Println(err)
		return
	}
	tour, err := satin.Run(context.Background(), nil, Solve{Distances: d})
	fmt.Println(tour.Length, tour.Cities, tour.Bound, err)
	// Output: 40 [0 2 1 3] 40 <nil>
}

var table = flag.String("table", "", "instances of the shared data to solve for a table with times, such as \"pr76 d198\"")

// small are those of the shared data that take a moment.
const small = "10001_hard 15002_hard burma14 ulysses16 gr17 bayg29 swiss42 att48 eil51 berlin52 st70 pr107"

// TestShared solves instances of the shared data, and checks their certificates. With -table it
// prints the time they took.
func TestShared(t *testing.T) {
	names, most := strings.Fields(*table), 2
	if len(names) == 0 {
		names, most = strings.Fields(small), 1
	}
	for _, name := range names {
		p, optimum := shared(t, name)
		var line string
		for workers := 1; workers <= most; workers++ {
			start, before := time.Now(), processorTime()
			got := solve(t, p, workers, nil, *table == "")
			line += fmt.Sprintf(" %d: %.3f s, processor %.3f s, %d nodes;", workers, time.Since(start).Seconds(), processorTime()-before, got.Nodes)
			if got.Length != optimum {
				t.Errorf("%s: %d, want %d", name, got.Length, optimum)
			}
		}
		if *table != "" {
			fmt.Printf("%-10s %d%s\n", name, optimum, line)
		}
	}
}

// TestMany shortens the tour of more cities than are proved piece by piece: an answer has a tour,
// and a bound that is near.
func TestMany(t *testing.T) {
	p := &tsplib.Problem{Name: "circle", Cities: 2001, Metric: tsplib.Euc2D}
	for k := range p.Cities {
		y, x := math.Sincos(2 * math.Pi * float64(k*7) / 2001)
		p.Points = append(p.Points, tsplib.Point{X: 1e5 * x, Y: 1e5 * y})
	}
	p.Fixed = [][2]int{{0, 2}}
	d, err := DistancesOf(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := satin.Run(t.Context(), nil, Solve{Distances: d, Fixed: p.Fixed})
	if err != nil {
		t.Fatal(err)
	}
	if length, err := check.Length(p, got.Cities); err != nil || length != got.Length || got.Bound > length || got.Bound < length*95/100 {
		t.Errorf("a tour of %d, %v, is called %d, and none is to be shorter than %d", length, err, got.Length, got.Bound)
	}
}
