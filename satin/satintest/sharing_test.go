package satintest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Memory that parts of a value share is one thing in a process and two once the value has
// travelled. Here somebody writes to one of the two and reads the other: whoever computed the job
// would decide what the run comes to.

// Halves is a result with two places for memory.
type Halves struct{ A, B []int }

// Named is another.
type Named struct {
	A map[string]int
	B []map[string]int
}

// Sharing is a job whose result shares memory, as How says: "one" slice twice, two that "touch", so
// that an append to the first writes to the second, or none.
type Sharing struct {
	How string
	I   int
}

func (q Sharing) Run(*satin.Scope) (Halves, error) {
	x := make([]int, 4)
	computes(5 * time.Millisecond)
	switch q.How {
	case "one":
		return Halves{x, x}, nil
	case "touch":
		return Halves{x[:2], x[2:]}, nil
	}
	return Halves{x[:2:2], x[2:]}, nil
}

// SharingRoot appends to the one half of each, which writes to it, and reads the other.
type SharingRoot struct{ How string }

func (q SharingRoot) Run(s *satin.Scope) (int, error) {
	sum := 0
	err := satin.Each(s, 64, func(i int) Sharing { return Sharing{q.How, i} }, func(_ int, r Halves) {
		r.A[0] = 1
		r.A = append(r.A, 1)
		sum += r.B[0]
	})
	return sum, err
}

// MapsRoot does so with a map that is in its result twice.
type MapsRoot struct{}

type Maps struct{ I int }

func (Maps) Run(*satin.Scope) (Named, error) {
	m := map[string]int{}
	computes(5 * time.Millisecond)
	return Named{m, []map[string]int{m}}, nil
}

func (MapsRoot) Run(s *satin.Scope) (int, error) {
	jobs := make([]Maps, 64)
	for i := range jobs {
		jobs[i].I = i
	}
	all, err := satin.All(s, jobs)
	sum := 0
	for _, r := range all {
		r.A["x"] = 1
		sum += r.B[0]["x"]
	}
	return sum, err
}

// sharingApp lists what this file computes.
func sharingApp() satin.App {
	return satin.App{Name: "sharing", Tasks: []satin.TaskType{
		satin.Type[SharingRoot](), satin.Type[Sharing](), satin.Type[MapsRoot](), satin.Type[Maps](),
		satin.Type[Echoes](), satin.Type[Echo](),
	}}
}

// sharingGrids is four peers, and the same under Strict.
func sharingGrids(t *testing.T) map[string]*satintest.Grid {
	grids := map[string]*satintest.Grid{}
	for name, strict := range map[string]bool{"plain": false, "strict": true} {
		grids[name] = satintest.Start(t, satintest.Config{
			App: sharingApp(), Strict: strict, Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}},
		})
	}
	return grids
}

// A run fails whose results share memory within themselves, whoever has them; one that is cut from
// one piece of memory, each with its own capacity, computes what it does alone.
func TestResultsThatShareMemory(t *testing.T) {
	t.Parallel()
	for name, g := range sharingGrids(t) {
		comesApart(t, name, g, SharingRoot{"one"}, "Halves: .A and .B share memory")
		comesApart(t, name, g, SharingRoot{"touch"}, "Halves: .A and .B share memory")
		comesApart(t, name, g, MapsRoot{}, "Named: .")
		alone, err := satin.Run(context.Background(), nil, SharingRoot{"none"})
		if got, err2 := satin.Run(context.Background(), g.Client, SharingRoot{"none"}); got != alone || err != nil || err2 != nil {
			t.Errorf("%s: apart: the grid says %d, %v, and alone it is %d, %v", name, got, err2, alone, err)
		}
	}
}

func comesApart[T satin.Task[int]](t *testing.T, name string, g *satintest.Grid, task T, where string) {
	t.Helper()
	n, err := satin.Run[T, int](context.Background(), g.Client, task)
	if err == nil || !strings.Contains(err.Error(), where) || !strings.Contains(err.Error(), "share memory") {
		t.Errorf("%s: %+v: %d, %v; want %q", name, task, n, err, where)
	}
}

// Echo returns its field ("field") or that of the root ("root") as its result, or appends to its
// field ("append"), which has room for more.
type Echo struct {
	How string
	I   int
	L   []int
}

func (q Echo) Run(s *satin.Scope) ([]int, error) {
	computes(5 * time.Millisecond)
	switch q.How {
	case "root":
		return satin.Root[Echoes](s).L, nil
	case "append":
		return append([]int{}, append(q.L, 1)...), nil
	}
	return q.L, nil
}

// Echoes writes to the results of its children, or they to what lies behind their fields, and reads
// what it had before: nobody may do that. Alone it sees what was written.
type Echoes struct {
	How string
	L   []int
}

func (q Echoes) Run(s *satin.Scope) (int, error) {
	lists := make([][]int, 16)
	for i := range lists {
		lists[i] = make([]int, 4)
	}
	sum := 0
	err := satin.Each(s, len(lists), func(i int) Echo { return Echo{q.How, i, lists[i][:2]} }, func(i int, r []int) {
		r[0]++
		sum += lists[i][0] + lists[i][2] + satin.Root[Echoes](s).L[0]
	})
	return sum, err
}

// Under Strict each job has fields and each parent a result as if they had travelled, so a grid
// always says something else than a process alone, and a test that compares them always finds it.
func TestStrictHandsOutCopies(t *testing.T) {
	t.Parallel()
	p, err := satin.Open(context.Background(), satin.Config{Alone: true, App: sharingApp(), Testing: satin.Testing{Strict: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, how := range []string{"field", "root", "append"} {
		plain, err := satin.Run(context.Background(), nil, Echoes{how, make([]int, 4)})
		strict, err2 := satin.Run(context.Background(), p, Echoes{how, make([]int, 4)})
		if plain == 0 || strict != 0 || err != nil || err2 != nil {
			t.Errorf("%s: %d, %v, and under Strict %d, %v; want 0 there alone", how, plain, err, strict, err2)
		}
	}
}
