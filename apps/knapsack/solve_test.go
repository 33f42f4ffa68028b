package knapsack

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"satingrid/apps/knapsack/check"
	"satingrid/apps/knapsack/instance"
	"satingrid/satin"
	"satingrid/satin/effort"
	"satingrid/satin/satintest"
)

// alone opens a peer with so many workers and no grid.
func alone(t testing.TB, workers int) *satin.Peer {
	t.Helper()
	p, err := satin.Open(context.Background(), satin.Config{App: App(), Alone: true, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// claim is what a run's answer says, for the checker.
func claim(a Packing) check.Claim {
	c := check.Claim{Value: a.Value, Weight: a.Weight, Optimal: a.Value == a.Bound}
	for k, item := range a.Items {
		c.Items = append(c.Items, int64(item)+1)
		if a.Copies != nil {
			c.Copies = append(c.Copies, int64(a.Copies[k]))
		}
	}
	return c
}

// solve solves, and has the checker look at the answer.
func solve(t testing.TB, peer *satin.Peer, task Solve, p *instance.Instance) Packing {
	t.Helper()
	got, err := satin.Run(context.Background(), peer, task)
	if err != nil {
		t.Fatal(err)
	}
	c := claim(got)
	value, weight, err := check.Packing(p, c.Items, c.Copies)
	if err != nil || value != c.Value || weight != c.Weight || !c.Optimal {
		t.Fatalf("%s: %+v: value %d, weight %d, %v", p.Name, got, value, weight, err)
	}
	return got
}

// TestDumbTwin solves tiny problems of all classes, from lists and with jobs only, as Bellman's
// dynamic programme does.
func TestDumbTwin(t *testing.T) {
	peers := []*satin.Peer{alone(t, 1), alone(t, 2)}
	r := rand.New(rand.NewPCG(8, 8))
	for k := range effort.Of(60, 200, 600) {
		p := tiny(t, r, 40)
		task := New(p)
		task.Divide = k%2 == 0
		got := solve(t, peers[k/2%2], task, p)
		if r, err := check.Verify(p, claim(got)); err != nil || !r.Optimal {
			t.Fatalf("%s, capacity %d, divide %t: %+v, %v\n%v", p.Name, p.Capacity, task.Divide, r, err, p.Items)
		}
	}
}

// TestSpecial has what is at the edges.
func TestSpecial(t *testing.T) {
	for _, c := range []struct {
		name     string
		items    []instance.Item
		capacity int64
		want     int64
	}{
		{"no room", []instance.Item{{Profit: 5, Weight: 1}}, 0, 0},
		{"no room, and no weight", []instance.Item{{Profit: 5, Weight: 0}, {Profit: 7, Weight: 1}, {Profit: 2, Weight: 0}}, 0, 7},
		{"all fit", []instance.Item{{Profit: 5, Weight: 2}, {Profit: 3, Weight: 3}}, 5, 8},
		{"none fits", []instance.Item{{Profit: 5, Weight: 9}, {Profit: 3, Weight: 7}}, 6, 0},
		{"worth nothing", []instance.Item{{Profit: 0, Weight: 1}, {Profit: 0, Weight: 0}}, 6, 0},
		{"one, as large as can be", []instance.Item{{Profit: instance.TotalMax, Weight: instance.TotalMax}}, instance.TotalMax, instance.TotalMax},
		{"copies", []instance.Item{{Profit: 3, Weight: 2}, {Profit: 3, Weight: 2}, {Profit: 3, Weight: 2}, {Profit: 4, Weight: 3}}, 7, 10},
		{"no items", nil, 3, 0},
	} {
		p := &instance.Instance{Name: c.name, Items: c.items, Capacity: c.capacity}
		for _, divide := range []bool{false, true} {
			task := New(p)
			task.Divide = divide
			if got := solve(t, nil, task, p); got.Value != c.want {
				t.Errorf("%s: %d, want %d", c.name, got.Value, c.want)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for want, task := range map[string]Solve{
		"2 profits and 1 weights":  {Profits: []int64{1, 2}, Weights: []int64{1}},
		"item 1: the profit is -1": {Profits: []int64{-1}, Weights: []int64{1}},
	} {
		if _, err := satin.Run(t.Context(), nil, task); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestHalfSums compares what jobs find with what two lists find, where both go through all sums.
func TestHalfSums(t *testing.T) {
	for seed := range int64(2) {
		p, err := instance.Generate(instance.SubsetSum, 37, 1e12, seed)
		if err != nil {
			t.Fatal(err)
		}
		e := newSolver(p)
		if !e.meet(node{problem: e.g.problem}, 1<<24, 1<<40) {
			t.Fatal("two lists have solved nothing")
		}
		if got := solve(t, alone(t, 2), New(p), p); got.Value != e.best.Value {
			t.Errorf("jobs have found %d, two lists %d", got.Value, e.best.Value)
		}
	}
}

// TestBranches has a problem that jobs can only branch on: it has too many items for half sums, and
// too many states for lists.
func TestBranches(t *testing.T) {
	p, err := instance.Generate(instance.InverseStronglyCorrelated, 300, 1e6, 1)
	if err != nil {
		t.Fatal(err)
	}
	e := newSolver(p)
	z, _ := e.g.greedy()
	n, open := node{problem: e.g.problem}.narrow(z)
	if !open || len(n.items) <= leafItems || e.lists(n, unbounded, widthBranch, workBranch) || e.meet(n, statesBranch, workBranch) {
		t.Fatal("the problem is too easy")
	}
	task := New(p)
	want := solve(t, nil, task, p)
	task.Divide = true
	if got := solve(t, alone(t, 2), task, p); got.Value != want.Value {
		t.Errorf("jobs have found %d, lists %d", got.Value, want.Value)
	}
}

// TestOnAGrid loses peers while half sums are gone through, and still finds the optimum. On a busy
// machine a peer may come too late to a small problem: then it is tried with a larger one.
func TestOnAGrid(t *testing.T) {
	for _, items := range []int{40, 42, 44} {
		if losesOne(t, items) {
			return
		}
	}
	t.Error("all runs had ended before a peer worked for them: the test does less than it claims")
}

// losesOne tells whether a peer that worked was lost on the way.
func losesOne(t *testing.T, items int) bool {
	p, err := instance.Generate(instance.SubsetSum, items, 1e12, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := solve(t, nil, New(p), p)
	g := satintest.Start(t, satintest.Config{App: App(), Delay: time.Millisecond, Strict: true})
	sub, err := satin.Submit(t.Context(), g.Client, New(p))
	if err != nil {
		t.Fatal(err)
	}
	worked := g.Works("b/1", sub.Done())
	g.Kill("b/1")
	if got, err := sub.Wait(); err != nil || got.Value != want.Value {
		t.Errorf("%d on a grid, %v; %d alone", got.Value, err, want.Value)
	}
	return worked
}

// TestInterrupted has the best so far, with a bound, when a run is given up.
func TestInterrupted(t *testing.T) {
	p, err := instance.Generate(instance.SubsetSum, 52, 1e15, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sub, err := satin.Submit(ctx, alone(t, 2), New(p))
	if err != nil {
		t.Fatal(err)
	}
	for _, ok := sub.Best(); !ok; _, ok = sub.Best() {
		select {
		case <-sub.Done():
			t.Fatal("a run of seconds has ended without a best")
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if _, err := sub.Wait(); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v: a run of seconds has ended", err)
	}
	best, _ := sub.Best()
	value, weight, err := check.Packing(p, claim(best).Items, nil)
	if err != nil || value != best.Value || weight != best.Weight || best.Bound <= value {
		t.Errorf("%d of %d, %v", value, best.Bound, err)
	}
}

// shared calls yield with each instance of the shared data and its optimum.
func shared(t testing.TB, yield func(name string, p *instance.Instance, optimum int64)) {
	t.Helper()
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Skipf("SATIN_DATA has no manifest: %v", err)
	}
	for line := range strings.Lines(string(manifest)) {
		row := strings.Split(line, "\t")
		if !strings.HasPrefix(row[0], "knapsack/") {
			continue
		}
		optimum, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(filepath.Join(folder, filepath.FromSlash(row[0])))
		if err != nil {
			t.Fatal(err)
		}
		p, err := instance.Read(f, row[0], 1)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		yield(filepath.Base(row[0]), p, optimum)
	}
}

// TestShared solves the shared instances.
func TestShared(t *testing.T) {
	shared(t, func(name string, p *instance.Instance, optimum int64) {
		if got := solve(t, nil, New(p), p); got.Value != optimum {
			t.Errorf("%s: %d, want %d", name, got.Value, optimum)
		}
	})
}
