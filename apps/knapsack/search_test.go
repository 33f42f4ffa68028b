package knapsack

import (
	"math/rand/v2"
	"testing"

	"satingrid/apps/knapsack/instance"
)

// solver is a search of a ground without a grid, and its best.
type solver struct {
	search
	v    Solve
	g    *ground
	best Packing
}

func newSolver(p *instance.Instance) *solver {
	e := &solver{v: New(p)}
	e.g = newGround(&e.v)
	e.best.Value = e.g.profit - 1 // anything is better
	e.found = func(chosen []int32) { e.best = e.g.packing(&e.v, chosen) }
	e.limit = func() (int64, bool) {
		if e.best.Value < e.g.profit {
			return -1, true
		}
		return e.g.scaled(e.best.Value), true
	}
	return e
}

// agree demands that the best has the value and fits.
func (e *solver) agree(t *testing.T, p *instance.Instance, want int64, by string) {
	t.Helper()
	if e.best.Value != want || e.best.Weight > p.Capacity {
		t.Fatalf("%s, capacity %d, by %s: value %d, weight %d; the optimum is %d\n%v", p.Name, p.Capacity, by, e.best.Value, e.best.Weight, want, p.Items)
	}
}

const unbounded = totalMax

// TestSearches solves thousands of tiny problems of all classes by lists, by two lists, after
// reduction, and by branching down to nothing.
func TestSearches(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 3000 {
		p := tiny(t, r, 30)
		want := plain(p.Items, p.Capacity)
		whole := func(e *solver) node { return node{problem: e.g.problem} }
		e := newSolver(p)
		if !e.lists(whole(e), unbounded, 1<<20, 1<<40) {
			t.Fatal("lists without a limit have solved nothing")
		}
		e.agree(t, p, want, "lists")

		e = newSolver(p)
		if e.lists(whole(e), e.g.bound(), 1+r.IntN(20), 1<<40) {
			e.agree(t, p, want, "thinned lists that say that they have solved it")
		}
		if e.best.Value > want {
			t.Fatalf("thinned lists have found %d, the optimum is %d", e.best.Value, want)
		}
		z, _ := e.limit()
		if n, open := whole(e).narrow(z); open {
			if !e.meet(n, 1<<20, 1<<40) {
				t.Fatal("two lists without a limit have solved nothing")
			}
		}
		e.agree(t, p, want, "thinned lists, reduction and two lists")
	}
}

// TestChildren branches tiny problems down to nothing: the leaves have the optimum.
func TestChildren(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		p := tiny(t, r, 12)
		e := newSolver(p)
		var down func(n node)
		down = func(n node) {
			if len(n.items) == 0 {
				if z, _ := e.limit(); n.profit > z {
					e.found(n.in)
				}
				return
			}
			z, _ := e.limit()
			for _, m := range n.children(z) {
				again, err := unpack(e.g, pack(e.g, m))
				if err != nil || again.profit != m.profit || again.room != m.room || len(again.items) != len(m.items) {
					t.Fatalf("%v: a node has changed on its way", err)
				}
				down(again)
			}
		}
		down(node{problem: e.g.problem})
		e.agree(t, p, plain(p.Items, p.Capacity), "branching")
	}
}

// TestBounds compares bounds with the optimum, and reduction with what it must keep.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 2000 {
		p := tiny(t, r, 20)
		want := plain(p.Items, p.Capacity)
		v := New(p)
		g := newGround(&v)
		z, chosen := g.greedy()
		greedy := g.packing(&v, node{problem: g.problem}.packed(chosen))
		if greedy.Value != g.value(z) || greedy.Weight > p.Capacity || greedy.Value > want {
			t.Fatalf("%s: greedy says %d and packs %d", p.Name, g.value(z), greedy.Value)
		}
		for name, bound := range map[string]int64{
			"Dantzig": g.fraction(g.room), "Martello and Toth": g.bound(), "cardinality": g.cardinality(z), "cardinality from nothing": g.cardinality(-1),
		} {
			if g.value(bound) < want {
				t.Fatalf("%s, capacity %d: the bound of %s is %d, the optimum %d\n%v", p.Name, p.Capacity, name, g.value(bound), want, p.Items)
			}
		}
		if g.bound() > g.fraction(g.room) {
			t.Fatalf("Martello's and Toth's bound is weaker than Dantzig's")
		}
		c := node{problem: g.problem}.core(5)
		if c.room < 0 || len(c.items) > 5 || len(c.items)+len(c.in) > len(g.items) {
			t.Fatalf("a core of %d items and room for %d", len(c.items), c.room)
		}
	}
}

// TestCardinalityCloses closes what the bound is there for: strongly correlated items.
func TestCardinalityCloses(t *testing.T) {
	p, err := instance.Generate(instance.StronglyCorrelated, 1000, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	e := newSolver(p)
	n := node{problem: e.g.problem}
	e.lists(n, unbounded, widthFirst, 1<<40)
	z, _ := e.limit()
	if bound := e.g.cardinality(z); bound != z || e.g.bound() == z {
		t.Errorf("the best is %d, the bound by cardinality %d, without %d", z, bound, e.g.bound())
	}
}

// TestLargeNumbers has profits and weights whose products need 128 bits, and sums
// just below the limit.
func TestLargeNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		p := &instance.Instance{}
		n := 2 + r.IntN(12)
		var sum int64
		for range n {
			x := instance.Item{Profit: instance.TotalMax/int64(n) - r.Int64N(1<<uint(1+r.IntN(50))), Weight: instance.TotalMax/int64(n) - r.Int64N(1<<uint(1+r.IntN(50)))}
			p.Items = append(p.Items, x)
			sum += x.Weight
		}
		p.Capacity = r.Int64N(sum)
		want := brute(p.Items, p.Capacity)
		for _, by := range []string{"lists", "two lists"} {
			e := newSolver(p)
			whole := node{problem: e.g.problem}
			z, _ := e.limit()
			if m, open := whole.narrow(z); open && (by == "lists" && !e.lists(m, unbounded, 1<<20, 1<<40) || by == "two lists" && !e.meet(m, 1<<20, 1<<40)) {
				t.Fatal(by + " have solved nothing")
			}
			if want > 0 {
				e.agree(t, p, want, by)
			}
		}
		v := New(p)
		g := newGround(&v)
		if g.value(g.bound()) < want || g.value(g.cardinality(-1)) < want {
			t.Fatalf("%v: bounds %d and %d, the optimum is %d", p.Items, g.value(g.bound()), g.value(g.cardinality(-1)), want)
		}
	}
}

// brute looks at all sets.
func brute(items []instance.Item, room int64) (best int64) {
	for set := range 1 << len(items) {
		var p, w int64
		for k, x := range items {
			if set>>k&1 == 1 && w <= room {
				p, w = p+x.Profit, w+x.Weight
			}
		}
		if w <= room {
			best = max(best, p)
		}
	}
	return best
}

func TestDamagedNodes(t *testing.T) {
	p, _ := instance.Generate(instance.Uncorrelated, 20, 100, 1)
	v := New(p)
	g := newGround(&v)
	good := pack(g, node{problem: g.problem})
	all := make([]byte, len(good.Free))
	for k := range all {
		all[k] = 0xff
	}
	for what, n := range map[string]Node{
		"too short":      {good.In, good.Free[:1]},
		"both":           {good.Free, good.Free},
		"all are in":     {all, good.In},
		"nothing at all": {},
	} {
		if _, err := unpack(g, n); err == nil {
			t.Errorf("%s: a damaged node is taken", what)
		}
	}
}

// heavy is a problem in the manner of Jooken, Leyman and De Causmaecker (EJOR 301, 2022): few of
// many heavy items fit, and how much they leave for the light ones no bound by density tells.
func heavy(n, groups int, capacity int64, seed uint64) *instance.Instance {
	r := rand.New(rand.NewPCG(seed, 9))
	p := &instance.Instance{Name: "heavy", Capacity: capacity}
	for k := range n {
		base := int64(0)
		if k%5 > 0 {
			base = capacity>>(1+k%groups) + capacity/10
		}
		p.Items = append(p.Items, instance.Item{Profit: base + 1 + r.Int64N(200), Weight: base + 1 + r.Int64N(200)})
	}
	return p
}

// TestHeavy solves problems of few heavy and many light items, whose two lists grow unlike
// those of other classes.
func TestHeavy(t *testing.T) {
	for seed := range uint64(12) {
		p := heavy(60, 2+int(seed%4), 60_000, seed)
		want := plain(p.Items, p.Capacity)
		e := newSolver(p)
		if whole := (node{problem: e.g.problem}); seed%2 == 0 && !e.meet(whole, 1<<22, 1<<40) || seed%2 == 1 && !e.lists(whole, unbounded, 1<<22, 1<<40) {
			t.Fatal("nothing is solved")
		}
		e.agree(t, p, want, "lists")
	}
}

// TestWholePages solves problems whose lists end where a page of their trails does, and about
// there: what was chosen is told right.
func TestWholePages(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	ended := 0
	for k := range 300 {
		p := &instance.Instance{Name: "pages"}
		for range 2*blockBits*(1+k%2) - 3 + r.IntN(6) {
			p.Items = append(p.Items, instance.Item{Profit: 1 + r.Int64N(60), Weight: 1 + r.Int64N(60)})
		}
		p.Capacity = 200 + r.Int64N(1500)
		want := plain(p.Items, p.Capacity)
		e := newSolver(p)
		if !e.meet(node{problem: e.g.problem}, 1<<20, 1<<40) {
			t.Fatal("two lists without a limit have solved nothing")
		}
		for _, side := range []*half{&e.halves.heavy, &e.halves.light} {
			if side.trail.steps%blockBits == 0 {
				ended++
			}
		}
		e.agree(t, p, want, "two lists")
		e = newSolver(p)
		if !e.lists(node{problem: e.g.problem}, unbounded, 1<<20, 1<<40) {
			t.Fatal("lists without a limit have solved nothing")
		}
		e.agree(t, p, want, "lists")
	}
	if ended < 20 {
		t.Errorf("%d lists have ended with a page: the test does less than it claims", ended)
	}
}
