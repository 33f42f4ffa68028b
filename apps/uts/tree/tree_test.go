package tree

import (
	"bufio"
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/effort"
)

func ExampleGenerator_Count() {
	g := New(Default)
	c := g.Count()
	fmt.Println(c.Nodes, c.Leaves)
	// Output: 1732 1050
}

// TestPublished walks the benchmark's small trees, whose counts were published with them: those of
// four million nodes where there is time, else one of them.
func TestPublished(t *testing.T) {
	data := os.Getenv("SATIN_DATA")
	if data == "" {
		t.Skip("SATIN_DATA is not set: uts/UTS.tsv is missing")
	}
	f, err := os.Open(filepath.Join(data, "uts", "UTS.tsv"))
	if err != nil {
		t.Skip("SATIN_DATA has no uts/UTS.tsv: ", err)
	}
	defer f.Close()
	rows, walked := 0, 0
	for in := bufio.NewScanner(f); in.Scan(); rows++ {
		col := strings.Split(in.Text(), "\t")
		if rows == 0 || len(col) < 5 {
			continue
		}
		var want Count
		fmt.Sscan(col[2]+" "+col[4]+" "+col[3], &want.Nodes, &want.Leaves, &want.Depth)
		n, ok := ByName(col[0])
		if !ok || n.Nodes != want.Nodes {
			t.Errorf("%s: Names has %d nodes, the list %d", col[0], n.Nodes, want.Nodes)
		}
		if want.Nodes > 5_000_000 || col[0] != "T3" && !effort.Long() {
			continue
		}
		walked++
		if got := New(n.Params).Count(); got != want {
			t.Errorf("%s: counted %+v, published is %+v", col[0], got, want)
		}
	}
	if rows < 8 || walked < effort.Of(1, 1, 5) {
		t.Fatalf("UTS.tsv has %d lines: 8 or more are expected; %d trees were walked", rows, walked)
	}
}

// TestSmaller walks a smaller tree of each kind and shape. The counts are those of this generator
// when it agreed with all that were published.
func TestSmaller(t *testing.T) {
	for name, c := range map[string]struct {
		depth int
		want  Count
	}{
		"T1": {6, Count{Nodes: 16000, Leaves: 12839, Depth: 6}},
		"T5": {8, Count{Nodes: 1317, Leaves: 762, Depth: 8}},
		"T2": {5, Count{Nodes: 2613, Leaves: 1678, Depth: 26}},
		"T4": {6, Count{Nodes: 5522, Leaves: 4150, Depth: 72}},
	} {
		n, _ := ByName(name)
		p := n.Params
		p.Depth = c.depth
		if got := New(p).Count(); got != c.want {
			t.Errorf("%s with a depth of %d: counted %+v, want %+v", name, c.depth, got, c.want)
		}
	}
}

// TestBalanced counts a tree whose size is plain arithmetic.
func TestBalanced(t *testing.T) {
	p := Default
	p.Kind, p.Depth, p.Branching = Balanced, 5, 3
	want := Count{Nodes: 1 + 3 + 9 + 27 + 81 + 243, Leaves: 243, Depth: 5}
	if got := New(p).Count(); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

// TestThresholds checks the tables against the formula that they stand for, at
// their edges and anywhere.
func TestThresholds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		p := Default
		p.Shape = Shape(rnd.IntN(int(shapes)))
		p.Depth = 1 + rnd.IntN(30)
		p.Branching = []float64{1, 3, 7, 1 + 9*rnd.Float64(), 300}[rnd.IntN(5)]
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		for depth, level := range New(p).Levels {
			draws := []uint32{0, drawMax, rnd.Uint32() & drawMax, rnd.Uint32() & drawMax}
			for _, edge := range level {
				draws = append(draws, edge-1, edge, min(edge+1, drawMax))
			}
			for _, draw := range draws {
				if got, want := level.children(draw), p.geometric(draw, depth); got != want {
					t.Fatalf("%v at depth %d, draw %d: %d children by the table, %d by the formula", p, depth, draw, got, want)
				}
			}
		}
	}
}

// TestBeyondTheTables checks depths that have no level of their own.
func TestBeyondTheTables(t *testing.T) {
	for shape := range shapes {
		p := Default
		p.Shape, p.Depth = shape, 3
		g := New(p)
		s := g.Root()
		for depth := range 2 * levelsMax {
			if got, want := g.Children(&s, depth), p.geometric(s.draw(), depth); got != want {
				t.Fatalf("%v at depth %d: %d children, want %d", p, depth, got, want)
			}
			family := s.Family()
			s = family.Child(depth)
		}
	}
}

func TestChildIsSHA1(t *testing.T) {
	s := New(Params{Seed: 42}).Root()
	want := sha1.Sum(append(append([]byte(nil), s[:]...), 0, 0, 1, 2))
	family := s.Family()
	if got := family.Child(258); got != want {
		t.Errorf("child 258 is %x, want %x", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { s = family.Child(1) }); n != 0 {
		t.Errorf("a child allocates %v times", n)
	}
}

func TestCheck(t *testing.T) {
	for _, n := range Names {
		if err := n.Params.Check(); err != nil {
			t.Errorf("%s: %v", n.Name, err)
		}
	}
	for flag, spoil := range map[string]func(*Params){
		"-t": func(p *Params) { p.Kind = 9 },
		"-a": func(p *Params) { p.Shape = 4 },
		"-d": func(p *Params) { p.Depth = 0 },
		"-b": func(p *Params) { p.Branching = -1 },
		"-q": func(p *Params) { p.Prob = 1.5 },
		"-m": func(p *Params) { p.Children = -1 },
		"-r": func(p *Params) { p.Seed = -1 },
		"-f": func(p *Params) { p.Shift = 2 },
	} {
		p := Default
		spoil(&p)
		if err := p.Check(); err == nil || !strings.HasPrefix(err.Error(), flag+" ") {
			t.Errorf("a bad %s: %v", flag, err)
		}
	}
	endless := Default
	endless.Kind, endless.Prob, endless.Children = Binomial, 0.5, 3
	if endless.Check() == nil {
		t.Error("a tree without end passed")
	}
}

// BenchmarkNode is the cost of one node of a walk.
func BenchmarkNode(b *testing.B) {
	g := New(Default)
	nodes := 0
	for b.Loop() {
		nodes += int(g.Count().Nodes)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
}
